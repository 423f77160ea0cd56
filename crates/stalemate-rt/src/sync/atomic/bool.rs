//! The atomic truth value.

use super::{common, operations};
use crate::director::Access;
use std::panic::Location;
use std::sync::atomic::Ordering;

#[repr(transparent)]
pub struct AtomicBool {
    inner: std::sync::atomic::AtomicBool,
}

common!(AtomicBool, bool);

impl AtomicBool {
    operations! {
        Both fetch_and(value: bool, order: Ordering) -> bool;
        Both fetch_nand(value: bool, order: Ordering) -> bool;
        Both fetch_or(value: bool, order: Ordering) -> bool;
        Both fetch_xor(value: bool, order: Ordering) -> bool;
        Both fetch_not(order: Ordering) -> bool;
    }
}
