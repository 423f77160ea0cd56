//! Pools: who finds nothing queues up, and whoever brings something back looks into the queue first.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;

fn main() {}

pub struct Inner {
    idle: VecDeque<u32>,
    waiters: VecDeque<oneshot::Sender<u32>>,
}

impl Inner {
    fn pop(&mut self) -> Option<u32> {
        self.idle.pop_front()
    }

    fn push_waiter(&mut self, waiter: oneshot::Sender<u32>) {
        self.waiters.push_back(waiter);
    }

    fn put(&mut self, mut item: u32) {
        while let Some(waiter) = self.waiters.pop_front() {
            match waiter.send(item) {
                Ok(()) => return,
                Err(back) => item = back,
            }
        }
        self.idle.push_back(item);
    }
}

pub struct Pool {
    inner: Mutex<Inner>,
}

fn is_valid(item: u32) -> bool {
    item != 0
}

impl Pool {
    pub fn put_back(&self, item: u32) {
        self.inner.lock().unwrap().put(item);
    }

    pub async fn get_bad(&self) -> u32 {
        loop {
            let item = {
                let mut inner = self.inner.lock().unwrap();
                match inner.pop() {
                    Some(item) => item,
                    None => break,
                }
            };
            if is_valid(item) {
                return item;
            }
        }
        let (tx, rx) = oneshot::channel();
        {
            let mut inner = self.inner.lock().unwrap();
            inner.push_waiter(tx); //~ lost_wakeup
        }
        rx.await.unwrap_or(0)
    }

    pub async fn get_ok(&self) -> u32 {
        let rx = {
            let mut inner = self.inner.lock().unwrap();
            if let Some(item) = inner.pop() {
                return item;
            }
            let (tx, rx) = oneshot::channel();
            inner.push_waiter(tx);
            rx
        };
        rx.await.unwrap_or(0)
    }

    pub async fn get_looks_again_ok(&self) -> u32 {
        if let Some(item) = self.inner.lock().unwrap().pop() {
            return item;
        }
        let (tx, rx) = oneshot::channel();
        {
            let mut inner = self.inner.lock().unwrap();
            if let Some(item) = inner.pop() {
                return item;
            }
            inner.push_waiter(tx);
        }
        rx.await.unwrap_or(0)
    }
}

/// Requests that are answered later; when all is over nobody answers any more.
pub struct Client {
    closed: AtomicBool,
    pending: Mutex<Vec<oneshot::Sender<u32>>>,
}

impl Client {
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.pending.lock().unwrap().clear();
    }

    pub fn request_bad(&self) -> Option<oneshot::Receiver<u32>> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let (tx, rx) = oneshot::channel();
        self.pending.lock().unwrap().push(tx); //~ lost_wakeup
        Some(rx)
    }

    pub fn request_ok(&self) -> Option<oneshot::Receiver<u32>> {
        let mut pending = self.pending.lock().unwrap();
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let (tx, rx) = oneshot::channel();
        pending.push(tx);
        Some(rx)
    }
}
