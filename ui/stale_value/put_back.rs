//! Taken out in one section, changed, and put back in a later one.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::mem;
use std::sync::Mutex;

#[derive(Default)]
struct State {
    pending: Vec<u32>,
    current: Option<String>,
    queue: VecDeque<u32>,
}

struct Worker {
    state: Mutex<State>,
    all: Mutex<Vec<u32>>,
}

impl Worker {
    fn push(&self, n: u32) {
        self.state.lock().unwrap().pending.push(n);
        self.all.lock().unwrap().push(n);
    }

    fn taken_bad(&self) {
        let mut pending = mem::take(&mut self.state.lock().unwrap().pending);
        pending.retain(|n| n % 2 == 0);
        self.state.lock().unwrap().pending = pending; //~ stale_value
    }

    fn taken_ok(&self) {
        let mut state = self.state.lock().unwrap();
        let mut pending = mem::take(&mut state.pending);
        pending.retain(|n| n % 2 == 0);
        state.pending = pending;
    }

    /// What came in meanwhile stays.
    fn merged_ok(&self) {
        let mut pending = mem::take(&mut self.state.lock().unwrap().pending);
        pending.retain(|n| n % 2 == 0);
        self.state.lock().unwrap().pending.extend(pending);
    }

    fn replaced_bad(&self) {
        let mut all = mem::replace(&mut *self.all.lock().unwrap(), Vec::new());
        all.sort();
        *self.all.lock().unwrap() = all; //~ stale_value
    }

    fn replaced_ok(&self) {
        self.all.lock().unwrap().sort();
    }

    fn swapped_bad(&self) {
        let mut all = Vec::new();
        mem::swap(&mut all, &mut *self.all.lock().unwrap());
        all.dedup();
        *self.all.lock().unwrap() = all; //~ stale_value
    }

    fn swapped_ok(&self) {
        let mut all = Vec::new();
        mem::swap(&mut all, &mut *self.all.lock().unwrap());
        all.dedup();
        self.all.lock().unwrap().append(&mut all);
    }

    fn option_taken_bad(&self) {
        let current = self.state.lock().unwrap().current.take();
        let longer = current.map(|name| name + "!");
        self.state.lock().unwrap().current = longer; //~ stale_value
    }

    /// Puts it back only where nobody has put another one.
    fn option_taken_ok(&self) {
        let current = self.state.lock().unwrap().current.take();
        let longer = current.map(|name| name + "!");
        let mut state = self.state.lock().unwrap();
        if state.current.is_none() {
            state.current = longer;
        }
    }

    /// One element is moved from the front to the back: nothing is lost.
    fn rotated_ok(&self) {
        let Some(job) = self.state.lock().unwrap().queue.pop_front() else { return };
        self.state.lock().unwrap().queue.push_back(job);
    }
}
