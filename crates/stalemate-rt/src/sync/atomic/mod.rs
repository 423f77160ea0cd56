//! `std::sync::atomic` whose every operation is told before and after.
//!
//! A method that is not wrapped here (those of `AtomicPtr` that calculate, and what only a nightly has) is reached
//! through `Deref`: it works, and nobody is told. `Deref` also lets a `&AtomicBool` be handed to a crate that knows
//! std's own.

mod bool;
mod int;
mod pointer;

pub use self::bool::AtomicBool;
#[cfg(target_has_atomic = "8")]
pub use int::{AtomicI8, AtomicU8};
#[cfg(target_has_atomic = "16")]
pub use int::{AtomicI16, AtomicU16};
#[cfg(target_has_atomic = "32")]
pub use int::{AtomicI32, AtomicU32};
#[cfg(target_has_atomic = "64")]
pub use int::{AtomicI64, AtomicU64};
#[cfg(target_has_atomic = "ptr")]
pub use int::{AtomicIsize, AtomicUsize};
pub use pointer::AtomicPtr;
pub use std::sync::atomic::*;

use crate::director::{self, Access};
use crate::hook;
use std::panic::Location;

/// Old crates begin with these.
macro_rules! first_values {
    ($($bits:literal $name:ident $atomic:ident $value:literal;)*) => {$(
        #[cfg(target_has_atomic = $bits)]
        #[deprecated(note = "the `new` function is now preferred")]
        #[expect(clippy::declare_interior_mutable_const, reason = "as std declares it")]
        pub const $name: $atomic = $atomic::new($value);
    )*};
}

first_values! {
    "8" ATOMIC_BOOL_INIT AtomicBool false;
    "8" ATOMIC_I8_INIT AtomicI8 0;
    "8" ATOMIC_U8_INIT AtomicU8 0;
    "16" ATOMIC_I16_INIT AtomicI16 0;
    "16" ATOMIC_U16_INIT AtomicU16 0;
    "32" ATOMIC_I32_INIT AtomicI32 0;
    "32" ATOMIC_U32_INIT AtomicU32 0;
    "64" ATOMIC_I64_INIT AtomicI64 0;
    "64" ATOMIC_U64_INIT AtomicU64 0;
    "ptr" ATOMIC_ISIZE_INIT AtomicIsize 0;
    "ptr" ATOMIC_USIZE_INIT AtomicUsize 0;
}

/// One operation, told before and after.
#[inline]
fn told<R>(object: usize, access: Access, site: &'static Location<'static>, operation: impl FnOnce() -> R) -> R {
    if !hook::active() {
        return operation();
    }
    director::touching(object, access, site);
    let result = operation();
    director::touched(object, access, site);
    result
}

/// `name(arguments) -> result` for operations that only pass on what they are given.
macro_rules! operations {
    ($($access:ident $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
        #[inline]
        #[track_caller]
        pub fn $name(&self, $($argument: $type),*) $(-> $result)? {
            super::told(self.address(), Access::$access, Location::caller(), || self.inner.$name($($argument),*))
        }
    )*};
}

/// What all atomics have, whatever is in them.
macro_rules! common {
    ($atomic:ident $(<$parameter:ident>)?, $value:ty) => {
        impl $(<$parameter>)? $atomic $(<$parameter>)? {
            #[inline]
            pub const fn new(value: $value) -> Self {
                Self { inner: std::sync::atomic::$atomic::new(value) }
            }

            /// # Safety
            ///
            /// As for the method of std.
            #[inline]
            pub const unsafe fn from_ptr<'a>(ptr: *mut $value) -> &'a Self {
                // SAFETY: the layout is that of std's atomic, and the rest is the caller's promise.
                unsafe { &*ptr.cast() }
            }

            #[inline]
            pub fn get_mut(&mut self) -> &mut $value {
                self.inner.get_mut()
            }

            #[inline]
            pub const fn into_inner(self) -> $value {
                self.inner.into_inner()
            }

            #[inline]
            pub const fn as_ptr(&self) -> *mut $value {
                self.inner.as_ptr()
            }

            fn address(&self) -> usize {
                std::ptr::from_ref(self) as usize
            }

            operations! {
                Read load(order: Ordering) -> $value;
                Write store(value: $value, order: Ordering);
                Both swap(value: $value, order: Ordering) -> $value;
                Both compare_exchange(current: $value, new: $value, success: Ordering, failure: Ordering)
                    -> Result<$value, $value>;
                Both compare_exchange_weak(current: $value, new: $value, success: Ordering, failure: Ordering)
                    -> Result<$value, $value>;
            }

            #[deprecated(note = "use `compare_exchange` or `compare_exchange_weak` instead")]
            #[track_caller]
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                let failure = match order {
                    Ordering::Release | Ordering::Relaxed => Ordering::Relaxed,
                    Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
                    _ => Ordering::SeqCst,
                };
                self.compare_exchange(current, new, order, failure).unwrap_or_else(|seen| seen)
            }

            #[track_caller]
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut with: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                self.try_update(set, fetch, &mut with)
            }

            #[track_caller]
            pub fn try_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut with: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                super::told(self.address(), Access::Both, Location::caller(), || {
                    let mut seen = self.inner.load(fetch);
                    while let Some(next) = with(seen) {
                        match self.inner.compare_exchange_weak(seen, next, set, fetch) {
                            done @ Ok(_) => return done,
                            Err(other) => seen = other,
                        }
                    }
                    Err(seen)
                })
            }

            #[track_caller]
            pub fn update(&self, set: Ordering, fetch: Ordering, mut with: impl FnMut($value) -> $value) -> $value {
                self.try_update(set, fetch, |value| Some(with(value))).unwrap_or_else(|seen| seen)
            }
        }

        impl $(<$parameter>)? Default for $atomic $(<$parameter>)? {
            fn default() -> Self {
                Self { inner: Default::default() }
            }
        }

        impl $(<$parameter>)? From<$value> for $atomic $(<$parameter>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }

        impl $(<$parameter>)? std::fmt::Debug for $atomic $(<$parameter>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.inner, f)
            }
        }

        impl $(<$parameter>)? std::ops::Deref for $atomic $(<$parameter>)? {
            type Target = std::sync::atomic::$atomic $(<$parameter>)?;

            fn deref(&self) -> &Self::Target {
                &self.inner
            }
        }
    };
}

use {common, operations};
