//! `unsafe impl<T: Send> Sync` for types in which several readers of a lock use one `T` at once.
#![allow(non_camel_case_types)]

use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockReadGuard};

/// Each receiver clones what is in the slot, and all of them may at once.
struct Slot_bad<T> {
    value: UnsafeCell<Option<T>>,
}

struct Shared_bad<T> {
    slots: Box<[RwLock<Slot_bad<T>>]>,
}

pub struct Receiver_bad<T> {
    shared: Arc<Shared_bad<T>>,
}

unsafe impl<T: Send> Send for Receiver_bad<T> {}
unsafe impl<T: Send> Sync for Receiver_bad<T> {} //~ racy_access

struct Reading_bad<'a, T> {
    slot: RwLockReadGuard<'a, Slot_bad<T>>,
}

impl<T> Reading_bad<'_, T> {
    fn value(&self) -> Option<T>
    where
        T: Clone,
    {
        unsafe { (*self.slot.value.get()).clone() }
    }
}

impl<T: Clone> Receiver_bad<T> {
    pub fn receive(&self) -> Option<T> {
        Reading_bad { slot: self.shared.slots[0].read().unwrap() }.value()
    }
}

/// One at a time is let in.
struct Slot_ok<T> {
    value: UnsafeCell<Option<T>>,
}

struct Shared_ok<T> {
    slots: Box<[Mutex<Slot_ok<T>>]>,
}

pub struct Receiver_ok<T> {
    shared: Arc<Shared_ok<T>>,
}

unsafe impl<T: Send> Send for Receiver_ok<T> {}
unsafe impl<T: Send> Sync for Receiver_ok<T> {}

struct Reading_ok<'a, T> {
    slot: MutexGuard<'a, Slot_ok<T>>,
}

impl<T> Reading_ok<'_, T> {
    fn value(&self) -> Option<T>
    where
        T: Clone,
    {
        unsafe { (*self.slot.value.get()).clone() }
    }
}

impl<T: Clone> Receiver_ok<T> {
    pub fn receive(&self) -> Option<T> {
        Reading_ok { slot: self.shared.slots[0].lock().unwrap() }.value()
    }
}

/// The right thing is asked.
struct Page_ok<T> {
    value: UnsafeCell<Option<T>>,
}

pub struct Book_ok<T> {
    page: RwLock<Page_ok<T>>,
}

unsafe impl<T: Send + Sync> Sync for Book_ok<T> {}

impl<T: Clone> Book_ok<T> {
    pub fn read(&self) -> Option<T> {
        let page = self.page.read().unwrap();
        unsafe { (*page.value.get()).clone() }
    }
}

struct Page_bad<T> {
    value: UnsafeCell<Option<T>>,
}

pub struct Book_bad<T> {
    page: RwLock<Page_bad<T>>,
}

unsafe impl<T: Send> Sync for Book_bad<T> {} //~ racy_access

impl<T: Clone> Book_bad<T> {
    pub fn read(&self) -> Option<T> {
        let page = self.page.read().unwrap();
        unsafe { (*page.value.get()).clone() }
    }
}

/// Readers move out what is there, and whoever has it is the only one; only its being there is looked at.
struct Cell_ok<T> {
    value: UnsafeCell<Option<T>>,
}

pub struct Exchange_ok<T> {
    cell: RwLock<Cell_ok<T>>,
}

unsafe impl<T: Send> Sync for Exchange_ok<T> {}

impl<T: Clone> Exchange_ok<T> {
    pub fn is_there(&self) -> bool {
        let cell = self.cell.read().unwrap();
        unsafe { (*cell.value.get()).is_some() }
    }

    pub fn copy(&self) -> Option<T> {
        let cell = self.cell.write().unwrap();
        unsafe { (*cell.value.get()).clone() }
    }
}

/// What is cloned is the caller's, before it goes in.
struct Shelf_ok<T> {
    last: Option<T>,
    count: usize,
}

pub struct Store_ok<T> {
    shelf: RwLock<Shelf_ok<T>>,
    at: *const u8,
}

unsafe impl<T: Send> Sync for Store_ok<T> {}

impl<T> Store_ok<T> {
    pub fn count(&self) -> usize {
        if self.at.is_null() { 0 } else { self.shelf.read().unwrap().count }
    }

    pub fn put(&self, value: &T)
    where
        T: Clone,
    {
        let mut shelf = self.shelf.write().unwrap();
        shelf.last = Some(value.clone());
        shelf.count += 1;
    }
}
