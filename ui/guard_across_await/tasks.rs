//! Guards of blocking locks where a task sleeps.
#![allow(dead_code, clippy::await_holding_lock)]

use std::sync::{Arc, Mutex, RwLock};

async fn send(_: u32) {
    std::future::pending().await
}

/// No `.await` in it: whoever awaits it does not sleep.
async fn note(_: u32) {}

pub struct Outbox {
    items: Mutex<Vec<u32>>,
    name: RwLock<u32>,
    slow: tokio::sync::Mutex<Vec<u32>>,
}

impl Outbox {
    pub async fn flush_bad(&self) {
        let mut items = self.items.lock().unwrap(); //~ guard_across_await
        while let Some(item) = items.pop() {
            send(item).await;
        }
    }

    pub async fn flush_ok(&self) {
        let items = std::mem::take(&mut *self.items.lock().unwrap());
        for item in items {
            send(item).await;
        }
    }

    /// The variable is still in scope, and the guard is gone.
    pub async fn dropped_ok(&self) {
        let mut items = self.items.lock().unwrap();
        items.push(1);
        drop(items);
        send(1).await;
    }

    pub async fn ready_ok(&self) {
        let items = self.items.lock().unwrap();
        note(items.len() as u32).await;
        drop(items);
    }

    pub async fn block_ok(&self) {
        {
            let mut items = self.items.lock().unwrap();
            items.push(1);
        }
        send(1).await;
    }

    /// The temporary lives to the end of the `match`.
    pub async fn scrutinee_bad(&self) {
        match self.items.lock().unwrap().len() { //~ guard_across_await
            0 => send(0).await,
            _ => {}
        }
    }

    pub async fn argument_ok(&self) {
        let count = self.items.lock().unwrap().len() as u32;
        send(count).await;
    }

    pub async fn read_bad(&self) {
        let name = self.name.read().unwrap(); //~ guard_across_await
        send(*name).await;
    }

    /// Made for it.
    pub async fn task_lock_ok(&self) {
        let mut slow = self.slow.lock().await;
        while let Some(item) = slow.pop() {
            send(item).await;
        }
    }

    pub async fn try_bad(&self) {
        if let Ok(items) = self.items.try_lock() { //~ guard_across_await
            send(items.len() as u32).await;
        }
    }
}

pub async fn parked_bad(of: &parking_lot::Mutex<u32>) {
    let held = of.lock(); //~ guard_across_await
    send(*held).await;
}

/// Nobody else has it.
pub async fn own_ok() {
    let own = Mutex::new(1);
    let held = own.lock().unwrap();
    send(*held).await;
}

pub async fn shared_bad(of: Arc<Mutex<u32>>) {
    let held = of.lock().unwrap(); //~ guard_across_await
    send(*held).await;
}

/// Locks for tasks whose guards own a handle.
pub struct Pool {
    clients: Vec<Arc<tokio::sync::Mutex<u32>>>,
}

impl Pool {
    pub async fn reconnect_ok(&self) {
        for client in &self.clients {
            let client = client.clone();
            let held = client.lock_owned().await;
            send(*held).await;
        }
    }

    pub async fn moved_ok(client: Arc<tokio::sync::Mutex<u32>>) {
        let held = client.lock_owned().await;
        send(*held).await;
    }
}
