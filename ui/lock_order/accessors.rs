//! The same lock of two objects, taken through functions that give the guard.
#![allow(dead_code)]

use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub struct Storage(Vec<f32>);

#[derive(Clone)]
pub struct Tensor {
    number: u32,
    storage: Arc<RwLock<Storage>>,
}

fn add_into(to: &mut Storage, from: &Storage) {
    to.0.iter_mut().zip(&from.0).for_each(|(to, from)| *to += from);
}

impl Tensor {
    fn storage(&self) -> RwLockReadGuard<'_, Storage> {
        self.storage.read().unwrap()
    }

    fn storage_mut(&self) -> RwLockWriteGuard<'_, Storage> {
        self.storage.write().unwrap()
    }

    /// `a.add(b)` and `b.add(a)` wait for each other, and `a.add(a)` for itself.
    pub fn add_bad(&self, other: &Tensor) {
        add_into(&mut self.storage_mut(), &other.storage()) //~ lock_order
    }

    /// One after the other.
    pub fn add_ok(&self, other: &Tensor) {
        let from = Storage(other.storage().0.clone());
        add_into(&mut self.storage_mut(), &from)
    }

    /// In the order of their numbers.
    pub fn add_in_order_ok(&self, other: &Tensor) {
        if self.number < other.number {
            let mut to = self.storage_mut();
            add_into(&mut to, &other.storage())
        } else {
            let from = other.storage();
            add_into(&mut self.storage_mut(), &from)
        }
    }

    /// Both only read.
    pub fn dot_ok(&self, other: &Tensor) -> f32 {
        let (one, other) = (self.storage(), other.storage());
        one.0.iter().zip(&other.0).map(|(one, other)| one * other).sum()
    }

    fn len(&self) -> usize {
        self.storage().0.len()
    }

    /// What a function does within itself is its own business: it may be called on anything.
    pub fn longer_ok(&self, other: &Tensor) -> bool {
        let storage = self.storage_mut();
        storage.0.len() > other.len()
    }
}
