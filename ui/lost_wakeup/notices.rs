//! `Notify`: who is told with `notify_waiters` has to be waiting already. The future waits from where it is made on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use tokio::sync::{Mutex, Notify};

fn main() {}

pub struct Gate {
    open: AtomicBool,
    opened: Notify,
    passed: Notify,
}

impl Gate {
    pub fn open(&self) {
        self.open.store(true, Ordering::Release);
        self.opened.notify_waiters();
        self.passed.notify_one();
    }

    pub async fn wait_bad(&self) {
        if !self.open.load(Ordering::Acquire) {
            self.opened.notified().await; //~ lost_wakeup
        }
    }

    pub async fn wait_in_loop_bad(&self) {
        while !self.open.load(Ordering::Acquire) {
            self.opened.notified().await; //~ lost_wakeup
        }
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire)
    }

    pub async fn wait_through_function_bad(&self) {
        while !self.is_open() {
            self.opened.notified().await; //~ lost_wakeup
        }
    }

    pub async fn wait_through_function_ok(&self) {
        loop {
            let opened = self.opened.notified();
            if self.is_open() {
                return;
            }
            opened.await;
        }
    }

    pub async fn wait_ok(&self) {
        loop {
            let opened = self.opened.notified();
            if self.open.load(Ordering::Acquire) {
                return;
            }
            opened.await;
        }
    }

    /// `notify_one` is kept for who comes later.
    pub async fn wait_kept_ok(&self) {
        while !self.open.load(Ordering::Acquire) {
            self.passed.notified().await;
        }
    }

    pub async fn wait_looks_again_ok(&self) {
        if self.open.load(Ordering::Acquire) {
            return;
        }
        let opened = self.opened.notified();
        if self.open.load(Ordering::Acquire) {
            return;
        }
        opened.await;
    }
}

pub enum Index {
    Filling(Arc<Notify>),
    Full(Vec<u32>),
}

pub struct Shared {
    index: Arc<RwLock<Index>>,
}

impl Shared {
    pub fn start() -> Shared {
        let full = Arc::new(Notify::new());
        let index = Arc::new(RwLock::new(Index::Filling(full.clone())));
        let shared = Shared { index: index.clone() };
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            {
                *index.write().unwrap() = Index::Full(vec![1, 2, 3]);
            }
            full.notify_waiters();
        });
        shared
    }

    pub async fn len_of_full_bad(&self) -> usize {
        let full = match &*self.index.read().unwrap() {
            Index::Filling(full) => full.clone(),
            Index::Full(items) => return items.len(),
        };
        full.notified().await; //~ lost_wakeup
        match &*self.index.read().unwrap() {
            Index::Full(items) => items.len(),
            Index::Filling(_) => unreachable!(),
        }
    }

    pub async fn len_of_full_ok(&self) -> usize {
        let full = match &*self.index.read().unwrap() {
            Index::Filling(full) => full.clone().notified_owned(),
            Index::Full(items) => return items.len(),
        };
        full.await;
        match &*self.index.read().unwrap() {
            Index::Full(items) => items.len(),
            Index::Filling(_) => unreachable!(),
        }
    }
}

pub struct Jobs {
    running: Mutex<u32>,
    idle: Notify,
}

impl Jobs {
    pub async fn finish(&self) {
        *self.running.lock().await -= 1;
        self.idle.notify_waiters();
    }

    pub async fn wait_idle_bad(&self) {
        loop {
            if *self.running.lock().await == 0 {
                return;
            }
            self.idle.notified().await; //~ lost_wakeup
        }
    }

    pub async fn wait_idle_ok(&self) {
        loop {
            let running = self.running.lock().await;
            if *running == 0 {
                return;
            }
            let idle = self.idle.notified();
            drop(running);
            idle.await;
        }
    }
}
