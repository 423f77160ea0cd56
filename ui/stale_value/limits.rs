//! Where the lint is still wrong, with the reason.
#![allow(dead_code)]

use std::sync::Mutex;

struct Counter {
    n: Mutex<u32>,
}

impl Counter {
    fn get(&self) -> u32 {
        *self.n.lock().unwrap()
    }

    fn set(&self, n: u32) {
        *self.n.lock().unwrap() = n;
    }

    // The two sections stand in functions that are called: values are followed inside one body only.
    fn fn_through_accessors(&self) {
        let n = self.get();
        self.set(n + 1);
    }
}

// The same element twice: locks behind an index are taken for different ones.
fn fn_same_shard(shards: &[Mutex<u32>], i: usize) {
    let n = *shards[i].lock().unwrap();
    *shards[i].lock().unwrap() = n + 1;
}
