//! What the time goes into, and how much is done in it. The clock runs only where somebody wants to know: then every moment
//! of the thread belongs to one phase. What is counted is always counted.
//!
//! All of it belongs to the thread: one unit is looked at by one.

use finding::timings::{Counts, Phase};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long the thread has run.
pub type Now = fn() -> Duration;

struct Clock {
    now: Now,
    phase: Phase,
    since: Duration,
    spent: BTreeMap<Phase, Duration>,
}

thread_local! {
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { reads: 0, walks: 0, steps: 0, carried: 0 }) };
}

pub fn start(now: Now) {
    let clock = Clock { now, phase: Phase::Choosing, since: now(), spent: BTreeMap::new() };
    CLOCK.set(Some(clock));
}

/// What was spent on each phase since the start, in nanoseconds.
pub fn stop() -> BTreeMap<Phase, u64> {
    enter(Phase::Choosing);
    let spent = CLOCK.take().map(|clock| clock.spent).unwrap_or_default();
    spent.into_iter().map(|(phase, time)| (phase, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))).collect()
}

pub fn counts() -> Counts {
    COUNTS.get()
}

/// From here on the time is that phase's. Gives the phase before.
pub(crate) fn enter(phase: Phase) -> Option<Phase> {
    CLOCK.with_borrow_mut(|clock| {
        let clock = clock.as_mut()?;
        let now = (clock.now)();
        *clock.spent.entry(clock.phase).or_default() += now.saturating_sub(clock.since);
        clock.since = now;
        Some(std::mem::replace(&mut clock.phase, phase))
    })
}

/// The time of the work is that phase's, and then that of the phase before again.
pub(crate) fn within<T>(phase: Phase, work: impl FnOnce() -> T) -> T {
    struct Back(Option<Phase>);
    impl Drop for Back {
        fn drop(&mut self) {
            self.0.map(enter);
        }
    }
    let _back = Back(enter(phase));
    work()
}

pub(crate) fn count(more: Counts) {
    let known = COUNTS.get();
    COUNTS.set(Counts {
        reads: known.reads + more.reads,
        walks: known.walks + more.walks,
        steps: known.steps + more.steps,
        carried: known.carried + more.carried,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second passes whenever somebody looks.
    fn ticking() -> Duration {
        thread_local!(static TICKS: Cell<u64> = const { Cell::new(0) });
        TICKS.set(TICKS.get() + 1);
        Duration::from_secs(TICKS.get())
    }

    #[test]
    fn every_moment_belongs_to_one_phase() {
        start(ticking);
        let told = within(Phase::Walking, || within(Phase::Reading, || 7));
        let lost = std::panic::catch_unwind(|| within(Phase::Reading, || std::panic::resume_unwind(Box::new(()))));
        assert!(told == 7 && lost.is_err());
        enter(Phase::Emit);
        let seconds: Vec<_> = stop().into_iter().map(|(phase, time)| (phase, time / 1_000_000_000)).collect();
        assert_eq!(seconds, [(Phase::Choosing, 3), (Phase::Reading, 2), (Phase::Walking, 2), (Phase::Emit, 1)]);
        assert!(stop().is_empty());
    }

    #[test]
    fn counts_add_up() {
        let before = counts();
        count(Counts { steps: 2, ..Counts::default() });
        count(Counts { steps: 3, walks: 1, ..Counts::default() });
        assert_eq!((counts().steps - before.steps, counts().walks - before.walks), (5, 1));
    }
}
