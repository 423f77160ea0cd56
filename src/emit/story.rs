//! From a suspicion to a story: message, numbered steps, reasons, help. Both ways of telling start here.

use crate::checks::{Happening, Moment, Subject, Suspicion};
use crate::domain::facts::{BodyFacts, Performed};
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
        lock: suspicion.lock.map(|lock| lock_record(facts, lock)),
        access: access(facts, suspicion.subject),
        primary: suspicion.primary,
        message: words::message(suspicion.shape, &cast),
        help: words::help(suspicion.shape, &cast),
        steps: moments.iter().map(|moment| step(all, moment, &own_cast(all, facts, moment, &cast))).collect(),
        reasons: suspicion
            .evidence
            .iter()
            .map(|&one| Reason { points: one.points(), text: words::reason(one).to_owned() })
            .collect(),
    }
}

fn cast(all: &Crate, facts: &BodyFacts, suspicion: &Suspicion) -> words::Cast {
    let lock = suspicion.lock.and_then(|lock| names::lock(facts, lock));
    let thing = match suspicion.subject {
        Subject::Variable(local) => names::variable(facts, local),
        Subject::Path(path) => Some(names::access(facts, path)).filter(|name| !name.is_empty()),
        Subject::Place(path) => names::lock(facts, path),
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

/// A step of a function that is meant to be atomic has a lock of its own, or calls a function.
fn own_cast(all: &Crate, facts: &BodyFacts, moment: &Moment, cast: &words::Cast) -> words::Cast {
    let lock = match moment.happens {
        Happening::Performs(what, _) | Happening::Breaks(what, _) => names::performed(all, facts, what),
        Happening::HeldInstead(lock) => names::lock(facts, lock),
        Happening::HasLock { body, lock, .. } | Happening::WantsLock { body, lock, .. } => {
            names::lock(&all.bodies[body], lock)
        }
        _ => None,
    };
    let interferer = match moment.happens {
        Happening::HasLock { body, .. } => Some(all.bodies[body].function.clone()),
        _ => cast.interferer.clone(),
    };
    let unnamed = || match moment.happens {
        Happening::Performs(what, _) | Happening::Breaks(what, _) if what.lock().is_none() => {
            words::unnamed(what).to_owned()
        }
        _ => cast.lock.clone(),
    };
    words::Cast { lock: lock.map_or_else(unnamed, |name| format!("`{name}`")), interferer, ..cast.clone() }
}

fn lock_record(facts: &BodyFacts, lock: crate::domain::path::PathId) -> Lock {
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
        _ => None,
    };
    let thread = match moment.happens {
        Happening::Interfere { .. }
        | Happening::OtherWait { .. }
        | Happening::HasLock { other: true, .. }
        | Happening::WantsLock { other: true, .. } => Thread::B,
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
        Happening::Acts | Happening::StoresBlindly | Happening::ExpectsTheOld | Happening::GivesUp => StepKind::Write,
        Happening::Performs(what, _) | Happening::Breaks(what, _) => match what {
            Performed::Acquires(_) => StepKind::Acquire,
            Performed::Releases(_) => StepKind::Release,
            Performed::Operates(_) => StepKind::Write,
            Performed::Calls(_) | Performed::CallsUnguarded(_) | Performed::CallsUnknown | Performed::ReachesOut => {
                StepKind::Call
            }
            Performed::Touches(_) => StepKind::Use,
        },
        Happening::HasLock { .. } | Happening::WantsLock { .. } => StepKind::Acquire,
        Happening::HeldInstead(_) | Happening::Holds | Happening::TakesAgain => StepKind::Acquire,
        Happening::UsesUnguarded => StepKind::Use,
        Happening::CallsUnguarded | Happening::CalleeTakesAgain => StepKind::Call,
        Happening::Demands | Happening::PresentBeside => StepKind::Use,
        Happening::PassedOn => StepKind::Call,
        Happening::UsedAsPosition | Happening::UsedAsContainer => StepKind::Use,
        Happening::Decides | Happening::Decided => StepKind::Branch,
        Happening::VariableRead | Happening::VariableReadAgain => StepKind::Use,
    }
}
