//! `std::sync::Mutex` that tells when it is taken and let go.
//!
//! The struct ends in std's, whose last field is the data: so `Arc<Mutex<T>>` becomes `Arc<Mutex<dyn Trait>>` as ever.

use super::held::{Held, address, map, take, try_map, try_take};
use crate::director::Mode;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::{LockResult, TryLockResult};

#[derive(Default)]
#[repr(transparent)]
pub struct Mutex<T: ?Sized> {
    pub(super) inner: std::sync::Mutex<T>,
}

impl<T> Mutex<T> {
    #[inline]
    pub const fn new(value: T) -> Mutex<T> {
        Mutex { inner: std::sync::Mutex::new(value) }
    }

    pub fn into_inner(self) -> LockResult<T> {
        self.inner.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.lock_at(Location::caller())
    }

    pub(super) fn lock_at(&self, site: &'static Location<'static>) -> LockResult<MutexGuard<'_, T>> {
        let taken = take(address(self), Mode::Write, site, || self.inner.lock());
        map(taken, |(inner, held)| MutexGuard { inner, held, lock: self })
    }

    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let taken = try_take(address(self), Mode::Write, Location::caller(), || self.inner.try_lock());
        try_map(taken, |(inner, held)| MutexGuard { inner, held, lock: self })
    }

    pub fn is_poisoned(&self) -> bool {
        self.inner.is_poisoned()
    }

    pub fn clear_poison(&self) {
        self.inner.clear_poison();
    }

    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        self.inner.get_mut()
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Mutex<T> {
        Mutex::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// For functions of crates that know std's own.
impl<T: ?Sized> Deref for Mutex<T> {
    type Target = std::sync::Mutex<T>;

    fn deref(&self) -> &std::sync::Mutex<T> {
        &self.inner
    }
}

#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized + 'a> {
    pub(super) inner: std::sync::MutexGuard<'a, T>,
    pub(super) held: Held,
    pub(super) lock: &'a Mutex<T>,
}

// SAFETY: a shared guard gives shared access to the data alone; the reference to the lock is never handed out.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
