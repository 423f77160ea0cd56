//! Waiting for a job: the bugs that `affinitypool` had in 0.3.1 and `stm` in 0.2.3, and their corrections.
#![allow(dead_code)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

struct Job {
    result: Mutex<Option<u32>>,
    done: Condvar,
    changed: Condvar,
    blocked: AtomicBool,
    lock: Mutex<()>,
}

impl Job {
    fn finish(&self, with: u32) {
        *self.result.lock().unwrap() = Some(with);
        self.done.notify_all();
    }

    fn wait_in_if_bad(&self) {
        let result = self.result.lock().unwrap();
        if result.is_none() {
            drop(self.done.wait(result).unwrap()); //~ wait_without_recheck
        }
    }

    fn wait_in_while_ok(&self) {
        let mut result = self.result.lock().unwrap();
        while result.is_none() {
            result = self.done.wait(result).unwrap();
        }
    }

    fn wait_while_ok(&self) {
        let result = self.result.lock().unwrap();
        drop(self.done.wait_while(result, |result| result.is_none()).unwrap());
    }

    fn set_changed(&self) {
        let _lock = self.lock.lock().unwrap();
        self.blocked.store(false, Ordering::SeqCst);
        self.changed.notify_one();
    }

    fn read_before_the_lock_bad(&self) {
        let mut blocked = self.blocked.load(Ordering::SeqCst);
        let mut lock = self.lock.lock().unwrap();
        while blocked {
            lock = self.changed.wait(lock).unwrap(); //~ wait_without_recheck
            blocked = self.blocked.load(Ordering::SeqCst);
        }
    }

    fn read_under_the_lock_ok(&self) {
        let mut lock = self.lock.lock().unwrap();
        while self.blocked.load(Ordering::SeqCst) {
            lock = self.changed.wait(lock).unwrap();
        }
    }
}
