//! Double-checked locking without the second check: an atomic is tested, the lock is taken that it is changed under, and
//! nobody asks again.
#![allow(dead_code)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

pub struct Socket {
    socket: RwLock<Connection>,
    broken: AtomicBool,
}

pub struct Connection {
    number: u32,
}

impl Connection {
    fn renew(&mut self) -> Result<(), ()> {
        self.number += 1;
        Ok(())
    }
}

impl Socket {
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    pub fn mark_broken(&self) {
        self.broken.store(true, Ordering::Release);
    }

    pub fn renew(&self) -> Result<(), ()> {
        let mut socket = self.socket.write().unwrap();
        socket.renew()?;
        self.broken.store(false, Ordering::Release);
        Ok(())
    }

    fn renew_if_broken(&self) -> Result<(), ()> {
        let mut socket = self.socket.write().unwrap();
        if !self.broken.load(Ordering::Acquire) {
            return Ok(());
        }
        socket.renew()?;
        self.broken.store(false, Ordering::Release);
        Ok(())
    }

    /// Two that wait for the lock renew it twice; but test, lock and store all stand in functions that are called, and there the
    /// test is mostly a way out before the work.
    pub fn fn_mend(&self) -> Result<(), ()> {
        if self.is_broken() {
            self.renew()?;
        }
        Ok(())
    }

    pub fn mend_ok(&self) -> Result<(), ()> {
        if self.is_broken() {
            self.renew_if_broken()?;
        }
        Ok(())
    }
}

pub struct Queue {
    closed: AtomicBool,
    len: AtomicUsize,
    items: Mutex<Vec<u32>>,
}

impl Queue {
    pub fn close(&self) -> Vec<u32> {
        let mut items = self.items.lock().unwrap();
        self.closed.store(true, Ordering::SeqCst);
        std::mem::take(&mut *items)
    }

    /// What comes after the last one was taken stays for ever.
    pub fn put_bad(&self, item: u32) -> bool {
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        self.items.lock().unwrap().push(item); //~ split_atomic
        true
    }

    pub fn put_ok(&self, item: u32) -> bool {
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        let mut items = self.items.lock().unwrap();
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        items.push(item);
        true
    }

    pub fn put_locked_ok(&self, item: u32) -> bool {
        let mut items = self.items.lock().unwrap();
        if self.closed.load(Ordering::SeqCst) {
            return false;
        }
        items.push(item);
        true
    }

    /// It saves the lock where there is nothing; under the lock `pop` looks for itself.
    pub fn take_ok(&self) -> Option<u32> {
        if self.len.load(Ordering::Acquire) == 0 {
            return None;
        }
        let mut items = self.items.lock().unwrap();
        let item = items.pop()?;
        self.len.store(items.len(), Ordering::Release);
        Some(item)
    }

    /// The state under the lock is asked, too.
    pub fn put_once_ok(&self, item: u32) {
        if self.closed.load(Ordering::SeqCst) {
            return;
        }
        let mut items = self.items.lock().unwrap();
        if !items.contains(&item) {
            items.push(item);
        }
    }
}

/// A flag that is only ever set, with work behind it.
pub struct Plugins {
    loaded: AtomicBool,
    list: Mutex<Vec<String>>,
}

impl Plugins {
    pub fn load_bad(&self, name: String) {
        if !self.loaded.load(Ordering::Acquire) {
            let mut list = self.list.lock().unwrap();
            list.push(name); //~ split_atomic
            self.loaded.store(true, Ordering::Release);
        }
    }

    pub fn load_ok(&self, name: String) {
        if !self.loaded.load(Ordering::Acquire) {
            let mut list = self.list.lock().unwrap();
            if !self.loaded.load(Ordering::Acquire) {
                list.push(name);
                self.loaded.store(true, Ordering::Release);
            }
        }
    }

    /// Whether there is anything tells that it was done.
    pub fn load_by_content_ok(&self, name: String) {
        if !self.loaded.load(Ordering::Acquire) {
            let mut list = self.list.lock().unwrap();
            if list.is_empty() {
                list.push(name);
            }
            self.loaded.store(true, Ordering::Release);
        }
    }
}

/// A switch of the user's, which no lock is about.
pub struct Log {
    enabled: AtomicBool,
    lines: Mutex<Vec<String>>,
}

impl Log {
    pub fn set(&self, enabled: bool) {
        self.enabled.store(enabled, Ordering::Relaxed);
    }

    pub fn write_ok(&self, line: String) {
        if self.enabled.load(Ordering::Relaxed) {
            self.lines.lock().unwrap().push(line);
        }
    }
}

/// A number that tells what is to be done next, stored while a lock happens to be held that is about something else.
pub struct Steps {
    next: AtomicUsize,
    bytes: Mutex<u64>,
}

impl Steps {
    fn start(&self, step: usize) {
        self.next.store(step, Ordering::SeqCst);
    }

    pub fn run_ok(&self, step: usize) {
        if self.next.load(Ordering::SeqCst) == 0 {
            return;
        }
        let mut bytes = self.bytes.lock().unwrap();
        *bytes += 1;
        self.start(step);
    }
}

/// The count of what is in the list: tested to save the lock, and 0 is right whatever it was, when all is gone.
pub struct Pages {
    count: AtomicUsize,
    pages: Mutex<Vec<u32>>,
}

impl Pages {
    pub fn insert(&self, page: u32) {
        let mut pages = self.pages.lock().unwrap();
        pages.push(page);
        self.count.store(pages.len(), Ordering::Release);
    }

    pub fn clear_ok(&self) {
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut pages = self.pages.lock().unwrap();
        pages.clear();
        self.count.store(0, Ordering::Release);
    }
}
