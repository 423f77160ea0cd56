//! Functions that only the library calls may be called by one thread at a time; those that it offers to others may not.
#![allow(dead_code)]

use std::sync::Mutex;

pub struct Breaker {
    opened: Mutex<Option<u32>>,
}

impl Breaker {
    pub fn tick(&self, now: u32) {
        self.fn_open(now);
    }

    pub fn reset(&self) {
        *self.opened.lock().unwrap() = None;
    }

    /// Two ticks may both open it; but who calls it may see to it that there is one at a time.
    fn fn_open(&self, now: u32) {
        if self.opened.lock().unwrap().is_none() {
            *self.opened.lock().unwrap() = Some(now);
        }
    }

    pub fn open_bad(&self, now: u32) {
        if self.opened.lock().unwrap().is_none() {
            *self.opened.lock().unwrap() = Some(now); //~ check_then_act
        }
    }
}
