//! Flags and states: a test and a store that should be one operation.
#![allow(dead_code)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static REGISTERED: AtomicBool = AtomicBool::new(false);
static CLAIMED: AtomicBool = AtomicBool::new(false);
static WARNED: AtomicBool = AtomicBool::new(false);
static LEVEL: AtomicUsize = AtomicUsize::new(0);

fn register() {}

/// Two threads register twice.
pub fn register_bad() {
    if !REGISTERED.load(Ordering::Relaxed) {
        register();
        REGISTERED.store(true, Ordering::Relaxed); //~ split_atomic
    }
}

pub fn register_ok() {
    if !CLAIMED.swap(true, Ordering::AcqRel) {
        register();
    }
}

pub fn warn_once_bad() {
    if !WARNED.load(Ordering::Relaxed) {
        WARNED.store(true, Ordering::Relaxed); //~ split_atomic
        println!("only once, please");
    }
}

/// Whoever comes second computes the same.
pub fn level_ok() -> usize {
    let known = LEVEL.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let level = 7 * 6;
    LEVEL.store(level, Ordering::Relaxed);
    level
}

pub struct Worker {
    busy: AtomicBool,
    stopped: AtomicBool,
    state: AtomicUsize,
    turn: Mutex<()>,
    runs: Mutex<u32>,
}

impl Worker {
    /// A lock made of a flag: two threads find it free.
    pub fn run_bad(&self) {
        if self.busy.load(Ordering::Acquire) {
            return;
        }
        self.busy.store(true, Ordering::Release); //~ split_atomic
        *self.runs.lock().unwrap() += 1;
        self.busy.store(false, Ordering::Release);
    }

    pub fn run_ok(&self) {
        if self.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return;
        }
        *self.runs.lock().unwrap() += 1;
        self.busy.store(false, Ordering::Release);
    }

    pub fn spin_bad(&self) {
        while self.busy.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        self.busy.store(true, Ordering::Release); //~ split_atomic
        *self.runs.lock().unwrap() += 1;
        self.busy.store(false, Ordering::Release);
    }

    pub fn spin_ok(&self) {
        while self.busy.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        *self.runs.lock().unwrap() += 1;
        self.busy.store(false, Ordering::Release);
    }

    /// Set twice it is set.
    pub fn stop_ok(&self) {
        if !self.stopped.load(Ordering::Relaxed) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// A lock covers both.
    pub fn step_ok(&self) {
        let _turn = self.turn.lock().unwrap();
        if self.state.load(Ordering::Relaxed) == 0 {
            self.state.store(1, Ordering::Relaxed);
        }
    }

    /// Nobody else has it.
    pub fn reset_ok(&mut self) {
        if self.state.load(Ordering::Relaxed) == 2 {
            self.state.store(0, Ordering::Relaxed);
        }
    }

    pub fn finish(&self) {
        let _turn = self.turn.lock().unwrap();
        self.state.store(2, Ordering::Relaxed);
    }
}

/// Stores first and asks then: both threads may find the old value.
pub struct Spinlock {
    lock: AtomicUsize,
}

impl Spinlock {
    pub fn take_bad(&self) -> usize {
        loop {
            let previous = self.lock.load(Ordering::SeqCst);
            self.lock.store(1, Ordering::SeqCst); //~ split_atomic
            if previous != 1 {
                return previous;
            }
        }
    }

    pub fn take_ok(&self) -> usize {
        loop {
            let previous = self.lock.swap(1, Ordering::SeqCst);
            if previous != 1 {
                return previous;
            }
        }
    }

    pub fn give(&self, state: usize) {
        self.lock.store(state + 2, Ordering::SeqCst);
    }
}

/// A flag that only one can set keeps others out, until it is set back.
pub struct Busy {
    busy: AtomicBool,
    read: AtomicUsize,
    last: AtomicUsize,
}

impl Busy {
    pub fn wrap_ok(&self) -> Option<usize> {
        if self.busy.swap(true, Ordering::AcqRel) {
            return None;
        }
        let read = self.read.load(Ordering::Acquire);
        if read == self.last.load(Ordering::Acquire) {
            self.read.store(0, Ordering::Release);
        }
        Some(read)
    }

    /// Who has set it sets it back.
    pub fn release_ok(&self, used: usize) {
        if self.busy.load(Ordering::Acquire) {
            self.read.fetch_add(used, Ordering::Release);
            self.busy.store(false, Ordering::Release);
        }
    }
}

/// One thread alone moves the position on.
pub struct Position {
    next: AtomicUsize,
}

impl Position {
    pub fn advance_ok(&self) -> usize {
        let next = self.next.load(Ordering::Relaxed);
        self.next.store(next + 1, Ordering::SeqCst);
        next
    }
}
