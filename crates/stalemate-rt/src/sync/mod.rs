//! `std::sync` with its locks, condition variable and atomics replaced. Everything else is std's own.
//!
//! The errors are std's, so poisoning reads as it always did. The layout is std's too: each type is its namesake and
//! nothing beside it, and what is known of a lock while a schedule is played is kept in the [director](crate::director)
//! under the lock's address.

pub mod atomic;
mod condvar;
mod held;
mod mutex;
mod rwlock;

pub use condvar::{Condvar, WaitTimeoutResult};
pub use mutex::{Mutex, MutexGuard};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::*;
