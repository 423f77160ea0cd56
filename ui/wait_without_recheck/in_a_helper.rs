//! The wait stands in a function that is given the guard.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

struct Queue {
    items: Mutex<VecDeque<u32>>,
    added: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.added.notify_one();
    }

    fn sleep<'a>(&self, items: MutexGuard<'a, VecDeque<u32>>) -> MutexGuard<'a, VecDeque<u32>> {
        self.added.wait(items).unwrap()
    }

    fn until_filled<'a>(&self, mut items: MutexGuard<'a, VecDeque<u32>>) -> MutexGuard<'a, VecDeque<u32>> {
        while items.is_empty() {
            items = self.added.wait(items).unwrap();
        }
        items
    }

    fn take_bad(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        if items.is_empty() {
            items = self.sleep(items); //~ wait_without_recheck
        }
        items.pop_front().unwrap()
    }

    fn take_ok(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.sleep(items);
        }
        items.pop_front().unwrap()
    }

    fn tested_by_the_helper_ok(&self) -> u32 {
        let items = self.items.lock().unwrap();
        let mut items = self.until_filled(items);
        items.pop_front().unwrap()
    }

    fn old_after_the_helper_bad(&self) {
        let items = self.items.lock().unwrap();
        let first = items.front().copied().unwrap_or(0);
        let mut items = self.until_filled(items);
        items[0] = first + 1; //~ stale_after_wait
    }

    fn present_after_the_helper_ok(&self) {
        let items = self.items.lock().unwrap();
        let mut items = self.until_filled(items);
        items[0] += 1;
    }
}

struct Lent {
    items: parking_lot::Mutex<VecDeque<u32>>,
    added: parking_lot::Condvar,
}

impl Lent {
    fn add(&self, item: u32) {
        self.items.lock().push_back(item);
        self.added.notify_one();
    }

    fn sleep(&self, items: &mut parking_lot::MutexGuard<'_, VecDeque<u32>>) {
        self.added.wait(items);
    }

    fn take_bad(&self) -> u32 {
        let mut items = self.items.lock();
        if items.is_empty() {
            self.sleep(&mut items); //~ wait_without_recheck
        }
        items.pop_front().unwrap()
    }

    fn take_ok(&self) -> u32 {
        let mut items = self.items.lock();
        while items.is_empty() {
            self.sleep(&mut items);
        }
        items.pop_front().unwrap()
    }

    fn old_after_the_helper_bad(&self) {
        let mut items = self.items.lock();
        let first = items.front().copied().unwrap_or(0);
        while items.is_empty() {
            self.sleep(&mut items);
        }
        items[0] = first + 1; //~ stale_after_wait
    }
}

const EMPTY: usize = 0;
const PARKED: usize = 1;
const NOTIFIED: usize = 2;

/// tokio's parker: the state is an atomic, but it is read and changed under the lock.
struct Parker {
    state: std::sync::atomic::AtomicUsize,
    lock: Mutex<()>,
    notified: Condvar,
}

impl Parker {
    fn wait<'a>(&self, guard: MutexGuard<'a, ()>) -> MutexGuard<'a, ()> {
        self.notified.wait(guard).unwrap()
    }

    fn park_ok(&self) {
        use std::sync::atomic::Ordering::SeqCst;
        let mut guard = self.lock.lock().unwrap();
        match self.state.compare_exchange(EMPTY, PARKED, SeqCst, SeqCst) {
            Ok(_) => {}
            Err(_) => {
                self.state.swap(EMPTY, SeqCst);
                return;
            }
        }
        loop {
            guard = self.wait(guard);
            if self.state.compare_exchange(NOTIFIED, EMPTY, SeqCst, SeqCst).is_ok() {
                return;
            }
        }
    }

    fn unpark(&self) {
        use std::sync::atomic::Ordering::SeqCst;
        if self.state.swap(NOTIFIED, SeqCst) == PARKED {
            drop(self.lock.lock().unwrap());
            self.notified.notify_one();
        }
    }
}

#[derive(Default)]
struct Pool {
    shutdown: bool,
    wakeups: u32,
}

/// tokio's blocking pool: a flag that tells how the loop was left is no old value.
struct Workers {
    pool: Mutex<Pool>,
    changed: Condvar,
}

impl Workers {
    fn shut_down(&self) {
        self.pool.lock().unwrap().shutdown = true;
        self.changed.notify_all();
    }

    fn spawn(&self) {
        self.pool.lock().unwrap().wakeups += 1;
        self.changed.notify_one();
    }

    fn idle_ok(&self) -> u32 {
        let mut counted_idle = true;
        let mut pool = self.pool.lock().unwrap();
        while !pool.shutdown {
            pool = self.changed.wait(pool).unwrap();
            if pool.wakeups != 0 {
                pool.wakeups -= 1;
                counted_idle = false;
                break;
            }
        }
        let mut idle = 0;
        if counted_idle {
            idle = 1;
        }
        drop(pool);
        idle
    }
}
