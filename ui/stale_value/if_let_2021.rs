//! Until edition 2024 the temporaries of an `if let` live through its `else`.
//@edition: 2021
#![allow(dead_code)]

use std::sync::RwLock;

struct State {
    n: u32,
}

impl State {
    fn peek(&self, seen: &mut u32) -> Option<u32> {
        *seen = self.n;
        (self.n > 10).then_some(self.n)
    }
}

struct Counter {
    state: RwLock<State>,
}

impl Counter {
    /// The read guard is still held in the `else`: nobody can write in between, and neither can this thread.
    fn else_bad(&self) {
        let mut seen = 0;
        if let Some(_) = self.state.read().unwrap().peek(&mut seen) {
        } else {
            self.state.write().unwrap().n = seen + 1; //~ double_lock
        }
    }

    fn after_bad(&self) {
        let mut seen = 0;
        if let Some(n) = self.state.read().unwrap().peek(&mut seen) {
            seen = n;
        }
        self.state.write().unwrap().n = seen + 1; //~ stale_value
    }
}
