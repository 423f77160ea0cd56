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

/// Two types implement it: with one of them the bug is there.
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

fn two_implementations_bad(clock: &dyn Clock) {
    let now = clock.now();
    clock.wind(now + 1); //~ stale_value
}

/// Both take a lock, each its own: what one of them saw, the other does not write.
pub trait Halves {
    fn seen(&self) -> u32;
    fn put(&self, to: u32);
}

pub struct Left {
    seen: Mutex<u32>,
    put: Mutex<u32>,
}

impl Halves for Left {
    fn seen(&self) -> u32 {
        *self.seen.lock().unwrap()
    }

    fn put(&self, to: u32) {
        *self.put.lock().unwrap() = to;
    }
}

pub struct Right {
    count: Mutex<u32>,
}

impl Halves for Right {
    fn seen(&self) -> u32 {
        0
    }

    fn put(&self, _: u32) {
        *self.count.lock().unwrap() += 1;
    }
}

fn each_its_own_ok(halves: &impl Halves) {
    let seen = halves.seen();
    halves.put(seen + 1);
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
