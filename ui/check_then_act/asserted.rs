//! It is asserted that there is no such entry, and then one is put there, in the next critical section, which does not look again.
#![allow(dead_code)]

use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, RwLock};

pub struct Device {
    pub address: String,
    pub seen: Mutex<u64>,
}

pub struct Adapter {
    devices: DashMap<String, Arc<Device>>,
    known: RwLock<HashMap<String, Arc<Device>>>,
    limit: usize,
    added: AtomicU64,
}

impl Adapter {
    pub fn add_bad(&self, device: Arc<Device>) {
        assert!(!self.devices.contains_key(&device.address), "it is there already");
        self.devices.insert(device.address.clone(), device); //~ check_then_act
    }

    /// The insert tells what was there.
    pub fn add_ok(&self, device: Arc<Device>) {
        let before = self.devices.insert(device.address.clone(), device);
        assert!(before.is_none(), "it was there already");
    }

    pub fn add_entry_ok(&self, device: Arc<Device>) {
        self.devices.entry(device.address.clone()).or_insert(device);
    }

    pub fn learn_bad(&self, device: Arc<Device>) {
        assert!(!self.known.read().unwrap().contains_key(&device.address));
        self.known.write().unwrap().insert(device.address.clone(), device); //~ check_then_act
    }

    /// One section.
    pub fn learn_ok(&self, device: Arc<Device>) {
        let mut known = self.known.write().unwrap();
        assert!(!known.contains_key(&device.address));
        known.insert(device.address.clone(), device);
    }

    /// The second section looks again.
    pub fn learn_again_ok(&self, device: Arc<Device>) {
        assert!(!self.known.read().unwrap().contains_key(&device.address));
        let mut known = self.known.write().unwrap();
        assert!(!known.contains_key(&device.address));
        known.insert(device.address.clone(), device);
    }

    pub fn panic_bad(&self, device: Arc<Device>) {
        if self.known.read().unwrap().contains_key(&device.address) {
            panic!("{} is there already", device.address);
        }
        self.known.write().unwrap().insert(device.address.clone(), device); //~ check_then_act
    }

    /// An assertion counts as a check only where an entry is put that it says is not there: others mostly show what holds anyway.
    pub fn fn_full(&self, device: Arc<Device>, all: &Mutex<Vec<Arc<Device>>>) {
        assert!(all.lock().unwrap().len() < self.limit);
        all.lock().unwrap().push(device);
    }

    /// It stops a program that is wrong anyway.
    pub fn first_ok(&self, device: Arc<Device>, first: &Mutex<Option<Arc<Device>>>) {
        assert!(first.lock().unwrap().is_none());
        *first.lock().unwrap() = Some(device);
    }

    /// Another entry than the one that is asserted to be there.
    pub fn copy_ok(&self, from: &str, device: Arc<Device>) {
        assert!(self.devices.contains_key(from));
        self.devices.insert(device.address.clone(), device);
    }

    /// If it is gone, this panics as the assertion would have.
    pub fn seen_ok(&self, address: &str) {
        assert!(self.devices.contains_key(address));
        *self.devices.get(address).unwrap().seen.lock().unwrap() += 1;
    }

    /// To take away what is gone does no harm.
    pub fn forget_ok(&self, address: &str) {
        assert!(self.devices.contains_key(address));
        self.devices.remove(address);
    }

    /// The author knows that the count is above zero here.
    pub fn count_ok(&self) {
        assert!(self.added.load(Ordering::Acquire) > 0);
        self.added.fetch_sub(1, Ordering::AcqRel);
    }

    /// An assertion that is made while debugging shows what holds anyway.
    pub fn debug_ok(&self, device: Arc<Device>) {
        debug_assert!(!self.devices.contains_key(&device.address));
        self.devices.insert(device.address.clone(), device);
    }

    /// What is asserted comes after the change.
    pub fn after_ok(&self, device: Arc<Device>) {
        let address = device.address.clone();
        self.devices.insert(device.address.clone(), device);
        assert!(self.devices.contains_key(&address));
    }
}

#[derive(Default)]
pub struct Table {
    state: RwLock<Repaired>,
}

#[derive(Default)]
pub struct Repaired {
    entries: Vec<u32>,
    repaired: bool,
    kind: Kind,
}

#[derive(Default)]
pub enum Kind {
    #[default]
    Whole,
    Broken,
}

impl Table {
    fn is_repaired(&self) -> bool {
        self.state.read().unwrap().repaired
    }

    fn repair(&self) {
        let mut state = self.state.write().unwrap();
        assert!(!state.repaired);
        state.entries.push(1);
        state.repaired = true;
    }

    fn repair_if_needed(&self) {
        let mut state = self.state.write().unwrap();
        if !state.repaired {
            state.entries.push(1);
            state.repaired = true;
        }
    }

    fn shrink(&self) {
        let mut state = self.state.write().unwrap();
        debug_assert!(!state.repaired);
        state.entries.clear();
    }

    fn begin(&self) {
        debug_assert!(matches!(self.state.read().unwrap().kind, Kind::Broken));
    }

    /// What is asserted while debugging alone is no promise.
    pub fn shrink_ok(&self) {
        if !self.is_repaired() {
            self.shrink();
        }
    }

    /// The same, of one of several variants.
    pub fn begin_ok(&self) {
        if matches!(self.state.read().unwrap().kind, Kind::Broken) {
            self.begin();
        }
    }

    pub fn mend(&self) {
        self.state.write().unwrap().kind = Kind::Whole;
    }

    /// The second one panics.
    pub fn get_bad(&self, n: usize) -> Option<u32> {
        if !self.is_repaired() {
            self.repair(); //~ check_then_act
        }
        self.state.read().unwrap().entries.get(n).copied()
    }

    /// It looks again.
    pub fn get_ok(&self, n: usize) -> Option<u32> {
        if !self.is_repaired() {
            self.repair_if_needed();
        }
        self.state.read().unwrap().entries.get(n).copied()
    }

    /// Nobody has asked before.
    pub fn repair_ok(&self) {
        self.repair();
    }
}
