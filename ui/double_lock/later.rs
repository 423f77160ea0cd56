//! A closure that has all it needs may be kept by whom it is given to, and run by another thread, later.
#![allow(dead_code)]

use std::sync::{Arc, Mutex, MutexGuard, Weak};

struct Pool {
    counts: Mutex<u32>,
    kept: Vec<Arc<Pool>>,
}

fn later(pool: &Arc<Pool>, counts: &mut MutexGuard<'_, u32>) -> impl Iterator<Item = u32> + use<> {
    **counts += 1;
    let pool: Weak<Pool> = Arc::downgrade(pool);
    std::iter::from_fn(move || {
        let pool = pool.upgrade()?;
        let mut counts = pool.counts.lock().unwrap();
        *counts -= 1;
        Some(*counts)
    })
}

fn get_ok(pool: &Arc<Pool>) -> impl Iterator<Item = u32> + use<> {
    let mut counts = pool.counts.lock().unwrap();
    later(pool, &mut counts)
}

/// Borrowed, so it is run before the call is over.
fn each_bad(pool: &Arc<Pool>) {
    let mut counts = pool.counts.lock().unwrap();
    *counts += 1;
    pool.kept.iter().for_each(|_| {
        //~^ double_lock
        *pool.counts.lock().unwrap() += 1;
    });
}

fn each_ok(pool: &Arc<Pool>) {
    *pool.counts.lock().unwrap() += 1;
    pool.kept.iter().for_each(|_| {
        *pool.counts.lock().unwrap() += 1;
    });
}
