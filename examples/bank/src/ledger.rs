//! The ledger: entries are posted by many threads, and a clerk throws out the settled ones now and then.

use std::mem;
use std::sync::Mutex;

use crate::slow_work;

pub struct Entry {
    pub amount: i64,
    pub settled: bool,
}

pub struct Ledger {
    book: Mutex<Book>,
}

struct Book {
    entries: Vec<Entry>,
    settled: i64,
}

impl Ledger {
    pub fn new() -> Self {
        Ledger { book: Mutex::new(Book { entries: Vec::new(), settled: 0 }) }
    }

    pub fn post(&self, entry: Entry) {
        self.book.lock().unwrap().entries.push(entry);
    }

    /// The sum of all that went through the ledger: still open, or settled.
    pub fn total(&self) -> i64 {
        let book = self.book.lock().unwrap();
        sum(&book.entries) + book.settled
    }

    /// BUG, take, modify, put back: the entries are taken out in one critical section and put back in another.
    /// What was posted to the empty vector meanwhile is overwritten.
    pub fn settle(&self) {
        let mut entries = mem::take(&mut self.book.lock().unwrap().entries);
        slow_work();
        let settled: Vec<_> = entries.extract_if(.., |entry| entry.settled).collect();
        let mut book = self.book.lock().unwrap();
        book.entries = entries;
        book.settled += sum(&settled);
    }

    /// The same without letting the lock go in between.
    pub fn settle_fixed(&self) {
        slow_work();
        let mut book = self.book.lock().unwrap();
        let settled: Vec<_> = book.entries.extract_if(.., |entry| entry.settled).collect();
        book.settled += sum(&settled);
    }
}

fn sum(entries: &[Entry]) -> i64 {
    entries.iter().map(|entry| entry.amount).sum()
}
