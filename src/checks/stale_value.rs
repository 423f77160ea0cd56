//! A value that was read in one critical section decides what a later section of the same lock writes, removes or
//! indexes. Between the two sections other threads have the lock: the value may be out of date.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! # struct State { balance: i64 }
//! # struct Account { state: Mutex<State> }
//! impl Account {
//!     fn deposit(&self, amount: i64) {
//!         let balance = self.state.lock().unwrap().balance;
//!         // another deposit may run here, from start to end
//!         self.state.lock().unwrap().balance = balance + amount; // and is undone here
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Keep one guard from the read to the write:
//!
//! ```rust
//! # use std::sync::Mutex;
//! # struct State { balance: i64 }
//! # struct Account { state: Mutex<State> }
//! impl Account {
//!     fn deposit(&self, amount: i64) {
//!         let mut state = self.state.lock().unwrap();
//!         state.balance += amount;
//!     }
//! }
//! ```
//!
//! Where the lock cannot be kept (slow work in between), look again in the second section and compare before writing.
//!
//! ## Shapes
//!
//! - lost update: the new value is computed from the old one and replaces what is there;
//! - taken out, changed, put back: what others put in meanwhile is dropped;
//! - a position or length that no longer fits the container;
//! - a key that was computed from what the container had in it (`len()`, the last key and one more): two threads come to the same;
//! - an old value stored elsewhere under the same lock (low confidence).
//!
//! ## What it can miss
//!
//! Values that travel through fields of `self` or channels; functions of other crates, unless these belong to the workspace or
//! `--with-dependencies` is given; traits that more than three types implement, or types of other crates; in large crates,
//! what happens more than two callers up from the function that takes the lock; locks at positions that the code computes
//! twice, unless one function of the crate computes them from the same variables. Two names for one lock are seen as one only
//! where the code shows it.
//!
//! ## What it may wrongly report
//!
//! A second look that it does not recognise as one, and a value that is meant to be old. It assumes that a lock behind
//! a shared reference is shared between threads.
//!
//! What mostly was no bug where people read the code is ranked lower, and often low:
//!
//! - the lock was held again since, and the old value is gone by all the same, as in a transaction that nobody else can be in;
//! - read and write stand in two functions that are called, of which only the outlines are known; more so if it is written
//!   under another key than it was found under;
//! - a file, a socket or another process is used in between, which one thread at a time mostly has;
//! - each way from a look writes the state that comes next: a state machine, which one thread drives;
//! - the object that leads to the lock is held by `&mut`;
//! - only the library itself calls the function, and may see to it that one thread at a time does. In programs that does not
//!   count, since nobody else calls any of their functions.

use crate::checks::terms::alone::Evidence as Alone;
use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Effect, Use, UseKind};
use crate::domain::origin::{How, Origin};
use crate::domain::path::PathId;
use crate::summary::Crate;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in &facts.uses {
            let origins = one.origins.iter().filter(|origin| !origin.waited());
            found.extend(origins.filter_map(|origin| Some((*origin, judge(all, body, one, origin)?))));
        }
    }
    sharing::strongest_per_gap(found)
}

fn judge(all: &Crate, body: usize, one: &Use, origin: &Origin) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    if !sharing::is_shared(facts, origin.lock) || facts.is_atomic(origin.lock) {
        return None;
    }
    let (shape, last, mut evidence) = match one.kind {
        UseKind::Write { target, effect, .. } => written(facts, one, origin, target, effect)?,
        UseKind::Position { container, changes } => position(facts, one, origin, container, changes)?,
        UseKind::NewKey { container } => new_key(facts, one, origin, container)?,
        UseKind::Beside { .. } => (Shape::OldBesidePresent, Happening::PassedOn, vec![Evidence::BesidePresent]),
        UseKind::Branch
        | UseKind::Act { .. }
        | UseKind::Exchange { .. }
        | UseKind::CountedOn { .. }
        | UseKind::Credited { .. }
        | UseKind::Reset { .. }
        | UseKind::Late { .. }
        | UseKind::Untested { .. }
        | UseKind::LateTest { .. } => return None,
    };
    let (interference, who) = sharing::interference(all, body, sharing::interferer(all, body, origin)?, origin.read);
    evidence.push(who);
    evidence.extend(origin.implicit.then_some(Evidence::Implicit));
    evidence.extend(is_step(facts, one, origin).then_some(Evidence::Alone(Alone::Steps)));
    evidence.extend(sharing::age(origin));
    evidence.extend(sharing::gap(one, origin));
    evidence.extend(sharing::distance(one, origin));
    evidence.extend(sharing::owner(facts, origin.lock).or_else(|| sharing::driver(all, body, origin)));
    let is_position = matches!(one.kind, UseKind::Position { .. });
    evidence.extend(sharing::callers(facts).filter(|_| !is_position));
    let mut moments = sharing::first_section(origin);
    moments.push(interference);
    moments.extend(origin.entered().map(|site| Moment { happens: Happening::AcquireAgain, site }));
    moments.push(Moment { happens: last, site: one.site });
    if let UseKind::Beside { fresh } = one.kind {
        moments.push(Moment { happens: Happening::PresentBeside, site: fresh });
    }
    let subject = Subject::Path(origin.path);
    Some(Suspicion { body, primary: one.site, lock: Some(origin.lock), subject, shape, moments, evidence })
}

