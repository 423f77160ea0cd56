//! An atomic in an entry of a map: what it was under the guard of the entry decides about the entry.
#![allow(dead_code)]

use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Default)]
pub struct References {
    counts: DashMap<String, Arc<AtomicUsize>>,
}

impl References {
    pub fn add(&self, name: &str) -> usize {
        let count = self.counts.entry(name.to_owned()).or_default();
        count.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub fn remove_bad(&self, name: &str) -> bool {
        let Some(count) = self.counts.get_mut(name) else { return false };
        count.fetch_sub(1, Ordering::Relaxed);
        if count.load(Ordering::Relaxed) != 0 {
            return false;
        }
        drop(count);
        self.counts.remove(name); //~ check_then_act
        true
    }

    /// Looked at again under the lock of the shard.
    pub fn remove_ok(&self, name: &str) -> bool {
        if let Some(count) = self.counts.get(name) {
            count.fetch_sub(1, Ordering::Relaxed);
        }
        self.counts.remove_if(name, |_, count| count.load(Ordering::Relaxed) == 0).is_some()
    }

    /// How many there are is only told.
    pub fn count_ok(&self, name: &str) -> usize {
        self.counts.get(name).map_or(0, |count| count.load(Ordering::Relaxed))
    }
}
