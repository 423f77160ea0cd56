//! `java.util.Vector` and `java.lang.StringBuffer`, carried over: each method takes the lock, and a method that calls two of
//! them on another object is not atomic, though everything in it is synchronized.
#![allow(dead_code)]

use stalemate_attr::atomic;
use std::sync::Mutex;

pub struct StringBuffer {
    text: Mutex<Vec<char>>,
}

impl StringBuffer {
    #[atomic]
    pub fn length(&self) -> usize {
        self.text.lock().unwrap().len()
    }

    #[atomic]
    pub fn get_chars(&self, end: usize) -> Vec<char> {
        self.text.lock().unwrap()[..end].to_vec()
    }

    #[atomic]
    pub fn delete(&self) {
        self.text.lock().unwrap().clear();
    }

    /// `other` may be shortened between the two calls.
    #[atomic]
    pub fn append_bad(&self, other: &StringBuffer) {
        let mut text = self.text.lock().unwrap();
        let length = other.length();
        let chars = other.get_chars(length); //~ not_atomic
        text.extend(chars);
    }

    /// Both locks, until all is done: atomic, but two buffers that are appended to each other wait for ever.
    #[atomic]
    pub fn append_both_bad(&self, other: &StringBuffer) {
        let mut text = self.text.lock().unwrap();
        let other = other.text.lock().unwrap(); //~ lock_order
        text.extend(other.iter());
    }

    /// Both locks, in one order for both.
    #[atomic]
    pub fn append_ok(&self, other: &StringBuffer) {
        if std::ptr::from_ref(self) < std::ptr::from_ref(other) {
            let mut text = self.text.lock().unwrap();
            let other = other.text.lock().unwrap();
            text.extend(other.iter());
        } else {
            let other = other.text.lock().unwrap();
            let mut text = self.text.lock().unwrap();
            text.extend(other.iter());
        }
    }
}

pub struct Vector {
    elements: Mutex<Vec<u32>>,
}

impl Vector {
    #[atomic]
    pub fn size(&self) -> usize {
        self.elements.lock().unwrap().len()
    }

    #[atomic]
    pub fn to_array(&self, into: &mut Vec<u32>) {
        into.extend(self.elements.lock().unwrap().iter());
    }

    /// The constructor from another collection: its size may change before it is copied.
    #[atomic]
    pub fn copy_bad(other: &Vector) -> Vector {
        let mut elements = Vec::with_capacity(other.size());
        other.to_array(&mut elements); //~ not_atomic
        Vector { elements: Mutex::new(elements) }
    }

    #[atomic]
    pub fn copy_ok(other: &Vector) -> Vector {
        Vector { elements: Mutex::new(other.elements.lock().unwrap().clone()) }
    }

    #[atomic]
    pub fn last_index_bad(&self, element: u32) -> Option<usize> {
        let size = self.size();
        self.index_before(element, size) //~ not_atomic
    }

    fn index_before(&self, element: u32, end: usize) -> Option<usize> {
        let elements = self.elements.lock().unwrap();
        elements.iter().take(end).rposition(|&other| other == element)
    }
}
