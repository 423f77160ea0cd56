//! The same lock of two objects that a function is given: which of them comes first must not depend on who calls.
#![allow(dead_code)]

use std::sync::{Arc, Mutex};

pub struct Node {
    id: u64,
    links: Mutex<Vec<u64>>,
}

impl Node {
    pub fn link_bad(&self, other: &Node) {
        if self.id == other.id {
            return;
        }
        let mut own = self.links.lock().unwrap();
        let mut theirs = other.links.lock().unwrap(); //~ lock_order
        own.push(other.id);
        theirs.push(self.id);
    }

    /// The smaller id first, whoever calls.
    pub fn link_ok(&self, other: &Node) {
        if self.id == other.id {
            return;
        }
        if self.id < other.id {
            let mut own = self.links.lock().unwrap();
            let mut theirs = other.links.lock().unwrap();
            own.push(other.id);
            theirs.push(self.id);
        } else {
            let mut theirs = other.links.lock().unwrap();
            let mut own = self.links.lock().unwrap();
            own.push(other.id);
            theirs.push(self.id);
        }
    }

    /// The same with `cmp`.
    pub fn unlink_ok(&self, other: &Node) {
        let (first, second) = match self.id.cmp(&other.id) {
            std::cmp::Ordering::Less => (self, other),
            std::cmp::Ordering::Greater => (other, self),
            std::cmp::Ordering::Equal => return,
        };
        let mut one = first.links.lock().unwrap();
        let mut two = second.links.lock().unwrap();
        one.clear();
        two.clear();
    }

    /// By where they are.
    pub fn swap_ok(self: &Arc<Self>, other: &Arc<Node>) {
        if Arc::as_ptr(self) < Arc::as_ptr(other) {
            let mut own = self.links.lock().unwrap();
            let mut theirs = other.links.lock().unwrap();
            std::mem::swap(&mut *own, &mut *theirs);
        } else if Arc::as_ptr(self) > Arc::as_ptr(other) {
            let mut theirs = other.links.lock().unwrap();
            let mut own = self.links.lock().unwrap();
            std::mem::swap(&mut *own, &mut *theirs);
        }
    }
}
