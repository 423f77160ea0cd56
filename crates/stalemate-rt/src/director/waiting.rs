//! Waiting on a condition variable while somebody directs: a queue of our own, so that a thread that is held up between
//! letting its mutex go and coming back is in the queue all the while.

use super::{CHANGED, Directing, Kind, Place, Role, changed, director, happens, schedule, stay};
use crate::hook::{inside, thread};
use crate::json::Json;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

pub(super) struct Waiter {
    condvar: usize,
    thread: u32,
    notified: bool,
    site: Place,
}

impl Waiter {
    pub(super) fn is_of(&self, thread: u32) -> bool {
        self.thread == thread
    }

    pub(super) fn json(&self) -> Json {
        Json::object([
            ("thread", Json::number(self.thread as usize)),
            ("waits_for", Json::text(format!("{:#x}", self.condvar))),
            ("at", Json::text(self.site.to_string())),
        ])
    }
}

/// What ends a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wakes {
    /// A notification, or nothing at all: as for std's.
    Spuriously,
    /// Nothing but a notification: as `parking_lot` promises.
    Exactly,
    /// Somebody who is not known, perhaps after some time.
    Somehow,
}

/// Enters the queue. The mutex is still held. Returns the condition variable, for [`wait`].
pub(crate) fn wait_started(condvar: usize, site: Place) -> usize {
    inside(|| {
        happens(Kind::Wait, condvar, site);
        director().waiters.push(Waiter { condvar, thread: thread(), notified: false, site });
    });
    condvar
}

/// Returns when the thread was notified, or the time is over (true), and its turn has come.
pub(crate) fn wait(condvar: usize, deadline: Option<Instant>, wakes: Wakes, site: Place) -> bool {
    inside(|| {
        let mut directing = director();
        let role = directing.schedule.as_ref().and_then(|schedule| Some((schedule.id, schedule.role_of(thread())?)));
        if let Some((_, role)) = role {
            let notified = directing.is_notified();
            let waiting = schedule::Waiting { notified, timed: deadline.is_some(), wakes, site: site.to_string() };
            directing.actor(role, |actor| actor.waiting = Some(waiting));
        }
        drop(directing);
        happens(Kind::Waiting, condvar, site);
        let directing = director();
        let (mut directing, timed_out) = held_up(directing, role, wakes, deadline);
        directing.waiters.retain(|waiter| waiter.thread != thread());
        if let Some((_, role)) = role {
            directing.actor(role, |actor| actor.waiting = None);
        }
        timed_out
    })
}

fn held_up(
    mut directing: Directing,
    role: Option<(u64, Role)>,
    wakes: Wakes,
    deadline: Option<Instant>,
) -> (Directing, bool) {
    let spurious = |schedule: &schedule::Schedule| schedule.spurious > 0 && wakes == Wakes::Spuriously;
    loop {
        let (turn, too_soon) = match (role, &directing.schedule) {
            (None, _) => (true, false),
            (Some((id, role)), Some(schedule)) if schedule.id == id => (schedule.may_run(role), spurious(schedule)),
            (Some(_), _) => stay(directing),
        };
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let notified = directing.is_notified();
        if turn && (notified || late || too_soon) {
            if too_soon && !notified {
                directing.schedule.iter_mut().for_each(|schedule| schedule.spurious -= 1);
            }
            return (directing, late && !notified);
        }
        directing = match deadline {
            None => changed(directing),
            Some(deadline) => changed_before(directing, deadline),
        };
    }
}

/// A deadline that is over while it is not the thread's turn is looked at again now and then.
fn changed_before(directing: Directing, deadline: Instant) -> Directing {
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    CHANGED.wait_timeout(directing, left).unwrap_or_else(PoisonError::into_inner).0
}

/// Whether std's own condition variable is to be notified: nobody waits here.
pub(crate) fn notify_one(condvar: usize, site: Place) -> bool {
    inside(|| {
        happens(Kind::Notify, condvar, site);
        let mut directing = director();
        let waiter = directing.waiters.iter_mut().find(|waiter| waiter.condvar == condvar && !waiter.notified);
        let woken = waiter.map(|waiter| {
            waiter.notified = true;
            waiter.thread
        });
        directing.wake(&woken.into_iter().collect::<Vec<_>>());
        woken.is_none()
    })
}

/// How many are woken.
pub(crate) fn notify_all(condvar: usize, site: Place) -> usize {
    inside(|| {
        happens(Kind::Notify, condvar, site);
        let mut directing = director();
        let waiters = directing.waiters.iter_mut().filter(|waiter| waiter.condvar == condvar && !waiter.notified);
        let woken: Vec<u32> = waiters
            .map(|waiter| {
                waiter.notified = true;
                waiter.thread
            })
            .collect();
        directing.wake(&woken);
        woken.len()
    })
}

impl super::Director {
    fn is_notified(&self) -> bool {
        self.waiters.iter().any(|waiter| waiter.thread == thread() && waiter.notified)
    }

    pub(super) fn actor(&mut self, role: Role, change: impl FnOnce(&mut schedule::Actor)) {
        if let Some(schedule) = &mut self.schedule {
            change(&mut schedule.actors[role as usize]);
        }
    }

    pub(super) fn wake(&mut self, threads: &[u32]) {
        if let Some(schedule) = &mut self.schedule {
            let woken = schedule.actors.iter_mut().filter(|actor| actor.thread.is_some_and(|it| threads.contains(&it)));
            woken.filter_map(|actor| actor.waiting.as_mut()).for_each(|waiting| waiting.notified = true);
        }
        CHANGED.notify_all();
    }
}
