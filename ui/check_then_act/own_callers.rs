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

    pub fn end(&self, now: u32) {
        self.shut(now);
    }

    /// The same. That something far from any lock calls a function of this name changes nothing.
    fn shut(&self, now: u32) {
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

pub struct Door {
    width: u32,
}

impl Door {
    pub fn pass(&self) -> u32 {
        self.shut()
    }

    fn shut(&self) -> u32 {
        self.width
    }
}
