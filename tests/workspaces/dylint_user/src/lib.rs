//! A lost update and its corrected twin, for a run of the real `cargo dylint`.

use std::sync::Mutex;

pub struct Account {
    state: Mutex<State>,
}

struct State {
    balance: i64,
}

impl Account {
    /// The sum is written under a later guard than the one its balance was read under.
    pub fn deposit(&self, amount: i64) {
        let balance = self.state.lock().unwrap().balance;
        self.state.lock().unwrap().balance = balance + amount; // reported
    }

    /// Read and written under one guard.
    pub fn deposit_fixed(&self, amount: i64) {
        let mut state = self.state.lock().unwrap();
        state.balance += amount;
    }
}
