//! The old value goes through closures, threads and out-parameters before it is written back.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Clone, Default)]
struct Account {
    balance: u32,
    history: Vec<u32>,
}

#[derive(Default)]
struct State {
    tokens: u32,
    epoch: u64,
    best: Option<u32>,
    accounts: HashMap<u32, Account>,
}

struct Limiter {
    state: Mutex<State>,
}

/// A helper runs a closure under the lock.
impl Limiter {
    fn with_state<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        f(&mut self.state.lock().unwrap())
    }

    fn both_sides_bad(&self) {
        let tokens = self.with_state(|state| state.tokens);
        self.with_state(|state| state.tokens = tokens + 1); //~ stale_value
    }

    /// Both in one closure.
    fn both_sides_ok(&self) {
        self.with_state(|state| {
            let tokens = state.tokens;
            state.tokens = tokens + 1;
        });
    }

    fn read_by_closure_bad(&self) {
        let tokens = self.with_state(|state| state.tokens);
        self.state.lock().unwrap().tokens = tokens.saturating_sub(1); //~ stale_value
    }

    fn read_by_closure_ok(&self) {
        let mut state = self.state.lock().unwrap();
        state.tokens = state.tokens.saturating_sub(1);
    }

    fn written_by_closure_bad(&self) {
        let tokens = self.state.lock().unwrap().tokens;
        self.with_state(|state| state.tokens = tokens * 2); //~ stale_value
    }

    /// The present value is part of the new one.
    fn written_by_closure_ok(&self) {
        let tokens = self.state.lock().unwrap().tokens;
        self.with_state(|state| state.tokens += tokens);
    }

    /// The closure compares.
    fn compared_ok(&self) {
        let tokens = self.with_state(|state| state.tokens);
        self.with_state(|state| {
            if state.tokens == tokens {
                state.tokens = tokens * 2;
            }
        });
    }

    /// The closure compares the epoch.
    fn epoch_ok(&self) {
        let (tokens, epoch) = self.with_state(|state| (state.tokens, state.epoch));
        self.with_state(|state| {
            if state.epoch == epoch {
                state.tokens = tokens + 1;
                state.epoch += 1;
            }
        });
    }

    fn account_bad(&self, id: u32, amount: u32) {
        let account = self.with_state(|state| state.accounts.get(&id).cloned());
        let mut account = account.unwrap_or_default();
        account.balance += amount;
        self.with_state(|state| state.accounts.insert(id, account)); //~ stale_value
    }

    fn account_ok(&self, id: u32, amount: u32) {
        self.with_state(|state| state.accounts.entry(id).or_default().balance += amount);
    }

    /// The first closure's answer is only shown.
    fn shown_ok(&self) {
        let tokens = self.with_state(|state| state.tokens);
        println!("{tokens} left");
        self.with_state(|state| state.tokens = 10);
    }
}

/// Closures of options and iterators.
impl Limiter {
    fn map_bad(&self) {
        let next = self.state.lock().unwrap().best.map(|best| best + 1);
        self.state.lock().unwrap().best = next; //~ stale_value
    }

    fn map_ok(&self) {
        let mut state = self.state.lock().unwrap();
        state.best = state.best.map(|best| best + 1);
    }

    fn and_then_bad(&self) {
        let best = self.state.lock().unwrap().best;
        let next = best.and_then(|best| best.checked_sub(1)).or(Some(0));
        self.state.lock().unwrap().best = next; //~ stale_value
    }

    fn map_or_bad(&self, id: u32) {
        let balance = self.state.lock().unwrap().accounts.get(&id).map_or(0, |account| account.balance);
        let mut state = self.state.lock().unwrap();
        if let Some(account) = state.accounts.get_mut(&id) {
            account.balance = balance + 5; //~ stale_value
        }
    }

    fn map_or_ok(&self, id: u32) {
        let mut state = self.state.lock().unwrap();
        if let Some(account) = state.accounts.get_mut(&id) {
            account.balance += 5;
        }
    }

    fn fold_bad(&self, amounts: &[u32]) {
        let start = self.state.lock().unwrap().tokens;
        let end = amounts.iter().fold(start, |sum, amount| sum + amount);
        self.state.lock().unwrap().tokens = end; //~ stale_value
    }

    fn fold_ok(&self, amounts: &[u32]) {
        let added = amounts.iter().fold(0, |sum, amount| sum + amount);
        self.state.lock().unwrap().tokens += added;
    }

