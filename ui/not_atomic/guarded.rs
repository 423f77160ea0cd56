//! Fields that are said to be used only under a lock, and functions that are said to be called only with it: rccjava's
//! `guarded_by` and `requires`.
#![allow(dead_code)]

use stalemate_attr::{Guarded, atomic, requires};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

static ORDER: Mutex<()> = Mutex::new(());

#[derive(Guarded)]
pub struct Journal {
    order: Mutex<()>,
    other: Mutex<u32>,
    #[guarded_by(order)]
    first: AtomicU64,
    #[guarded_by(self.order)]
    last: AtomicU64,
    #[guarded_by(ORDER)]
    total: AtomicU64,
    free: AtomicU64,
}

impl Journal {
    /// Nobody else sees it yet.
    pub fn new_ok() -> Journal {
        let zero = || AtomicU64::new(0);
        let new = Journal {
            order: Mutex::new(()),
            other: Mutex::new(0),
            first: zero(),
            last: zero(),
            total: zero(),
            free: zero(),
        };
        new.last.store(1, Ordering::Relaxed);
        new
    }

    pub fn write_ok(&self) {
        let _order = self.order.lock().unwrap();
        self.last.fetch_add(1, Ordering::Relaxed);
    }

    pub fn write_bad(&self) {
        self.last.fetch_add(1, Ordering::Relaxed); //~ not_atomic
    }

    /// The lock was let go.
    pub fn write_late_bad(&self) {
        drop(self.order.lock().unwrap());
        self.last.fetch_add(1, Ordering::Relaxed); //~ not_atomic
    }

    pub fn write_under_another_bad(&self) {
        let mut other = self.other.lock().unwrap();
        *other += 1;
        self.last.fetch_add(1, Ordering::Relaxed); //~ not_atomic
    }

    /// The lock of one object does not guard another.
    pub fn copy_bad(&self, from: &Journal) {
        let _order = self.order.lock().unwrap();
        let last = from.last.load(Ordering::Relaxed); //~ not_atomic
        self.last.store(last, Ordering::Relaxed);
    }

    pub fn exclusive_ok(&mut self) {
        *self.last.get_mut() = 0;
        self.first.store(0, Ordering::Relaxed);
    }

    pub fn static_ok(&self) {
        let _order = ORDER.lock().unwrap();
        self.total.fetch_add(1, Ordering::Relaxed);
    }

    pub fn static_bad(&self) {
        let _order = self.order.lock().unwrap();
        self.total.fetch_add(1, Ordering::Relaxed); //~ not_atomic
    }

    pub fn free_ok(&self) {
        self.free.fetch_add(1, Ordering::Relaxed);
    }

    #[requires(self.order)]
    fn advance(&self) -> u64 {
        let next = self.last.load(Ordering::Relaxed) + 1;
        self.last.store(next, Ordering::Relaxed);
        next
    }

    pub fn call_ok(&self) -> u64 {
        let _order = self.order.lock().unwrap();
        self.advance()
    }

    pub fn call_bad(&self) -> u64 {
        self.advance() //~ not_atomic
    }

    #[requires(self.order)]
    fn call_twice_ok(&self) -> u64 {
        self.advance() + self.advance()
    }

    pub fn call_of_another_bad(&self, other: &Journal) -> u64 {
        let _order = self.order.lock().unwrap();
        other.advance() //~ not_atomic
    }

    pub fn call_alone_ok(&mut self) -> u64 {
        self.advance()
    }

    /// Nothing is said, and all who call it hold the lock: Houdini would guess that.
    fn helper_ok(&self) {
        self.first.store(1, Ordering::Relaxed);
    }

    pub fn helped_ok(&self) {
        let _order = self.order.lock().unwrap();
        self.helper_ok();
    }

    /// One of those who call it does not.
    fn half_helped_bad(&self) {
        self.first.store(1, Ordering::Relaxed); //~ not_atomic
    }

    pub fn helped_by_holder(&self) {
        let _order = self.order.lock().unwrap();
        self.half_helped_bad();
    }

    pub fn helped_by_nobody(&self) {
        self.half_helped_bad();
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.order.lock().unwrap()
    }

    pub fn through_accessor_ok(&self) {
        let _order = self.lock();
        self.last.store(0, Ordering::Relaxed);
    }

    pub fn in_closure_ok(&self) -> Option<u64> {
        let _order = self.lock();
        Some(1).map(|more| self.last.load(Ordering::Relaxed) + more)
    }

