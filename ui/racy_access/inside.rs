//! Cells that are inside something else: behind a lock that lets several read at once, in closures that a function runs.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

/// Readers count themselves, all at once.
pub struct Buckets {
    buckets: RwLock<RefCell<HashMap<u32, u32>>>,
}

unsafe impl Send for Buckets {}
unsafe impl Sync for Buckets {}

impl Buckets {
    pub fn put_bad(&self, key: u32, value: u32) {
        self.buckets.read().unwrap().borrow_mut().insert(key, value); //~ racy_access
    }
}

pub struct Drawers {
    drawers: RwLock<RefCell<HashMap<u32, u32>>>,
}

unsafe impl Send for Drawers {}
unsafe impl Sync for Drawers {}

impl Drawers {
    pub fn put_ok(&self, key: u32, value: u32) {
        self.drawers.write().unwrap().borrow_mut().insert(key, value);
    }
}

pub struct Boxes {
    boxes: Mutex<RefCell<HashMap<u32, u32>>>,
}

unsafe impl Sync for Boxes {}

impl Boxes {
    pub fn put_ok(&self, key: u32, value: u32) {
        self.boxes.lock().unwrap().borrow_mut().insert(key, value);
    }
}

pub struct Name {
    name: OnceCell<String>,
}

unsafe impl Sync for Name {}

impl Name {
    pub fn get_bad(&self) -> &str {
        self.name.get_or_init(|| String::from("nobody")) //~ racy_access
    }
}

pub struct Api {
    table: Cell<*const u8>,
}

unsafe impl Sync for Api {}

fn run<R>(work: impl FnOnce() -> R) -> R {
    work()
}

impl Api {
    /// A function that is not looked into may run a closure under any lock.
    pub fn fn_table(&self) -> usize {
        if self.table.get().is_null() {
            run(|| self.table.set(std::ptr::without_provenance(8)));
        }
        self.table.get() as usize
    }
}

/// Here it does, and everybody comes through it.
pub struct Guarded {
    gate: Mutex<()>,
    table: Cell<u32>,
}

unsafe impl Sync for Guarded {}

impl Guarded {
    fn with<R>(&self, work: impl FnOnce() -> R) -> R {
        let _gate = self.gate.lock().unwrap();
        work()
    }

    pub fn put_ok(&self, value: u32) {
        self.with(|| self.table.set(value));
    }

    pub fn get_ok(&self) -> u32 {
        self.with(|| self.table.get())
    }
}
