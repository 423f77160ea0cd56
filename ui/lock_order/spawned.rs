//! Closures that a function of the crate runs on a thread of its own.
#![allow(dead_code)]

use std::sync::{Arc, Mutex, RwLock};
use std::thread;

struct Worker(thread::JoinHandle<()>);

impl Worker {
    fn spawn(name: String, work: impl FnOnce() + Send + 'static) -> Worker {
        Worker(thread::Builder::new().name(name).spawn(move || work()).unwrap())
    }

    fn run(work: impl FnOnce()) {
        work();
    }
}

struct Database {
    changes: RwLock<u32>,
    open: Mutex<Vec<u32>>,
}

impl Database {
    fn work(&self) {
        *self.changes.write().unwrap() += 1;
    }

    /// The thread that waits for `changes` is not the one that has `open`.
    fn start_ok(self: &Arc<Self>) -> Worker {
        let mut open = self.open.lock().unwrap();
        open.push(1);
        let this = self.clone();
        Worker::spawn("worker".to_owned(), move || this.work())
    }

    fn clear(&self) {
        let _changes = self.changes.write().unwrap();
        self.open.lock().unwrap().clear();
    }
}

pub struct Other {
    changes: RwLock<u32>,
    open: Mutex<Vec<u32>>,
}

impl Other {
    pub fn start_bad(&self) {
        let mut open = self.open.lock().unwrap();
        open.push(1);
        Worker::run(|| *self.changes.write().unwrap() += 1); //~ lock_order
    }

    fn clear(&self) {
        let _changes = self.changes.write().unwrap();
        self.open.lock().unwrap().clear();
    }

    fn clear_again(&self) {
        let _changes = self.changes.write().unwrap();
        self.open.lock().unwrap().clear();
    }
}
