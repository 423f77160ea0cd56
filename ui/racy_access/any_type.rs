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

/// Two threads at once have a `&Cell`, though it may only go from one to the other.
pub struct Shelf_bad<T> {
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send> Sync for Shelf_bad<T> {} //~ racy_access

impl<T> Shelf_bad<T> {
    pub fn get(&self) -> Option<&T> {
        unsafe { (*self.value.get()).as_ref() }
    }
}

pub struct Shelf_ok<T> {
    value: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send + Sync> Sync for Shelf_ok<T> {}

impl<T> Shelf_ok<T> {
    pub fn get(&self) -> Option<&T> {
        unsafe { (*self.value.get()).as_ref() }
    }
}

/// One at a time has it, behind a guard: going from one to the next is all that happens.
pub struct Turns_ok<T> {
    value: UnsafeCell<Option<T>>,
}

pub struct Turn<'a, T> {
    pub value: &'a mut Option<T>,
}

unsafe impl<T: Send> Sync for Turns_ok<T> {}

impl<T> Turns_ok<T> {
    /// # Safety
    /// One at a time.
    pub unsafe fn turn(&self) -> Turn<'_, T> {
        Turn { value: unsafe { &mut *self.value.get() } }
    }

    pub fn get_mut(&mut self) -> Option<&T> {
        unsafe { (*self.value.get()).as_ref() }
    }
}

/// Made by a function that stands beside it.
pub struct Writer_bad<H> {
    at: *mut u8,
    handler: H,
}

pub trait Handler {
    fn handle(&mut self, at: *mut u8);
}

unsafe impl<H: Handler> Send for Writer_bad<H> {} //~ racy_access

impl<H: Handler> Writer_bad<H> {
    pub fn write(&mut self) {
        self.handler.handle(self.at);
    }
}

pub fn writer<H: Handler>(handler: H) -> Option<Writer_bad<H>> {
    Some(Writer_bad { at: std::ptr::null_mut(), handler })
}

/// What the parameter stands for has a name of its own there, and is asked for.
pub struct Writer_ok<H> {
    at: *mut u8,
    handler: H,
}

unsafe impl<H: Handler + Send> Send for Writer_ok<H> {}

impl<H: Handler> Writer_ok<H> {
    pub fn write(&mut self) {
        self.handler.handle(self.at);
    }
}

pub fn careful_writer<H: Handler>(handler: H) -> Option<Writer_ok<H>> {
    Some(Writer_ok { at: std::ptr::null_mut(), handler })
}

/// The type around it asks, by another field.
struct Map_ok<S> {
    hasher: UnsafeCell<S>,
}

unsafe impl<S> Send for Map_ok<S> {}
unsafe impl<S> Sync for Map_ok<S> {}

impl<S> Map_ok<S> {
    pub fn hasher(&self) -> &S {
        unsafe { &*self.hasher.get() }
    }
}

pub struct Cache<S> {
    map: Box<Map_ok<S>>,
    policy: S,
}

impl<S> Cache<S> {
    pub fn both(&self) -> (&S, &S) {
        (&self.policy, self.map.hasher())
    }
}

/// Filled with something that has the parameter in it.
struct Box_bad<T> {
    value: AtomicPtr<T>,
}

unsafe impl<T> Sync for Box_bad<T> {} //~ racy_access

impl<T> Box_bad<T> {
    pub fn get(&self) -> &T {
        unsafe { &*self.value.load(Ordering::Acquire) }
    }
}

pub struct Table<K> {
    rows: Vec<Box_bad<Vec<K>>>,
}

impl<K> Table<K> {
    pub fn row(&self, at: usize) -> &[K] {
        self.rows[at].get()
    }
}
