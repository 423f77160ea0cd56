//! Corrected: the flag and the count are one state, looked at and changed under one guard, and a thread that was not let
//! in does not count itself out.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};

#[derive(Debug)]
pub struct FixedDriver {
    entries: Mutex<Entries>,
    event_fired: Condvar,
    stopped: AtomicBool,
}

#[derive(Debug)]
struct Entries {
    pending_io: i32,
    stopping: bool,
}

impl Default for FixedDriver {
    fn default() -> FixedDriver {
        FixedDriver {
            entries: Mutex::new(Entries { pending_io: 1, stopping: false }),
            event_fired: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }
}

impl FixedDriver {
    pub fn pnp_add(&self) -> bool {
        if !self.io_increment() {
            return false;
        }
        // do work here
        assert!(!self.stopped.load(SeqCst), "the driver is stopped with a thread inside");
        self.io_decrement();
        true
    }

    pub fn pnp_stop(&self) {
        let mut entries = self.entries.lock().unwrap();
        entries.stopping = true;
        entries.pending_io -= 1;
        drop(self.event_fired.wait_while(entries, |entries| entries.pending_io > 0).unwrap());
        // release allocated resources
        self.stopped.store(true, SeqCst);
    }

    fn io_increment(&self) -> bool {
        let mut entries = self.entries.lock().unwrap();
        if entries.stopping {
            return false;
        }
        entries.pending_io += 1;
        true
    }

    fn io_decrement(&self) {
        let mut entries = self.entries.lock().unwrap();
        entries.pending_io -= 1;
        if entries.pending_io == 0 {
            self.event_fired.notify_all();
        }
    }
}
