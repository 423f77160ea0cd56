//! A flag that may not be there: asked for by one way before the lock, and set by another one under it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

unsafe extern "C" {
    fn free_proxy(number: u32);
}

pub struct State {
    known: HashMap<u32, u32>,
}

pub struct Id {
    alive: Option<Arc<AtomicBool>>,
    number: u32,
}

pub struct Backend {
    state: Mutex<State>,
}

impl Backend {
    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Whoever calls it has the guard.
    fn destroy_with(&self, state: &mut MutexGuard<'_, State>, id: &Id) {
        if let Some(ref alive) = id.alive {
            unsafe { free_proxy(id.number) };
            alive.store(false, Ordering::Release);
        }
        state.known.remove(&id.number);
    }

    /// Two threads see it alive, wait for the lock, and free it twice.
    pub fn destroy_bad(&self, id: &Id) -> Result<(), ()> {
        if !id.alive.as_ref().map(|alive| alive.load(Ordering::Acquire)).unwrap_or(false) {
            return Err(());
        }
        self.destroy_with(&mut self.lock_state(), id); //~ split_atomic
        Ok(())
    }

    pub fn destroy_by_match_bad(&self, id: &Id) -> Result<(), ()> {
        let is_alive = match id.alive.as_ref() {
            Some(alive) => alive.load(Ordering::Acquire),
            None => false,
        };
        if !is_alive {
            return Err(());
        }
        let mut state = self.lock_state();
        if let Some(alive) = &id.alive {
            unsafe { free_proxy(id.number) };
            alive.store(false, Ordering::Release); //~ split_atomic
        }
        state.known.remove(&id.number);
        Ok(())
    }

    pub fn destroy_ok(&self, id: &Id) -> Result<(), ()> {
        let mut state = self.lock_state();
        if !id.alive.as_ref().map(|alive| alive.load(Ordering::Acquire)).unwrap_or(false) {
            return Err(());
        }
        self.destroy_with(&mut state, id);
        Ok(())
    }
}
