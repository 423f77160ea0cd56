//! Names every library, so that the compiler loads it.

pub use {async_lock, dashmap, futures_util, lock_api, parking_lot, spin, tokio};
