//! Everything that writes it is done for one object that cannot be cloned, by methods that have it to themselves: a worker, and what
//! it calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct Entry {
    pub hits: Mutex<u32>,
}

#[derive(Default)]
pub struct Tables {
    known: RwLock<HashMap<u32, Arc<Entry>>>,
}

impl Tables {
    pub fn get(&self, key: u32) -> Option<Arc<Entry>> {
        self.known.read().unwrap().get(&key).cloned()
    }

    fn load_ok(&self, key: u32) -> Arc<Entry> {
        if let Some(entry) = self.known.read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = Arc::new(Entry::default());
        self.known.write().unwrap().insert(key, entry.clone());
        entry
    }

    fn forget(&self, key: u32) {
        self.known.write().unwrap().remove(&key);
    }
}

/// Others have the tables, too, and only read.
pub struct Poller {
    tables: Arc<Tables>,
}

impl Poller {
    pub fn step(&mut self, key: u32) -> Arc<Entry> {
        if key == 0 {
            self.tables.forget(key);
        }
        self.tables.load_ok(key)
    }
}

#[derive(Default)]
pub struct Caches {
    known: RwLock<HashMap<u32, Arc<Entry>>>,
}

impl Caches {
    fn load_bad(&self, key: u32) -> Arc<Entry> {
        if let Some(entry) = self.known.read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = Arc::new(Entry::default());
        self.known.write().unwrap().insert(key, entry.clone()); //~ check_then_act
        entry
    }
}

/// Each thread has a clone of its own.
#[derive(Clone)]
pub struct Client {
    caches: Arc<Caches>,
}

impl Client {
    pub fn call(&mut self, key: u32) -> Arc<Entry> {
        self.caches.load_bad(key)
    }
}
