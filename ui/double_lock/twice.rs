//! A lock that is taken while this thread holds it.
#![allow(dead_code)]

use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, RwLock};

pub struct Cache {
    entries: Mutex<Vec<u32>>,
    names: RwLock<HashMap<u32, String>>,
    other: Mutex<u32>,
    all: Vec<Mutex<u32>>,
    again: parking_lot::ReentrantMutex<u32>,
    many: parking_lot::RwLock<u32>,
    map: DashMap<u32, u32>,
}

impl Cache {
    pub fn direct_bad(&self) -> usize {
        let entries = self.entries.lock().unwrap();
        entries.len() + self.entries.lock().unwrap().len() //~ double_lock
    }

    pub fn direct_ok(&self) -> usize {
        let entries = self.entries.lock().unwrap();
        let len = entries.len();
        drop(entries);
        len + self.entries.lock().unwrap().len()
    }

    fn len(&self) -> usize {
        self.entries.lock().unwrap().len()
    }

    fn is_full(&self) -> bool {
        self.len() > 10
    }

    /// Two functions down.
    pub fn push_bad(&self, entry: u32) {
        let mut entries = self.entries.lock().unwrap();
        if !self.is_full() { //~ double_lock
            entries.push(entry);
        }
    }

    pub fn push_ok(&self, entry: u32) {
        if !self.is_full() {
            *self.other.lock().unwrap() += 1;
        }
        self.entries.lock().unwrap().push(entry);
    }

    /// The guard lives to the end of the `match`.
    pub fn scrutinee_bad(&self) {
        match self.entries.lock().unwrap().first() {
            Some(_) => self.entries.lock().unwrap().clear(), //~ double_lock
            None => {}
        }
    }

    /// Copied out first.
    pub fn scrutinee_ok(&self) {
        let first = self.entries.lock().unwrap().first().copied();
        match first {
            Some(_) => self.entries.lock().unwrap().clear(),
            None => {}
        }
    }

    /// A temporary lives to the end of the statement.
    pub fn temporary_bad(&self) {
        self.entries.lock().unwrap().push(self.len() as u32); //~ double_lock
    }

    pub fn temporary_ok(&self) {
        let len = self.len() as u32;
        self.entries.lock().unwrap().push(len);
    }

    pub fn upgrade_bad(&self, key: u32) {
        let names = self.names.read().unwrap();
        if !names.contains_key(&key) {
            self.names.write().unwrap().insert(key, String::new()); //~ double_lock
        }
    }

    pub fn read_twice_bad(&self, key: u32) -> usize {
        let names = self.names.read().unwrap();
        names.len() + self.name(key).len() //~ double_lock
    }

    fn name(&self, key: u32) -> String {
        self.names.read().unwrap().get(&key).cloned().unwrap_or_default()
    }

    /// Another lock.
    pub fn two_locks_ok(&self) -> u32 {
        let other = self.other.lock().unwrap();
        *other + self.len() as u32
    }

    /// The lock of another object.
    pub fn two_objects_ok(&self, other: &Cache) -> usize {
        let entries = self.entries.lock().unwrap();
        entries.len() + other.len()
    }

    /// Two elements may be two locks.
    pub fn elements_ok(&self, from: usize, to: usize) {
        let mut one = self.all[from].lock().unwrap();
        let mut two = self.all[to].lock().unwrap();
        std::mem::swap(&mut *one, &mut *two);
    }

    /// Asks, and does not wait.
    pub fn try_lock_ok(&self) -> bool {
        let _entries = self.entries.lock().unwrap();
        self.entries.try_lock().is_ok()
    }

    fn tries(&self) -> usize {
        self.entries.try_lock().map_or(0, |entries| entries.len())
    }

    pub fn callee_tries_ok(&self) -> usize {
        let entries = self.entries.lock().unwrap();
        entries.len() + self.tries()
    }

    pub fn reentrant_ok(&self) -> u32 {
        let again = self.again.lock();
        *again + *self.again.lock()
    }

    pub fn recursive_ok(&self) -> u32 {
        let many = self.many.read();
        *many + *self.many.read_recursive()
    }

    /// On one way it was let go.
    pub fn let_go_on_one_way_ok(&self, early: bool) -> usize {
        let entries = self.entries.lock().unwrap();
        if early {
            drop(entries);
            return self.len();
        }
        entries.len()
    }

    /// Each round has a guard of its own.
    pub fn rounds_ok(&self) {
        let mut entries = self.entries.lock().unwrap();
        for _ in 0..3 {
            entries.push(1);
            drop(entries);
            entries = self.entries.lock().unwrap();
        }
    }

