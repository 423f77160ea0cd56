//! A flag is tested, a thread is started, and that thread sets the flag when it comes to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static BROKEN: AtomicBool = AtomicBool::new(false);
static STARTED: AtomicBool = AtomicBool::new(false);

fn work() -> bool {
    true
}

pub fn start_ok() -> Option<thread::JoinHandle<()>> {
    if BROKEN.load(Ordering::Relaxed) {
        return None;
    }
    Some(thread::spawn(|| {
        if !work() {
            BROKEN.store(true, Ordering::SeqCst);
        }
    }))
}

/// Here the thread that tests is the one that sets it, and starts two.
pub fn start_once_bad() -> Option<thread::JoinHandle<()>> {
    if STARTED.load(Ordering::SeqCst) {
        return None;
    }
    STARTED.store(true, Ordering::SeqCst); //~ split_atomic
    Some(thread::spawn(|| {
        work();
    }))
}

pub fn start_once_ok() -> Option<thread::JoinHandle<()>> {
    if STARTED.swap(true, Ordering::SeqCst) {
        return None;
    }
    Some(thread::spawn(|| {
        work();
    }))
}
