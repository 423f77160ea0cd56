//! `event_listener::Event`: whoever is not listening yet hears nothing.
#![allow(dead_code)]

use event_listener::{Event, Listener};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Gate {
    open: AtomicBool,
    opened: Event,
}

impl Gate {
    pub fn open(&self) {
        self.open.store(true, Ordering::Release);
        self.opened.notify(usize::MAX);
    }

    pub async fn wait_bad(&self) {
        while !self.open.load(Ordering::Acquire) {
            self.opened.listen().await; //~ lost_wakeup
        }
    }

    pub fn block_bad(&self) {
        while !self.open.load(Ordering::Acquire) {
            self.opened.listen().wait(); //~ lost_wakeup
        }
    }

    pub async fn wait_ok(&self) {
        loop {
            let opened = self.opened.listen();
            if self.open.load(Ordering::Acquire) {
                return;
            }
            opened.await;
        }
    }

    pub async fn wait_twice_ok(&self) {
        loop {
            if self.open.load(Ordering::Acquire) {
                return;
            }
            let opened = self.opened.listen();
            if self.open.load(Ordering::Acquire) {
                return;
            }
            opened.await;
        }
    }

    pub fn block_ok(&self) {
        while !self.open.load(Ordering::Acquire) {
            let opened = self.opened.listen();
            if self.open.load(Ordering::Acquire) {
                return;
            }
            opened.wait();
        }
    }
}

pub struct Queue {
    items: Mutex<Vec<u32>>,
    pushed: Event,
}

impl Queue {
    pub fn push(&self, item: u32) {
        self.items.lock().unwrap().push(item);
        self.pushed.notify(1);
    }

    pub async fn pop_bad(&self) -> u32 {
        loop {
            if let Some(item) = self.items.lock().unwrap().pop() {
                return item;
            }
            self.pushed.listen().await; //~ lost_wakeup
        }
    }

    /// The listener of the last round is there before the look.
    pub async fn pop_ok(&self) -> u32 {
        let mut listener = None;
        loop {
            if let Some(item) = self.items.lock().unwrap().pop() {
                return item;
            }
            match listener.take() {
                None => listener = Some(self.pushed.listen()),
                Some(listener) => listener.await,
            }
        }
    }
}
