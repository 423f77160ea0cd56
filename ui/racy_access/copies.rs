//! `unsafe impl Send` for types whose copies share what only one thread may use.
#![allow(non_camel_case_types)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

type Make = dyn Fn(u32) -> Box<dyn Job>;

pub trait Job {
    fn run(&self);
}

pub trait Factory: Send {
    fn copy(&self) -> Box<dyn Factory>;
    fn make(&self, number: u32) -> Box<dyn Job>;
}

/// Each worker has a copy, and all copies call one closure, which is asked to be `Send` alone.
struct OneForAll_bad {
    make: Arc<Make>,
}

unsafe impl Send for OneForAll_bad {} //~ racy_access

pub fn one_for_all<F>(make: F) -> Box<dyn Factory>
where
    F: Fn(u32) -> Box<dyn Job> + Send + 'static,
{
    Box::new(OneForAll_bad { make: Arc::new(move |number| make(number)) })
}

impl Factory for OneForAll_bad {
    fn copy(&self) -> Box<dyn Factory> {
        Box::new(OneForAll_bad { make: self.make.clone() })
    }

    fn make(&self, number: u32) -> Box<dyn Job> {
        (self.make)(number)
    }
}

/// Here it is asked to be `Sync`, too.
struct OneForAll_ok {
    make: Arc<Make>,
}

unsafe impl Send for OneForAll_ok {}

pub fn one_for_all_in_turn<F>(make: F) -> Box<dyn Factory>
where
    F: Fn(u32) -> Box<dyn Job> + Send + Sync + 'static,
{
    Box::new(OneForAll_ok { make: Arc::new(move |number| make(number)) })
}

impl Factory for OneForAll_ok {
    fn copy(&self) -> Box<dyn Factory> {
        Box::new(OneForAll_ok { make: self.make.clone() })
    }

    fn make(&self, number: u32) -> Box<dyn Job> {
        (self.make)(number)
    }
}

/// Each copy has its own.
struct OneForEach_ok<F, J> {
    make: F,
    of: PhantomData<*const J>,
}

unsafe impl<F: Send, J> Send for OneForEach_ok<F, J> {}

pub fn one_for_each<F>(make: F) -> Box<dyn Factory>
where
    F: Fn(u32) -> Box<dyn Job> + Send + Clone + 'static,
{
    Box::new(OneForEach_ok { make, of: PhantomData::<*const u32> })
}

impl<F, J: 'static> Factory for OneForEach_ok<F, J>
where
    F: Fn(u32) -> Box<dyn Job> + Send + Clone + 'static,
{
    fn copy(&self) -> Box<dyn Factory> {
        Box::new(OneForEach_ok { make: self.make.clone(), of: PhantomData::<*const J> })
    }

    fn make(&self, number: u32) -> Box<dyn Job> {
        (self.make)(number)
    }
}

/// A copy by `derive`, and what is inside stands for anything that may go from one thread to the next.
#[derive(Clone)]
pub struct Handle_bad<T> {
    value: Arc<T>,
    of: *const u8,
}

unsafe impl<T: Send> Send for Handle_bad<T> {} //~ racy_access

impl<T> Handle_bad<T> {
    pub fn new(value: T) -> Self {
        Self { value: Arc::new(value), of: std::ptr::null() }
    }

    pub fn with(&self, look: impl FnOnce(&T)) {
        if self.of.is_null() {
            look(&self.value);
        }
    }
}

#[derive(Clone)]
pub struct Handle_ok<T> {
    value: Arc<T>,
    of: *const u8,
}

unsafe impl<T: Send + Sync> Send for Handle_ok<T> {}

impl<T> Handle_ok<T> {
    pub fn new(value: T) -> Self {
        Self { value: Arc::new(value), of: std::ptr::null() }
    }

    pub fn with(&self, look: impl FnOnce(&T)) {
        if self.of.is_null() {
            look(&self.value);
        }
    }
}

/// No copy is ever made: there is one that has it.
pub struct Alone_ok {
    hook: Arc<dyn Fn()>,
}

unsafe impl Send for Alone_ok {}

impl Alone_ok {
    pub fn new(hook: impl Fn() + Send + 'static) -> Self {
        Alone_ok { hook: Arc::new(hook) }
    }

    /// The other owner stays on this thread.
    pub fn call(&self) {
        let hook = self.hook.clone();
        hook();
    }
}

/// Copies take turns, by the lock beside it.
pub struct InTurn_ok {
    turn: Arc<Mutex<()>>,
    hook: Arc<dyn Fn()>,
}

unsafe impl Send for InTurn_ok {}

impl InTurn_ok {
    pub fn new(hook: impl Fn() + Send + 'static) -> Self {
        InTurn_ok { turn: Arc::default(), hook: Arc::new(hook) }
    }

    pub fn copy(&self) -> Self {
        InTurn_ok { turn: self.turn.clone(), hook: self.hook.clone() }
    }

    pub fn call(&self) {
        let _turn = self.turn.lock().unwrap();
        (self.hook)();
    }
}

/// Only what any thread may use is put into it, though its type does not say so.
#[derive(Clone)]
pub struct Named_ok {
    show: Arc<dyn Fn() -> String>,
}

unsafe impl Send for Named_ok {}

impl Named_ok {
    pub fn new(name: &'static str) -> Self {
        Named_ok { show: Arc::new(move || name.to_owned()) }
    }

    pub fn show(&self) -> String {
        (self.show)()
    }
}

/// It has a `Cell` in it that all copies count in.
#[derive(Clone)]
pub struct Counting_bad {
    count: Arc<dyn Fn() -> u32>,
}

unsafe impl Send for Counting_bad {} //~ racy_access

impl Counting_bad {
    pub fn new() -> Self {
        let count = Cell::new(0);
        Counting_bad {
            count: Arc::new(move || {
                count.set(count.get() + 1);
                count.get()
            }),
        }
    }

    pub fn count(&self) -> u32 {
        (self.count)()
    }
}

/// Nobody says that it may leave its thread.
#[derive(Clone)]
pub struct AtHome_ok {
    count: Arc<dyn Fn() -> u32>,
}

impl AtHome_ok {
    pub fn new(count: Rc<Cell<u32>>) -> Self {
        AtHome_ok { count: Arc::new(move || count.get()) }
    }

    pub fn count(&self) -> u32 {
        (self.count)()
    }
}
