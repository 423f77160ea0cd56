//! A function that counts a lot before it comes to what matters: atomics leave room for the rest in what its callers know of it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Metrics {
    inserts: AtomicU64,
    bytes: AtomicU64,
    first: AtomicU64,
    last: AtomicU64,
    small: AtomicU64,
    large: AtomicU64,
    clean: AtomicU64,
    dirty: AtomicU64,
    turns: AtomicU64,
    depth: AtomicU64,
}

struct Cache {
    pages: Mutex<HashMap<u64, Arc<Mutex<Vec<u8>>>>>,
    metrics: Metrics,
    read: fn(u64) -> Vec<u8>,
}

impl Cache {
    fn count(&self, page: u64) {
        self.metrics.inserts.fetch_add(1, Ordering::Relaxed);
        self.metrics.bytes.fetch_add(page, Ordering::Relaxed);
        self.metrics.first.fetch_min(page, Ordering::Relaxed);
        self.metrics.last.fetch_max(page, Ordering::Relaxed);
        self.metrics.small.fetch_add(1, Ordering::Relaxed);
        self.metrics.large.fetch_add(1, Ordering::Relaxed);
        self.metrics.clean.fetch_add(1, Ordering::Relaxed);
        self.metrics.dirty.fetch_add(1, Ordering::Relaxed);
        self.metrics.turns.fetch_add(1, Ordering::Relaxed);
        self.metrics.depth.fetch_add(1, Ordering::Relaxed);
    }

    fn insert(&self, page: u64, content: Arc<Mutex<Vec<u8>>>) {
        self.count(page);
        self.pages.lock().unwrap().insert(page, content);
    }

    fn insert_if_absent(&self, page: u64, content: Arc<Mutex<Vec<u8>>>) {
        self.count(page);
        self.pages.lock().unwrap().entry(page).or_insert(content);
    }

    /// frankensqlite: someone has written the page while this one read it, and its work is lost.
    fn read_through_bad(&self, page: u64) {
        if self.pages.lock().unwrap().contains_key(&page) {
            return;
        }
        let content = Arc::new(Mutex::new((self.read)(page)));
        self.insert(page, content); //~ check_then_act
    }

    fn read_through_ok(&self, page: u64) {
        if self.pages.lock().unwrap().contains_key(&page) {
            return;
        }
        let content = Arc::new(Mutex::new((self.read)(page)));
        self.insert_if_absent(page, content);
    }

    fn replace_ok(&self, page: u64, content: Vec<u8>) {
        self.insert(page, Arc::new(Mutex::new(content)));
    }
}
