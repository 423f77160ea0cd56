//! A check that is one of several conditions: some of them may be enough, and then nothing was checked.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Default)]
pub struct Registry {
    unique: bool,
    entries: RwLock<HashMap<u32, Arc<String>>>,
}

impl Registry {
    pub fn clear(&self) {
        self.entries.write().unwrap().clear();
    }

    pub fn add_bad(&self, key: u32, text: &str) -> bool {
        if self.unique && self.entries.read().unwrap().contains_key(&key) {
            return false;
        }
        let entry = Arc::new(text.to_owned());
        self.entries.write().unwrap().insert(key, entry); //~ check_then_act
        true
    }

    pub fn add_or_bad(&self, key: u32, text: &str) {
        if !self.unique || !self.entries.read().unwrap().contains_key(&key) {
            let entry = Arc::new(text.to_owned());
            self.entries.write().unwrap().insert(key, entry); //~ check_then_act
        }
    }

    pub fn add_ok(&self, key: u32, text: &str) -> bool {
        let entry = Arc::new(text.to_owned());
        let mut entries = self.entries.write().unwrap();
        if self.unique && entries.contains_key(&key) {
            return false;
        }
        entries.insert(key, entry);
        true
    }

    /// Whatever was seen, the same is done.
    pub fn add_anyway_ok(&self, key: u32, text: &str) {
        if self.unique && self.entries.read().unwrap().contains_key(&key) {
            println!("again");
        }
        let entry = Arc::new(text.to_owned());
        self.entries.write().unwrap().insert(key, entry);
    }

    /// The check is on one way, and the change on another.
    pub fn either_ok(&self, key: u32, text: &str) -> bool {
        if self.unique {
            return self.entries.read().unwrap().contains_key(&key);
        }
        let entry = Arc::new(text.to_owned());
        self.entries.write().unwrap().insert(key, entry);
        true
    }
}
