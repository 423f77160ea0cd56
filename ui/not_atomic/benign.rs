//! What a function says to be benign is not shown, whatever lint it is of.
#![allow(dead_code)]

use stalemate_attr::{atomic, benign};
use std::sync::Mutex;

pub struct Counter {
    count: Mutex<u32>,
    total: Mutex<u32>,
}

impl Counter {
    #[benign(reason = "only the main thread counts")]
    pub fn bump_ok(&self) {
        let count = *self.count.lock().unwrap();
        *self.count.lock().unwrap() = count + 1;
    }

    pub fn bump_bad(&self) {
        let count = *self.count.lock().unwrap();
        *self.count.lock().unwrap() = count + 1; //~ stale_value
    }

    /// Two attributes on one function, in either order.
    #[atomic]
    #[benign(reason = "a reader may see the count before the total, and knows it")]
    pub fn both_ok(&self) {
        *self.count.lock().unwrap() += 1;
        *self.total.lock().unwrap() += 1;
    }

    #[benign(reason = "a reader may see the count before the total, and knows it")]
    #[atomic]
    pub fn both_the_other_way_ok(&self) {
        *self.count.lock().unwrap() += 1;
        *self.total.lock().unwrap() += 1;
    }

    #[atomic]
    pub fn both_bad(&self) {
        *self.count.lock().unwrap() += 1;
        *self.total.lock().unwrap() += 1; //~ not_atomic
    }
}
