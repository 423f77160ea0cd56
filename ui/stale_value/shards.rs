//! Locks behind an index: the same position is the same lock, as long as the position stays what it is.
#![allow(dead_code)]

use std::sync::Mutex;

struct Sharded {
    shards: Vec<Mutex<u32>>,
}

fn slice_bad(shards: &[Mutex<u32>], i: usize) {
    let n = *shards[i].lock().unwrap();
    *shards[i].lock().unwrap() = n + 1; //~ stale_value
}

fn slice_ok(shards: &[Mutex<u32>], i: usize) {
    let mut n = shards[i].lock().unwrap();
    *n += 1;
}

/// Two positions: two locks, unless someone shows that they are equal.
fn two_positions_ok(shards: &[Mutex<u32>], i: usize, j: usize) {
    let n = *shards[i].lock().unwrap();
    *shards[j].lock().unwrap() = n + 1;
}

impl Sharded {
    fn computed_bad(&self, key: usize) {
        let shard = key % self.shards.len();
        let n = *self.shards[shard].lock().unwrap();
        *self.shards[shard].lock().unwrap() = n + 1; //~ stale_value
    }

    /// Each round has its own lock; what one round saw is not what the next one writes.
    fn rounds_ok(&self) {
        let mut last = 0;
        for shard in 0..self.shards.len() {
            let mut n = self.shards[shard].lock().unwrap();
            *n = last;
            last = *n + 1;
        }
    }

    /// The position is counted on: another lock.
    fn moved_on_ok(&self) {
        let mut shard = 0;
        let n = *self.shards[shard].lock().unwrap();
        shard += 1;
        *self.shards[shard].lock().unwrap() = n + 1;
    }

    fn first_bad(&self) {
        for shard in 0..self.shards.len() {
            let n = *self.shards[shard].lock().unwrap();
            *self.shards[shard].lock().unwrap() = n + 1; //~ stale_value
        }
    }
}
