//! A bounded queue of transfer orders: a ring that starts small and grows up to a limit, and two condition variables.
//! It is the producer and consumer of Burrows and Leino's paper on stale values, in Rust.

use std::sync::{Condvar, Mutex};

const LIMIT: usize = 64;

#[derive(Clone, Copy)]
pub struct Order {
    pub amount: i64,
}

pub struct Queue {
    state: Mutex<State>,
    not_empty: Condvar,
    not_full: Condvar,
}

struct State {
    slots: Vec<Option<Order>>,
    head: usize,
    count: usize,
}

impl Queue {
    pub fn new() -> Self {
        let state = State { slots: vec![None; 2], head: 0, count: 0 };
        Queue { state: Mutex::new(state), not_empty: Condvar::new(), not_full: Condvar::new() }
    }

    /// Puts an order in, waits while the queue is full, and moves to a ring of twice the size when this one is.
    pub fn put(&self, order: Order) {
        let mut state = self.state.lock().unwrap();
        while state.count == LIMIT {
            state = self.not_full.wait(state).unwrap();
        }
        if state.count == state.slots.len() {
            let size = state.slots.len();
            let mut bigger = vec![None; size * 2];
            for i in state.head..state.head + state.count {
                bigger[i % (size * 2)] = state.slots[i % size];
            }
            state.slots = bigger;
        }
        let tail = (state.head + state.count) % state.slots.len();
        state.slots[tail] = Some(order);
        state.count += 1;
        self.not_empty.notify_one();
    }

    /// BUG, stale after a wait: the size of the ring is read before the wait, which lets the lock go, and used after it.
    /// If producers moved to a bigger ring meanwhile, the head wraps too early and orders are left behind.
    pub fn take(&self) -> Option<Order> {
        let mut state = self.state.lock().unwrap();
        let size = state.slots.len();
        while state.count == 0 {
            state = self.not_empty.wait(state).unwrap();
        }
        let head = state.head;
        let order = state.slots[head].take();
        state.head = (head + 1) % size;
        state.count -= 1;
        self.not_full.notify_one();
        order
    }

    /// The same with the size read after the wait.
    pub fn take_fixed(&self) -> Option<Order> {
        let mut state = self.state.lock().unwrap();
        while state.count == 0 {
            state = self.not_empty.wait(state).unwrap();
        }
        let size = state.slots.len();
        let head = state.head;
        let order = state.slots[head].take();
        state.head = (head + 1) % size;
        state.count -= 1;
        self.not_full.notify_one();
        order
    }
}
