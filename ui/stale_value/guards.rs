//! Guards in all the ways they are held and let go.
#![allow(dead_code)]

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

struct Counter {
    state: Mutex<u32>,
    log: Mutex<Vec<u32>>,
}

struct Session<'a> {
    guard: MutexGuard<'a, u32>,
    name: &'static str,
}

impl Counter {
    fn matched_bad(&self) {
        let n = match self.state.lock() {
            Ok(guard) => *guard,
            Err(poisoned) => *poisoned.into_inner(),
        };
        *self.state.lock().unwrap() = n + 1; //~ stale_value
    }

    fn matched_ok(&self) {
        let mut guard = match self.state.lock() {
            Ok(guard) => guard,
            Err(poisoned) => poisoned.into_inner(),
        };
        let n = *guard;
        *guard = n + 1;
    }

    fn poison_ignored_bad(&self) {
        let n = *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = n + 1; //~ stale_value
    }

    fn poison_ignored_ok(&self) {
        let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let n = *guard;
        *guard = n + 1;
    }

    fn moved_bad(&self) {
        let first = self.state.lock().unwrap();
        let second = first;
        let n = *second;
        drop(second);
        *self.state.lock().unwrap() = n + 1; //~ stale_value
    }

    fn moved_ok(&self) {
        let first = self.state.lock().unwrap();
        let mut second = first;
        let n = *second;
        *second = n + 1;
    }

    fn dropped_on_some_ways_bad(&self, early: bool) {
        let guard = self.state.lock().unwrap();
        let n = *guard;
        if early {
            drop(guard);
            *self.state.lock().unwrap() = n + 1; //~ stale_value
        }
    }

    fn dropped_on_some_ways_ok(&self, early: bool) {
        let mut guard = self.state.lock().unwrap();
        let n = *guard;
        if early {
            drop(guard);
        } else {
            *guard = n + 1;
        }
    }

    fn scope_ends_bad(&self) {
        let n;
        {
            let guard = self.state.lock().unwrap();
            n = *guard;
        }
        let mut guard = self.state.lock().unwrap();
        *guard = n + 1; //~ stale_value
    }

    fn scope_ends_ok(&self) {
        let n;
        {
            let mut guard = self.state.lock().unwrap();
            n = *guard;
            *guard = n + 1;
        }
    }

    /// The shadowed guard lives on until the end of the body: this second lock is never had, so there is no gap to speak
    /// of.
    fn shadowed_bad(&self) {
        let guard = self.state.lock().unwrap();
        let n = *guard;
        let mut guard = self.state.lock().unwrap(); //~ double_lock
        *guard = n + 1;
    }

    fn shadowed_after_drop_bad(&self) {
        let guard = self.state.lock().unwrap();
        let n = *guard;
        drop(guard);
        let mut guard = self.state.lock().unwrap();
        *guard = n + 1; //~ stale_value
    }

    fn assigned_over_bad(&self) {
        let mut guard = self.state.lock().unwrap();
        let n = *guard;
        drop(guard);
        guard = self.state.lock().unwrap();
        *guard = n + 1; //~ stale_value
    }

    fn assigned_over_ok(&self) {
        let mut guard = self.state.lock().unwrap();
        *guard += 1;
        drop(guard);
        guard = self.state.lock().unwrap();
        *guard = *guard + 1;
    }

    /// The guard in the scrutinee lives to the end of the `match`.
    fn match_scrutinee_bad(&self) {
        let n = match *self.state.lock().unwrap() {
            0 => return,
            n => n,
        };
        *self.state.lock().unwrap() = n + 1; //~ stale_value
    }

    fn match_scrutinee_ok(&self) {
        match &mut *self.state.lock().unwrap() {
            0 => {}
            n => *n = *n + 1,
        }
    }

    fn try_lock_bad(&self) {
        let Ok(guard) = self.state.try_lock() else { return };
        let n = *guard;
        drop(guard);
        match self.state.try_lock() {
            Ok(mut guard) => *guard = n + 1, //~ stale_value
            Err(TryLockError::Poisoned(_) | TryLockError::WouldBlock) => {}
        }
    }

    /// A `try_lock` that fails enters nothing.
    fn try_lock_ok(&self) {
        let mut guard = self.state.lock().unwrap();
        let n = *guard;
        if self.state.try_lock().is_err() {
            *guard = n + 1;
        }
    }

    fn in_a_struct_bad(&self) {
        let session = Session { guard: self.state.lock().unwrap(), name: "first" };
        let n = *session.guard;
        drop(session);
        let mut session = Session { guard: self.state.lock().unwrap(), name: "second" };
        *session.guard = n + 1; //~ stale_value
    }

    fn in_a_struct_ok(&self) {
        let mut session = Session { guard: self.state.lock().unwrap(), name: "only" };
        let n = *session.guard;
        *session.guard = n + 1;
    }

    fn two_in_a_tuple_bad(&self) {
        let (state, mut log) = (self.state.lock().unwrap(), self.log.lock().unwrap());
        let n = *state;
        drop(state);
        log.push(n);
        *self.state.lock().unwrap() = n + 1; //~ stale_value
    }

    fn two_in_a_tuple_ok(&self) {
        let (mut state, mut log) = (self.state.lock().unwrap(), self.log.lock().unwrap());
        let n = *state;
        log.push(n);
        drop(log);
        *state = n + 1;
    }

    fn in_an_option_bad(&self) {
        let mut held = Some(self.state.lock().unwrap());
        let n = held.as_ref().map_or(0, |guard| **guard);
        held.take();
        *self.state.lock().unwrap() = n + 1; //~ stale_value
    }

    fn in_an_option_ok(&self) {
        let mut held = Some(self.state.lock().unwrap());
        if let Some(guard) = &mut held {
            let n = **guard;
            **guard = n + 1;
        }
    }
}
