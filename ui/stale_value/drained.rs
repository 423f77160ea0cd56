//! What has gathered is read in one section and cleared in the next: what others add in between is thrown away unread.
#![allow(dead_code)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Batch {
    items: Mutex<Vec<u32>>,
    count: AtomicU64,
}

impl Batch {
    pub fn add(&self, item: u32) {
        self.items.lock().unwrap().push(item);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Nothing old is written: that what was read was meant to be all there is does not show.
    pub fn fn_flush(&self) -> Vec<u32> {
        let items = self.items.lock().unwrap().clone();
        self.items.lock().unwrap().clear();
        items
    }

    pub fn flush_ok(&self) -> Vec<u32> {
        std::mem::take(&mut *self.items.lock().unwrap())
    }

    /// The same of a number: `swap` would read and reset it in one step.
    pub fn fn_take(&self) -> u64 {
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(0, Ordering::Relaxed);
        count
    }

    pub fn take_ok(&self) -> u64 {
        self.count.swap(0, Ordering::Relaxed)
    }

    pub fn reset_ok(&self) {
        self.items.lock().unwrap().clear();
        self.count.store(0, Ordering::Relaxed);
    }
}
