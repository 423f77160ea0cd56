//! Every way in which two steps can follow each other, in functions that are meant to be atomic. R takes a lock, L lets it
//! go, B is an access under a lock or to what nobody shares, A is one operation that others see, C is none of these.
#![allow(dead_code)]

use stalemate_attr::atomic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};

pub struct Shared {
    one: Mutex<u32>,
    two: Mutex<u32>,
    count: AtomicUsize,
    other: AtomicUsize,
    ready: Condvar,
}

impl Shared {
    #[atomic]
    pub fn b_ok(&self) -> u32 {
        let mut sum = 0;
        for number in 0..10 {
            sum += number;
        }
        sum
    }

    /// R B L
    #[atomic]
    pub fn r_b_l_ok(&self) {
        *self.one.lock().unwrap() += 1;
    }

    /// R R B L L: two-phase locking.
    #[atomic]
    pub fn two_phases_ok(&self) {
        let mut one = self.one.lock().unwrap();
        let mut two = self.two.lock().unwrap();
        *one += *two;
        *two = 0;
    }

    /// R R L L, in another order.
    #[atomic]
    pub fn crossed_ok(&self) {
        let one = self.one.lock().unwrap();
        let two = self.two.lock().unwrap();
        drop(one);
        drop(two);
    }

    /// A
    #[atomic]
    pub fn a_ok(&self) -> usize {
        self.count.fetch_add(1, Ordering::SeqCst)
    }

    /// R A L
    #[atomic]
    pub fn r_a_l_ok(&self) {
        let _one = self.one.lock().unwrap();
        self.count.fetch_add(1, Ordering::SeqCst);
    }

    /// A A
    #[atomic]
    pub fn a_a_bad(&self) -> usize {
        let count = self.count.load(Ordering::SeqCst);
        count + self.other.load(Ordering::SeqCst) //~ not_atomic
    }

    /// R L R L: let go too early.
    #[atomic]
    pub fn l_r_bad(&self) {
        let one = *self.one.lock().unwrap();
        *self.two.lock().unwrap() = one; //~ not_atomic
    }

    /// R R L A: the operation comes after a lock was let go.
    #[atomic]
    pub fn l_a_bad(&self) {
        let one = self.one.lock().unwrap();
        let _two = self.two.lock().unwrap();
        drop(one);
        self.count.fetch_add(1, Ordering::SeqCst); //~ not_atomic
    }

    /// A R
    #[atomic]
    pub fn a_r_bad(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        *self.one.lock().unwrap() += 1; //~ not_atomic
    }

    /// A L: the lock was taken before.
    #[atomic]
    pub fn a_l_ok(&self) {
        let one = self.one.lock().unwrap();
        self.count.fetch_add(1, Ordering::SeqCst);
        drop(one);
    }

    /// `wait` lets the lock go and takes it again.
    #[atomic]
    pub fn wait_bad(&self) {
        let mut one = self.one.lock().unwrap();
        while *one == 0 {
            one = self.ready.wait(one).unwrap(); //~ not_atomic
        }
        *one -= 1;
    }

    /// A in a loop is C.
    #[atomic]
    pub fn loop_bad(&self) {
        for _ in 0..3 {
            self.count.fetch_add(1, Ordering::SeqCst); //~ not_atomic
        }
    }

    /// B in a loop is B.
    #[atomic]
    pub fn loop_under_lock_ok(&self) {
        let mut one = self.one.lock().unwrap();
        for _ in 0..3 {
            *one += 1;
        }
    }

    /// One of two: each is atomic by itself.
    #[atomic]
    pub fn either_ok(&self, first: bool) {
        if first {
            *self.one.lock().unwrap() += 1;
        } else {
            *self.two.lock().unwrap() += 1;
        }
    }

    #[atomic]
    pub fn both_bad(&self, first: bool) {
        if first {
            *self.one.lock().unwrap() += 1;
        }
        *self.two.lock().unwrap() += 1; //~ not_atomic
    }

    fn guard(&self) -> MutexGuard<'_, u32> {
        self.one.lock().unwrap()
    }

    /// A function that gives a guard is R.
    #[atomic]
    pub fn by_guard_ok(&self) {
        let mut one = self.guard();
        *one += 1;
    }

    #[atomic]
    pub fn by_guards_bad(&self) {
        let one = *self.guard();
        *self.two.lock().unwrap() = one; //~ not_atomic
    }

    /// What is wrong has a name of its own.
    #[atomic]
    pub fn lost_update_bad(&self) {
        let one = *self.guard();
        *self.guard() = one + 1; //~ stale_value
    }

    /// C: what it calls is not atomic.
    #[atomic]
    pub fn calls_bad(&self) {
        self.transfer(); //~ not_atomic
    }

    fn transfer(&self) {
        let one = std::mem::take(&mut *self.one.lock().unwrap());
        *self.two.lock().unwrap() += one;
    }

    /// Nobody said that it is atomic.
    pub fn undeclared_ok(&self) {
        self.transfer();
        self.transfer();
    }

    #[atomic]
    pub async fn asleep_ok(&self) -> u32 {
        tokio::task::yield_now().await;
        *self.one.lock().unwrap()
    }

    #[atomic]
    pub async fn twice_bad(&self) -> u32 {
        let one = *self.one.lock().unwrap();
        one + *self.two.lock().unwrap() //~ not_atomic
    }
}

/// A lock that one thread may take twice: who holds it already takes nothing, and lets nothing go.
pub struct Reentrant {
    lock: parking_lot::ReentrantMutex<std::cell::Cell<u32>>,
}

impl Reentrant {
    #[atomic]
    pub fn add(&self, much: u32) {
        let count = self.lock.lock();
        count.set(count.get() + much);
    }

    #[atomic]
    pub fn add_twice_ok(&self) {
        let _held = self.lock.lock();
        self.add(1);
        self.add(2);
    }

    #[atomic]
    pub fn add_twice_bad(&self) {
        self.add(1);
        self.add(2); //~ not_atomic
    }
}

pub struct Many {
    all: [Mutex<u32>; 16],
}

impl Many {
    /// A long way to the step that breaks: the middle of it need not be told, the end must.
    #[atomic]
    pub fn long_way_bad(&self) -> u32 {
        let a = self.all[0].lock().unwrap();
        let b = self.all[1].lock().unwrap();
        let c = self.all[2].lock().unwrap();
        let d = self.all[3].lock().unwrap();
        let e = self.all[4].lock().unwrap();
        let f = self.all[5].lock().unwrap();
        let g = self.all[6].lock().unwrap();
        let h = self.all[7].lock().unwrap();
        let i = self.all[8].lock().unwrap();
        let j = self.all[9].lock().unwrap();
        let k = self.all[10].lock().unwrap();
        let l = self.all[11].lock().unwrap();
        let m = self.all[12].lock().unwrap();
        let sum = *a + *b + *c + *d + *e + *f + *g + *h + *i + *j + *k + *l + *m;
        drop(m);
        sum + *self.all[12].lock().unwrap() //~ not_atomic
    }
}
