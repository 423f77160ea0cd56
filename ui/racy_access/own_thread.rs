//! State of one thread, in an object that all may call: who is asked for first.
#![allow(dead_code)]

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

pub struct Queue {
    owner: ThreadId,
    here: UnsafeCell<VecDeque<u32>>,
    elsewhere: Mutex<VecDeque<u32>>,
}

unsafe impl Send for Queue {}
unsafe impl Sync for Queue {}

impl Queue {
    pub fn push_ok(&self, task: u32) {
        if self.owner == thread::current().id() {
            unsafe { (*self.here.get()).push_back(task) };
        } else {
            self.elsewhere.lock().unwrap().push_back(task);
        }
    }

    pub fn pop_ok(&self) -> Option<u32> {
        if self.owner != thread::current().id() {
            return self.elsewhere.lock().unwrap().pop_front();
        }
        unsafe { (*self.here.get()).pop_front() }
    }

    /// Called by the owner.
    pub fn clear_ok(&self) {
        unsafe { (*self.here.get()).clear() };
    }
}

/// It is asked for, and then forgotten.
pub struct Asked {
    owner: ThreadId,
    tasks: UnsafeCell<VecDeque<u32>>,
}

unsafe impl Sync for Asked {}

impl Asked {
    pub fn push_bad(&self, task: u32) {
        if self.owner != thread::current().id() {
            eprintln!("not here");
        }
        unsafe { (*self.tasks.get()).push_back(task) }; //~ racy_access
    }
}

/// Each thread has a value of its own.
pub struct PerThread<T> {
    values: Vec<UnsafeCell<Option<T>>>,
}

unsafe impl<T: Send> Sync for PerThread<T> {}

thread_local!(static NUMBER: usize = const { 0 });

fn number() -> usize {
    NUMBER.with(|number| *number)
}

impl<T> PerThread<T> {
    pub fn get_ok(&self) -> Option<&T> {
        unsafe { (*self.values[number()].get()).as_ref() }
    }
}

/// The same for every thread.
pub struct ForAll<T> {
    values: Vec<UnsafeCell<Option<T>>>,
}

unsafe impl<T: Send> Sync for ForAll<T> {} //~ racy_access

impl<T> ForAll<T> {
    pub fn get_bad(&self, number: usize) -> Option<&T> {
        unsafe { (*self.values[number].get()).as_ref() }
    }
}
