//! Names every library, so that the compiler loads it; and a lock of a crate that is not read.

pub use {
    arc_swap, async_lock, crossbeam_skiplist, crossbeam_utils, dashmap, event_listener, futures_channel, futures_util, lock_api, parking_lot,
    portable_atomic, rayon, scc, spin, tokio, tracing_subscriber,
};

/// A wrapper around a lock that the models know.
pub struct Wrapped<T>(parking_lot::RwLock<T>);

impl<T> Wrapped<T> {
    pub fn new(value: T) -> Wrapped<T> {
        Wrapped(parking_lot::RwLock::new(value))
    }

    pub fn read(&self) -> parking_lot::RwLockReadGuard<'_, T> {
        self.0.read()
    }

    pub fn try_read(&self) -> Option<parking_lot::RwLockReadGuard<'_, T>> {
        self.0.try_read()
    }

    pub fn write(&self) -> parking_lot::MappedRwLockWriteGuard<'_, T> {
        parking_lot::RwLockWriteGuard::map(self.0.write(), |value| value)
    }
}
