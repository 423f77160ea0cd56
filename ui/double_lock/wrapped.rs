//! A lock of another crate that is nothing but a wrapper around one that is known: what its functions do is told by their types.
#![allow(dead_code)]

use lock_families::Wrapped;
use parking_lot::{MappedRwLockReadGuard, RwLockReadGuard};
use std::sync::Arc;

pub struct Inner {
    input: u32,
    frame: u32,
}

#[derive(Clone)]
pub struct Context(Arc<Wrapped<Inner>>);

impl Context {
    fn input(&self) -> MappedRwLockReadGuard<'_, u32> {
        RwLockReadGuard::map(self.0.read(), |inner| &inner.input)
    }

    fn write<R>(&self, with: impl FnOnce(&mut Inner) -> R) -> R {
        with(&mut self.0.write())
    }

    fn frame(&self) -> u32 {
        self.0.read().frame
    }

    pub fn request_repaint(&self) {
        self.write(|inner| inner.frame += 1);
    }

    /// Both guards live to the end of the statement, and `request_repaint` may come in between.
    pub fn pressed_bad(&self) -> u32 {
        let both = *self.input() + *self.input(); //~ double_lock
        both
    }

    pub fn pressed_ok(&self) -> u32 {
        let one = *self.input();
        let other = *self.input();
        one + other
    }

    /// The reference keeps the guard.
    pub fn kept_bad(&self) -> bool {
        let input = &*self.input();
        *input > 0 || *self.input() > 1 //~ double_lock
    }

    /// What runs under the lock takes it again.
    pub fn interact_bad(&self) {
        self.write(|inner| { //~ double_lock
            inner.input = self.frame();
        });
    }

    pub fn interact_ok(&self) {
        let frame = self.frame();
        self.write(|inner| {
            inner.input = frame;
        });
    }

    /// Asks, and does not wait.
    pub fn try_ok(&self) -> bool {
        let input = self.input();
        self.0.try_read().is_some_and(|again| again.input == *input)
    }

    /// Another object.
    pub fn two_ok(&self, other: &Context) -> u32 {
        let input = self.input();
        *input + other.frame()
    }
}
