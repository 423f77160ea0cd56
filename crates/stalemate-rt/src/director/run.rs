//! One run of two threads along a schedule, from the outside: it is started, its threads enter and leave, and it is
//! watched until it is over. At most one is under way; a run that does not end is given up with its threads.

use super::schedule::{Actor, Hindrance, Race, Role, Schedule, Step};
use super::{CHANGED, Directing, Director, Event, Proof, await_turn, director};
use crate::hook::{inside, switch_on, thread};
use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
static RUNS: AtomicU64 = AtomicU64::new(1);

/// How long to wait for a thread that does nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Until its step is given to the other.
    pub(crate) stall: Duration,
    /// Until the run is given up.
    pub(crate) stuck: Duration,
}

pub(crate) struct Run {
    id: u64,
    _alone: MutexGuard<'static, ()>,
}

/// What can be told of a run beside its results.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) points: [usize; 2],
    pub(crate) hindrance: Option<Hindrance>,
    pub(crate) deadlock: Option<Proof>,
    /// Where threads were held up.
    pub(crate) pauses: Vec<String>,
    pub(crate) stacks: Vec<Backtrace>,
    pub(crate) yielded: bool,
    pub(crate) races: Vec<Race>,
    pub(crate) trace: Vec<(Role, Event)>,
    /// Of a thread that did not end: what it does instead.
    pub(crate) stuck: [Option<String>; 2],
}

impl Run {
    pub(crate) fn start(steps: Vec<Step>, spurious: usize) -> Run {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let id = RUNS.fetch_add(1, Ordering::Relaxed);
        director().schedule = Some(Schedule::new(id, steps, spurious));
        switch_on();
        Run { id, _alone: alone }
    }

    /// Waits until both threads have ended, or nothing moves any more.
    pub(crate) fn watch(self, bounds: Bounds) -> Report {
        inside(|| {
            let mut directing = director();
            let (mut seen, mut since) = (0, Instant::now());
            let (start, mut step) = (since, (None, since));
            loop {
                let Director { schedule, locks, .. } = &mut *directing;
                let Some(schedule) = schedule.as_mut().filter(|schedule| schedule.id == self.id) else {
                    unreachable!("a run ends here only")
                };
                if schedule.progress != seen {
                    (seen, since) = (schedule.progress, Instant::now());
                }
                if step.0 != schedule.turn() {
                    step = (schedule.turn(), Instant::now());
                }
                let hopeless = schedule.turn().is_none() && schedule.is_hopeless(locks);
                let patience = if hopeless { bounds.stall } else { bounds.stuck };
                let ended = schedule.actors.iter().all(|actor| actor.ended);
                // A thread that spins does something all the time, and gets nowhere.
                let spins = start.elapsed() >= bounds.stuck * 3;
                let given_up = (since.elapsed() >= patience || spins) && !schedule.is_suspected();
                if ended || schedule.deadlock.is_some() || given_up {
                    // On a busy machine this comes late, and the step was never given to the other one.
                    let is_cut = !ended && schedule.deadlock.is_none() && schedule.turn().is_some();
                    schedule.hindrance = schedule.hindrance.or(is_cut.then_some(Hindrance::Stalled));
                    return directing.finish();
                }
                let stalled = since.elapsed() >= bounds.stall || step.1.elapsed() >= bounds.stuck;
                if schedule.turn().is_some() && stalled {
                    schedule.hindrance.get_or_insert(Hindrance::Stalled);
                    schedule.advance();
                    CHANGED.notify_all();
                }
                directing = changed_soon(directing);
            }
        })
    }
}

fn changed_soon(directing: Directing) -> Directing {
    CHANGED.wait_timeout(directing, Duration::from_millis(10)).unwrap_or_else(PoisonError::into_inner).0
}

/// The current thread is this role from here on. Returns when its turn comes.
pub(crate) fn enter(role: Role) {
    inside(|| {
        let mut directing = director();
        if let Some(schedule) = &mut directing.schedule {
            schedule.actors[role as usize].thread = Some(thread());
        }
        await_turn(directing, role);
    });
}

/// The current thread has done what it was started for. What it had to tell is kept before that is known.
pub(crate) fn leave(role: Role) {
    inside(|| {
        let mut directing = director();
        if directing.schedule.as_ref().and_then(|schedule| schedule.role_of(thread())) == Some(role) {
            directing.schedule.iter_mut().for_each(|schedule| schedule.actors[role as usize].ended = true);
            directing.locks.forget(thread());
            directing.settle();
        }
    });
}

impl Director {
    fn finish(&mut self) -> Report {
        // Who may still be woken has perhaps not been waited for long enough.
        let is_too_soon = self.may_be_woken();
        let mut schedule = self.schedule.take().expect("it was there a moment ago");
        schedule.hindrance = schedule.hindrance.or(is_too_soon.then_some(Hindrance::Stalled));
        let stuck = schedule.actors.each_ref().map(|actor| (!actor.ended).then(|| self.situation(actor)));
        for thread in schedule.actors.iter().filter(|actor| !actor.ended).filter_map(|actor| actor.thread) {
            self.given_up.push(thread);
            self.locks.forget(thread);
            self.waiters.retain(|waiter| !waiter.is_of(thread));
        }
        CHANGED.notify_all();
        Report {
            points: schedule.actors.each_ref().map(|actor| actor.points),
            hindrance: schedule.hindrance,
            deadlock: schedule.deadlock,
            pauses: schedule.pauses,
            stacks: schedule.stacks,
            yielded: schedule.yielded,
            races: schedule.races,
            trace: schedule.trace,
            stuck,
        }
    }

    /// What a thread that does not end does instead.
    fn situation(&self, actor: &Actor) -> String {
        let lock = actor.thread.and_then(|thread| self.locks.member(thread));
        match (&actor.waiting, lock) {
            (Some(waiting), _) => format!("waits to be notified at {}", waiting.site),
            (None, Some(member)) => format!("waits for the lock at {}", member.wait_site),
            (None, None) => "does not end".to_owned(),
        }
    }
}
