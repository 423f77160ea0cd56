//! The atomic pointer.

use super::{common, operations};
use crate::director::Access;
use std::fmt;
use std::panic::Location;
use std::sync::atomic::Ordering;

#[repr(transparent)]
pub struct AtomicPtr<T> {
    inner: std::sync::atomic::AtomicPtr<T>,
}

common!(AtomicPtr<T>, *mut T);

impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.inner, f)
    }
}
