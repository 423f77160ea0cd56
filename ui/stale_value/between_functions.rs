//! The two sections stand in other functions than the value that goes from one to the other.
#![allow(dead_code)]

use std::sync::{Mutex, MutexGuard};

struct State {
    n: u32,
    list: Vec<u32>,
}

impl State {
    fn get(&self) -> u32 {
        self.n
    }

    fn set(&mut self, n: u32) {
        self.n = n;
    }

    fn add(&mut self, n: u32) {
        self.n += n;
    }
}

struct Counter {
    state: Mutex<State>,
}

impl Counter {
    fn get(&self) -> u32 {
        self.state.lock().unwrap().n
    }

    fn set(&self, n: u32) {
        self.state.lock().unwrap().n = n;
    }

    fn set_if(&self, old: u32, new: u32) -> bool {
        let mut state = self.state.lock().unwrap();
        let fits = state.n == old;
        if fits {
            state.n = new;
        }
        fits
    }

    fn next(&self) -> u32 {
        self.get() + 1
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn mutex(&self) -> &Mutex<State> {
        &self.state
    }

    fn write_with(mut guard: MutexGuard<'_, State>, n: u32) {
        guard.n = n;
    }

    fn write_to(state: &mut State, n: u32) {
        state.set(n);
    }

    fn accessors_bad(&self) {
        let n = self.get();
        self.set(n + 1); //~ stale_value
    }

    fn accessors_ok(&self) {
        let mut state = self.locked();
        let n = state.get();
        state.set(n + 1);
    }

    fn two_levels_bad(&self) {
        let n = self.next();
        self.set(n); //~ stale_value
    }

    fn two_levels_ok(&self) {
        let n = self.next();
        println!("{n}");
    }

    fn guard_from_wrapper_bad(&self) {
        let n = self.locked().n;
        self.locked().n = n + 1; //~ stale_value
    }

    fn guard_from_wrapper_ok(&self) {
        let mut state = self.locked();
        state.n = state.n + 1;
    }

    fn lock_from_accessor_bad(&self) {
        let n = self.mutex().lock().unwrap().n;
        self.state.lock().unwrap().n = n + 1; //~ stale_value
    }

    fn lock_from_accessor_ok(&self) {
        let mut state = self.mutex().lock().unwrap();
        state.n = state.n + 1;
    }

    fn methods_of_the_state_bad(&self) {
        let n = self.locked().get();
        self.locked().set(n + 1); //~ stale_value
    }

    /// The present value is part of the new one.
    fn methods_of_the_state_ok(&self) {
        let n = self.locked().get();
        self.locked().add(n);
    }

    fn guard_given_away_bad(&self) {
        let n = self.get();
        Self::write_with(self.locked(), n + 1); //~ stale_value
    }

    fn guard_given_away_ok(&self) {
        let state = self.locked();
        let n = state.n;
        Self::write_with(state, n + 1);
    }

    fn state_lent_bad(&self) {
        let n = self.get();
        Self::write_to(&mut self.locked(), n + 1); //~ stale_value
    }

    fn state_lent_ok(&self) {
        let mut state = self.locked();
        let n = state.get();
        Self::write_to(&mut state, n + 1);
    }

    fn countdown(&self, n: u32) -> u32 {
        if n == 0 { self.get() } else { self.countdown(n - 1) }
    }

    fn recursion_bad(&self) {
        let n = self.countdown(3);
        self.set(n + 1); //~ stale_value
    }

    fn recursion_ok(&self) {
        let n = self.countdown(3);
        self.set_if(n, n + 1);
    }

    /// The callee looks again before it writes.
    fn compared_by_the_callee_ok(&self) {
        let n = self.get();
        self.set_if(n, n + 1);
    }

    async fn get_later(&self) -> u32 {
        self.get()
    }

    async fn set_later(&self, n: u32) {
        self.set(n);
    }

    async fn async_accessors_bad(&self) {
        let n = self.get_later().await;
        self.set_later(n + 1).await; //~ stale_value
    }

    async fn async_accessors_ok(&self) {
        let n = self.get_later().await;
        self.set_if(n, n + 1);
    }
}

fn of_another_lock_ok(from: &Counter, to: &Counter) {
    let n = from.get();
    to.set(n);
}

/// stretto's event loop: what a handler keeps of what it has seen is not what the next round's handler writes.
struct Worker {
    counter: std::sync::Arc<Counter>,
    store: std::sync::Arc<Mutex<Vec<u32>>>,
    seen: Vec<u32>,
}

impl Worker {
    fn remember(&mut self) {
        let n = self.counter.get();
        let victims = self.store.lock().unwrap().clone();
        self.seen.extend(victims.into_iter().filter(|victim| *victim < n));
    }

    fn account(&mut self, n: u32) {
        self.counter.set(n + self.seen.capacity() as u32);
    }

    fn from_round_to_round_ok(mut self, events: std::sync::mpsc::Receiver<Option<u32>>) {
        for event in events {
            match event {
                Some(n) => self.account(n),
                None => self.remember(),
            }
        }
    }

    fn straight_on_bad(mut self) {
        self.seen.push(self.counter.get());
        self.account(1); //~ stale_value
    }
}

/// Keys: what is found under one is the model of what is kept under another.
pub struct Keys {
    known: Mutex<std::collections::HashMap<u64, Vec<u32>>>,
}

fn fresh_id() -> u64 {
    std::process::id().into()
}

impl Keys {
    fn find(&self, id: u64) -> Vec<u32> {
        self.known.lock().unwrap().get(&id).cloned().unwrap_or_default()
    }

    fn keep(&self, id: u64, rights: Vec<u32>) {
        self.known.lock().unwrap().insert(id, rights);
    }

    fn keep_new(&self, rights: Vec<u32>) -> u64 {
        let id = fresh_id();
        self.known.lock().unwrap().insert(id, rights);
        id
    }

    fn grant_bad(&self, id: u64, right: u32) {
        let mut rights = self.find(id);
        rights.push(right);
        self.keep(id, rights); //~ stale_value
    }

    /// Under a key of its own, which nobody else has.
    fn rotate_ok(&self, id: u64) -> u64 {
        let rights = self.find(id);
        self.keep_new(rights)
    }
}
