//! Pointers that are replaced as a whole: what is made from the one that was loaded is stored over what others have stored
//! since.
#![allow(dead_code)]

use arc_swap::{ArcSwap, ArcSwapOption};
use crossbeam_utils::atomic::AtomicCell;
use portable_atomic::{AtomicU128, Ordering};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub struct Routes {
    table: ArcSwap<HashMap<String, u32>>,
    leader: ArcSwapOption<String>,
    changes: Mutex<()>,
}

fn without(table: &HashMap<String, u32>, name: &str) -> HashMap<String, u32> {
    let mut table = table.clone();
    table.remove(name);
    table
}

impl Routes {
    pub fn add_bad(&self, name: String, to: u32) {
        let table = self.table.load();
        let mut table = HashMap::clone(&table);
        table.insert(name, to);
        self.table.store(Arc::new(table)); //~ split_atomic
    }

    /// The pointer is copied out of what was loaded.
    pub fn copied_bad(&self, name: &str) {
        let table = self.table.load().clone();
        self.table.store(Arc::new(without(&table, name))); //~ split_atomic
    }

    pub fn copied_under_lock_ok(&self, name: &str) {
        let _changes = self.changes.lock().unwrap();
        let table = self.table.load().clone();
        self.table.store(Arc::new(without(&table, name)));
    }

    /// What was loaded is only shown.
    pub fn copied_ok(&self, table: HashMap<String, u32>) -> usize {
        let before = self.table.load().clone();
        self.table.store(Arc::new(table));
        before.len()
    }

    pub fn remove_bad(&self, name: &str) {
        let mut table = (*self.table.load_full()).clone();
        table.remove(name);
        self.table.swap(Arc::new(table)); //~ split_atomic
    }

    pub fn add_ok(&self, name: &str, to: u32) {
        self.table.rcu(|table| {
            let mut table = HashMap::clone(table);
            table.insert(name.to_owned(), to);
            table
        });
    }

    pub fn add_under_lock_ok(&self, name: String, to: u32) {
        let _changes = self.changes.lock().unwrap();
        let mut table = HashMap::clone(&self.table.load());
        table.insert(name, to);
        self.table.store(Arc::new(table));
    }

    /// Nothing of the old one is in the new one.
    pub fn reload_ok(&self, table: HashMap<String, u32>) -> usize {
        let before = self.table.load().len();
        self.table.store(Arc::new(table));
        before
    }

    pub fn find_ok(&self, name: &str) -> Option<u32> {
        self.table.load().get(name).copied()
    }

    /// Two candidates may both win. What is put there counts as made of the same things each time.
    pub fn fn_elect(&self, name: Arc<String>) -> bool {
        if self.leader.load().is_some() {
            return false;
        }
        self.leader.store(Some(name));
        true
    }

    pub fn elect_ok(&self, name: Arc<String>) -> bool {
        self.leader.compare_and_swap(&None::<Arc<String>>, Some(name)).is_none()
    }

    /// Whoever made it alone has it to itself.
    pub fn rename_ok(&mut self, from: &str, to: String) {
        let mut table = HashMap::clone(&self.table.load());
        let found = table.remove(from);
        table.extend(found.map(|found| (to, found)));
        self.table.store(Arc::new(table));
    }
}

/// The same behind functions of one's own.
pub struct Settings {
    inner: ArcSwap<Vec<u32>>,
}

impl Settings {
    pub fn load(&self) -> Arc<Vec<u32>> {
        self.inner.load_full()
    }

    pub fn store(&self, settings: Vec<u32>) {
        self.inner.store(Arc::new(settings));
    }

    pub fn update_bad(&self, change: impl FnOnce(Vec<u32>) -> Vec<u32>) {
        let now = self.load();
        self.store(change((*now).clone())); //~ split_atomic
    }

    pub fn update_ok(&self, change: impl Fn(Vec<u32>) -> Vec<u32>) {
        self.inner.rcu(|now| change((**now).clone()));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Span {
    from: u64,
    to: u64,
}

pub struct Progress {
    span: AtomicCell<Span>,
}

impl Progress {
    pub fn extend_bad(&self, to: u64) {
        let span = self.span.load();
        self.span.store(Span { to, ..span }); //~ split_atomic
    }

    pub fn extend_ok(&self, to: u64) {
        let _ = self.span.fetch_update(|span| Some(Span { to, ..span }));
    }

    pub fn restart_ok(&self) -> Span {
        self.span.swap(Span { from: 0, to: 0 })
    }
}

/// Atomics that not every machine has.
pub struct Wide {
    sum: AtomicU128,
}

impl Wide {
    pub fn add_bad(&self, much: u128) {
        self.sum.store(self.sum.load(Ordering::SeqCst) + much, Ordering::SeqCst); //~ split_atomic
    }

    pub fn add_ok(&self, much: u128) {
        self.sum.fetch_add(much, Ordering::SeqCst);
    }
}
