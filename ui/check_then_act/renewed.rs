//! What is written is made of what is there now, under the lock that it is written under: what others did meanwhile is part of it.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Clone)]
pub struct Average {
    pub of: Arc<str>,
    pub sum: f64,
    pub count: u64,
}

fn next(before: Option<&Average>, value: f64) -> Average {
    let of = before.map_or_else(|| Arc::from("none"), |before| before.of.clone());
    Average { of, sum: before.map_or(0.0, |it| it.sum) + value, count: before.map_or(0, |it| it.count) + 1 }
}

#[derive(Default)]
pub struct Averages {
    known: RwLock<HashMap<u32, Average>>,
}

impl Averages {
    pub fn add_ok(&self, key: u32, value: f64) {
        if self.known.read().unwrap().get(&key).is_none() {
            let mut known = self.known.write().unwrap();
            let average = next(known.get(&key), value);
            known.insert(key, average);
        }
    }

    pub fn add_bad(&self, key: u32, value: f64) {
        if self.known.read().unwrap().get(&key).is_none() {
            let average = next(None, value);
            self.known.write().unwrap().insert(key, average); //~ check_then_act
        }
    }

    /// That there is one says nothing about how many.
    pub fn count_bad(&self, key: u32) {
        let most = self.known.read().unwrap().get(&key).map_or(0, |average| average.count);
        if most < 100 {
            let mut known = self.known.write().unwrap();
            let average = next(known.get(&key), 0.0);
            known.insert(key, average); //~ check_then_act
        }
    }

    /// How many others there are says nothing about this one.
    pub fn number_bad(&self, key: u32) -> Option<u64> {
        if self.known.read().unwrap().contains_key(&key) {
            return None;
        }
        let mut known = self.known.write().unwrap();
        let count = known.len() as u64;
        known.insert(key, Average { of: Arc::from("none"), sum: 0.0, count }); //~ check_then_act
        Some(count)
    }

    pub fn clear(&self, key: u32) {
        self.known.write().unwrap().remove(&key);
    }
}
