//! Entries of maps: taken out as a copy, changed, and put back over what is there now.
#![allow(dead_code)]

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, RwLock};

#[derive(Clone, Default)]
struct Bucket {
    tokens: u32,
}

struct Limiter {
    buckets: RwLock<HashMap<String, Bucket>>,
    counts: Mutex<BTreeMap<u32, u32>>,
}

impl Limiter {
    fn bucket(&self, key: &str) -> Bucket {
        let mut buckets = self.buckets.write().unwrap();
        buckets.entry(key.to_owned()).or_default().clone()
    }

    fn update(&self, key: &str, bucket: Bucket) {
        self.buckets.write().unwrap().insert(key.to_owned(), bucket);
    }

    fn allow_bad(&self, key: &str) -> bool {
        let mut bucket = self.bucket(key);
        if bucket.tokens == 0 {
            return false;
        }
        bucket.tokens -= 1;
        self.update(key, bucket); //~ stale_value
        true
    }

    fn allow_ok(&self, key: &str) -> bool {
        let mut buckets = self.buckets.write().unwrap();
        let bucket = buckets.entry(key.to_owned()).or_default();
        let allowed = bucket.tokens > 0;
        bucket.tokens = bucket.tokens.saturating_sub(1);
        allowed
    }

    fn count_bad(&self, key: u32) {
        let count = self.counts.lock().unwrap().get(&key).copied().unwrap_or(0);
        self.counts.lock().unwrap().insert(key, count + 1); //~ stale_value
    }

    fn count_ok(&self, key: u32) {
        *self.counts.lock().unwrap().entry(key).or_insert(0) += 1;
    }

    /// What is put in has nothing to do with what was there.
    fn reset_ok(&self, key: u32) {
        let known = self.counts.lock().unwrap().len();
        println!("{known}");
        self.counts.lock().unwrap().insert(key, 0);
    }
}

/// mini-moka: victims are chosen in one section and removed in later ones, and what is gone by then is passed over.
struct Cache {
    entries: Mutex<HashMap<u32, String>>,
}

impl Cache {
    fn insert(&self, key: u32, value: String) {
        self.entries.lock().unwrap().insert(key, value);
    }

    fn victims(&self) -> Vec<u32> {
        self.entries.lock().unwrap().keys().copied().take(2).collect()
    }

    fn evict_ok(&self) -> Vec<u32> {
        let mut skipped = Vec::new();
        for victim in self.victims() {
            if self.entries.lock().unwrap().remove(&victim).is_none() {
                skipped.push(victim);
            }
        }
        skipped
    }
}

/// A concurrent map is no better: each call is a section of its own.
struct Hits {
    hits: dashmap::DashMap<u32, u64>,
}

impl Hits {
    fn clear(&self) {
        self.hits.clear();
    }

    fn copied_bad(&self, key: u32) {
        let hits = self.hits.get(&key).map(|hits| *hits).unwrap_or(0);
        self.hits.insert(key, hits + 1); //~ stale_value
    }

    fn matched_bad(&self, key: u32) {
        let hits = match self.hits.get(&key) {
            Some(hits) => *hits,
            None => 0,
        };
        self.hits.insert(key, hits + 1); //~ stale_value
    }

    fn value_bad(&self, key: u32) {
        let hits = self.hits.get(&key).map_or(0, |hits| *hits.value());
        self.hits.insert(key, hits + 1); //~ stale_value
    }

    fn entry_ok(&self, key: u32) {
        *self.hits.entry(key).or_insert(0) += 1;
    }

    fn guard_ok(&self, key: u32) {
        if let Some(mut hits) = self.hits.get_mut(&key) {
            *hits += 1;
        }
    }

    /// What is replaced is not what was read.
    fn other_key_ok(&self, from: u32, to: u32) {
        let hits = self.hits.get(&from).map_or(0, |hits| *hits);
        self.hits.insert(to, hits);
    }
}

/// A job is taken out of the map, and put back under its own key if it has to be done again.
pub struct Jobs {
    jobs: Mutex<HashMap<u32, Job>>,
}

pub struct Job {
    id: u32,
    tries: u32,
}

impl Jobs {
    fn remove_ok(&self, id: u32) -> Option<Job> {
        self.jobs.lock().unwrap().remove(&id)
    }

    fn insert_ok(&self, job: Job) {
        self.jobs.lock().unwrap().insert(job.id, job);
    }

    pub fn retry_ok(&self, id: u32) {
        let Some(mut job) = self.remove_ok(id) else { return };
        job.tries += 1;
        self.insert_ok(job);
    }
}
