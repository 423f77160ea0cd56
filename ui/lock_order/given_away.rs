//! The same lock of two objects, one of which the function has to itself: nobody comes with the two the other way round.
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct Tables {
    removed: Arc<Mutex<VecDeque<u64>>>,
}

impl Tables {
    pub fn merge_bad(&self, other: &Tables) {
        let mut removed = self.removed.lock().unwrap();
        removed.extend(other.removed.lock().unwrap().drain(..)); //~ lock_order
    }

    /// What is given away is nobody else's.
    pub fn merge_ok(&self, other: Tables) {
        let mut removed = self.removed.lock().unwrap();
        removed.extend(other.removed.lock().unwrap().drain(..));
    }

    pub fn compare_ok(&self, other: Tables) -> bool {
        self.removed.lock().unwrap().len() == other.removed.lock().unwrap().len()
    }
}
