//! parking_lot's condition variable borrows the guard: it looks as if it had been held all the time.
#![allow(dead_code)]

use parking_lot::{Condvar, Mutex, MutexGuard};

struct State {
    ready: bool,
    count: usize,
}

struct Gate {
    state: Mutex<State>,
    opened: Condvar,
}

impl Gate {
    fn open(&self) {
        let mut state = self.state.lock();
        state.ready = true;
        state.count += 1;
        self.opened.notify_all();
    }

    fn pass_bad(&self) {
        let mut state = self.state.lock();
        let count = state.count;
        while !state.ready {
            self.opened.wait(&mut state);
        }
        state.count = count + 1; //~ stale_after_wait
    }

    fn pass_ok(&self) {
        let mut state = self.state.lock();
        while !state.ready {
            self.opened.wait(&mut state);
        }
        let count = state.count;
        state.count = count + 1;
    }

    fn unlocked_bad(&self) {
        let mut state = self.state.lock();
        let count = state.count;
        MutexGuard::unlocked(&mut state, || println!("slow"));
        state.count = count + 1; //~ stale_after_wait
    }

    fn unlocked_ok(&self) {
        let mut state = self.state.lock();
        MutexGuard::unlocked(&mut state, || println!("slow"));
        state.count += 1;
    }
}
