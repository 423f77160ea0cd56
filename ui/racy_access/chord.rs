//! The programs of the paper on Chord: its running example (figure 4) and the code of JdbF (figure 2), with the mends that
//! their authors made.
#![allow(dead_code)]

use std::cell::{Cell, UnsafeCell};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Figure 4. `get` reads without the lock that `inc` writes with; that `inc` also writes to an object of its own is no race.
pub struct A {
    monitor: Mutex<()>,
    f: UnsafeCell<i32>,
}

unsafe impl Sync for A {}

impl A {
    pub fn new() -> A {
        A { monitor: Mutex::new(()), f: UnsafeCell::new(0) }
    }

    fn rd_bad(&self) -> i32 {
        unsafe { *self.f.get() } //~ racy_access
    }

    fn wr(&self, x: i32) -> i32 {
        unsafe { *self.f.get() = x }
        x
    }

    pub fn get(&self) -> i32 {
        self.rd_bad()
    }

    pub fn inc(&self) -> i32 {
        let _held = self.monitor.lock().unwrap();
        let t = self.rd_bad() + A::new().wr(1);
        self.wr(t)
    }
}

/// The same with the lock in `get`.
pub struct Mended {
    monitor: Mutex<()>,
    f: UnsafeCell<i32>,
}

unsafe impl Sync for Mended {}

impl Mended {
    pub fn new() -> Mended {
        Mended { monitor: Mutex::new(()), f: UnsafeCell::new(0) }
    }

    fn rd(&self) -> i32 {
        unsafe { *self.f.get() }
    }

    fn wr_ok(&self, x: i32) -> i32 {
        unsafe { *self.f.get() = x }
        x
    }

    pub fn get_ok(&self) -> i32 {
        let _held = self.monitor.lock().unwrap();
        self.rd()
    }

    pub fn inc_ok(&self) -> i32 {
        let _held = self.monitor.lock().unwrap();
        let t = self.rd() + Mended::new().wr_ok(1);
        self.wr_ok(t)
    }
}

pub struct Connection;

/// Figure 2. The map is safe, and what is found in it is not.
pub struct ConnectionSource {
    conn: Connection,
    used: Cell<bool>,
}

unsafe impl Sync for ConnectionSource {}

impl ConnectionSource {
    fn get_connection_bad(&self) -> Option<&Connection> {
        if !self.used.get() {
            self.used.set(true); //~ racy_access
            return Some(&self.conn);
        }
        None
    }

    fn put_back(&self) {
        self.used.set(false);
    }
}

pub struct ConnectionManager {
    conns: Mutex<HashMap<String, Arc<ConnectionSource>>>,
}

impl ConnectionManager {
    fn with_connection(&self, name: &str) -> bool {
        let source = self.conns.lock().unwrap().get(name).cloned();
        match source {
            Some(source) => {
                let got = source.get_connection_bad().is_some();
                source.put_back();
                got
            }
            None => false,
        }
    }
}

pub struct Database {
    cm: ConnectionManager,
}

impl Database {
    pub fn insert(&self) -> bool {
        self.cm.with_connection("main")
    }

    pub fn delete(&self) -> bool {
        self.cm.with_connection("main")
    }
}

/// What they did about it: every operation of the database takes its lock.
pub struct Source {
    conn: Connection,
    used: Cell<bool>,
}

unsafe impl Sync for Source {}

impl Source {
    fn get_connection_ok(&self) -> Option<&Connection> {
        if !self.used.get() {
            self.used.set(true);
            return Some(&self.conn);
        }
        None
    }

    fn put_back(&self) {
        self.used.set(false);
    }
}

pub struct MendedDatabase {
    monitor: Mutex<()>,
    source: Source,
}

impl MendedDatabase {
    pub fn insert_ok(&self) -> bool {
        let _held = self.monitor.lock().unwrap();
        let got = self.source.get_connection_ok().is_some();
        self.source.put_back();
        got
    }

    pub fn delete_ok(&self) -> bool {
        let _held = self.monitor.lock().unwrap();
        let got = self.source.get_connection_ok().is_some();
        self.source.put_back();
        got
    }
}
