//! Locks of other crates, as the changed sources of these crates tell of them: `lock_api`, on which those of `parking_lot`
//! and `dashmap` are built, and the condition variable of `parking_lot`. The front-end changes a copy of these sources
//! while they are compiled; what it puts in calls this module.
//!
//! A call of a lock itself is the code of the other crate. What happens in there is no news, if the crate is known to be a
//! crate of locks: of locks that somebody has made for himself every atomic is told as before.

use crate::director::{self, Access, Keeper, Wakes, Wanted};
pub use crate::director::{Mode, Own};
use crate::hook::{self, stay_on_the_stack};
use crate::tasks::polling;
use std::panic::Location;
use std::time::Instant;

/// Crates of which it is not to be found out whether their locks work.
const TRUSTED: &[&str] = &["parking_lot::", "dashmap::", "spin::", "tokio::"];

/// Of these, the ones in which readers queue behind a writer that waits.
const QUEUEING: &[&str] = &["parking_lot::", "dashmap::"];

/// Of these, the ones that futures wait for, and whose guards can be sent.
const FOR_TASKS: &[&str] = &["tokio::"];

/// Before the name of the lock that a reentrant one is made of.
const AROUND: &str = "lock_api::remutex::RawReentrantMutex<";

/// A lock at a call of one of its methods.
#[derive(Clone, Copy)]
pub struct Foreign {
    object: usize,
    name: &'static str,
    own: Own,
    site: &'static Location<'static>,
}

impl Foreign {
    /// A lock that takes no room is none of its own: it stands for another one.
    pub fn new<R>(raw: &R, own: Own, site: &'static Location<'static>) -> Foreign {
        let object = if size_of::<R>() == 0 { 0 } else { std::ptr::from_ref(raw) as usize };
        Foreign { object, name: std::any::type_name::<R>().trim_start_matches(AROUND), own, site }
    }

    fn is_told(self) -> bool {
        self.object != 0 && hook::active()
    }

    pub(crate) fn wanted_now(self, mode: Mode) -> Wanted {
        self.wanted(mode, self.own)
    }

    fn wanted(self, mode: Mode, own: Own) -> Wanted {
        let Foreign { object, name, site, .. } = self;
        let queues = mode == Mode::Write && QUEUEING.iter().any(|it| name.starts_with(it)) && name.contains("RwLock");
        Wanted { object, mode, own, name, trusted: self.is_trusted(), queues, keeper: self.keeper(), site }
    }

    fn keeper(self) -> Keeper {
        match FOR_TASKS.iter().any(|it| self.name.starts_with(it)) {
            false => Keeper::Thread,
            true if polling::is_bound() => Keeper::Future,
            true => Keeper::Unknown,
        }
    }

    /// Runs the other crate's own code.
    fn run<T>(self, code: impl FnOnce() -> T) -> T {
        if self.is_trusted() { hook::inside(code) } else { code() }
    }

    fn is_trusted(self) -> bool {
        TRUSTED.iter().any(|it| self.name.starts_with(it))
    }

    /// By a call that blocks; with one that does not, to ask by.
    pub fn lock<G>(self, mode: Mode, attempt: impl FnMut() -> Option<G>, lock: impl FnOnce() -> G) -> G {
        if !self.is_told() {
            return lock();
        }
        self.take(self.wanted(mode, self.own), attempt, lock)
    }

    /// The same for who reads already, and is to be the writer.
    pub fn upgrade<G>(self, attempt: impl FnMut() -> Option<G>, lock: impl FnOnce() -> G) -> G {
        if !self.is_told() {
            return lock();
        }
        self.take(self.wanted(Mode::Write, Own::Upgrades), attempt, lock)
    }

    fn take<G>(self, wanted: Wanted, mut attempt: impl FnMut() -> Option<G>, lock: impl FnOnce() -> G) -> G {
        let mut guard = None;
        let mut attempt = || {
            guard = attempt();
            guard.is_some()
        };
        stalemate_asks(wanted, &mut attempt);
        if let Some(guard) = guard {
            return guard;
        }
        let guard = self.run(lock);
        director::acquired_foreign(wanted);
        guard
    }

