//! Who is given the object to keep is mostly alone with it, if nobody else writes what is in it.
#![allow(dead_code)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub struct Shared {
    connected: AtomicBool,
    attempts: AtomicU64,
    retries: AtomicU64,
}

impl Shared {
    pub fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Acquire)
    }
}

pub struct Connection {
    shared: Arc<Shared>,
}

impl Connection {
    pub async fn run_ok(self) {
        loop {
            if !self.shared.connected.load(Ordering::Acquire) {
                connect().await;
                self.shared.connected.store(true, Ordering::Release);
            }
            if serve().await {
                self.shared.connected.store(false, Ordering::Release);
                return;
            }
        }
    }

    pub fn retry_ok(self) -> u64 {
        let attempts = self.shared.attempts.load(Ordering::Acquire);
        self.shared.attempts.store(attempts + 1, Ordering::Release);
        attempts
    }
}

pub struct Counted {
    shared: Arc<Shared>,
}

impl Counted {
    pub fn retry_bad(&self) -> u64 {
        let retries = self.shared.retries.load(Ordering::Acquire);
        self.shared.retries.store(retries + 1, Ordering::Release); //~ split_atomic
        retries
    }
}

async fn connect() {}

async fn serve() -> bool {
    false
}
