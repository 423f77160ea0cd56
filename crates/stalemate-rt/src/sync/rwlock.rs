//! `std::sync::RwLock` that tells when it is taken and let go, and in which mode.

use super::held::{Held, address, map, take, try_map, try_take};
use crate::director::Mode;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::{LockResult, TryLockResult};

#[derive(Default)]
#[repr(transparent)]
pub struct RwLock<T: ?Sized> {
    inner: std::sync::RwLock<T>,
}

impl<T> RwLock<T> {
    #[inline]
    pub const fn new(value: T) -> RwLock<T> {
        RwLock { inner: std::sync::RwLock::new(value) }
    }

    pub fn into_inner(self) -> LockResult<T> {
        self.inner.into_inner()
    }
}

impl<T: ?Sized> RwLock<T> {
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let taken = take(address(self), Mode::Read, Location::caller(), || self.inner.read());
        map(taken, |(inner, held)| RwLockReadGuard { inner, held })
    }

    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let taken = try_take(address(self), Mode::Read, Location::caller(), || self.inner.try_read());
        try_map(taken, |(inner, held)| RwLockReadGuard { inner, held })
    }

    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let taken = take(address(self), Mode::Write, Location::caller(), || self.inner.write());
        map(taken, |(inner, held)| RwLockWriteGuard { inner, held })
    }

    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let taken = try_take(address(self), Mode::Write, Location::caller(), || self.inner.try_write());
        try_map(taken, |(inner, held)| RwLockWriteGuard { inner, held })
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

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> RwLock<T> {
        RwLock::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// For functions of crates that know std's own.
impl<T: ?Sized> Deref for RwLock<T> {
    type Target = std::sync::RwLock<T>;

    fn deref(&self) -> &std::sync::RwLock<T> {
        &self.inner
    }
}

#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized + 'a> {
    inner: std::sync::RwLockReadGuard<'a, T>,
    #[expect(dead_code, reason = "its drop is what it is for")]
    held: Held,
}

#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a> {
    inner: std::sync::RwLockWriteGuard<'a, T>,
    #[cfg_attr(not(has_downgrade), expect(dead_code, reason = "its drop is what it is for"))]
    held: Held,
}

#[cfg(has_downgrade)]
impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    #[expect(clippy::incompatible_msrv, reason = "the build script has asked whether it is there")]
    pub fn downgrade(this: Self) -> RwLockReadGuard<'a, T> {
        let RwLockWriteGuard { inner, held } = this;
        if crate::hook::active() {
            crate::director::downgraded(held.object);
        }
        RwLockReadGuard { inner: std::sync::RwLockWriteGuard::downgrade(inner), held }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

/// Both guards show what they guard.
macro_rules! show {
    ($($guard:ident)*) => {$(
        impl<T: ?Sized + fmt::Debug> fmt::Debug for $guard<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $guard<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }
    )*};
}

show! { RwLockReadGuard RwLockWriteGuard }
