//! A wait with another lock held.
#![allow(dead_code)]

use std::pin::Pin;
use std::sync::{Condvar, Mutex, RwLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Everyone who pushes takes the registry first.
pub struct Queue {
    registry: Mutex<u32>,
    items: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Queue {
    pub fn pop_bad(&self) -> Option<u32> {
        let registry = self.registry.lock().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap(); //~ wait_holding_lock
        }
        items.pop().map(|item| item + *registry)
    }

    pub fn pop_ok(&self) -> Option<u32> {
        let registry = *self.registry.lock().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap();
        }
        items.pop().map(|item| item + registry)
    }

    pub fn push(&self, item: u32) {
        *self.registry.lock().unwrap() += 1;
        self.items.lock().unwrap().push(item);
        self.ready.notify_one();
    }
}

/// Here one of the notifiers needs nothing.
pub struct Helped {
    registry: Mutex<u32>,
    items: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Helped {
    pub fn pop_ok(&self) -> Option<u32> {
        let registry = self.registry.lock().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap();
        }
        items.pop().map(|item| item + *registry)
    }

    pub fn push(&self, item: u32) {
        *self.registry.lock().unwrap() += 1;
        self.items.lock().unwrap().push(item);
        self.ready.notify_one();
    }

    pub fn push_quickly(&self, item: u32) {
        self.items.lock().unwrap().push(item);
        self.ready.notify_one();
    }
}

/// Readers do not stop readers.
pub struct Readers {
    names: RwLock<u32>,
    items: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Readers {
    pub fn pop_ok(&self) -> Option<u32> {
        let names = self.names.read().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap();
        }
        items.pop().map(|item| item + *names)
    }

    pub fn push(&self, item: u32) {
        let name = *self.names.read().unwrap();
        self.items.lock().unwrap().push(item + name);
        self.ready.notify_one();
    }
}

/// Only one way leads through the lock.
pub struct Sometimes {
    registry: Mutex<u32>,
    items: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Sometimes {
    pub fn pop_ok(&self) -> Option<u32> {
        let registry = self.registry.lock().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.ready.wait(items).unwrap();
        }
        items.pop().map(|item| item + *registry)
    }

    pub fn push(&self, item: u32) {
        if item > 7 {
            *self.registry.lock().unwrap() += 1;
        }
        self.items.lock().unwrap().push(item);
        self.ready.notify_one();
    }
}

/// It goes on when time is up.
pub struct Patient {
    registry: Mutex<u32>,
    items: Mutex<Vec<u32>>,
    ready: Condvar,
}

impl Patient {
    pub fn pop_bad(&self) -> Option<u32> {
        let registry = self.registry.lock().unwrap();
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            let second = Duration::from_secs(1);
            items = self.ready.wait_timeout(items, second).unwrap().0; //~ wait_holding_lock
        }
        items.pop().map(|item| item + *registry)
    }

    pub fn push(&self, item: u32) {
        *self.registry.lock().unwrap() += 1;
        self.items.lock().unwrap().push(item);
        self.ready.notify_one();
    }
}

/// The same among tasks.
pub struct Mailbox {
    state: tokio::sync::Mutex<Vec<u32>>,
    arrived: Notify,
}

impl Mailbox {
    pub async fn next_bad(&self) -> Option<u32> {
        let mut state = self.state.lock().await;
        if state.is_empty() {
            self.arrived.notified().await; //~ wait_holding_lock
        }
        state.pop()
    }

    pub async fn next_ok(&self) -> Option<u32> {
        loop {
            let arrived = self.arrived.notified();
            if let Some(item) = self.state.lock().await.pop() {
                return Some(item);
            }
            arrived.await;
        }
    }

    pub async fn send(&self, item: u32) {
        self.state.lock().await.push(item);
        self.arrived.notify_one();
    }
}

/// A future that is polled by hand: the new one is only kept under the lock, and nobody waits with it.
pub struct Incoming {
    waiting: Mutex<Vec<u32>>,
    arrived: Notify,
}

pub struct Accept<'a> {
    incoming: &'a Incoming,
    notified: Pin<Box<Notified<'a>>>,
}

impl Future for Accept<'_> {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let incoming = self.incoming;
        let mut waiting = incoming.waiting.lock().unwrap();
        if let Some(item) = waiting.pop() {
            return Poll::Ready(item);
        }
        while self.notified.as_mut().poll(context).is_ready() {
            self.notified.set(incoming.arrived.notified());
        }
        Poll::Pending
    }
}

impl Incoming {
    pub fn arrives(&self, item: u32) {
        self.waiting.lock().unwrap().push(item);
        self.arrived.notify_one();
    }
}