    /// Two operations, one lock: nobody comes in between.
    #[atomic]
    pub fn both_ok(&self) -> u64 {
        let _order = self.order.lock().unwrap();
        self.first.load(Ordering::Relaxed) + self.last.load(Ordering::Relaxed)
    }

    /// The same, if the caller holds the lock: `order ? mover : error`.
    #[atomic]
    #[requires(self.order)]
    fn both_if_held_ok(&self) -> u64 {
        self.first.load(Ordering::Relaxed) + self.last.load(Ordering::Relaxed)
    }

    #[atomic]
    pub fn both_twice_ok(&self) -> u64 {
        let _order = self.order.lock().unwrap();
        self.both_if_held_ok() + self.both_if_held_ok()
    }

    /// What nothing guards stays two operations.
    #[atomic]
    pub fn free_twice_bad(&self) -> u64 {
        self.free.load(Ordering::Relaxed) + self.free.load(Ordering::Relaxed) //~ not_atomic
    }
}

/// The lock is further down, behind a pointer, and what it guards is no atomic.
#[derive(Guarded)]
pub struct Cache {
    inner: Arc<Inner>,
    #[guarded_by(inner.lock)]
    slots: UnsafeCell<Vec<u32>>,
}

pub struct Inner {
    lock: RwLock<()>,
}

unsafe impl Sync for Cache {}

impl Cache {
    pub fn len_ok(&self) -> usize {
        let _lock = self.inner.lock.read().unwrap();
        unsafe { (*self.slots.get()).len() }
    }

    pub fn push_bad(&self, slot: u32) {
        unsafe { (*self.slots.get()).push(slot) } //~ not_atomic
    }
}

#[requires(journal.order)]
fn given(journal: &Journal) -> u64 {
    journal.last.load(Ordering::Relaxed)
}

pub fn give_ok(journal: &Journal) -> u64 {
    let _order = journal.order.lock().unwrap();
    given(journal)
}

pub fn give_bad(journal: &Journal) -> u64 {
    given(journal) //~ not_atomic
}

/// The same in tasks: the lock is held over an `.await`, or by whoever awaits.
#[derive(Guarded)]
pub struct Tasks {
    order: tokio::sync::Mutex<()>,
    #[guarded_by(order)]
    last: AtomicU64,
}

impl Tasks {
    pub async fn write_ok(&self) {
        let _order = self.order.lock().await;
        tokio::task::yield_now().await;
        self.last.fetch_add(1, Ordering::Relaxed);
    }

    pub async fn write_bad(&self) {
        drop(self.order.lock().await);
        self.last.fetch_add(1, Ordering::Relaxed); //~ not_atomic
    }

    #[requires(self.order)]
    async fn advance(&self) -> u64 {
        tokio::task::yield_now().await;
        self.last.fetch_add(1, Ordering::Relaxed)
    }

    pub async fn call_ok(&self) -> u64 {
        let _order = self.order.lock().await;
        self.advance().await
    }

    pub async fn call_bad(&self) -> u64 {
        self.advance().await //~ not_atomic
    }
}

/// Shared by `Arc`, between threads.
pub fn spawned_ok(journal: &Arc<Journal>) {
    let journal = Arc::clone(journal);
    std::thread::spawn(move || {
        let _order = journal.order.lock().unwrap();
        journal.last.store(1, Ordering::Relaxed);
    });
}

pub fn spawned_bad(journal: &Arc<Journal>) {
    let journal = Arc::clone(journal);
    std::thread::spawn(move || {
        journal.last.store(1, Ordering::Relaxed); //~ not_atomic
    });
}

/// A lock that is held where the thread is started is not held by the thread.
pub fn spawned_under_lock_bad(journal: &Arc<Journal>) {
    let mine = Arc::clone(journal);
    let _order = journal.order.lock().unwrap();
    std::thread::spawn(move || {
        mine.last.store(1, Ordering::Relaxed); //~ not_atomic
    });
}

/// An `Option` of a guard, and a way on which it was let go.
pub fn maybe_let_go_bad(journal: &Journal, early: bool) {
    let order = journal.order.lock().unwrap();
    if early {
        drop(order);
    }
    journal.last.store(1, Ordering::Relaxed); //~ not_atomic
}

pub fn try_lock_ok(journal: &Journal) {
    if let Ok(_order) = journal.order.try_lock() {
        journal.last.store(1, Ordering::Relaxed);
    }
}
