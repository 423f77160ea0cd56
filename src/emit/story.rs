//! From a suspicion to a story: message, numbered steps, reasons, help. Both ways of telling start here.

use crate::checks::terms::{apart, deadlock, memory};
use crate::checks::{Happening, Moment, Subject, Suspicion};
use crate::domain::facts::{BodyFacts, Performed};
use crate::domain::path::PathId;
use crate::emit::{names, words};
use crate::mir::{Position, Site};
use crate::summary::{Crate, Interferer};
use finding::{Confidence, Lock, Reason, StepKind, Thread, rank};

/// A finding, told, with its sites not yet looked up.
#[derive(Clone, Debug)]
pub struct Story {
    pub lint: &'static str,
    pub function: String,
    pub lock: Option<Lock>,
    /// The way to what went stale, for the fingerprint.
    pub access: String,
    pub primary: Site,
    pub message: String,
    pub help: String,
    pub steps: Vec<Step>,
    pub reasons: Vec<Reason>,
    /// The bodies of both threads, by their numbers; without the second, the first one runs twice. `None`: no body is to blame.
    pub bodies: Option<(usize, Option<usize>)>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub thread: Thread,
    pub kind: StepKind,
    pub site: Site,
    /// Set if it happens in another crate; then the site says nothing.
    pub elsewhere: Option<Position>,
    pub text: String,
}

impl Story {
    pub fn score(&self) -> u8 {
        rank::score(&self.reasons)
    }

    pub fn confidence(&self) -> Confidence {
        rank::confidence(self.score())
    }
}

/// `same_line` says whether two sites stand on one line; then the lesser of two neighbouring steps is left out.
pub fn tell(all: &Crate, lint: &'static str, suspicion: &Suspicion, same_line: impl Fn(Site, Site) -> bool) -> Story {
    let facts = &all.bodies[suspicion.body];
    let cast = cast(all, facts, suspicion);
    let moments = without_repetition(&suspicion.moments, same_line);
    Story {
        lint,
        function: facts.function.clone(),
        lock: lock_of(all, suspicion).map(|(facts, lock)| lock_record(facts, lock)),
        access: access(facts, suspicion.subject),
        primary: suspicion.primary,
        message: words::message(suspicion.shape, &cast),
        help: words::help(suspicion.shape, &cast, at_once(all, suspicion)),
        steps: moments.iter().map(|moment| step(all, moment, &own_cast(all, facts, moment, &cast))).collect(),
        reasons: suspicion
            .evidence
            .iter()
            .map(|&one| Reason { points: one.points(), text: words::reason(one).to_owned() })
            .collect(),
        bodies: Some((suspicion.body, suspicion.moments.iter().find_map(|moment| other_body(moment.happens)))),
    }
}

/// Where the other thread is, if that is another function of this crate.
fn other_body(happens: Happening) -> Option<usize> {
    match happens {
        Happening::Interfere { by: Interferer::Here { body, .. }, same_function: false }
        | Happening::OtherWait { by: Interferer::Here { body, .. }, same_function: false }
        | Happening::Deadlock(
            deadlock::Happening::HasLock { body, other: true, .. }
            | deadlock::Happening::NotifierNeeds { body }
            | deadlock::Happening::ChangesAndWakes { body }
            | deadlock::Happening::FindsNobody { body }
            | deadlock::Happening::WakesWhoIsThere { body }
            | deadlock::Happening::WokenInVain { body }
            | deadlock::Happening::TestsUnder { body, .. },
        )
        | Happening::Apart(apart::Happening::CountsOff { body })
        | Happening::Memory(
            memory::Happening::Starts { body, other: true }
            | memory::Happening::CallsOn { body, other: true }
            | memory::Happening::UsesRacily { body, other: true, .. }
            | memory::Happening::Publishes { body }
            | memory::Happening::UsesGuarded { body, .. },
        ) => Some(body),
        _ => None,
    }
}

/// The lock that the finding is about, in the body that knows it.
fn lock_of<'a>(all: &'a Crate, suspicion: &Suspicion) -> Option<(&'a BodyFacts, PathId)> {
    let elsewhere = suspicion.moments.iter().find_map(|moment| match moment.happens {
        Happening::Memory(memory::Happening::UsesGuarded { body, lock, .. })
        | Happening::Deadlock(deadlock::Happening::TestsUnder { body, lock }) => Some((&all.bodies[body], lock)),
        _ => None,
    });
    suspicion.lock.map(|lock| (&all.bodies[suspicion.body], lock)).or(elsewhere)
}