    fn collected_bad(&self, id: u32) {
        let history = self.state.lock().unwrap().accounts[&id].history.clone();
        let kept: Vec<u32> = history.into_iter().filter(|amount| *amount > 0).collect();
        if let Some(account) = self.state.lock().unwrap().accounts.get_mut(&id) {
            account.history = kept; //~ stale_value
        }
    }

    fn collected_ok(&self, id: u32) {
        if let Some(account) = self.state.lock().unwrap().accounts.get_mut(&id) {
            account.history.retain(|amount| *amount > 0);
        }
    }

    /// A local closure that is called twice locks twice.
    fn local_closure_bad(&self) {
        let read = || self.state.lock().unwrap().tokens;
        let tokens = read();
        self.state.lock().unwrap().tokens = tokens + 1; //~ stale_value
    }

    fn local_closure_ok(&self) {
        let add = |n: u32| self.state.lock().unwrap().tokens += n;
        add(1);
        add(2);
    }

    fn captured_by_mut_bad(&self) {
        let mut tokens = 0;
        self.with_state(|state| tokens = state.tokens);
        self.state.lock().unwrap().tokens = tokens + 1; //~ stale_value
    }

    /// What the closure left in the variable is only shown.
    fn captured_by_mut_ok(&self) {
        let mut tokens = 0;
        self.with_state(|state| tokens = state.tokens);
        println!("{tokens}");
        self.state.lock().unwrap().tokens += 1;
    }
}

/// Threads.
fn spawned_bad(state: Arc<Mutex<State>>) {
    let tokens = state.lock().unwrap().tokens;
    thread::spawn(move || state.lock().unwrap().tokens = tokens + 1); //~ stale_value
}

/// The thread reads for itself.
fn spawned_ok(state: Arc<Mutex<State>>) {
    thread::spawn(move || {
        let mut state = state.lock().unwrap();
        state.tokens = state.tokens + 1;
    });
}

/// The new thread is told what to add.
fn spawned_adds_ok(state: Arc<Mutex<State>>) {
    let tokens = state.lock().unwrap().tokens;
    thread::spawn(move || {
        state.lock().unwrap().tokens += tokens;
    });
}

fn scoped_bad(state: &Mutex<State>) {
    let tokens = state.lock().unwrap().tokens;
    //~v stale_value
    thread::scope(|scope| {
        scope.spawn(|| state.lock().unwrap().tokens = tokens + 1);
    });
}

/// All in the thread.
fn inside_thread_bad(state: Arc<Mutex<State>>) {
    thread::spawn(move || {
        let tokens = state.lock().unwrap().tokens;
        state.lock().unwrap().tokens = tokens + 1; //~ stale_value
    });
}

fn joined_bad(state: Arc<Mutex<State>>) {
    let other = Arc::clone(&state);
    let tokens = thread::spawn(move || other.lock().unwrap().tokens).join().unwrap();
    state.lock().unwrap().tokens = tokens + 1; //~ stale_value
}

/// Out-parameters.
impl Limiter {
    fn read_into(&self, out: &mut u32) {
        *out = self.state.lock().unwrap().tokens;
    }

    fn history_into(&self, id: u32, out: &mut Vec<u32>) {
        if let Some(account) = self.state.lock().unwrap().accounts.get(&id) {
            out.extend_from_slice(&account.history);
        }
    }

    fn write(&self, tokens: u32) {
        self.state.lock().unwrap().tokens = tokens;
    }

    fn out_bad(&self) {
        let mut tokens = 0;
        self.read_into(&mut tokens);
        self.state.lock().unwrap().tokens = tokens + 1; //~ stale_value
    }

    fn out_setter_bad(&self) {
        let mut tokens = 0;
        self.read_into(&mut tokens);
        self.write(tokens + 1); //~ stale_value
    }

    /// Written over before it is used.
    fn out_overwritten_ok(&self) {
        let mut tokens = 0;
        self.read_into(&mut tokens);
        println!("{tokens}");
        tokens = 7;
        self.write(tokens);
    }

    /// The present value is part of the new one.
    fn out_ok(&self) {
        let mut tokens = 0;
        self.read_into(&mut tokens);
        self.state.lock().unwrap().tokens += tokens;
    }

    fn out_list_bad(&self, id: u32) {
        let mut history = Vec::new();
        self.history_into(id, &mut history);
        history.push(1);
        if let Some(account) = self.state.lock().unwrap().accounts.get_mut(&id) {
            account.history = history; //~ stale_value
        }
    }

    fn out_list_ok(&self, id: u32) {
        let mut history = Vec::new();
        self.history_into(id, &mut history);
        println!("{history:?}");
        if let Some(account) = self.state.lock().unwrap().accounts.get_mut(&id) {
            account.history.push(1);
        }
    }
}
