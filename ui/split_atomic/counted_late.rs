//! Put where others can take it, and counted only afterwards.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
