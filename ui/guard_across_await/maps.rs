//! Entries of a concurrent map hold a lock that blocks threads.
#![allow(dead_code)]

use dashmap::DashMap;
use dashmap::mapref::one::RefMut;
use std::sync::Arc;

async fn fetch(_: u32) -> u32 {
    std::future::ready(()).await;
    1
}

pub struct Cache {
    inner: DashMap<u32, u32>,
}

pub struct CacheRef<'a> {
    entry: RefMut<'a, u32, u32>,
}

impl Cache {
    fn get_mut(&self, key: u32) -> Option<CacheRef<'_>> {
        self.inner.get_mut(&key).map(|entry| CacheRef { entry })
    }

    pub fn set(&self, key: u32, value: u32) {
        self.inner.insert(key, value);
    }
}

pub async fn refresh_bad(cache: Arc<Cache>, key: u32) {
    if let Some(mut entry) = cache.inner.get_mut(&key) { //~ guard_across_await
        *entry = fetch(key).await;
    }
}

pub async fn refresh_ok(cache: Arc<Cache>, key: u32) {
    let fetched = fetch(key).await;
    if let Some(mut entry) = cache.inner.get_mut(&key) {
        *entry = fetched;
    }
}

/// The guard is in a type of this crate.
pub async fn wrapped_bad(cache: Arc<Cache>, key: u32) {
    if let Some(mut found) = cache.get_mut(key) { //~ guard_across_await
        *found.entry = fetch(key).await;
    }
}

pub async fn wrapped_ok(cache: Arc<Cache>, key: u32) {
    let fetched = fetch(key).await;
    if let Some(mut found) = cache.get_mut(key) {
        *found.entry = fetched;
    }
}

/// The guard does not come out of the `map`.
pub async fn copied_ok(cache: Arc<Cache>, key: u32) -> u32 {
    let found = cache.inner.get(&key).map(|entry| *entry);
    match found {
        Some(found) => fetch(found).await,
        None => 0,
    }
}

pub async fn each_bad(cache: Arc<Cache>) -> u32 {
    let mut sum = 0;
    for entry in cache.inner.iter() { //~ guard_across_await
        sum += fetch(*entry.value()).await;
    }
    sum
}