    /// By a call that does not block, or not for long.
    pub fn attempt<G>(self, mode: Mode, attempt: impl FnOnce() -> Option<G>) -> Option<G> {
        self.try_take(mode, self.own, attempt)
    }

    pub fn try_upgrade<G>(self, attempt: impl FnOnce() -> Option<G>) -> Option<G> {
        self.try_take(Mode::Write, Own::Upgrades, attempt)
    }

    fn try_take<G>(self, mode: Mode, own: Own, attempt: impl FnOnce() -> Option<G>) -> Option<G> {
        if !self.is_told() {
            return attempt();
        }
        let wanted = self.wanted(mode, own);
        director::trying_foreign(wanted);
        let guard = self.run(attempt)?;
        director::acquired_foreign(wanted);
        Some(guard)
    }

    pub fn unlock<T>(self, mode: Mode, unlock: impl FnOnce() -> T) -> T {
        if !self.is_told() {
            return unlock();
        }
        let taken = director::letting_go(self.object, mode);
        let result = self.run(unlock);
        director::let_go(self.object, taken.unwrap_or(self.site));
        result
    }

    /// It is held otherwise from here on.
    pub fn change<T>(self, from: Mode, to: Mode, change: impl FnOnce() -> T) -> T {
        if !self.is_told() {
            return change();
        }
        let result = self.run(change);
        director::become_other(self.object, from, to);
        result
    }

    /// Lets it go for those who wait, if there are any, and takes it again.
    pub fn bump<T>(self, mode: Mode, bump: impl FnOnce() -> T) -> T {
        if !self.is_told() {
            return bump();
        }
        let taken = director::letting_go(self.object, mode);
        let result = self.run(bump);
        let site = taken.unwrap_or(self.site);
        director::acquired_foreign(Foreign { site, ..self }.wanted(mode, self.own));
        result
    }

    /// Whether it is held, or by whom.
    pub fn look<T>(self, look: impl FnOnce() -> T) -> T {
        if !self.is_told() {
            return look();
        }
        director::touching(self.object, Access::Read, self.site);
        let result = self.run(look);
        director::touched(self.object, Access::Read, self.site);
        result
    }
}

/// Found on stacks by its name: the user's frames are below.
#[inline(never)]
fn stalemate_asks(wanted: Wanted, attempt: &mut dyn FnMut() -> bool) -> bool {
    let is_taken = director::acquiring_foreign(wanted, attempt);
    stay_on_the_stack();
    is_taken
}

/// A wait on a condition variable that nothing but a notification ends: whether the time was over. None if nobody directs.
pub fn wait(
    condvar: usize,
    mutex: Foreign,
    deadline: Option<Instant>,
    unlock: impl FnOnce(),
    attempt: impl Fn() -> bool,
    lock: impl FnOnce(),
) -> Option<bool> {
    if !mutex.is_told() {
        return None;
    }
    let waiter = director::wait_started(condvar, mutex.site);
    mutex.unlock(Mode::Write, unlock);
    let timed_out = director::wait(waiter, deadline, Wakes::Exactly, mutex.site);
    mutex.lock(Mode::Write, || attempt().then_some(()), lock);
    Some(timed_out)
}

/// Whether somebody was woken. None if nobody directs, or nobody waits here.
pub fn notify_one(condvar: usize, site: &'static Location<'static>) -> Option<bool> {
    (hook::active() && !director::notify_one(condvar, site)).then_some(true)
}

/// How many were woken. None if nobody directs, or nobody waits here.
pub fn notify_all(condvar: usize, site: &'static Location<'static>) -> Option<usize> {
    let woken = if hook::active() { director::notify_all(condvar, site) } else { 0 };
    Some(woken).filter(|woken| *woken > 0)
}
