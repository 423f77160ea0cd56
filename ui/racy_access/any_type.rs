//! `unsafe impl Send` and `unsafe impl Sync` that ask nothing of a type parameter.
#![allow(non_camel_case_types)]

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A `&Cell<u32>` goes to another thread by it.
pub struct SharedByAll_bad<T> {
    value: Box<T>,
}

unsafe impl<T> Sync for SharedByAll_bad<T> {} //~ racy_access

impl<T> Deref for SharedByAll_bad<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

pub struct SharedByAll_ok<T> {
    value: Box<T>,
}

unsafe impl<T: Sync> Sync for SharedByAll_ok<T> {}

impl<T> Deref for SharedByAll_ok<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// An `Rc` put in by one thread is taken out by another.
pub struct Slot_bad<T> {
    at: *mut T,
}

unsafe impl<T> Send for Slot_bad<T> {} //~ racy_access

impl<T> Slot_bad<T> {
    pub fn new(value: T) -> Self {
        Slot_bad { at: Box::into_raw(Box::new(value)) }
    }

    pub fn into_inner(self) -> T {
        unsafe { *Box::from_raw(self.at) }
    }
}

pub struct Slot_ok<T> {
    at: *mut T,
}

unsafe impl<T: Send> Send for Slot_ok<T> {}

impl<T> Slot_ok<T> {
    pub fn new(value: T) -> Self {
        Slot_ok { at: Box::into_raw(Box::new(value)) }
    }

    pub fn into_inner(self) -> T {
        unsafe { *Box::from_raw(self.at) }
    }
}

/// The bound comes with another trait.
pub trait Message: Send {}

pub struct Mailbox_ok<M> {
    last: UnsafeCell<Option<M>>,
}

unsafe impl<M: Message> Send for Mailbox_ok<M> {}

impl<M: Message> Mailbox_ok<M> {
    pub fn put(&mut self, message: M) {
        *self.last.get_mut() = Some(message);
    }
}

/// There is none inside: it is a number that says of what.
pub struct Id_ok<T> {
    number: u32,
    of: PhantomData<*const T>,
}

unsafe impl<T> Send for Id_ok<T> {}
unsafe impl<T> Sync for Id_ok<T> {}

impl<T> Id_ok<T> {
    pub fn of<'a>(&self, all: &'a [T]) -> &'a T {
        &all[self.number as usize]
    }

    pub fn kind(&self) -> PhantomData<*const T> {
        self.of
    }
}

/// What is handed out is a raw pointer: who follows it is `unsafe` and has to know.
pub struct Link_ok<T> {
    next: AtomicPtr<T>,
}

unsafe impl<T> Sync for Link_ok<T> {}

impl<T> Link_ok<T> {
    pub fn next(&self) -> *mut T {
        self.next.load(Ordering::Acquire)
    }
}

/// Nobody gets at it through a shared reference.
pub struct Locked_ok<T> {
    value: UnsafeCell<T>,
}

unsafe impl<T> Sync for Locked_ok<T> {}

impl<T> Locked_ok<T> {
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

/// Only the module can call it, and has to be careful itself.
pub struct Inner_ok<T> {
    value: UnsafeCell<T>,
}

unsafe impl<T> Sync for Inner_ok<T> {}

impl<T> Inner_ok<T> {
    #[allow(dead_code)]
    fn get(&self) -> &T {
        unsafe { &*self.value.get() }
    }

    /// # Safety
    /// One thread at a time.
    pub unsafe fn get_alone(&self) -> &T {
        unsafe { &*self.value.get() }
    }
}

/// Nobody outside can name it, so what is in it is known.
mod own {
    pub struct Job_ok<F> {
        pub run: F,
    }

    unsafe impl<F> Send for Job_ok<F> {}

    impl<F> Job_ok<F> {
        pub fn into_inner(self) -> F {
            self.run
        }
    }
}

pub fn run() -> u32 {
    own::Job_ok { run: 1 }.into_inner()
}

/// Others cannot name the block, but fill it through the bucket.
struct Block_bad<T> {
    slot: UnsafeCell<Option<T>>,
}

unsafe impl<T> Sync for Block_bad<T> {} //~ racy_access

impl<T> Block_bad<T> {
    pub fn get(&self) -> Option<&T> {
        unsafe { (*self.slot.get()).as_ref() }
    }
}

pub struct Bucket<T> {
    block: Box<Block_bad<T>>,
}

impl<T> Bucket<T> {
    pub fn first(&self) -> Option<&T> {
        self.block.get()
    }
}

/// Here the bucket asks.
struct Block_ok<T> {
    slot: UnsafeCell<Option<T>>,
}

unsafe impl<T> Sync for Block_ok<T> {}

impl<T> Block_ok<T> {
    pub fn get(&self) -> Option<&T> {
        unsafe { (*self.slot.get()).as_ref() }
    }
}

pub struct CarefulBucket<T> {
    block: *const Block_ok<T>,
}

unsafe impl<T: Send + Sync> Sync for CarefulBucket<T> {}

impl<T> CarefulBucket<T> {
    pub fn first(&self) -> Option<&T> {
        unsafe { (*self.block).get() }
    }
}
