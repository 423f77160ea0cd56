//! What is read before a wait may be out of date after it.
#![allow(dead_code)]

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

struct State {
    slots: Arc<Vec<u32>>,
    next: usize,
    count: usize,
    generation: u64,
    capacity: usize,
    name: String,
}

struct Queue {
    state: Mutex<State>,
    filled: Condvar,
}

impl Queue {
    fn produce(&self, value: u32) {
        let mut state = self.state.lock().unwrap();
        let mut larger = state.slots.to_vec();
        larger.push(value);
        state.slots = Arc::new(larger);
        state.count += 1;
        state.generation += 1;
        state.capacity = state.slots.len();
        self.filled.notify_one();
    }

    /// The producer/consumer example of the paper.
    fn consume_bad(&self) -> u32 {
        let mut state = self.state.lock().unwrap();
        let slots = Arc::clone(&state.slots);
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        let value = slots[state.next]; //~ stale_after_wait
        state.next = (state.next + 1) % slots.len();
        state.count -= 1;
        value
    }

    fn consume_ok(&self) -> u32 {
        let mut state = self.state.lock().unwrap();
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        let slots = Arc::clone(&state.slots);
        let value = slots[state.next];
        state.next = (state.next + 1) % slots.len();
        state.count -= 1;
        value
    }

    fn wait_while_bad(&self) {
        let state = self.state.lock().unwrap();
        let count = state.count;
        let mut state = self.filled.wait_while(state, |state| state.count == 0).unwrap();
        state.count = count + 1; //~ stale_after_wait
    }

    fn wait_while_ok(&self) {
        let state = self.state.lock().unwrap();
        let mut state = self.filled.wait_while(state, |state| state.count == 0).unwrap();
        state.count += 1;
    }

    fn wait_timeout_bad(&self) {
        let state = self.state.lock().unwrap();
        let capacity = state.capacity;
        let (mut state, timeout) = self.filled.wait_timeout(state, Duration::from_secs(1)).unwrap();
        if !timeout.timed_out() {
            state.capacity = capacity * 2; //~ stale_after_wait
        }
    }

    fn wait_timeout_ok(&self) {
        let state = self.state.lock().unwrap();
        let (mut state, timeout) = self.filled.wait_timeout(state, Duration::from_secs(1)).unwrap();
        if !timeout.timed_out() {
            state.capacity *= 2;
        }
    }

    fn decision_bad(&self) {
        let mut state = self.state.lock().unwrap();
        let was_empty = state.count == 0;
        state = self.filled.wait(state).unwrap(); //~ wait_without_recheck
        if was_empty { //~ stale_after_wait
            state.next = 0;
        }
    }

    fn decision_ok(&self) {
        let mut state = self.state.lock().unwrap();
        state = self.filled.wait(state).unwrap();
        if state.count == 0 {
            state.next = 0;
        }
    }

    /// The old generation is what the wait is for: it is compared with the present one.
    fn generation_ok(&self) {
        let mut state = self.state.lock().unwrap();
        let generation = state.generation;
        while state.generation == generation {
            state = self.filled.wait(state).unwrap();
        }
        state.count += 1;
    }

    /// Nobody writes the name.
    fn read_only_ok(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        let anonymous = state.name.is_empty();
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        if anonymous { false } else { true }
    }

    /// A ticket that was counted up is this thread's own.
    fn ticket_ok(&self) {
        let mut state = self.state.lock().unwrap();
        let ticket = state.next;
        state.next += 1;
        while state.count != ticket {
            state = self.filled.wait(state).unwrap();
        }
        if ticket > 10 {
            state.count = 0;
        }
    }

    /// `%` tests that the divisor is not zero: that is no second look at where it came from.
    fn divided_bad(&self) {
        let mut state = self.state.lock().unwrap();
        let capacity = state.capacity;
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        state.next = (state.next + 1) % capacity; //~ stale_after_wait
    }

    fn divided_ok(&self) {
        let mut state = self.state.lock().unwrap();
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        let capacity = state.capacity;
        state.next = (state.next + 1) % capacity;
    }

    /// The wait is over before anything is read.
    fn read_after_ok(&self) {
        let mut state = self.state.lock().unwrap();
        while state.count == 0 {
            state = self.filled.wait(state).unwrap();
        }
        let capacity = state.capacity;
        state.capacity = capacity + 1;
    }
}
