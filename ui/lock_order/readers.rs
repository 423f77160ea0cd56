//! Readers that wait behind a writer, and so for each other.
#![allow(dead_code)]

use std::sync::{Mutex, RwLock, RwLockReadGuard};

pub struct Device {
    snatchable: RwLock<u32>,
    pending: Mutex<Vec<u32>>,
}

pub struct SnatchGuard<'a>(RwLockReadGuard<'a, u32>);

impl Device {
    fn snatch(&self) -> SnatchGuard<'_> {
        SnatchGuard(self.snatchable.read().unwrap())
    }

    pub fn submit(&self) -> u32 {
        let snatch = self.snatch();
        self.pending.lock().unwrap().clear();
        *snatch.0
    }

    pub fn submit_again(&self) -> u32 {
        let snatch = self.snatch();
        self.pending.lock().unwrap().clear();
        *snatch.0
    }

    /// `submit` reads, `destroy` waits to write, and this waits behind it.
    pub fn write_bad(&self) {
        let mut pending = self.pending.lock().unwrap();
        let snatch = self.snatch(); //~ lock_order
        pending.push(*snatch.0);
    }

    pub fn write_ok(&self) {
        let snatch = self.snatch();
        self.pending.lock().unwrap().push(*snatch.0);
    }

    pub fn destroy(&self) {
        *self.snatchable.write().unwrap() += 1;
    }
}

/// Nobody writes.
pub struct Settled {
    settings: RwLock<u32>,
    pending: Mutex<Vec<u32>>,
}

impl Settled {
    pub fn forth_ok(&self) -> u32 {
        let settings = self.settings.read().unwrap();
        self.pending.lock().unwrap().clear();
        *settings
    }

    pub fn back_ok(&self) {
        let mut pending = self.pending.lock().unwrap();
        pending.push(*self.settings.read().unwrap());
    }
}

/// Who writes has the object alone.
pub struct Alone {
    settings: RwLock<u32>,
    pending: Mutex<Vec<u32>>,
}

impl Alone {
    pub fn forth_ok(&self) -> u32 {
        let settings = self.settings.read().unwrap();
        self.pending.lock().unwrap().clear();
        *settings
    }

    pub fn back_ok(&self) {
        let mut pending = self.pending.lock().unwrap();
        pending.push(*self.settings.read().unwrap());
    }

    pub fn set(&mut self, to: u32) {
        *self.settings.write().unwrap() = to;
    }
}

/// Those that read again and again do not wait for a writer.
pub struct Recursive {
    settings: parking_lot::RwLock<u32>,
    pending: Mutex<Vec<u32>>,
}

impl Recursive {
    pub fn forth_ok(&self) -> u32 {
        let settings = self.settings.read();
        self.pending.lock().unwrap().clear();
        *settings
    }

    pub fn back_ok(&self) {
        let mut pending = self.pending.lock().unwrap();
        pending.push(*self.settings.read_recursive());
    }

    pub fn set(&self, to: u32) {
        *self.settings.write() = to;
    }
}

/// A lock that does not let writers go before readers.
pub struct Spinning {
    settings: spin::RwLock<u32>,
    pending: Mutex<Vec<u32>>,
}

impl Spinning {
    pub fn forth_ok(&self) -> u32 {
        let settings = self.settings.read();
        self.pending.lock().unwrap().clear();
        *settings
    }

    pub fn back_ok(&self) {
        let mut pending = self.pending.lock().unwrap();
        pending.push(*self.settings.read());
    }

    pub fn set(&self, to: u32) {
        *self.settings.write() = to;
    }

    pub fn twice_ok(&self) -> u32 {
        let settings = self.settings.read();
        *settings + *self.settings.read()
    }
}