fn cast(all: &Crate, facts: &BodyFacts, suspicion: &Suspicion) -> words::Cast {
    let lock = lock_of(all, suspicion).and_then(|(facts, lock)| names::lock(facts, lock));
    let thing = match suspicion.subject {
        Subject::Variable(local) => names::variable(facts, local),
        Subject::Path(path) => Some(names::access(facts, path)).filter(|name| !name.is_empty()),
        Subject::Place(path) => names::lock(facts, path),
        Subject::Memory(path) => names::memory(facts, path),
        Subject::Function => None,
    };
    let interferer = suspicion.moments.iter().find_map(|moment| match moment.happens {
        Happening::Interfere { by: Interferer::Here { body, .. }, same_function: false } => {
            Some(all.bodies[body].function.clone())
        }
        Happening::Interfere { by: Interferer::Elsewhere(number), .. } => Some(all.elsewhere[number].function.clone()),
        _ => None,
    });
    words::Cast {
        thing: match (thing, &lock) {
            (Some(name), _) => format!("`{name}`"),
            (None, Some(lock)) => format!("`{lock}`"),
            (None, None) => "what the lock protects".to_owned(),
        },
        lock: lock.map_or_else(|| "the lock".to_owned(), |name| format!("`{name}`")),
        interferer,
    }
}

/// What the type of the lock has for a look and a change in one step.
fn at_once<'a>(all: &'a Crate, suspicion: &Suspicion) -> Option<&'a str> {
    let (facts, lock) = lock_of(all, suspicion)?;
    facts.lock_types.iter().find(|(path, _)| *path == lock)?.1.at_once.as_deref()
}

/// A step of a function that is meant to be atomic has a lock of its own, or calls a function.
fn own_cast(all: &Crate, facts: &BodyFacts, moment: &Moment, cast: &words::Cast) -> words::Cast {
    let lock = match moment.happens {
        Happening::Performs(what, _) | Happening::Breaks(what, _) => names::performed(all, facts, what),
        Happening::HeldInstead(lock) => names::lock(facts, lock),
        Happening::Memory(memory::Happening::UsesGuarded { body, lock, .. })
        | Happening::Deadlock(
            deadlock::Happening::HasLock { body, lock, .. }
            | deadlock::Happening::WantsLock { body, lock, .. }
            | deadlock::Happening::TestsUnder { body, lock },
        ) => names::lock(&all.bodies[body], lock),
        Happening::Deadlock(deadlock::Happening::HasLockElsewhere { number }) => {
            Some(all.pairs_elsewhere[number].held.name.clone())
        }
        Happening::Deadlock(deadlock::Happening::WantsLockElsewhere { number }) => {
            Some(all.pairs_elsewhere[number].wanted.name.clone())
        }
        _ => None,
    };
    let interferer = match moment.happens {
        Happening::Deadlock(
            deadlock::Happening::HasLock { body, .. }
            | deadlock::Happening::ClosureMayTakeAgain { body }
            | deadlock::Happening::WakerTakesAgain { body }
            | deadlock::Happening::WakesWhoIsThere { body }
            | deadlock::Happening::NotifierNeeds { body }
            | deadlock::Happening::ChangesAndWakes { body }
            | deadlock::Happening::FindsNobody { body }
            | deadlock::Happening::WokenInVain { body }
            | deadlock::Happening::SleepsToo { body }
            | deadlock::Happening::TestsUnder { body, .. },
        ) => named(all, body),
        Happening::Deadlock(deadlock::Happening::HasLockElsewhere { number }) => {
            Some(all.pairs_elsewhere[number].function.clone())
        }
        Happening::Apart(apart::Happening::CountsOff { body }) => named(all, body),
        Happening::Memory(happens) => happens.told_body().and_then(|body| named(all, body)),
        _ => cast.interferer.clone(),
    };
    let unnamed = || match moment.happens {
        Happening::Performs(what, _) | Happening::Breaks(what, _) if what.lock().is_none() => {
            words::unnamed(what).to_owned()
        }
        _ => cast.lock.clone(),
    };
    let used = match moment.happens {
        Happening::Memory(happens) => happens.used(),
        _ => None,
    };
    let thing = used.and_then(|(body, what)| names::memory(&all.bodies[body], what));
    words::Cast {
        thing: thing.map_or_else(|| cast.thing.clone(), |name| format!("`{name}`")),
        lock: lock.map_or_else(unnamed, |name| format!("`{name}`")),
        interferer,
    }
}

