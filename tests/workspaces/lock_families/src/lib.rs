//! Names every library, so that the compiler loads it.

pub use {
    arc_swap, async_lock, crossbeam_skiplist, crossbeam_utils, dashmap, futures_util, lock_api, parking_lot,
    portable_atomic, rayon, scc, spin, tokio,
};
