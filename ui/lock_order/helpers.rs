//! Where the finding stands, if several come to the second lock through one function: that is one place, however many call it.

use std::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct Queue {
    pending: Mutex<Vec<u32>>,
    gate: RwLock<u32>,
}

impl Queue {
    pub fn write_bad(&self, value: u32) {
        let mut pending = self.pending.lock().unwrap();
        self.stage(&mut pending, value); //~ lock_order
    }

    pub fn write_all(&self, values: &[u32]) {
        let mut pending = self.pending.lock().unwrap();
        self.stage(&mut pending, values.len() as u32);
    }

    pub fn write_twice(&self, value: u32) {
        let mut pending = self.pending.lock().unwrap();
        self.stage(&mut pending, value + value);
    }

    fn stage(&self, pending: &mut Vec<u32>, value: u32) {
        let gate = self.gate.write().unwrap();
        pending.push(value + *gate);
    }

    pub fn submit(&self) -> Vec<u32> {
        let _gate = self.gate.read().unwrap();
        std::mem::take(&mut *self.pending.lock().unwrap())
    }

    pub fn count(&self) -> usize {
        let _gate = self.gate.read().unwrap();
        self.pending.lock().unwrap().len()
    }
}

/// The same with the gate first everywhere.
#[derive(Default)]
pub struct Ordered {
    pending: Mutex<Vec<u32>>,
    gate: RwLock<u32>,
}

impl Ordered {
    pub fn write_ok(&self, value: u32) {
        let gate = self.gate.write().unwrap();
        self.stage_ok(*gate + value);
    }

    pub fn write_all_ok(&self, values: &[u32]) {
        let gate = self.gate.write().unwrap();
        self.stage_ok(*gate + values.len() as u32);
    }

    fn stage_ok(&self, value: u32) {
        self.pending.lock().unwrap().push(value);
    }

    pub fn submit_ok(&self) -> Vec<u32> {
        let _gate = self.gate.read().unwrap();
        std::mem::take(&mut *self.pending.lock().unwrap())
    }
}
