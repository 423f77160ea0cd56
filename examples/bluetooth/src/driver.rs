//! As printed.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};

#[derive(Debug)]
pub struct Driver {
    pending_io: AtomicI32,
    stopping_flag: AtomicBool,
    stopping_event: Mutex<bool>,
    event_fired: Condvar,
    stopped: AtomicBool,
}

impl Default for Driver {
    fn default() -> Driver {
        Driver {
            pending_io: AtomicI32::new(1),
            stopping_flag: AtomicBool::new(false),
            stopping_event: Mutex::new(false),
            event_fired: Condvar::new(),
            stopped: AtomicBool::new(false),
        }
    }
}

impl Driver {
    /// `BCSP_PnpAdd`: work inside the driver. Whether it was let in.
    pub fn pnp_add(&self) -> bool {
        let entered = self.io_increment();
        if entered {
            // do work here
            assert!(!self.stopped.load(SeqCst), "the driver is stopped with a thread inside");
        }
        self.io_decrement();
        entered
    }

    /// `BCSP_PnpStop`.
    pub fn pnp_stop(&self) {
        self.stopping_flag.store(true, SeqCst);
        self.io_decrement();
        let event = self.stopping_event.lock().unwrap();
        drop(self.event_fired.wait_while(event, |fired| !*fired).unwrap());
        // release allocated resources
        self.stopped.store(true, SeqCst);
    }

    /// BUG: the flag is looked at in one step, and the count is raised in another. In between the driver can be stopped.
    fn io_increment(&self) -> bool {
        if self.stopping_flag.load(SeqCst) {
            return false;
        }
        self.pending_io.fetch_add(1, SeqCst);
        true
    }

    fn io_decrement(&self) {
        let pending_io = self.pending_io.fetch_sub(1, SeqCst) - 1;
        if pending_io == 0 {
            *self.stopping_event.lock().unwrap() = true;
            self.event_fired.notify_all();
        }
    }
}
