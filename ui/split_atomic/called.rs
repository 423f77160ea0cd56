//! What a function does wrong is told there, and not of those who call it. A number that only the library's own functions keep.
#![allow(dead_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Counter {
    count: AtomicUsize,
}

impl Counter {
    fn get(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    fn set(&self, count: usize) {
        self.count.store(count, Ordering::SeqCst);
    }

    pub fn add_bad(&self) {
        let count = self.get();
        self.set(count + 1); //~ split_atomic
    }
}

pub struct Table {
    rows: Counter,
}

impl Table {
    pub fn insert_ok(&self) {
        self.rows.add_bad();
    }
}

/// Drawn by one thread.
pub struct Bar {
    tokens: AtomicUsize,
    drawn: AtomicUsize,
}

impl Bar {
    pub fn draw(&self) -> bool {
        self.drawn.fetch_add(1, Ordering::SeqCst);
        self.allow_ok()
    }

    fn allow_ok(&self) -> bool {
        let tokens = self.tokens.load(Ordering::SeqCst);
        self.tokens.store(tokens.saturating_sub(1), Ordering::SeqCst);
        tokens > 0
    }

    pub fn allow_all_bad(&self) -> bool {
        let tokens = self.tokens.load(Ordering::SeqCst);
        self.tokens.store(tokens.saturating_sub(1), Ordering::SeqCst); //~ split_atomic
        tokens > 0
    }
}
