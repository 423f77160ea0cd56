//! Locks that live in statics behind a lazy cell.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, RwLock};

static COUNTS: LazyLock<Mutex<HashMap<u32, u64>>> = LazyLock::new(|| Mutex::new(HashMap::new()));
static TOTAL: OnceLock<RwLock<u64>> = OnceLock::new();

fn total() -> &'static RwLock<u64> {
    TOTAL.get_or_init(|| RwLock::new(0))
}

fn lazy_bad(key: u32) {
    let count = COUNTS.lock().unwrap().get(&key).copied().unwrap_or(0);
    COUNTS.lock().unwrap().insert(key, count + 1); //~ stale_value
}

fn lazy_ok(key: u32) {
    *COUNTS.lock().unwrap().entry(key).or_insert(0) += 1;
}

fn once_bad() {
    let before = *total().read().unwrap();
    *total().write().unwrap() = before + 1; //~ stale_value
}

fn once_ok() {
    *total().write().unwrap() += 1;
}
