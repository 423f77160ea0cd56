//! A thread that runs a future, and the future is pending. What it waits for is noted as for threads that block; but it is
//! asked again now and then, and a cycle is a proof only if it is refused all the time, as for [locks](super::foreign) that
//! may be let go unseen.
//!
//! A guard that can be sent may be with somebody else. So such a cycle proves nothing while there are threads of which
//! nothing is known.

use super::foreign::{AGAIN, Suspicion, Wanted, suspect};
use super::locks::Standing;
use super::schedule::Waiting;
use super::waiting::Wakes;
use super::{CHANGED, Directing, Director, Place, Role, director, stay};
use crate::hook::{inside, thread};
use crate::tasks::polling::Signal;
use std::backtrace::Backtrace;
use std::fs;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::Instant;

/// What a future is pending for.
#[derive(Clone)]
pub(crate) enum Awaited {
    /// A lock, and nothing else; with the stack of who asked for it.
    Lock(Wanted, Arc<Backtrace>),
    /// Somebody has to wake it; if it is told who may, the place.
    Notice { site: Option<Place>, is_told: bool },
    /// Nobody is to wake it: it has to be asked again.
    Nothing,
}

/// Returns when the future is to be asked again.
pub(crate) fn rest(signal: &Signal, awaited: Awaited, suspicion: &mut Option<Suspicion>) {
    inside(|| {
        let mut directing = director();
        let run = directing.schedule.as_ref().and_then(|schedule| Some((schedule.id, schedule.role_of(thread())?)));
        let wakes_somehow = matches!(awaited, Awaited::Notice { is_told: false, .. });
        run.into_iter().for_each(|(_, role)| directing.actor(role, |actor| actor.wakes_somehow = wakes_somehow));
        match awaited {
            _ if signal.is_given() => {}
            Awaited::Lock(wanted, stack) => {
                directing.locks.rests(wanted.ask(), stack);
                directing.settle();
                directing = suspect(directing, suspicion);
            }
            Awaited::Notice { site, is_told } => {
                let site = site.map_or("an await".to_owned(), ToString::to_string);
                let wakes = if is_told { Wakes::Exactly } else { Wakes::Somehow };
                let waiting = Waiting { notified: false, timed: !is_told, wakes, site };
                directing.locks.moves(thread());
                directing.waits_as(run, Some(waiting));
            }
            Awaited::Nothing => directing.locks.moves(thread()),
        }
        let mut directing = held_up(directing, run, signal);
        directing.waits_as(run, None);
    });
}

fn held_up(mut directing: Directing, run: Option<(u64, Role)>, signal: &Signal) -> Directing {
    let start = Instant::now();
    loop {
        let is_turn = match (run, &directing.schedule) {
            (None, _) => !directing.given_up.contains(&thread()),
            (Some((id, role)), Some(schedule)) if schedule.id == id => schedule.may_run(role),
            (Some(_), _) => stay(directing),
        };
        if is_turn && (signal.is_given() || start.elapsed() >= AGAIN) {
            return directing;
        }
        directing = CHANGED.wait_timeout(directing, AGAIN).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// The future is done.
pub(crate) fn goes_on() {
    inside(|| director().locks.moves(thread()));
}

/// Somebody has woken a thread.
pub(crate) fn woken(thread: u32) {
    inside(|| {
        let mut directing = director();
        directing.locks.granted(thread);
        directing.wake(&[thread]);
    });
}

/// Whether the current thread is A or B.
pub(crate) fn is_actor() -> bool {
    inside(|| director().schedule.as_ref().is_some_and(|schedule| schedule.role_of(thread()).is_some()))
}

/// Before the first run: how many threads there are beside those that are played.
static THREADS: OnceLock<Option<usize>> = OnceLock::new();

pub(crate) fn count_threads() {
    THREADS.get_or_init(threads);
}

/// None where the system does not tell.
fn threads() -> Option<usize> {
    fs::read_dir("/proc/self/task").ok().map(Iterator::count)
}

impl Director {
    /// The cycle that a thread is part of: see [`Locks`](super::locks::Locks). None if somebody who is not known may have
    /// one of the guards.
    pub(super) fn standstill(&self, thread: u32) -> Option<Vec<Standing>> {
        let standing = self.locks.standstill(thread)?;
        (!self.locks.is_for_tasks(thread) || self.is_alone()).then_some(standing)
    }

    /// Whether all threads are known: those that were there before, those of runs that were given up, A and B.
    fn is_alone(&self) -> bool {
        let Some(before) = THREADS.get().copied().flatten() else { return false };
        let actors = self.schedule.iter().flat_map(|schedule| &schedule.actors).filter(|actor| !actor.ended).count();
        threads().is_some_and(|threads| threads <= before + self.given_up.len() + actors)
    }

    /// Whether a thread that has not ended may be woken by somebody of whom nothing is known, be it after some time.
    pub(super) fn may_be_woken(&self) -> bool {
        let mut actors = self.schedule.iter().flat_map(|schedule| &schedule.actors);
        actors.any(|actor| !actor.ended && actor.wakes_somehow) && !self.is_alone()
    }

    fn waits_as(&mut self, run: Option<(u64, Role)>, waiting: Option<Waiting>) {
        let Some((_, role)) = run else { return };
        let is_over = waiting.is_none();
        self.actor(role, |actor| actor.waiting = waiting);
        if !is_over {
            self.settle();
        }
    }
}