    /// The guard is handed on.
    fn push_with(&self, mut entries: MutexGuard<'_, Vec<u32>>) {
        entries.push(1);
    }

    pub fn handed_on_ok(&self) -> usize {
        let entries = self.entries.lock().unwrap();
        self.push_with(entries);
        self.len()
    }

    /// It lets the guard go that it is given, and takes the lock again.
    fn len_after(&self, entries: MutexGuard<'_, Vec<u32>>) -> usize {
        drop(entries);
        self.len()
    }

    pub fn given_away_ok(&self) -> usize {
        let entries = self.entries.lock().unwrap();
        self.len_after(entries)
    }

    pub fn given_as_temporary_ok(&self) -> usize {
        self.len_after(self.entries.lock().unwrap())
    }

    /// The thread that is started takes it when it is free.
    pub fn spawned_ok(self: &Arc<Self>) {
        let entries = self.entries.lock().unwrap();
        let cache = Arc::clone(self);
        let thread = std::thread::spawn(move || cache.len());
        drop(entries);
        thread.join().unwrap();
    }

    pub fn in_closure_bad(&self) -> Option<usize> {
        let entries = self.entries.lock().unwrap();
        entries.first().map(|_| self.len()) //~ double_lock
    }

    /// An entry is held, and the other one may be in the same shard.
    pub fn entries_bad(&self, from: u32, to: u32) {
        if let Some(one) = self.map.get(&from) {
            self.map.insert(to, *one); //~ double_lock
        }
    }

    pub fn entries_ok(&self, from: u32, to: u32) {
        let one = self.map.get(&from).map(|one| *one);
        if let Some(one) = one {
            self.map.insert(to, one);
        }
    }

    /// Readers of one shard do not hinder each other.
    pub fn readers_ok(&self, one: u32, other: u32) -> bool {
        let first = self.map.get(&one);
        first.is_some() && self.map.contains_key(&other)
    }
}

/// A list that is gone through hand over hand.
pub struct Node {
    next: Mutex<Option<Arc<Node>>>,
}

pub fn last_ok(start: Arc<Node>) -> Arc<Node> {
    let mut at = start;
    loop {
        let next = at.next.lock().unwrap().clone();
        match next {
            Some(next) => at = next,
            None => return at,
        }
    }
}

pub struct Tasks {
    state: tokio::sync::Mutex<u32>,
}

impl Tasks {
    async fn get(&self) -> u32 {
        *self.state.lock().await
    }

    pub async fn add_bad(&self) {
        let mut state = self.state.lock().await;
        *state += self.get().await; //~ double_lock
    }

    pub async fn add_ok(&self) {
        let more = self.get().await;
        *self.state.lock().await += more;
    }
}

/// Two guards go into a function, and one comes out.
pub struct Submission<'a> {
    indices: std::sync::MutexGuard<'a, u32>,
    snatch: std::sync::RwLockReadGuard<'a, u32>,
}

pub struct Submitted<'a> {
    snatch: std::sync::RwLockReadGuard<'a, u32>,
}

impl<'a> Submission<'a> {
    fn submit(self) -> Submitted<'a> {
        let Submission { mut indices, snatch } = self;
        *indices += *snatch;
        Submitted { snatch }
    }
}

pub struct Submitter {
    indices: Mutex<u32>,
    snatchable: RwLock<u32>,
}

impl Submitter {
    fn start(&self) -> Submission<'_> {
        Submission { indices: self.indices.lock().unwrap(), snatch: self.snatchable.read().unwrap() }
    }

    /// The other one is let go in there, too.
    pub fn beside_another_ok(&self, log: &Mutex<u32>) -> u32 {
        let submitted = finish(self.start(), log.lock().unwrap());
        *log.lock().unwrap() + *submitted.snatch
    }

    pub fn one_guard_comes_back_ok(&self) -> u32 {
        let submitted = self.start().submit();
        *self.indices.lock().unwrap() + *submitted.snatch
    }
}

fn finish<'a>(submission: Submission<'a>, mut log: std::sync::MutexGuard<'_, u32>) -> Submitted<'a> {
    *log += 1;
    submission.submit()
}

/// Made once, and only read: no writer comes in between.
pub struct Settings {
    values: RwLock<Vec<u32>>,
}

impl Settings {
    pub fn read_twice_and_nobody_writes_ok(&self) -> usize {
        let values = self.values.read().unwrap();
        values.len() + self.first() as usize
    }

    fn first(&self) -> u32 {
        self.values.read().unwrap().first().copied().unwrap_or_default()
    }
}
