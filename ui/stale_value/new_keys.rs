//! A key that is to be new is computed from what a map has in it: whoever looks before it is used comes to the same.
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, RwLock};

#[derive(Default)]
pub struct Notes {
    notes: RwLock<BTreeMap<u64, String>>,
    names: Mutex<HashMap<usize, String>>,
}

impl Notes {
    pub fn add_at_length_bad(&self, text: String) -> usize {
        let id = self.names.lock().unwrap().len();
        self.names.lock().unwrap().insert(id, text); //~ stale_value
        id
    }

    pub fn add_at_length_ok(&self, text: String) -> usize {
        let mut names = self.names.lock().unwrap();
        let id = names.len();
        names.insert(id, text);
        id
    }

    pub fn add_after_last_bad(&self, text: String) -> u64 {
        let id = self.notes.read().unwrap().keys().max().copied().unwrap_or(0) + 1;
        self.notes.write().unwrap().insert(id, text); //~ stale_value
        id
    }

    pub fn add_after_last_ok(&self, text: String) -> u64 {
        let mut notes = self.notes.write().unwrap();
        let id = notes.keys().max().copied().unwrap_or(0) + 1;
        notes.insert(id, text);
        id
    }

    pub fn add_after_any_bad(&self, text: String) -> u64 {
        let id = match self.notes.read().unwrap().last_key_value() {
            Some((last, _)) => *last + 1,
            None => 0,
        };
        self.notes.write().unwrap().insert(id, text); //~ stale_value
        id
    }

    fn next(&self) -> u64 {
        self.notes.read().unwrap().len() as u64
    }

    pub fn add_next_bad(&self, text: String) -> u64 {
        let id = self.next();
        self.notes.write().unwrap().insert(id, text); //~ stale_value
        id
    }

    /// A key that is there is no new one: what is under it is replaced, as is meant.
    pub fn replace_first_ok(&self, text: String) {
        let first = self.notes.read().unwrap().keys().next().copied().unwrap_or_default();
        self.notes.write().unwrap().insert(first, text);
    }

    /// The number is compared with what is there now.
    pub fn add_unless_changed_ok(&self, text: String) -> Option<u64> {
        let id = self.notes.read().unwrap().len() as u64;
        let mut notes = self.notes.write().unwrap();
        if notes.len() as u64 != id {
            return None;
        }
        notes.insert(id, text);
        Some(id)
    }

    /// Nothing is put there if it is taken.
    pub fn add_if_free_ok(&self, text: String) {
        let id = self.notes.read().unwrap().len() as u64;
        self.notes.write().unwrap().entry(id).or_insert(text);
    }

    /// The number is counted up by whoever reads it.
    pub fn add_counted_ok(&self, next: &std::sync::atomic::AtomicU64, text: String) -> u64 {
        let id = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        self.notes.write().unwrap().insert(id, text);
        id
    }

    /// Whose key it is only the caller knows.
    pub fn add_under_ok(&self, id: u64, text: String) -> usize {
        let count = self.notes.read().unwrap().len();
        self.notes.write().unwrap().insert(id + 1, text);
        count
    }
}
