//! What a function calls that it was given runs under the locks that are held there, and not under all that the function takes.
#![allow(dead_code)]

use std::sync::Mutex;

#[derive(Default)]
pub struct Store {
    counts: Mutex<u64>,
    pages: Mutex<Vec<u8>>,
    readers: Mutex<Vec<u32>>,
}

impl Store {
    /// The counts are let go before the pages are taken.
    pub fn with_pages(&self, run: impl FnOnce(&mut Vec<u8>)) {
        *self.counts.lock().unwrap() += 1;
        let mut pages = self.pages.lock().unwrap();
        run(&mut pages);
    }

    pub fn append_bad(&self, reader: u32) {
        self.with_pages(|pages| { //~ lock_order
            pages.push(0);
            self.readers.lock().unwrap().push(reader);
        });
    }

    pub fn pages_of_readers(&self) -> usize {
        let readers = self.readers.lock().unwrap();
        readers.len() + self.pages.lock().unwrap().len()
    }
}

#[derive(Default)]
pub struct Ordered {
    counts: Mutex<u64>,
    pages: Mutex<Vec<u8>>,
    readers: Mutex<Vec<u32>>,
}

impl Ordered {
    pub fn with_pages(&self, run: impl FnOnce(&mut Vec<u8>)) {
        *self.counts.lock().unwrap() += 1;
        let mut pages = self.pages.lock().unwrap();
        run(&mut pages);
    }

    pub fn append_ok(&self, reader: u32) {
        self.with_pages(|pages| {
            pages.push(0);
            self.readers.lock().unwrap().push(reader);
        });
    }

    /// redb: with the readers held, the counts are waited for, which nobody has who waits for the readers.
    pub fn counts_of_readers_ok(&self) -> u64 {
        let readers = self.readers.lock().unwrap();
        readers.len() as u64 + *self.counts.lock().unwrap()
    }
}
