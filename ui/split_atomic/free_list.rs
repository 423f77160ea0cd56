//! A list that is kept in atomics: its head says where the first one is, and each one where the next is. What is read at the old
//! head and stored as the new one is computed from the old head.
#![allow(dead_code)]

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

const NONE: usize = usize::MAX;

pub struct Slot {
    free: AtomicBool,
    next: AtomicUsize,
}

pub struct Arena {
    slots: Vec<Slot>,
    first_free: AtomicUsize,
    links: [AtomicUsize; 64],
    /// Who changes the list has it.
    changes: std::sync::Mutex<()>,
}

impl Arena {
    pub fn reserve_bad(&self) -> Option<usize> {
        let first = self.first_free.load(Ordering::SeqCst);
        if first == NONE {
            return None;
        }
        let slot = &self.slots[first];
        slot.free.store(false, Ordering::SeqCst);
        self.first_free.store(slot.next.load(Ordering::SeqCst), Ordering::SeqCst); //~ split_atomic
        Some(first)
    }

    pub fn reserve_ok(&self) -> Option<usize> {
        let mut first = self.first_free.load(Ordering::SeqCst);
        while first != NONE {
            let next = self.slots[first].next.load(Ordering::SeqCst);
            match self.first_free.compare_exchange(first, next, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return Some(first),
                Err(now) => first = now,
            }
        }
        None
    }

    pub fn reserve_under_lock_ok(&self) -> Option<usize> {
        let _changes = self.changes.lock().unwrap();
        let first = self.first_free.load(Ordering::SeqCst);
        if first == NONE {
            return None;
        }
        self.first_free.store(self.slots[first].next.load(Ordering::SeqCst), Ordering::SeqCst);
        Some(first)
    }

    pub fn link_bad(&self) -> usize {
        let first = self.first_free.load(Ordering::SeqCst);
        self.first_free.store(self.links[first].load(Ordering::SeqCst), Ordering::SeqCst); //~ split_atomic
        first
    }

    /// One thread alone takes something out, by the usual sign.
    pub fn only_consumer_ok(&self) -> usize {
        let first = self.first_free.load(Ordering::Relaxed);
        self.first_free.store(self.links[first].load(Ordering::Acquire), Ordering::Release);
        first
    }

    /// What is read there goes elsewhere.
    pub fn peek_ok(&self) -> bool {
        let first = self.first_free.load(Ordering::SeqCst);
        first != NONE && self.slots[first].free.load(Ordering::SeqCst)
    }

    /// The position is the caller's.
    pub fn skip_ok(&self, at: usize) {
        self.first_free.store(self.slots[at].next.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

pub struct Node {
    next: AtomicPtr<Node>,
}

pub struct Queue {
    head: AtomicPtr<Node>,
}

impl Queue {
    /// Who follows a raw pointer has to know that nobody frees it, and is mostly the only one to take something out.
    pub fn raw_pointer_ok(&self) {
        let head = self.head.load(Ordering::Acquire);
        let next = unsafe { (*head).next.load(Ordering::Acquire) };
        self.head.store(next, Ordering::Release);
    }
}
