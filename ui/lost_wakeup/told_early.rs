//! A notification that comes before the change that the waiter looks for.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};

#[derive(Default)]
pub struct Queue {
    jobs: Mutex<VecDeque<u32>>,
    added: Condvar,
    sent: Mutex<u64>,
}

impl Queue {
    pub fn pop(&self) -> Option<u32> {
        let mut jobs = self.jobs.lock().unwrap();
        while jobs.is_empty() {
            jobs = self.added.wait(jobs).unwrap();
        }
        jobs.pop_front()
    }

    /// calloop: who is woken looks, finds nothing, and sleeps again.
    pub fn push_bad(&self, job: u32) {
        self.added.notify_one(); //~ lost_wakeup
        self.jobs.lock().unwrap().push_back(job);
    }

    pub fn push_ok(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
        self.added.notify_one();
    }

    /// Who is woken has to wait for the lock.
    pub fn push_under_the_lock_ok(&self, job: u32) {
        let mut jobs = self.jobs.lock().unwrap();
        self.added.notify_one();
        jobs.push_back(job);
    }

    /// The first is told of early, the second in time.
    pub fn push_two_ok(&self, one: u32, other: u32) {
        self.jobs.lock().unwrap().push_back(one);
        self.added.notify_one();
        self.jobs.lock().unwrap().push_back(other);
        self.added.notify_one();
    }

    /// The function that is called tells of it.
    pub fn push_through_another_ok(&self, job: u32) {
        self.added.notify_one();
        self.push_ok(job);
    }

    /// What is changed after it is nothing that anybody waits for.
    pub fn push_and_count_ok(&self, job: u32) {
        self.jobs.lock().unwrap().push_back(job);
        self.added.notify_one();
        *self.sent.lock().unwrap() += 1;
    }

    /// One more is woken, and this one takes away.
    pub fn pass_on_ok(&self) -> Option<u32> {
        self.added.notify_one();
        self.jobs.lock().unwrap().pop_front()
    }

    /// On one way it is told, on the other changed.
    pub fn either_ok(&self, job: Option<u32>) {
        match job {
            None => self.added.notify_one(),
            Some(job) => self.jobs.lock().unwrap().push_front(job),
        }
    }
}

pub struct Gate {
    lock: Mutex<bool>,
    open: AtomicBool,
    opened: Condvar,
}

impl Gate {
    pub fn wait(&self) {
        let mut closed = self.lock.lock().unwrap();
        while *closed {
            closed = self.opened.wait(closed).unwrap();
        }
    }

    pub fn open_bad(&self) {
        self.opened.notify_all(); //~ lost_wakeup
        *self.lock.lock().unwrap() = false;
    }

    pub fn open_ok(&self) {
        *self.lock.lock().unwrap() = false;
        self.opened.notify_all();
    }

    /// In a loop each change is told of before the next.
    pub fn open_and_close_ok(&self) {
        for closed in [true, false, true, false] {
            *self.lock.lock().unwrap() = closed;
            self.opened.notify_all();
        }
    }

    /// What is told of is the first change; the second is for the next round.
    pub fn let_through_ok(&self) {
        *self.lock.lock().unwrap() = false;
        self.opened.notify_all();
        *self.lock.lock().unwrap() = true;
    }

    pub fn mark_ok(&self) {
        self.opened.notify_all();
        self.open.store(true, Ordering::Release);
    }
}

pub struct Mailbox {
    letters: Mutex<Vec<String>>,
    arrived: tokio::sync::Notify,
}

impl Mailbox {
    pub async fn read(&self) -> String {
        loop {
            if let Some(letter) = self.letters.lock().unwrap().pop() {
                return letter;
            }
            self.arrived.notified().await;
        }
    }

    /// The permit is used up by who finds nothing.
    pub fn send_bad(&self, letter: String) {
        self.arrived.notify_one(); //~ lost_wakeup
        self.letters.lock().unwrap().push(letter);
    }

    pub fn send_ok(&self, letter: String) {
        self.letters.lock().unwrap().push(letter);
        self.arrived.notify_one();
    }
}
