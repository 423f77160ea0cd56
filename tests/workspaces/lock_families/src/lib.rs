//! Names every library, so that the compiler loads it.

pub use {
    async_lock, crossbeam_skiplist, crossbeam_utils, dashmap, futures_channel, futures_util, lock_api, parking_lot, rayon,
    scc, spin, tokio,
};
