//! A number is loaded to be used, and set back by a store after that: what others count in between is in neither.
#![allow(dead_code)]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[derive(Default)]
pub struct Counts {
    bytes: AtomicU64,
    calls: AtomicU64,
    last: AtomicU64,
    armed: AtomicBool,
}

impl Counts {
    pub fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    pub fn arm(&self, armed: bool) {
        self.armed.store(armed, Ordering::Release);
    }

    pub fn take_bad(&self) -> u64 {
        let bytes = self.bytes.load(Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed); //~ split_atomic
        bytes
    }

    pub fn take_ok(&self) -> u64 {
        self.bytes.swap(0, Ordering::Relaxed)
    }

    pub fn mean_bad(&self) -> u64 {
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        let calls = self.calls.load(Ordering::Relaxed);
        self.calls.store(0, Ordering::Relaxed); //~ split_atomic
        bytes / calls.max(1)
    }

    pub fn reset_ok(&self) {
        self.bytes.store(0, Ordering::Relaxed);
        self.calls.store(0, Ordering::Relaxed);
    }

    /// A flag is set or not, however often.
    pub fn disarm_ok(&self) -> bool {
        let armed = self.armed.load(Ordering::Acquire);
        self.armed.store(false, Ordering::Release);
        armed
    }

    /// Nobody else writes it.
    pub fn last_ok(&self) -> u64 {
        let last = self.last.load(Ordering::Relaxed);
        self.last.store(0, Ordering::Relaxed);
        last
    }

    /// It was a hint how much room is needed.
    pub fn gather_ok(&self, into: &mut Vec<u64>) {
        make_room(into, self.calls.load(Ordering::Relaxed) as usize);
        self.calls.store(0, Ordering::Relaxed);
        into.push(1);
    }

    /// What was loaded is used up before.
    pub fn told_ok(&self) {
        println!("{}", self.bytes.load(Ordering::Relaxed));
        self.bytes.store(0, Ordering::Relaxed);
    }

    pub fn alone_ok(&mut self) -> u64 {
        let bytes = self.bytes.load(Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
        bytes
    }
}

fn make_room(into: &mut Vec<u64>, more: usize) {
    into.clear();
    if more + 2 > into.capacity() {
        into.reserve_exact(more + 2 - into.capacity());
    }
}
