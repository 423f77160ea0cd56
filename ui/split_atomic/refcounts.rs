//! Atomics and the locks beside them: counts that decide about what a lock protects, flags that are tested once more under
//! the lock, and words that are locks themselves.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

pub struct Entry {
    refs: AtomicUsize,
    key: u32,
}

pub struct Interner {
    map: Mutex<HashMap<u32, Arc<Entry>>>,
}

impl Interner {
    pub fn get_ok(&self, key: u32) -> Arc<Entry> {
        let mut map = self.map.lock().unwrap();
        let entry = map.entry(key).or_insert_with(|| Arc::new(Entry { refs: AtomicUsize::new(0), key })).clone();
        entry.refs.fetch_add(1, Ordering::SeqCst);
        entry
    }

    /// Someone may have got it again before the lock is taken.
    pub fn release_bad(&self, entry: &Entry) {
        if entry.refs.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.map.lock().unwrap().remove(&entry.key); //~ split_atomic
        }
    }

    pub fn release_ok(&self, entry: &Entry) {
        if entry.refs.fetch_sub(1, Ordering::SeqCst) == 1 {
            let mut map = self.map.lock().unwrap();
            if entry.refs.load(Ordering::SeqCst) == 0 {
                map.remove(&entry.key);
            }
        }
    }
}

pub struct Lazy {
    ready: AtomicBool,
    slot: Mutex<Vec<u32>>,
}

impl Lazy {
    pub fn init_bad(&self) {
        if !self.ready.load(Ordering::Acquire) {
            let mut slot = self.slot.lock().unwrap();
            slot.push(1);
            self.ready.store(true, Ordering::Release); //~ split_atomic
        }
    }

    /// Tested again under the lock.
    pub fn init_ok(&self) {
        if !self.ready.load(Ordering::Acquire) {
            let mut slot = self.slot.lock().unwrap();
            if !self.ready.load(Ordering::Acquire) {
                slot.push(1);
                self.ready.store(true, Ordering::Release);
            }
        }
    }

    pub fn close_ok(&self) {
        let mut slot = self.slot.lock().unwrap();
        self.ready.store(false, Ordering::Release);
        slot.clear();
    }
}

/// Counted under the same lock everywhere, or counted for its own sake.
pub struct Pool {
    idle: Mutex<Vec<u32>>,
    given: AtomicUsize,
}

impl Pool {
    pub fn give_ok(&self) -> Option<u32> {
        let found = self.idle.lock().unwrap().pop();
        self.given.fetch_add(1, Ordering::Relaxed);
        found
    }

    pub fn take_back_ok(&self, one: u32) {
        let last = self.given.fetch_sub(1, Ordering::Relaxed) == 1;
        if last {
            self.idle.lock().unwrap().push(one);
        }
    }
}

/// The first to count puts the list into the queue, and whoever takes it out counts down under the lock: one of the two sees
/// the other.
pub struct Timers {
    queue: Mutex<Vec<Arc<AtomicUsize>>>,
}

impl Timers {
    pub fn install_ok(&self, list: Arc<AtomicUsize>) {
        if list.fetch_add(1, Ordering::AcqRel) == 0 {
            self.queue.lock().unwrap().push(list);
        }
    }

    pub fn expire_ok(&self) {
        let mut queue = self.queue.lock().unwrap();
        queue.retain(|list| list.fetch_sub(1, Ordering::AcqRel) > 1);
    }
}

/// A spin lock of its own.
pub struct Word {
    state: AtomicUsize,
}

impl Word {
    pub fn lock_bad(&self) {
        while self.state.load(Ordering::Acquire) != 0 {}
        self.state.store(1, Ordering::Release); //~ split_atomic
    }

    pub fn lock_ok(&self) {
        while self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {}
    }
}