fn named(all: &Crate, body: usize) -> Option<String> {
    Some(all.bodies[body].function.clone()).filter(|name| !name.is_empty())
}

fn lock_record(facts: &BodyFacts, lock: PathId) -> Lock {
    let known = facts.lock_types.iter().find(|(path, _)| *path == lock);
    Lock {
        path: names::lock(facts, lock).unwrap_or_else(|| "_".to_owned()),
        type_name: known.map(|(_, lock_type)| lock_type.name.to_string()).unwrap_or_default(),
    }
}

fn access(facts: &BodyFacts, subject: Subject) -> String {
    match subject {
        Subject::Path(path) => names::access(facts, path),
        Subject::Place(path) => names::lock(facts, path).unwrap_or_default(),
        Subject::Memory(path) => names::memory(facts, path).unwrap_or_default(),
        Subject::Variable(local) => names::variable(facts, local).unwrap_or_default(),
        Subject::Function => String::new(),
    }
}

/// `let x = m.lock().unwrap().x;` locks and reads in one line: the read tells both.
fn without_repetition(moments: &[Moment], same_line: impl Fn(Site, Site) -> bool) -> Vec<Moment> {
    let tells_both = |pair: &[Moment]| {
        let opens = matches!(pair[0].happens, Happening::Acquire | Happening::AcquireAgain);
        opens && same_line(pair[0].site, pair[1].site)
    };
    let tells_twice = |pair: &[Moment]| {
        let decides = pair[0].happens == Happening::Look && pair[1].happens == Happening::Decided;
        decides && same_line(pair[0].site, pair[1].site)
    };
    let mut kept: Vec<Moment> = moments.first().copied().into_iter().collect();
    kept.extend(moments.windows(2).filter(|pair| !tells_twice(pair)).map(|pair| pair[1]));
    let last = kept.last().copied();
    let kept = kept.windows(2).filter(|pair| !tells_both(pair)).map(|pair| pair[0]);
    kept.chain(last).collect()
}

fn step(all: &Crate, moment: &Moment, cast: &words::Cast) -> Step {
    let elsewhere = match moment.happens {
        Happening::Interfere { by: Interferer::Elsewhere(number), .. } => Some(all.elsewhere[number].position.clone()),
        Happening::Deadlock(deadlock::Happening::HasLockElsewhere { number }) => {
            Some(all.pairs_elsewhere[number].held.position.clone())
        }
        Happening::Deadlock(deadlock::Happening::WantsLockElsewhere { number }) => {
            Some(all.pairs_elsewhere[number].wanted.position.clone())
        }
        _ => None,
    };
    let thread = match moment.happens {
        Happening::Interfere { .. } | Happening::OtherWait { .. } => Thread::B,
        Happening::Memory(happens) if happens.is_others() => Thread::B,
        Happening::Apart(apart::Happening::OtherAsks | apart::Happening::CountsOff { .. }) => Thread::B,
        Happening::Deadlock(happens) if happens.is_others() => Thread::B,
        _ => Thread::A,
    };
    Step { thread, kind: kind(&moment.happens), site: moment.site, elsewhere, text: words::step(&moment.happens, cast) }
}