/// The same look decides about the write, and on another way from there the same place is written, too.
fn is_step(facts: &BodyFacts, one: &Use, origin: &Origin) -> bool {
    let step = |other: &Use| other.site == one.site && matches!(other.kind, UseKind::Act { is_step: true, .. });
    let same_look = |other: &Use| other.origins.iter().any(|look| (look.lock, look.read) == (origin.lock, origin.read));
    !one.by_callee && facts.uses.iter().any(|other| step(other) && same_look(other))
}

type Verdict = (Shape, Happening, Vec<Evidence>);

fn written(facts: &BodyFacts, one: &Use, origin: &Origin, target: PathId, effect: Effect) -> Option<Verdict> {
    if facts.paths.lock_above(target) != Some(origin.lock) {
        return None;
    }
    let same_place = sharing::same_place(facts, one, origin, target);
    if !same_place && (one.by_callee || origin.by_callee) {
        return None;
    }
    let place = if same_place { Evidence::SamePlace } else { Evidence::OtherPlace };
    match (origin.how, effect) {
        (How::Taken, Effect::Overwrites) if same_place => {
            let mut evidence = vec![Evidence::DataDependence, Evidence::Overwrites, place, Evidence::MovedOut];
            evidence.extend(facts.paths.is_entry(target).then_some(Evidence::OwnEntry));
            Some((Shape::PutBack, Happening::PutBack, evidence))
        }
        (How::Reserved, Effect::Overwrites) if same_place => lost_update(place),
        // What was moved out, or counted up, is this thread's own: nobody else has it.
        (How::Taken | How::Reserved, _) => None,
        (How::Copied, Effect::Overwrites) if same_place => lost_update(place),
        (How::Copied, Effect::Overwrites) => {
            let evidence = vec![Evidence::DataDependence, Evidence::Overwrites, place];
            Some((Shape::OldValueStored, Happening::Write, evidence))
        }
        (How::Copied, Effect::Adjusts) => {
            let evidence = vec![Evidence::DataDependence, Evidence::Adjusts, place];
            Some((Shape::OldValueStored, Happening::Write, evidence))
        }
        (How::Copied, Effect::Removes) if is_decided(facts, one, origin) => None,
        (How::Copied, Effect::Calls | Effect::Removes | Effect::Adds | Effect::Demands) => {
            let mut evidence = vec![Evidence::DataDependence, Evidence::ThroughCall, place];
            evidence.extend((one.by_callee || origin.by_callee).then_some(Evidence::Unclear));
            Some((Shape::OldValuePassed, Happening::PassedOn, evidence))
        }
    }
}

/// What was seen names what is taken out, and says that it is: that is for `check_then_act` to tell.
fn is_decided(facts: &BodyFacts, one: &Use, origin: &Origin) -> bool {
    let decided = |other: &Use| other.site == one.site && matches!(other.kind, UseKind::Act { .. });
    facts.uses.iter().any(|other| decided(other) && sharing::has_look(other, origin))
}

fn lost_update(place: Evidence) -> Option<Verdict> {
    let evidence = vec![Evidence::DataDependence, Evidence::Overwrites, place];
    Some((Shape::LostUpdate, Happening::Write, evidence))
}

/// Two threads that have looked at the same time put their entries under one key.
fn new_key(facts: &BodyFacts, one: &Use, origin: &Origin, container: PathId) -> Option<Verdict> {
    let same_lock = facts.paths.lock_above(container) == Some(origin.lock);
    let counts = same_lock && origin.how == How::Copied && !origin.after_change;
    (counts && sharing::same_place(facts, one, origin, container))
        .then(|| (Shape::OldKey, Happening::UsedAsKey, vec![Evidence::OldKey]))
}

/// A position is stale if it was computed from the container it is used in.
fn position(facts: &BodyFacts, one: &Use, origin: &Origin, container: PathId, changes: bool) -> Option<Verdict> {
    let same_lock = facts.paths.lock_above(container) == Some(origin.lock);
    let same_place = same_lock && sharing::same_place(facts, one, origin, container);
    // What was seen after a change may be the place that the change was made at, and that is kept.
    (same_place && origin.how == How::Copied && !origin.after_change).then(|| {
        let mut evidence = vec![Evidence::OldPosition];
        // A length or a place that one function finds, and another one cuts at.
        let is_clear = changes && origin.path == container && one.among == 1;
        evidence.extend((one.by_callee && origin.by_callee && !is_clear).then_some(Evidence::Unclear));
        (Shape::OldPosition, Happening::UsedAsPosition, evidence)
    })
}
