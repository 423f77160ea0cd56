//! Guards that are not always there, and those that lie beside others.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockWriteGuard};

struct Entry<'a> {
    value: u32,
    _guard: MutexGuard<'a, HashMap<u32, u32>>,
}

#[derive(Default)]
struct Cache {
    map: Mutex<HashMap<u32, u32>>,
}

impl Cache {
    fn get(&self, key: u32) -> Option<Entry<'_>> {
        let map = self.map.lock().unwrap();
        let value = map.get(&key).copied()?;
        Some(Entry { value, _guard: map })
    }

    fn add(&self, key: u32, value: u32) {
        self.map.lock().unwrap().insert(key, value);
    }

    /// Where there was nothing there is no guard.
    fn load_ok(&self, key: u32) -> u32 {
        match self.get(key) {
            Some(entry) => entry.value,
            None => {
                self.add(key, 1);
                1
            }
        }
    }

    fn load_bad(&self, key: u32) -> u32 {
        match self.get(key) {
            Some(entry) => {
                self.add(key, entry.value + 1); //~ double_lock
                entry.value
            }
            None => 0,
        }
    }
}

/// Two guards in one thing, one of them on some ways only.
struct Transaction<'a> {
    number: u32,
    write: RwLockWriteGuard<'a, u32>,
    commit: Option<MutexGuard<'a, u32>>,
}

struct Store {
    write_lock: RwLock<u32>,
    commit_lock: Mutex<u32>,
}

impl Store {
    fn begin(&self, number: u32) -> Result<Transaction<'_>, String> {
        let write = self.write_lock.write().unwrap();
        let commit = if number > 3 { None } else { Some(self.commit_lock.lock().unwrap()) };
        Ok(Transaction { number, write, commit })
    }

    /// The first is gone, with both guards, when the second begins.
    fn again_ok(&self, number: u32) -> Result<u32, String> {
        let mut transaction = self.begin(number)?;
        if transaction.number > 3 {
            drop(transaction);
            transaction = self.begin(number - 1)?;
        }
        Ok(*transaction.write)
    }

    fn again_bad(&self, number: u32) -> Result<u32, String> {
        let first = self.begin(number)?;
        let second = self.begin(number - 1)?; //~ double_lock
        Ok(*first.write + *second.write)
    }
}

/// A struct with a handle of a lock in it is not that lock.
struct Node {
    pins: Arc<Mutex<Vec<u32>>>,
    own: Arc<Mutex<()>>,
    base: u32,
}

impl Node {
    fn copy(&self) -> Node {
        Node { pins: Arc::new(Mutex::new(Vec::new())), own: self.own.clone(), base: self.base }
    }

    fn pin(&self) -> u32 {
        self.pins.lock().unwrap().push(self.base);
        self.base
    }

    fn split_ok(&self) -> u32 {
        let _held = self.own.lock().unwrap();
        self.copy().pin()
    }
}

/// Rooms that are made when they are asked for.
mod rooms {
    use std::collections::HashMap;
    use tokio::sync::{RwLock, RwLockReadGuard};

    #[derive(Default)]
    pub struct Rooms {
        rooms: RwLock<HashMap<u32, String>>,
    }

    impl Rooms {
        /// `ok` drops the guard that comes back if there is no such part.
        pub async fn room_ok(&self, id: u32) -> Option<RwLockReadGuard<'_, String>> {
            match RwLockReadGuard::try_map(self.rooms.read().await, |rooms| rooms.get(&id)).ok() {
                found @ Some(_) => found,
                None => {
                    self.rooms.write().await.entry(id).or_default();
                    None
                }
            }
        }

        pub async fn room_bad(&self, id: u32) -> Option<usize> {
            match RwLockReadGuard::try_map(self.rooms.read().await, |rooms| rooms.get(&id)) {
                Ok(found) => Some(found.len()),
                Err(_guard) => {
                    self.rooms.write().await.entry(id).or_default(); //~ double_lock
                    None
                }
            }
        }
    }
}
