//! What has gathered is read in one section and cleared in the next: what others add in between is thrown away unread.
#![allow(dead_code)]

use std::sync::Mutex;

#[derive(Default)]
pub struct Batch {
    items: Mutex<Vec<u32>>,
}

impl Batch {
    pub fn add(&self, item: u32) {
        self.items.lock().unwrap().push(item);
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

    pub fn reset_ok(&self) {
        self.items.lock().unwrap().clear();
    }
}
