//! `std::sync::Condvar`. While a schedule is played the waiting is the director's: a thread that is held up between
//! letting the mutex go and coming back must not miss the notification it would have got from std.

use super::held::{Held, address, map};
use super::mutex::MutexGuard;
use crate::director::{self, Wakes};
use crate::hook;
use std::fmt;
use std::panic::Location;
use std::sync::{LockResult, PoisonError};
use std::time::{Duration, Instant};

#[derive(Default)]
#[repr(transparent)]
pub struct Condvar {
    inner: std::sync::Condvar,
}

/// std's cannot be made by others.
#[derive(Debug, PartialEq, Eq, Copy, Clone)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

type TimedOut<'a, T> = LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>;

impl Condvar {
    #[must_use]
    #[inline]
    pub const fn new() -> Condvar {
        Condvar { inner: std::sync::Condvar::new() }
    }

    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        map(self.wait_at(guard, None, Location::caller()), |(guard, _)| guard)
    }

    #[track_caller]
    pub fn wait_while<'a, T, F>(&self, mut guard: MutexGuard<'a, T>, mut condition: F) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        let site = Location::caller();
        while condition(&mut *guard) {
            guard = map(self.wait_at(guard, None, site), |(guard, _)| guard)?;
        }
        Ok(guard)
    }

    #[track_caller]
    pub fn wait_timeout<'a, T>(&self, guard: MutexGuard<'a, T>, time: Duration) -> TimedOut<'a, T> {
        self.wait_at(guard, Some(time), Location::caller())
    }

    #[deprecated(note = "replaced by `std::sync::Condvar::wait_timeout`")]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(&self, guard: MutexGuard<'a, T>, ms: u32) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let waited = self.wait_at(guard, Some(Duration::from_millis(ms.into())), Location::caller());
        map(waited, |(guard, result)| (guard, !result.timed_out()))
    }

    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        time: Duration,
        mut condition: F,
    ) -> TimedOut<'a, T>
    where
        F: FnMut(&mut T) -> bool,
    {
        let (site, start) = (Location::caller(), Instant::now());
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            let Some(left) = time.checked_sub(start.elapsed()) else { return Ok((guard, WaitTimeoutResult(true))) };
            guard = map(self.wait_at(guard, Some(left), site), |(guard, _)| guard)
                .map_err(|poisoned| PoisonError::new((poisoned.into_inner(), WaitTimeoutResult(false))))?;
        }
    }

    #[track_caller]
    pub fn notify_one(&self) {
        if !hook::active() || director::notify_one(address(self), Location::caller()) {
            self.inner.notify_one();
        }
    }

    #[track_caller]
    pub fn notify_all(&self) {
        if hook::active() {
            director::notify_all(address(self), Location::caller());
        }
        self.inner.notify_all();
    }

    fn wait_at<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        time: Option<Duration>,
        site: &'static Location<'static>,
    ) -> TimedOut<'a, T> {
        if hook::active() { self.wait_directed(guard, time, site) } else { self.wait_freely(guard, time, site) }
    }

    fn wait_freely<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        time: Option<Duration>,
        site: &'static Location<'static>,
    ) -> TimedOut<'a, T> {
        let MutexGuard { inner, held, lock } = guard;
        let object = held.object;
        std::mem::forget(held);
        let waited = match time {
            None => map(self.inner.wait(inner), |inner| (inner, false)),
            Some(time) => map(self.inner.wait_timeout(inner, time), |(inner, result)| (inner, result.timed_out())),
        };
        map(waited, |(inner, timed_out)| {
            (MutexGuard { inner, held: Held { object, site }, lock }, WaitTimeoutResult(timed_out))
        })
    }

    /// The director is told of the wait before the mutex is let go, so that no notification falls in between.
    fn wait_directed<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        time: Option<Duration>,
        site: &'static Location<'static>,
    ) -> TimedOut<'a, T> {
        let MutexGuard { inner, held, lock } = guard;
        let waiter = director::wait_started(address(self), site);
        drop(inner);
        drop(held);
        let timed_out = director::wait(waiter, time.map(|time| Instant::now() + time), Wakes::Spuriously, site);
        map(lock.lock_at(site), |guard| (guard, WaitTimeoutResult(timed_out)))
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
