//! State beside a lock. The race of toaster/toastmon in the paper on KISS (figure 6): `DevicePnPState` is written under the
//! remove lock, and read by the dispatch function for power without it.
#![allow(dead_code)]

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, PartialEq)]
pub enum PnpState {
    NotStarted,
    Started,
    StopPending,
    Deleted,
}

pub struct DeviceExtension {
    remove_lock: Mutex<()>,
    device_pnp_state: Cell<PnpState>,
}

unsafe impl Sync for DeviceExtension {}

impl DeviceExtension {
    pub fn dispatch_pnp(&self, minor: u32) {
        let _held = self.remove_lock.lock().unwrap();
        match minor {
            0 => self.device_pnp_state.set(PnpState::Started),
            1 => self.device_pnp_state.set(PnpState::StopPending),
            2 => self.device_pnp_state.set(PnpState::Deleted),
            _ => {}
        }
    }

    pub fn dispatch_power_bad(&self) -> bool {
        self.device_pnp_state.get() == PnpState::Deleted //~ inconsistent_guard
    }
}

/// The same with the lock.
pub struct Mended {
    remove_lock: Mutex<()>,
    device_pnp_state: Cell<PnpState>,
}

unsafe impl Sync for Mended {}

impl Mended {
    pub fn dispatch_pnp_ok(&self, minor: u32) {
        let _held = self.remove_lock.lock().unwrap();
        match minor {
            0 => self.device_pnp_state.set(PnpState::Started),
            1 => self.device_pnp_state.set(PnpState::StopPending),
            2 => self.device_pnp_state.set(PnpState::Deleted),
            _ => {}
        }
    }

    pub fn dispatch_power_ok(&self) -> bool {
        let _held = self.remove_lock.lock().unwrap();
        self.device_pnp_state.get() == PnpState::Deleted
    }
}

/// An atomic that a lock is meant for. To look at it without is what atomics are for (`OpenCount` of fakemodem).
pub struct Modem {
    lock: Mutex<Vec<u32>>,
    open_count: AtomicU64,
    total: AtomicU64,
}

impl Modem {
    pub fn open(&self) {
        let mut held = self.lock.lock().unwrap();
        self.open_count.store(held.len() as u64 + 1, Ordering::Relaxed);
        self.total.store(held.len() as u64, Ordering::Relaxed);
        held.push(1);
    }

    pub fn close(&self) {
        let mut held = self.lock.lock().unwrap();
        held.pop();
        self.open_count.store(held.len() as u64, Ordering::Relaxed);
        self.total.store(held.len() as u64, Ordering::Relaxed);
    }

    pub fn reset(&self) {
        let mut held = self.lock.lock().unwrap();
        held.clear();
        self.open_count.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
    }

    pub fn is_open_ok(&self) -> bool {
        self.open_count.load(Ordering::Relaxed) != 0
    }
}
