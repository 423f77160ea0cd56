//! Put where others can take it, and counted only afterwards.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

#[derive(Default)]
pub struct Queue {
    jobs: Mutex<VecDeque<u32>>,
    length: AtomicUsize,
}

impl Queue {
    pub fn push_bad(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
        self.length.fetch_add(1, Ordering::SeqCst); //~ split_atomic
    }

    /// Counted first.
    pub fn push_ok(&self, job: u32) {
        self.length.fetch_add(1, Ordering::SeqCst);
        self.jobs.lock().unwrap().push_back(job);
    }

    /// Counted under the lock.
    pub fn push_under_lock_ok(&self, job: u32) {
        let mut jobs = self.jobs.lock().unwrap();
        jobs.push_back(job);
        self.length.fetch_add(1, Ordering::SeqCst);
    }

    pub fn pop(&self) -> Option<u32> {
        let job = self.jobs.lock().unwrap().pop_front()?;
        self.length.fetch_sub(1, Ordering::SeqCst);
        Some(job)
    }

    pub fn work(&self) {
        while self.length.load(Ordering::SeqCst) > 0 {
            self.pop();
        }
    }
}

/// What was ever put there is counted, and never counted down.
#[derive(Default)]
pub struct Total {
    jobs: Mutex<VecDeque<u32>>,
    total: AtomicUsize,
}

impl Total {
    pub fn push_ok(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
        self.total.fetch_add(1, Ordering::SeqCst);
    }

    pub fn pop(&self) -> Option<u32> {
        self.jobs.lock().unwrap().pop_front()
    }

    pub fn wait(&self) {
        while self.total.load(Ordering::SeqCst) < 100 {
            std::thread::yield_now();
        }
    }
}

/// Those who are at work are counted, and not what is in the queue: who counts down has not taken anything.
#[derive(Default)]
pub struct AtWork {
    jobs: Mutex<VecDeque<u32>>,
    at_work: AtomicUsize,
}

impl AtWork {
    pub fn push_ok(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
        self.at_work.fetch_add(1, Ordering::SeqCst);
    }

    pub fn pop(&self) -> Option<u32> {
        self.jobs.lock().unwrap().pop_front()
    }

    pub fn done(&self) {
        self.at_work.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn wait(&self) {
        while self.at_work.load(Ordering::SeqCst) > 0 {
            std::thread::yield_now();
        }
    }
}

#[derive(Clone, Default)]
pub struct Load(Arc<AtomicUsize>);

impl Load {
    fn up(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn down(&self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn is_idle(&self) -> bool {
        if self.0.load(Ordering::SeqCst) == 0 { true } else { false }
    }
}

/// Counted off when it is dropped, by whoever has received it.
pub struct Ticket(Load);

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.down();
    }
}

pub struct Worker {
    jobs: Sender<u32>,
    load: Load,
}

impl Worker {
    fn send(&self, job: u32) -> bool {
        self.jobs.send(job).is_ok()
    }
}

pub struct Dispatcher {
    workers: Vec<Worker>,
    full: AtomicUsize,
}

impl Dispatcher {
    pub fn give_bad(&self, to: usize, job: u32) {
        let worker = &self.workers[to];
        if worker.send(job) {
            if worker.load.up() > 10 { //~ split_atomic
                self.full.store(to, Ordering::SeqCst);
            }
        }
    }

    /// Counted first, and taken back if it could not be sent.
    pub fn give_ok(&self, to: usize, job: u32) {
        let worker = &self.workers[to];
        worker.load.up();
        if !worker.send(job) {
            worker.load.down();
        }
    }
}

/// How many messages there were, and no more than that.
pub struct Told {
    jobs: Sender<u32>,
    sent: AtomicUsize,
}

impl Told {
    pub fn give_ok(&self, job: u32) {
        if self.jobs.send(job).is_ok() {
            self.sent.fetch_add(1, Ordering::SeqCst);
        }
    }

    pub fn has_sent(&self) -> bool {
        if self.sent.load(Ordering::SeqCst) > 0 { true } else { false }
    }
}

fn prepare(started: &Sender<()>) {
    let _ = started.send(());
}

fn open(started: &Sender<()>) -> u32 {
    prepare(started);
    1
}

/// What is sent far down has nothing to do with what is counted here.
pub fn connect_ok(load: &Load, started: &Sender<()>) -> u32 {
    let opened = open(started);
    load.up();
    opened
}

fn connect(load: &Load) {
    load.up();
    println!("connected");
}

/// What is counted in the midst of other work has nothing to do with what was sent.
pub fn tell_and_connect_ok(load: &Load, started: &Sender<()>) {
    let _ = started.send(());
    connect(load);
}

/// What it sends first has nothing to do with what it counts later.
pub fn start_ok(dispatcher: &Dispatcher, started: &Sender<()>) {
    let _ = started.send(());
    dispatcher.give_ok(0, 1);
}

/// Who takes something has a permit for it, which is given after it was counted.
#[derive(Default)]
pub struct Pool {
    free: Mutex<Vec<u32>>,
    available: AtomicUsize,
    permits: Mutex<usize>,
}

impl Pool {
    pub fn put_back_ok(&self, object: u32) {
        self.free.lock().unwrap().push(object);
        self.available.fetch_add(1, Ordering::Relaxed);
        *self.permits.lock().unwrap() += 1;
    }

    pub fn get(&self) -> Option<u32> {
        let mut permits = self.permits.lock().unwrap();
        if *permits == 0 {
            return None;
        }
        *permits -= 1;
        drop(permits);
        let object = self.free.lock().unwrap().pop().unwrap();
        self.available.fetch_sub(1, Ordering::Relaxed);
        Some(object)
    }

    pub fn is_empty(&self) -> bool {
        if self.available.load(Ordering::Relaxed) == 0 { true } else { false }
    }
}

/// Handles are counted when they are cloned, whatever was sent before.
pub struct Handle {
    count: Arc<AtomicUsize>,
    jobs: Sender<u32>,
}

impl Clone for Handle {
    fn clone(&self) -> Handle {
        self.count.fetch_add(1, Ordering::SeqCst);
        Handle { count: self.count.clone(), jobs: self.jobs.clone() }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.count.fetch_sub(1, Ordering::SeqCst) == 1 {
            let _ = self.jobs.send(0);
        }
    }
}

impl Handle {
    pub fn give_ok(&self) -> Handle {
        let _ = self.jobs.send(1);
        self.clone()
    }
}
