//! Threads that the program starts: which of them can meet, and where.
#![allow(dead_code, static_mut_refs)]

use rayon::prelude::*;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::thread;

struct Slot(UnsafeCell<u64>);

unsafe impl Sync for Slot {}

impl Slot {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to } //~ racy_access
    }
}

pub fn scoped_bad() {
    let slot = Slot(UnsafeCell::new(0));
    thread::scope(|scope| {
        scope.spawn(|| slot.set(1));
        scope.spawn(|| slot.set(2));
    });
}

struct Total(UnsafeCell<u64>);

unsafe impl Sync for Total {}

impl Total {
    fn add(&self, by: u64) {
        unsafe { *self.0.get() += by } //~ racy_access
    }
}

pub fn parallel_bad(items: &[u64]) -> u64 {
    let total = Total(UnsafeCell::new(0));
    items.par_iter().for_each(|item| total.add(*item));
    total.0.into_inner()
}

struct Pair(UnsafeCell<u64>);

unsafe impl Sync for Pair {}

impl Pair {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to } //~ racy_access
    }
}

pub fn join_bad() {
    let pair = Pair(UnsafeCell::new(0));
    rayon::join(|| pair.set(1), || pair.set(2));
}

struct Task(UnsafeCell<u64>);

unsafe impl Sync for Task {}

impl Task {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to } //~ racy_access
    }
}

pub fn tasks_bad() {
    let task = Arc::new(Task(UnsafeCell::new(0)));
    for number in 0..2 {
        let task = task.clone();
        tokio::spawn(async move { task.set(number) });
    }
}

/// Nobody else has it before it is given away.
struct Prepared(UnsafeCell<u64>);

unsafe impl Sync for Prepared {}

impl Prepared {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to }
    }

    fn get(&self) -> u64 {
        unsafe { *self.0.get() }
    }
}

pub fn prepared_ok() {
    let prepared = Prepared(UnsafeCell::new(0));
    prepared.set(7);
    thread::spawn(move || prepared.get());
}

/// The thread is the only one that ever uses it.
struct Lonely(UnsafeCell<u64>);

unsafe impl Sync for Lonely {}

impl Lonely {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to }
    }
}

fn start(lonely: Arc<Lonely>) {
    thread::spawn(move || lonely.set(1));
}

pub fn start_one_ok() {
    start(Arc::new(Lonely(UnsafeCell::new(0))));
}

/// Each call has one of its own, and starts one thread for it.
struct Own(UnsafeCell<u64>);

unsafe impl Sync for Own {}

impl Own {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to }
    }
}

pub fn own_ok() {
    let own = Arc::new(Own(UnsafeCell::new(0)));
    thread::spawn(move || own.set(1));
}

/// The helper starts one thread, and is called for one object twice.
struct Shared(UnsafeCell<u64>);

unsafe impl Sync for Shared {}

impl Shared {
    fn set(&self, to: u64) {
        unsafe { *self.0.get() = to } //~ racy_access
    }
}

fn start_worker(shared: Arc<Shared>) {
    thread::spawn(move || shared.set(1));
}

pub fn two_workers_bad() {
    let shared = Arc::new(Shared(UnsafeCell::new(0)));
    start_worker(shared.clone());
    start_worker(shared.clone());
}
