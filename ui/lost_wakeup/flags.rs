//! A flag that is tested under the mutex of a wait, and set without it.
#![allow(dead_code)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

pub struct Gate {
    open: AtomicBool,
    lock: Mutex<()>,
    opened: Condvar,
}

impl Gate {
    pub fn wait(&self) {
        let mut held = self.lock.lock().unwrap();
        while !self.open.load(Ordering::SeqCst) {
            held = self.opened.wait(held).unwrap();
        }
    }

    pub fn open_bad(&self) {
        self.open.store(true, Ordering::SeqCst);
        self.opened.notify_all(); //~ lost_wakeup
    }

    pub fn open_held_ok(&self) {
        let _held = self.lock.lock().unwrap();
        self.open.store(true, Ordering::SeqCst);
        self.opened.notify_all();
    }

    /// Who waits has looked before, and sleeps, or looks after.
    pub fn open_then_lock_ok(&self) {
        self.open.store(true, Ordering::SeqCst);
        drop(self.lock.lock().unwrap());
        self.opened.notify_all();
    }

    fn open_for_caller(&self) {
        self.open.store(true, Ordering::SeqCst);
        self.opened.notify_all();
    }

    pub fn open_by_helper_ok(&self) {
        let _held = self.lock.lock().unwrap();
        self.open_for_caller();
    }

    /// Nothing has changed that anybody waits for.
    pub fn nudge_ok(&self) {
        self.opened.notify_all();
    }
}

/// What is under the mutex cannot be changed without it, and may be told when it is free.
pub struct Queue {
    items: Mutex<Vec<u32>>,
    pushed: AtomicUsize,
    ready: Condvar,
}

impl Queue {
    pub fn pop(&self) -> Option<u32> {
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap();
        }
        items.pop()
    }

    pub fn push_ok(&self, item: u32) {
        self.items.lock().unwrap().push(item);
        self.pushed.store(1, Ordering::Relaxed);
        self.ready.notify_one();
    }
}
