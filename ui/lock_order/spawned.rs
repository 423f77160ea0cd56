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

/// A task that is started has both locks, in the other order.
pub struct Letters {
    queue: Arc<Mutex<Vec<u32>>>,
    sent: Arc<Mutex<u32>>,
}

impl Letters {
    pub fn enqueue_bad(&self, letter: u32) {
        let mut queue = self.queue.lock().unwrap();
        queue.push(letter);
        *self.sent.lock().unwrap() += queue.len() as u32; //~ lock_order
    }

    pub fn start(&self) {
        let (queue, sent) = (Arc::clone(&self.queue), Arc::clone(&self.sent));
        tokio::spawn(async move {
            loop {
                tokio::task::yield_now().await;
                let mut sent = sent.lock().unwrap();
                *sent = queue.lock().unwrap().len() as u32;
            }
        });
    }
}

/// The task lets the one go first; and what is held where it is started is not held where it runs.
pub struct Orderly {
    queue: Arc<Mutex<Vec<u32>>>,
    sent: Arc<Mutex<u32>>,
}

impl Orderly {
    pub fn enqueue_ok(&self, letter: u32) {
        let mut queue = self.queue.lock().unwrap();
        queue.push(letter);
        *self.sent.lock().unwrap() += queue.len() as u32;
    }

    pub fn start_ok(&self) {
        let (queue, sent) = (Arc::clone(&self.queue), Arc::clone(&self.sent));
        let _sent = self.sent.lock().unwrap();
        tokio::spawn(async move {
            loop {
                tokio::task::yield_now().await;
                let len = queue.lock().unwrap().len() as u32;
                *sent.lock().unwrap() = len;
            }
        });
    }
}
