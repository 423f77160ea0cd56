//! A position or length of what was there, used on what is there now.
#![allow(dead_code)]

use std::sync::{Mutex, RwLock};

struct Table {
    rows: Mutex<Vec<String>>,
    shared: RwLock<Vec<u32>>,
}

impl Table {
    fn add(&self, row: String) {
        self.rows.lock().unwrap().push(row);
    }

    fn clear(&self) {
        self.rows.lock().unwrap().clear();
        self.shared.write().unwrap().clear();
    }

    fn remove_bad(&self, name: &str) {
        let found = self.rows.lock().unwrap().iter().position(|row| row == name);
        if let Some(at) = found {
            self.rows.lock().unwrap().remove(at); //~ stale_value
        }
    }

    fn remove_ok(&self, name: &str) {
        let mut rows = self.rows.lock().unwrap();
        if let Some(at) = rows.iter().position(|row| row == name) {
            rows.remove(at);
        }
    }

    fn last_bad(&self) -> u32 {
        let len = self.shared.read().unwrap().len();
        if len == 0 {
            return 0;
        }
        self.shared.read().unwrap()[len - 1] //~ stale_value
    }

    fn last_ok(&self) -> u32 {
        let shared = self.shared.read().unwrap();
        let len = shared.len();
        if len == 0 { 0 } else { shared[len - 1] }
    }

    /// The program of the paper's section on related work, with a range.
    fn sum_bad(&self) -> u32 {
        let len = self.shared.read().unwrap().len();
        let shared = self.shared.read().unwrap();
        let mut sum = 0;
        for i in 0..len {
            sum += shared[i]; //~ stale_value
        }
        sum
    }

    fn sum_ok(&self) -> u32 {
        let shared = self.shared.read().unwrap();
        let mut sum = 0;
        for i in 0..shared.len() {
            sum += shared[i];
        }
        sum
    }

    /// Looks again before it acts.
    fn truncate_ok(&self) {
        let len = self.rows.lock().unwrap().len();
        let mut rows = self.rows.lock().unwrap();
        if rows.len() > len {
            rows.truncate(len);
        }
    }

    /// A size hint decides nothing.
    fn copy_ok(&self) -> Vec<u32> {
        let mut copy = Vec::with_capacity(self.shared.read().unwrap().len());
        copy.extend(self.shared.read().unwrap().iter());
        copy
    }
}

#[derive(Default)]
struct Slots {
    slots: Vec<Option<String>>,
    free: Vec<usize>,
}

impl Slots {
    /// h2: the position is handed out by the call that fills it, and is the caller's until he gives it back.
    fn insert(&mut self, value: String) -> usize {
        match self.free.pop() {
            Some(at) => {
                self.slots[at] = Some(value);
                at
            }
            None => {
                self.slots.push(Some(value));
                self.slots.len() - 1
            }
        }
    }
}

struct Buffer {
    slots: Mutex<slab::Slab<String>>,
    own: Mutex<Slots>,
}

/// A slab in miniature; in a module of its own, as it would be in a crate of its own.
mod slab {
    #[derive(Default)]
    pub struct Slab<T> {
        entries: Vec<T>,
    }

    impl<T> Slab<T> {
        pub fn insert(&mut self, value: T) -> usize {
            self.entries.push(value);
            self.entries.len() - 1
        }

        pub fn first(&self) -> usize {
            self.entries.len().saturating_sub(1)
        }

        pub fn remove(&mut self, at: usize) -> T {
            self.entries.swap_remove(at)
        }
    }
}

impl Buffer {
    fn clear(&self) {
        let first = self.slots.lock().unwrap().first();
        println!("{first}");
        self.slots.lock().unwrap().remove(0);
    }

    fn take_some_bad(&self) -> String {
        let at = self.slots.lock().unwrap().first();
        self.slots.lock().unwrap().remove(at) //~ stale_value
    }

    fn take_some_ok(&self) -> String {
        let mut slots = self.slots.lock().unwrap();
        let at = slots.first();
        slots.remove(at)
    }

    fn own_slot_ok(&self, value: String) {
        let at = self.own.lock().unwrap().insert(value);
        self.own.lock().unwrap().slots[at] = None;
    }
}

/// A list whose own `remove` looks for the element under the lock: what is old is only what to look for.
struct Sorted(Vec<(u64, u32)>);

impl Sorted {
    fn remove(&mut self, id: u64) {
        if let Ok(index) = self.0.binary_search_by_key(&id, |entry| entry.0) {
            self.0.remove(index);
        }
    }
}

struct Listed {
    list: RwLock<Sorted>,
}

impl Listed {
    fn add(&self, entry: (u64, u32)) {
        self.list.write().unwrap().0.push(entry);
    }

    fn flush_ok(&self) {
        let first = self.list.read().unwrap().0.first().copied();
        if let Some((id, _)) = first {
            self.list.write().unwrap().remove(id);
        }
    }
}

/// A length that one function finds, and another one cuts at.
struct Backlog {
    done: Mutex<Vec<u32>>,
}

impl Backlog {
    fn push(&self, item: u32) {
        self.done.lock().unwrap().push(item);
    }

    fn count(&self) -> usize {
        self.done.lock().unwrap().len()
    }

    fn drop_first(&self, count: usize) {
        self.done.lock().unwrap().drain(0..count);
    }

    fn drop_up_to(&self, count: usize) {
        let mut done = self.done.lock().unwrap();
        let count = count.min(done.len());
        done.drain(0..count);
    }

    fn nth(&self, at: usize) -> u32 {
        self.done.lock().unwrap()[at]
    }

    fn clean_bad(&self) {
        let count = self.count();
        self.drop_first(count); //~ stale_value
    }

    fn clean_all_but_some_bad(&self, keep: usize) {
        let count = self.count();
        if count > keep {
            self.drop_first(count - keep); //~ stale_value
        }
    }

    fn clean_ok(&self) {
        let count = self.count();
        self.drop_up_to(count);
    }

    /// Ranked low: whether anything is ever taken away is not known, and a list that only grows has all that it had.
    fn fn_last_through_functions(&self) -> Option<u32> {
        let last = self.count().checked_sub(1)?;
        Some(self.nth(last))
    }
}
