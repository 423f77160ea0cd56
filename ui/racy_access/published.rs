//! Pointers that are loaded from an atomic and followed: a `Relaxed` load does not show what they lead to.
#![allow(dead_code)]

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering, fence};

pub struct Bucket {
    size: usize,
}

pub struct Table {
    bucket: AtomicPtr<Bucket>,
    grows: Mutex<()>,
}

impl Default for Table {
    fn default() -> Table {
        Table { bucket: AtomicPtr::new(ptr::null_mut()), grows: Mutex::new(()) }
    }
}

impl Table {
    pub fn grow(&self) {
        let _grows = self.grows.lock().unwrap();
        let bucket = Box::into_raw(Box::new(Bucket { size: 8 }));
        self.bucket.store(bucket, Ordering::Release);
    }

    pub fn size_ok(&self) -> usize {
        let bucket = self.bucket.load(Ordering::Acquire);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }

    pub fn size_bad(&self) -> usize {
        let bucket = self.bucket.load(Ordering::Relaxed);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } } //~ racy_access
    }

    pub fn nth_bad(&self, n: usize) -> Option<&Bucket> {
        let bucket = self.bucket.load(Ordering::Relaxed);
        if bucket.is_null() { None } else { Some(unsafe { &*bucket.add(n) }) } //~ racy_access
    }

    /// Only whether there is one.
    pub fn is_there_ok(&self) -> bool {
        !self.bucket.load(Ordering::Relaxed).is_null()
    }

    /// The fence does it for the load.
    pub fn fenced_ok(&self) -> usize {
        let bucket = self.bucket.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }

    /// Who makes one holds the same lock.
    pub fn locked_ok(&self) -> usize {
        let _grows = self.grows.lock().unwrap();
        let bucket = self.bucket.load(Ordering::Relaxed);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }

    /// Nobody else is there.
    pub fn alone_ok(&mut self) -> usize {
        let bucket = self.bucket.load(Ordering::Relaxed);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }
}

/// One thread writes it, and knows what it has written itself.
pub struct Producer {
    last: AtomicPtr<Bucket>,
}

impl Producer {
    /// # Safety
    /// By one thread alone.
    pub unsafe fn put_ok(&self) -> usize {
        let before = self.last.load(Ordering::Relaxed);
        let bucket = Box::into_raw(Box::new(Bucket { size: 8 }));
        self.last.store(bucket, Ordering::Release);
        if before.is_null() { 0 } else { unsafe { (*before).size } }
    }

    pub fn look_ok(&self) -> usize {
        let bucket = self.last.load(Ordering::Acquire);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }
}

pub struct Buckets {
    buckets: [AtomicPtr<Bucket>; 4],
    grows: Mutex<()>,
}

impl Buckets {
    /// # Safety
    /// There are four.
    pub unsafe fn grow(&self, n: usize) {
        let _grows = self.grows.lock().unwrap();
        let place = unsafe { self.buckets.get_unchecked(n) };
        place.store(Box::into_raw(Box::new(Bucket { size: 8 })), Ordering::Release);
    }

    pub fn size_ok(&self, n: usize) -> usize {
        let bucket = self.buckets[n].load(Ordering::Acquire);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } }
    }

    pub fn size_bad(&self, n: usize) -> usize {
        let bucket = unsafe { self.buckets.get_unchecked(n) }.load(Ordering::Relaxed);
        if bucket.is_null() { 0 } else { unsafe { (*bucket).size } } //~ racy_access
    }
}
