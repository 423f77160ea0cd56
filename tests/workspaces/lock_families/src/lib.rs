//! Names every library, so that the compiler loads it.

pub use {async_lock, crossbeam_skiplist, dashmap, futures_util, lock_api, parking_lot, scc, spin, tokio};
