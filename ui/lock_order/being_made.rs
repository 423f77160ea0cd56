//! Objects that are made and returned: nobody else has them yet. And handles of things that have handles themselves.
#![allow(dead_code)]

use std::sync::{Arc, Mutex, RwLock};

pub struct Pager {
    pages: Arc<RwLock<Vec<u32>>>,
}

pub struct Database {
    log: RwLock<u32>,
    pager: Mutex<Option<Arc<Pager>>>,
}

impl Pager {
    fn new(size: usize) -> Result<Pager, ()> {
        if size == 0 { Err(()) } else { Ok(Pager { pages: Arc::new(RwLock::new(vec![0; size])) }) }
    }

    fn grow(&self, by: u32) {
        self.pages.write().unwrap().push(by);
    }
}

impl Database {
    /// The pages are locked under the log, as nowhere else; but of a pager that nobody has yet.
    pub fn open_ok(&self) -> Result<Pager, ()> {
        let log = self.log.read().unwrap();
        let pager = Pager::new(3)?;
        pager.grow(*log);
        Ok(pager)
    }

    pub fn flush(&self, pager: &Pager) {
        let pages = pager.pages.read().unwrap();
        *self.log.write().unwrap() += pages.len() as u32;
    }
}

pub struct Inner {
    keyspaces: RwLock<Vec<String>>,
    journal: Mutex<Vec<u8>>,
}

/// A handle.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

impl Store {
    /// Puts it together, and looks at what it has before anybody else can.
    pub fn recover_ok(names: Vec<String>) -> Result<Store, ()> {
        let inner = Inner { keyspaces: RwLock::new(names), journal: Mutex::new(Vec::new()) };
        let store = Store(Arc::new(inner));
        {
            let keyspaces = store.0.keyspaces.read().unwrap();
            let empty = || keyspaces.is_empty();
            if store.0.journal.lock().unwrap().len() > keyspaces.len() || empty() {
                return Err(());
            }
        }
        Ok(store)
    }

    pub fn write(&self, byte: u8) {
        let mut journal = self.0.journal.lock().unwrap();
        self.0.keyspaces.write().unwrap().push(String::new());
        journal.push(byte);
    }
}

pub struct Shelf {
    books: Mutex<Vec<u32>>,
    titles: Mutex<Vec<String>>,
}

impl Shelf {
    /// The handle that is returned is one of many.
    pub fn handle_bad(self: &Arc<Self>) -> Arc<Shelf> {
        let handle = self.clone();
        let books = handle.books.lock().unwrap();
        handle.titles.lock().unwrap().push(books.len().to_string()); //~ lock_order
        drop(books);
        handle
    }

    pub fn label(&self) {
        let titles = self.titles.lock().unwrap();
        self.books.lock().unwrap().push(titles.len() as u32);
    }
}

pub struct Device {
    fence: RwLock<u32>,
    writes: Mutex<Vec<Arc<Buffer>>>,
}

pub struct Buffer {
    device: Arc<Device>,
}

pub struct Queue {
    device: Arc<Device>,
}

impl Drop for Device {
    fn drop(&mut self) {
        *self.fence.write().unwrap() = 0;
    }
}

impl Queue {
    /// Where the last buffer goes it may take a handle of the device with it; but the queue has one, so it is not the last.
    pub fn write_ok(&self, old: Arc<Buffer>) {
        let writes = self.device.writes.lock().unwrap();
        drop(old);
        drop(writes);
    }

    pub fn submit(&self) {
        let fence = self.device.fence.write().unwrap();
        self.device.writes.lock().unwrap().truncate(*fence as usize);
    }
}
