//! The value that is written was computed from one that was read in an earlier section.
#![allow(dead_code)]

use std::sync::{Arc, Mutex, RwLock};
use std::thread;

struct State {
    balance: i64,
    limit: i64,
}

struct Account {
    state: Mutex<State>,
    shared: RwLock<State>,
    handle: Arc<Mutex<State>>,
}

static TOTAL: Mutex<i64> = Mutex::new(0);

impl Account {
    fn temporaries_bad(&self, amount: i64) {
        let balance = self.state.lock().unwrap().balance;
        self.state.lock().unwrap().balance = balance + amount; //~ stale_value
    }

    fn temporaries_ok(&self, amount: i64) {
        let mut state = self.state.lock().unwrap();
        let balance = state.balance;
        state.balance = balance + amount;
    }

    fn named_guards_bad(&self, amount: i64) {
        let guard = self.state.lock().unwrap();
        let balance = guard.balance;
        drop(guard);
        let sum = balance + amount;
        let mut guard = self.state.lock().unwrap();
        guard.balance = sum; //~ stale_value
    }

    fn named_guards_ok(&self, amount: i64) {
        let mut guard = self.state.lock().unwrap();
        let balance = guard.balance;
        let sum = balance + amount;
        guard.balance = sum;
    }

    fn read_then_write_lock_bad(&self, amount: i64) {
        let balance = self.shared.read().unwrap().balance;
        self.shared.write().unwrap().balance = balance + amount; //~ stale_value
    }

    fn read_then_write_lock_ok(&self, amount: i64) {
        self.shared.write().unwrap().balance += amount;
    }

    fn through_arc_bad(&self, amount: i64) {
        let balance = self.handle.lock().unwrap().balance;
        self.handle.lock().unwrap().balance = balance - amount; //~ stale_value
    }

    fn through_arc_ok(&self, amount: i64) {
        let mut state = self.handle.lock().unwrap();
        state.balance = state.balance - amount;
    }

    fn through_clone_of_arc_bad(&self, amount: i64) {
        let mine = Arc::clone(&self.handle);
        let balance = mine.lock().unwrap().balance;
        self.handle.lock().unwrap().balance = balance - amount; //~ stale_value
    }

    fn through_clone_of_arc_ok(&self, amount: i64) {
        let mine = Arc::clone(&self.handle);
        mine.lock().unwrap().balance -= amount;
    }

    fn in_a_tuple_bad(&self) {
        let (balance, limit) = {
            let state = self.state.lock().unwrap();
            (state.balance, state.limit)
        };
        if limit > 10 {
            self.state.lock().unwrap().balance = balance * 2; //~ stale_value
        }
    }

    fn in_a_tuple_ok(&self) {
        let mut state = self.state.lock().unwrap();
        let (balance, limit) = (state.balance, state.limit);
        if limit > 10 {
            state.balance = balance * 2;
        }
    }

    /// `t = t + 1` keeps `t` as old as it was: the refinement that the 2002 paper names.
    fn counted_up_outside_bad(&self) {
        let mut balance = self.state.lock().unwrap().balance;
        balance += 1;
        balance = balance.max(3);
        self.state.lock().unwrap().balance = balance; //~ stale_value
    }

    fn counted_up_outside_ok(&self) {
        let mut state = self.state.lock().unwrap();
        state.balance += 1;
        state.balance = state.balance.max(3);
    }

    fn one_way_of_two_bad(&self, fast: bool) {
        let balance = if fast { self.state.lock().unwrap().balance } else { 0 };
        self.state.lock().unwrap().balance = balance + 1; //~ stale_value
    }

    fn one_way_of_two_ok(&self, fast: bool) {
        let mut state = self.state.lock().unwrap();
        let balance = if fast { state.balance } else { 0 };
        state.balance = balance + 1;
    }

    fn around_a_loop_bad(&self) {
        let mut last = 0;
        for _ in 0..3 {
            let mut state = self.state.lock().unwrap();
            state.balance = last + 1; //~ stale_value
            last = state.balance;
        }
    }

    fn around_a_loop_ok(&self) {
        for _ in 0..3 {
            let mut state = self.state.lock().unwrap();
            state.balance += 1;
        }
    }
}

fn static_bad(amount: i64) {
    let total = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = total + amount; //~ stale_value
}

fn static_ok(amount: i64) {
    *TOTAL.lock().unwrap() += amount;
}

fn parameter_bad(counter: &Mutex<u32>) {
    let n = *counter.lock().unwrap();
    *counter.lock().unwrap() = n + 1; //~ stale_value
}

fn parameter_ok(counter: &Mutex<u32>) {
    let mut counter = counter.lock().unwrap();
    let n = *counter;
    *counter = n + 1;
}

fn captured_by_threads_bad(counter: Arc<Mutex<u32>>) {
    thread::spawn(move || {
        let n = *counter.lock().unwrap();
        *counter.lock().unwrap() = n + 1; //~ stale_value
    });
}

fn captured_by_threads_ok(counter: Arc<Mutex<u32>>) {
    thread::spawn(move || {
        *counter.lock().unwrap() += 1;
    });
}

fn made_here_and_shared_bad() {
    let counter = Arc::new(Mutex::new(0u32));
    let other = Arc::clone(&counter);
    let thread = thread::spawn(move || *other.lock().unwrap() += 1);
    let n = *counter.lock().unwrap();
    *counter.lock().unwrap() = n + 1; //~ stale_value
    thread.join().unwrap();
}

fn made_here_and_shared_ok() {
    let counter = Arc::new(Mutex::new(0u32));
    let other = Arc::clone(&counter);
    let thread = thread::spawn(move || *other.lock().unwrap() += 1);
    *counter.lock().unwrap() += 1;
    thread.join().unwrap();
}

struct Ledger {
    entries: Mutex<Vec<u64>>,
}

impl Ledger {
    fn add(&self, entry: u64) {
        self.entries.lock().unwrap().push(entry);
    }

    fn filter_bad(&self) {
        let mut entries = self.entries.lock().unwrap().clone();
        entries.retain(|entry| *entry > 1);
        *self.entries.lock().unwrap() = entries; //~ stale_value
    }

    /// What is added in between is lost; but code that takes the lock again and still keeps to the old value mostly has it to itself.
    fn fn_filter_later(&self) {
        let mut entries = self.entries.lock().unwrap().clone();
        entries.retain(|entry| *entry > 1);
        println!("{} of {} are left", entries.len(), self.entries.lock().unwrap().len());
        *self.entries.lock().unwrap() = entries;
    }

    fn filter_ok(&self) {
        self.entries.lock().unwrap().retain(|entry| *entry > 1);
    }
}
