//! Stands in for `std` in a crate that is to be driven through chosen schedules.
//!
//! `cargo stalemate confirm` compiles this crate with the user's own toolchain and hands it to the compiler as
//! `--extern std=..`: the user's sources stay as they are, and their locks, condition variables and atomics are the
//! ones of [`sync`]. Everything else is std itself.
//!
//! - [`sync`]: the wrappers. They cost one relaxed load as long as nobody directs;
//! - [`foreign`]: what the changed sources of other crates of locks tell;
//! - [`tasks`]: the same for locks that futures wait for, and threads that run a future;
//! - [`hook`]: whether anybody does;
//! - [`director`]: who holds what, who waits for whom, and whose turn it is;
//! - [`witness`]: two functions run in both serial orders and in chosen interleavings, and what came of it;
//! - [`watchdog`]: the end of every run that does not end by itself.
//!
//! It is handed over as `core` too: a crate that takes one and the same atomic from both must get the same type. Locks that
//! are built on `lock_api` are known through [`foreign`], those of `tokio` through [`tasks`]. Others are not known as locks, but where such a crate is compiled
//! against the facade its atomics are points like all others, and a thread can be held up between two of its sections.
//!
//! What is not seen: plain memory, `Once` and its kin, channels, threads that wait for one another, `alloc` by that name. A schedule that hangs on one of these is given up after a bounded time.

pub use std::*;

pub mod director;
pub mod foreign;
mod hook;
mod json;
pub mod site;
pub mod sync;
pub mod tasks;
pub mod watchdog;
pub mod witness;
