//! What a guard carries beside std's guard: enough to say which lock is let go, and where it was taken.

use crate::director::{self, Mode};
use crate::hook::{self, stay_on_the_stack};
use std::panic::Location;
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// Says so when it is dropped. A guard names it after std's guard, so that by then the lock is free.
pub(super) struct Held {
    pub(super) object: usize,
    pub(super) site: &'static Location<'static>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if hook::active() {
            director::released(self.object, self.site);
        }
    }
}

/// Where a lock lies. Two locks of size zero cannot share a place: std's are never of size zero.
pub(super) fn address<T: ?Sized>(lock: &T) -> usize {
    std::ptr::from_ref(lock).cast::<()>() as usize
}

/// Takes a lock by a call that may block.
pub(super) fn take<G>(
    object: usize,
    mode: Mode,
    site: &'static Location<'static>,
    lock: impl FnOnce() -> LockResult<G>,
) -> LockResult<(G, Held)> {
    if hook::active() {
        stalemate_asks(object, mode, site);
    }
    let guard = lock();
    if hook::active() {
        director::acquired(object, mode, site);
    }
    let held = Held { object, site };
    match guard {
        Ok(guard) => Ok((guard, held)),
        Err(poisoned) => Err(PoisonError::new((poisoned.into_inner(), held))),
    }
}

/// Found on stacks by its name: the user's frames are below.
#[inline(never)]
fn stalemate_asks(object: usize, mode: Mode, site: &'static Location<'static>) {
    director::acquiring(object, mode, site);
    stay_on_the_stack();
}

/// Takes a lock by a call that never blocks.
pub(super) fn try_take<G>(
    object: usize,
    mode: Mode,
    site: &'static Location<'static>,
    lock: impl FnOnce() -> TryLockResult<G>,
) -> TryLockResult<(G, Held)> {
    if hook::active() {
        director::trying(object, site);
    }
    let guard = match lock() {
        Err(TryLockError::WouldBlock) => return Err(TryLockError::WouldBlock),
        guard => guard,
    };
    if hook::active() {
        director::acquired(object, mode, site);
    }
    let held = Held { object, site };
    match guard {
        Ok(guard) => Ok((guard, held)),
        Err(TryLockError::Poisoned(poisoned)) => {
            Err(TryLockError::Poisoned(PoisonError::new((poisoned.into_inner(), held))))
        }
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
    }
}

/// The same result with another guard in it, poisoned or not.
pub(super) fn map<G, H>(result: LockResult<G>, with: impl FnOnce(G) -> H) -> LockResult<H> {
    match result {
        Ok(guard) => Ok(with(guard)),
        Err(poisoned) => Err(PoisonError::new(with(poisoned.into_inner()))),
    }
}

pub(super) fn try_map<G, H>(result: TryLockResult<G>, with: impl FnOnce(G) -> H) -> TryLockResult<H> {
    match result {
        Ok(guard) => Ok(with(guard)),
        Err(TryLockError::Poisoned(poisoned)) => {
            Err(TryLockError::Poisoned(PoisonError::new(with(poisoned.into_inner()))))
        }
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
    }
}
