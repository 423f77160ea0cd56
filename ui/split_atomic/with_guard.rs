//! What is loaded under a guard that is returned with it.
#![allow(dead_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The state is changed under the lock of the waiters.
pub struct Notify {
    state: AtomicUsize,
    waiters: Mutex<Vec<u32>>,
}

pub struct Waiters<'a> {
    of: &'a Notify,
    state: usize,
    list: MutexGuard<'a, Vec<u32>>,
}

impl Notify {
    fn lock(&self) -> Waiters<'_> {
        let list = self.waiters.lock().unwrap();
        let state = self.state.load(Ordering::SeqCst);
        Waiters { of: self, state, list }
    }

    pub fn notify_all_ok(&self) {
        self.lock().notify_all();
    }

    fn seen(&self) -> usize {
        let _list = self.waiters.lock().unwrap();
        self.state.load(Ordering::SeqCst)
    }

    fn set(&self, state: usize) {
        self.state.store(state, Ordering::SeqCst);
    }

    /// Here the lock is let go with the look.
    pub fn advance_bad(&self) {
        let seen = self.seen();
        self.set(seen + 4); //~ split_atomic
    }
}

impl Waiters<'_> {
    fn notify_all(mut self) {
        self.list.clear();
        self.of.state.store(self.state + 4, Ordering::SeqCst);
    }
}
