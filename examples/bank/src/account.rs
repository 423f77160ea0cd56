//! An account: a balance that many threads change.

use std::sync::Mutex;

use crate::slow_work;

pub struct Account {
    state: Mutex<State>,
}

struct State {
    balance: i64,
}

impl Account {
    pub fn new(balance: i64) -> Self {
        Account { state: Mutex::new(State { balance }) }
    }

    pub fn balance(&self) -> i64 {
        self.state.lock().unwrap().balance
    }

    /// BUG, lost update: the balance is copied out of one critical section, and the sum is written in a later one.
    /// Two deposits that overlap both start from the same balance, and the second to finish erases the first.
    pub fn deposit(&self, amount: i64) {
        let balance = self.state.lock().unwrap().balance;
        slow_work();
        self.state.lock().unwrap().balance = balance + amount;
    }

    /// The same with reading and writing in one critical section.
    pub fn deposit_fixed(&self, amount: i64) {
        slow_work();
        let mut state = self.state.lock().unwrap();
        state.balance += amount;
    }

    /// Takes the amount off if it is there: tested and changed under one guard.
    pub fn withdraw(&self, amount: i64) -> bool {
        let mut state = self.state.lock().unwrap();
        if state.balance < amount {
            return false;
        }
        state.balance -= amount;
        true
    }
}

/// Moves money between two accounts. Each is right by itself, and no value of one section is used in another: the bank
/// accepts that the money is in neither account for a moment.
pub fn transfer(from: &Account, to: &Account, amount: i64) -> bool {
    let done = from.withdraw(amount);
    if done {
        to.deposit_fixed(amount);
    }
    done
}
