//! `Account` and `BadAccount` of the paper on Houdini/rcc (figures 2 and 3), and the threads that add 100 to each.
#![allow(dead_code)]

use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex};
use std::thread;

pub struct Account {
    lock: Mutex<()>,
    balance: UnsafeCell<i64>,
}

unsafe impl Sync for Account {}

impl Account {
    fn update_ok(&self, n: i64) {
        unsafe { *self.balance.get() = n }
    }

    pub fn deposit_ok(&self, x: i64) {
        let _held = self.lock.lock().unwrap();
        self.update_ok(unsafe { *self.balance.get() } + x);
    }
}

pub fn add_100_twice_ok() {
    let a = Arc::new(Account { lock: Mutex::new(()), balance: UnsafeCell::new(0) });
    for _ in 0..2 {
        let a = a.clone();
        thread::spawn(move || a.deposit_ok(100));
    }
}

pub struct BadAccount {
    lock: Mutex<()>,
    balance: UnsafeCell<i64>,
}

unsafe impl Sync for BadAccount {}

impl BadAccount {
    fn update_bad(&self, n: i64) {
        unsafe { *self.balance.get() = n } //~ racy_access
    }

    pub fn deposit_bad(&self, x: i64) {
        self.update_bad(unsafe { *self.balance.get() } + x);
    }
}

pub fn add_100_twice_bad() {
    let a = Arc::new(BadAccount { lock: Mutex::new(()), balance: UnsafeCell::new(0) });
    for _ in 0..2 {
        let a = a.clone();
        thread::spawn(move || a.deposit_bad(100));
    }
}