fn kind(happens: &Happening) -> StepKind {
    match happens {
        Happening::Acquire | Happening::AcquireAgain | Happening::SectionEntered => StepKind::Acquire,
        Happening::Read | Happening::TakeOut | Happening::Look | Happening::Loads | Happening::ReadsCondition => {
            StepKind::Read
        }
        Happening::Release | Happening::LeftUntested => StepKind::Release,
        Happening::Interfere { .. } | Happening::Write | Happening::PutBack | Happening::VariableSet => StepKind::Write,
        Happening::WaitReturns | Happening::Waits | Happening::Sleeps | Happening::OtherWait { .. } => StepKind::Wait,
        Happening::Counts | Happening::ActsLate => StepKind::Write,
        Happening::Acts | Happening::StoresBlindly | Happening::Resets | Happening::GivesUp => StepKind::Write,
        Happening::MakesFit | Happening::CountsOn => StepKind::Write,
        Happening::ExpectsTheOld | Happening::ExpectsBefore => StepKind::Write,
        Happening::Performs(what, _) | Happening::Breaks(what, _) => match what {
            Performed::Acquires(_) => StepKind::Acquire,
            Performed::Releases(_) => StepKind::Release,
            Performed::Operates(_) => StepKind::Write,
            Performed::Calls(_) | Performed::CallsUnguarded(_) | Performed::CallsUnknown | Performed::ReachesOut => {
                StepKind::Call
            }
            Performed::Touches(_) => StepKind::Use,
        },
        Happening::Apart(happens) => kind_of_apart(*happens),
        Happening::Memory(happens) => kind_of_memory(*happens),
        Happening::Deadlock(happens) => kind_of_deadlock(*happens),
        Happening::HeldInstead(_) => StepKind::Acquire,
        Happening::UsesUnguarded => StepKind::Use,
        Happening::CallsUnguarded => StepKind::Call,
        Happening::Demands | Happening::PresentBeside => StepKind::Use,
        Happening::PassedOn => StepKind::Call,
        Happening::UsedAsPosition | Happening::UsedAsKey | Happening::UsedAsContainer => StepKind::Use,
        Happening::Decides | Happening::Decided => StepKind::Branch,
        Happening::VariableRead | Happening::VariableReadAgain => StepKind::Use,
    }
}

fn kind_of_apart(happens: apart::Happening) -> StepKind {
    match happens {
        apart::Happening::AsksForOwners | apart::Happening::OtherAsks => StepKind::Read,
        apart::Happening::NobodyActs
        | apart::Happening::Puts
        | apart::Happening::Sends
        | apart::Happening::CountsOff { .. }
        | apart::Happening::CountsLate
        | apart::Happening::GoesOnAnyway
        | apart::Happening::Credits => StepKind::Write,
    }
}

fn kind_of_memory(happens: memory::Happening) -> StepKind {
    match happens {
        memory::Happening::UsesGuarded { write, .. }
        | memory::Happening::UsesWithout { write }
        | memory::Happening::UsesRacily { write, .. } => {
            if write {
                StepKind::Write
            } else {
                StepKind::Read
            }
        }
        memory::Happening::Starts { .. } | memory::Happening::CallsOn { .. } => StepKind::Call,
        memory::Happening::Publishes { .. } => StepKind::Write,
        memory::Happening::LoadsRelaxed => StepKind::Read,
        memory::Happening::Follows => StepKind::Use,
    }
}

fn kind_of_deadlock(happens: deadlock::Happening) -> StepKind {
    match happens {
        deadlock::Happening::Holds
        | deadlock::Happening::TakesAgain
        | deadlock::Happening::HasLock { .. }
        | deadlock::Happening::WantsLock { .. }
        | deadlock::Happening::HasLockElsewhere { .. }
        | deadlock::Happening::WantsLockElsewhere { .. }
        | deadlock::Happening::SleepsToo { .. } => StepKind::Acquire,
        deadlock::Happening::CalleeTakesAgain
        | deadlock::Happening::DropTakesAgain
        | deadlock::Happening::ClosureMayTakeAgain { .. }
        | deadlock::Happening::WakerTakesAgain { .. }
        | deadlock::Happening::NotifierNeeds { .. }
        | deadlock::Happening::TellsEarly
        | deadlock::Happening::Announces
        | deadlock::Happening::WakesWhoIsThere { .. }
        | deadlock::Happening::NotifiesUnlocked => StepKind::Call,
        deadlock::Happening::WaitsHolding
        | deadlock::Happening::WaitsUnheard
        | deadlock::Happening::WokenInVain { .. }
        | deadlock::Happening::TestsUnder { .. } => StepKind::Wait,
        deadlock::Happening::ChangesUnlocked { .. }
        | deadlock::Happening::ChangesAndWakes { .. }
        | deadlock::Happening::ChangesUntold
        | deadlock::Happening::FindsNobody { .. }
        | deadlock::Happening::Enlists => StepKind::Write,
        deadlock::Happening::SleepsHolding => StepKind::Suspend,
    }
}
