//! The atomic integers, as many as the target has.

use super::{common, operations};
use crate::director::Access;
use std::panic::Location;
use std::sync::atomic::Ordering;

macro_rules! int {
    ($($bits:literal $atomic:ident $int:ident;)*) => {$(
        #[cfg(target_has_atomic = $bits)]
        #[repr(transparent)]
        pub struct $atomic {
            inner: std::sync::atomic::$atomic,
        }

        #[cfg(target_has_atomic = $bits)]
        common!($atomic, $int);

        #[cfg(target_has_atomic = $bits)]
        impl $atomic {
            operations! {
                Both fetch_add(value: $int, order: Ordering) -> $int;
                Both fetch_sub(value: $int, order: Ordering) -> $int;
                Both fetch_and(value: $int, order: Ordering) -> $int;
                Both fetch_nand(value: $int, order: Ordering) -> $int;
                Both fetch_or(value: $int, order: Ordering) -> $int;
                Both fetch_xor(value: $int, order: Ordering) -> $int;
                Both fetch_max(value: $int, order: Ordering) -> $int;
                Both fetch_min(value: $int, order: Ordering) -> $int;
            }
        }
    )*};
}

int! {
    "8" AtomicI8 i8;
    "8" AtomicU8 u8;
    "16" AtomicI16 i16;
    "16" AtomicU16 u16;
    "32" AtomicI32 i32;
    "32" AtomicU32 u32;
    "64" AtomicI64 i64;
    "64" AtomicU64 u64;
    "ptr" AtomicIsize isize;
    "ptr" AtomicUsize usize;
}
