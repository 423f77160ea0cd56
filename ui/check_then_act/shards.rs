//! Sharded locks: a function finds the shard of a key, and the same key has the same shard each time.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock, RwLockWriteGuard};

type Entry = Arc<Mutex<Vec<u8>>>;

struct Cache {
    shards: Vec<RwLock<HashMap<u64, Entry>>>,
    next: AtomicUsize,
}

fn load(key: u64) -> Entry {
    Arc::new(Mutex::new(key.to_le_bytes().to_vec()))
}

impl Cache {
    fn index(&self, key: u64) -> usize {
        (key % self.shards.len() as u64) as usize
    }

    fn index_by_reference(&self, key: &u64) -> usize {
        (*key % self.shards.len() as u64) as usize
    }

    fn shard(&self, key: u64) -> &RwLock<HashMap<u64, Entry>> {
        &self.shards[self.index(key)]
    }

    fn shard_computed_here(&self, key: u64) -> &RwLock<HashMap<u64, Entry>> {
        let at = key as usize % self.shards.len();
        &self.shards[at]
    }

    fn get(&self, key: u64) -> Option<Entry> {
        self.shard(key).read().unwrap().get(&key).cloned()
    }

    fn put(&self, key: u64, entry: Entry) {
        self.shard(key).write().unwrap().insert(key, entry);
    }

    fn put_if_absent(&self, key: u64, entry: Entry) -> Entry {
        self.shard(key).write().unwrap().entry(key).or_insert(entry).clone()
    }

    fn twice_bad(&self, key: u64) -> Entry {
        if let Some(entry) = self.shard(key).read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        self.shard(key).write().unwrap().insert(key, entry.clone()); //~ check_then_act
        entry
    }

    fn twice_ok(&self, key: u64) -> Entry {
        if let Some(entry) = self.shard(key).read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        self.shard(key).write().unwrap().entry(key).or_insert(entry).clone()
    }

    fn once_bad(&self, key: u64) -> Entry {
        let shard = self.shard_computed_here(key);
        if let Some(entry) = shard.read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        shard.write().unwrap().insert(key, entry.clone()); //~ check_then_act
        entry
    }

    fn accessors_bad(&self, key: u64) -> Entry {
        if let Some(entry) = self.get(key) {
            return entry;
        }
        let entry = load(key);
        self.put(key, entry.clone()); //~ check_then_act
        entry
    }

    fn accessors_ok(&self, key: u64) -> Entry {
        if let Some(entry) = self.get(key) {
            return entry;
        }
        self.put_if_absent(key, load(key))
    }

    fn index_here_put_there_bad(&self, key: u64) -> Entry {
        let at = self.index(key);
        if let Some(entry) = self.shards[at].read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        self.put(key, entry.clone()); //~ check_then_act
        entry
    }

    fn by_reference_bad(&self, key: u64) -> Entry {
        if let Some(entry) = self.shards[self.index_by_reference(&key)].read().unwrap().get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        self.shards[self.index_by_reference(&key)].write().unwrap().insert(key, entry.clone()); //~ check_then_act
        entry
    }

    /// Two keys, two shards.
    fn another_key_ok(&self, key: u64, other: u64) {
        if self.get(key).is_none() {
            self.put(other, load(other));
        }
    }

    /// In each round another key.
    fn rounds_ok(&self, keys: &[u64]) {
        let mut missing = false;
        for &key in keys {
            if missing {
                self.put(key, load(key));
            }
            missing = self.get(key).is_none();
        }
    }

    fn each_missing_bad(&self, keys: &[u64]) {
        for &key in keys {
            if self.get(key).is_none() {
                self.put(key, load(key)); //~ check_then_act
            }
        }
    }

    /// Whoever asks gets the next one.
    fn any(&self) -> &RwLock<HashMap<u64, Entry>> {
        &self.shards[self.next.fetch_add(1, Ordering::Relaxed) % self.shards.len()]
    }

    fn any_two_ok(&self, key: u64) {
        if self.any().read().unwrap().is_empty() {
            self.any().write().unwrap().insert(key, load(key));
        }
    }

    fn locked(&self, key: u64) -> RwLockWriteGuard<'_, HashMap<u64, Entry>> {
        let at = key as usize % self.shards.len();
        self.shards[at].write().unwrap()
    }

    fn guards_bad(&self, key: u64) -> Entry {
        if let Some(entry) = self.locked(key).get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        self.locked(key).insert(key, entry.clone()); //~ check_then_act
        entry
    }

    fn guards_ok(&self, key: u64) -> Entry {
        let mut shard = self.locked(key);
        if let Some(entry) = shard.get(&key) {
            return entry.clone();
        }
        let entry = load(key);
        shard.insert(key, entry.clone());
        entry
    }

    /// The seed is another one each time.
    fn index_by_chance(&self, seed: &mut usize) -> usize {
        *seed = seed.wrapping_mul(31) + 7;
        *seed % self.shards.len()
    }

    fn two_by_chance_ok(&self, seed: &mut usize, key: u64) {
        if self.shards[self.index_by_chance(seed)].read().unwrap().is_empty() {
            self.shards[self.index_by_chance(seed)].write().unwrap().insert(key, load(key));
        }
    }
}
