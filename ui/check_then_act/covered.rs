//! Helpers that are only called with an outer lock held, or that are given exclusive access to something that is kept
//! under a lock: nobody else can be in them.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

struct Wheel {
    ticks: u32,
}

struct Timer {
    slot: Mutex<Option<u32>>,
}

impl Timer {
    fn get(&self) -> Option<u32> {
        *self.slot.lock().unwrap()
    }

    fn set(&self, slot: u32) {
        *self.slot.lock().unwrap() = Some(slot);
    }
}

pub struct Cache {
    wheel: Mutex<Wheel>,
    timer: Timer,
}

impl Cache {
    pub fn run(&self) {
        let mut wheel = self.wheel.lock().unwrap();
        self.apply(&mut wheel);
    }

    fn apply(&self, wheel: &mut Wheel) {
        self.schedule_ok(wheel);
    }

    /// Whoever has the wheel has it from the guard of `self.wheel`.
    fn schedule_ok(&self, wheel: &mut Wheel) {
        if self.timer.get().is_none() {
            wheel.ticks += 1;
            self.timer.set(wheel.ticks);
        }
    }
}

pub struct Registry {
    turn: Mutex<()>,
    leader: Mutex<Option<u32>>,
    second: Mutex<Option<Arc<Mutex<u32>>>>,
    mode: RwLock<()>,
    third: Mutex<Option<Arc<Mutex<u32>>>>,
    fourth: Mutex<Option<u32>>,
}

impl Registry {
    pub fn elect(&self, me: u32) {
        let _turn = self.turn.lock().unwrap();
        self.elect_under_turn_ok(me);
        self.elect_sometimes_bad(me);
    }

    pub fn elect_at_once(&self, me: u32) {
        self.elect_sometimes_bad(me);
    }

    /// Every caller holds `turn`.
    fn elect_under_turn_ok(&self, me: u32) {
        if self.leader.lock().unwrap().is_some() {
            return;
        }
        *self.leader.lock().unwrap() = Some(me);
    }

    /// One caller does not.
    fn elect_sometimes_bad(&self, me: u32) {
        if self.second.lock().unwrap().is_some() {
            return;
        }
        *self.second.lock().unwrap() = Some(Arc::new(Mutex::new(me))); //~ check_then_act
    }

    pub fn elect_in_mode(&self, me: u32) {
        let _mode = self.mode.read().unwrap();
        self.elect_under_read_lock_bad(me);
    }

    /// Every caller holds the read lock, and so can two at once.
    fn elect_under_read_lock_bad(&self, me: u32) {
        if self.third.lock().unwrap().is_some() {
            return;
        }
        *self.third.lock().unwrap() = Some(Arc::new(Mutex::new(me))); //~ check_then_act
    }

    /// Other crates may call it: what the callers here hold says little.
    pub fn elect_for_all_bad(&self, me: u32) {
        if self.fourth.lock().unwrap().is_some() {
            return;
        }
        *self.fourth.lock().unwrap() = Some(me); //~ check_then_act
    }
}

/// Every caller of the second look holds the outer lock; who changes the map without it has the whole object alone.
#[derive(Default)]
struct Manifest {
    structure: Mutex<()>,
    buckets: RwLock<HashMap<u32, Arc<Mutex<u32>>>>,
}

impl Manifest {
    pub fn load_ok(&self, id: u32) -> Arc<Mutex<u32>> {
        let _held = self.structure.lock().unwrap();
        self.load_locked_ok(id)
    }

    fn load_locked_ok(&self, id: u32) -> Arc<Mutex<u32>> {
        if let Some(known) = self.buckets.read().unwrap().get(&id) {
            return known.clone();
        }
        let new = Arc::new(Mutex::new(id));
        self.buckets.write().unwrap().insert(id, new.clone());
        new
    }

    pub fn remove(&self, id: u32) {
        let _held = self.structure.lock().unwrap();
        self.buckets.write().unwrap().remove(&id);
    }

    pub fn abort(&mut self) {
        self.buckets.write().unwrap().clear();
    }
}

/// Whoever makes one need not hold the lock: nobody else has it yet.
pub struct Mapped {
    resize: Mutex<()>,
    length: Mutex<u64>,
}

impl Mapped {
    pub fn open(length: u64) -> Mapped {
        let mapped = Mapped { resize: Mutex::new(()), length: Mutex::new(0) };
        mapped.grow_if_needed_ok(length);
        mapped
    }

    pub fn grow(&self, to: u64) {
        let _one = self.resize.lock().unwrap();
        self.grow_if_needed_ok(to);
    }

    fn grow_if_needed_ok(&self, to: u64) {
        if *self.length.lock().unwrap() < to {
            *self.length.lock().unwrap() = to;
        }
    }
}
