//! From edition 2024 on the temporaries of an `if let` are dropped before its `else`.
//@edition: 2024
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
    /// The read guard is dropped before the `else`.
    fn else_bad(&self) {
        let mut seen = 0;
        if let Some(_) = self.state.read().unwrap().peek(&mut seen) {
        } else {
            self.state.write().unwrap().n = seen + 1; //~ stale_value
        }
    }

    fn else_ok(&self) {
        let mut seen = 0;
        let mut state = self.state.write().unwrap();
        if let Some(_) = state.peek(&mut seen) {
        } else {
            state.n = seen + 1;
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
