//! Whether a handle is the last one, asked for before it is given up.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

static NAMES: Mutex<Option<HashMap<u32, Weak<Vec<u8>>>>> = Mutex::new(None);

fn forget(hash: u32) {
    if let Some(names) = NAMES.lock().unwrap().as_mut() {
        names.remove(&hash);
    }
}

#[derive(Clone)]
pub struct Unwrapped {
    data: Option<Arc<Vec<u8>>>,
    hash: u32,
}

/// `drop_bad`: of two that drop the last two, each may find the other.
impl Drop for Unwrapped {
    fn drop(&mut self) {
        if Arc::try_unwrap(self.data.take().unwrap()).is_ok() { //~ split_atomic
            forget(self.hash);
        }
    }
}

#[derive(Clone)]
pub struct Counted {
    data: Arc<Vec<u8>>,
    hash: u32,
}

/// `drop_bad`
impl Drop for Counted {
    fn drop(&mut self) {
        if Arc::strong_count(&self.data) > 1 { //~ split_atomic
            return;
        }
        forget(self.hash);
    }
}

#[derive(Clone)]
pub struct Matched {
    data: Option<Arc<Vec<u8>>>,
    sizes: Arc<Mutex<Vec<usize>>>,
}

/// `drop_bad`
impl Drop for Matched {
    fn drop(&mut self) {
        let Some(data) = self.data.take() else { return };
        if let Ok(data) = Arc::try_unwrap(data) { //~ split_atomic
            self.sizes.lock().unwrap().push(data.len());
        }
    }
}

#[derive(Clone)]
pub struct Taken {
    data: Option<Arc<Vec<u8>>>,
    hash: u32,
}

/// `drop_ok`: exactly one of them gets it.
impl Drop for Taken {
    fn drop(&mut self) {
        if self.data.take().and_then(Arc::into_inner).is_some() {
            forget(self.hash);
        }
    }
}

/// Nobody can clone it: the only other owner is whoever it was made for.
pub struct Single {
    data: Arc<Vec<u8>>,
    hash: u32,
}

/// `drop_ok`
impl Drop for Single {
    fn drop(&mut self) {
        if Arc::strong_count(&self.data) == 1 {
            forget(self.hash);
        }
    }
}

#[derive(Clone)]
pub struct Returned {
    data: Option<Arc<Vec<u8>>>,
    spare: Arc<Mutex<Vec<Arc<Vec<u8>>>>>,
}

/// `drop_ok`: who is not the last keeps the handle.
impl Drop for Returned {
    fn drop(&mut self) {
        let Some(data) = self.data.take() else { return };
        match Arc::try_unwrap(data) {
            Ok(data) => drop(data),
            Err(shared) => self.spare.lock().unwrap().push(shared),
        }
    }
}

#[derive(Clone)]
pub struct Locked {
    data: Option<Arc<Vec<u8>>>,
    names: Arc<Mutex<HashMap<u32, Weak<Vec<u8>>>>>,
    hash: u32,
}

/// `drop_ok`: asked and given up under one lock.
impl Drop for Locked {
    fn drop(&mut self) {
        let mut names = self.names.lock().unwrap();
        if let Some(data) = self.data.take() {
            if Arc::strong_count(&data) == 1 {
                names.remove(&self.hash);
            }
        }
    }
}

#[derive(Clone)]
pub struct Told {
    data: Arc<Vec<u8>>,
    seen: Arc<Mutex<usize>>,
}

/// `drop_ok`: the number is only told.
impl Drop for Told {
    fn drop(&mut self) {
        *self.seen.lock().unwrap() = Arc::strong_count(&self.data);
    }
}

/// `take_ok`: its caller learns that there are others.
pub fn take_ok(counted: Arc<Mutex<u32>>) -> Result<u32, Arc<Mutex<u32>>> {
    Arc::try_unwrap(counted).map(|counted| counted.into_inner().unwrap())
}
