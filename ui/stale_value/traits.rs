//! Read and write behind a trait: where one type alone implements it, that is what runs. And far below: the lock is taken
//! four calls down.
#![allow(dead_code)]

use std::sync::{Arc, Mutex};

pub trait Store {
    fn get(&self) -> u32;
    fn set(&self, value: u32);
}

pub struct Memory {
    n: Mutex<u32>,
}

impl Store for Memory {
    fn get(&self) -> u32 {
        *self.n.lock().unwrap()
    }

    fn set(&self, value: u32) {
        *self.n.lock().unwrap() = value;
    }
}

pub struct Generic<S> {
    store: S,
}

impl<S: Store> Generic<S> {
    pub fn hit_bad(&self) {
        let n = self.store.get();
        self.store.set(n + 1); //~ stale_value
    }
}

pub struct Boxed {
    store: Box<dyn Store>,
}

impl Boxed {
    pub fn hit_bad(&self) {
        let n = self.store.get();
        self.store.set(n + 1); //~ stale_value
    }

    /// Nobody else has what is in the box.
    pub fn hit_alone_ok(&mut self) {
        let n = self.store.get();
        self.store.set(n + 1);
    }
}

pub struct Shared {
    store: Arc<dyn Store + Send + Sync>,
}

impl Shared {
    pub fn hit_bad(&self) {
        let n = self.store.get();
        self.store.set(n + 1); //~ stale_value
    }
}

/// Two types implement it: which of them runs is not known.
pub trait Clock {
    fn now(&self) -> u32;
    fn wind(&self, to: u32);
}

pub struct Wall {
    time: Mutex<u32>,
}

impl Clock for Wall {
    fn now(&self) -> u32 {
        *self.time.lock().unwrap()
    }

    fn wind(&self, to: u32) {
        *self.time.lock().unwrap() = to;
    }
}

pub struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> u32 {
        0
    }

    fn wind(&self, _: u32) {}
}

// With two implementations the methods are not followed.
fn fn_two_implementations(clock: &dyn Clock) {
    let now = clock.now();
    clock.wind(now + 1);
}

pub struct Deep {
    n: Mutex<u32>,
}

impl Deep {
    fn first(&self) -> u32 {
        *self.n.lock().unwrap()
    }

    fn second(&self) -> u32 {
        self.first()
    }

    fn third(&self) -> u32 {
        self.second()
    }

    fn fourth(&self) -> u32 {
        self.third()
    }

    fn set_first(&self, n: u32) {
        *self.n.lock().unwrap() = n;
    }

    fn set_second(&self, n: u32) {
        self.set_first(n);
    }

    fn set_third(&self, n: u32) {
        self.set_second(n);
    }

    fn set_fourth(&self, n: u32) {
        self.set_third(n);
    }

    pub fn bump_bad(&self) {
        let n = self.fourth();
        self.set_fourth(n + 1); //~ stale_value
    }
}
