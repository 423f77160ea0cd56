//! Where the lint is still wrong, with the reason.
#![allow(dead_code)]

use std::sync::Mutex;

// The same element twice: locks behind an index are taken for different ones.
fn fn_same_shard(shards: &[Mutex<u32>], i: usize) {
    let n = *shards[i].lock().unwrap();
    *shards[i].lock().unwrap() = n + 1;
}
