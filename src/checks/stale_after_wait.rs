//! A value that was read under a lock before `Condvar::wait` is used after it. While the thread waits, others have the
//! lock: on return the value may be out of date, though the guard looks as if it had been held all the time.
//!
//! This is the third example of Burrows and Leino, "Finding stale-value errors in concurrent programs": a consumer
//! that keeps the old array while a producer replaces it with a larger one.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::{Arc, Condvar, Mutex};
//! # struct State { slots: Arc<Vec<u32>>, next: usize, count: usize }
//! # struct Queue { state: Mutex<State>, filled: Condvar }
//! impl Queue {
//!     fn consume(&self) -> u32 {
//!         let mut state = self.state.lock().unwrap();
//!         let slots = Arc::clone(&state.slots); // read before the wait
//!         while state.count == 0 {
//!             state = self.filled.wait(state).unwrap(); // a producer may replace `slots` here
//!         }
//!         state.count -= 1;
//!         slots[state.next] // the old array
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Read it after the wait, through the guard that the wait gave back.
//!
//! ## What it can miss
//!
//! Uses that neither store the value, nor index with it, nor branch on it; waits inside functions that are called and
//! take the lock themselves; condition variables of other libraries than `std` and parking_lot.
//!
//! ## What it may wrongly report
//!
//! A value that is meant to be the old one and is not compared with the present one. Generation counters that are
//! compared after the wait, and tickets that were counted up, are known.

use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Effect, Use, UseKind};
use crate::domain::origin::{How, Origin};
use crate::domain::path::PathId;
use crate::summary::Crate;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in &facts.uses {
            let origins = one.origins.iter().filter(|origin| origin.waited() && origin.how == How::Copied);
            found.extend(origins.filter_map(|origin| Some((*origin, judge(all, body, one, origin)?))));
        }
    }
    sharing::strongest_per_gap(found)
}

fn judge(all: &Crate, body: usize, one: &Use, origin: &Origin) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    if !sharing::is_shared(facts, origin.lock) {
        return None;
    }
    let (last, mut evidence) = match one.kind {
        UseKind::Write { target, effect, .. } => written(facts, origin, target, effect)?,
        UseKind::Position { container, .. } => (position(facts, origin, container)?, vec![Evidence::OldContainer]),
        UseKind::NewKey { container } => {
            position(facts, origin, container)?;
            (Happening::UsedAsKey, vec![Evidence::OldKey])
        }
        UseKind::Branch => (Happening::Decides, vec![Evidence::OldDecision]),
        UseKind::Act { .. }
        | UseKind::Beside { .. }
        | UseKind::Exchange { .. }
        | UseKind::CountedOn { .. }
        | UseKind::Credited { .. }
        | UseKind::Reset { .. }
        | UseKind::Late { .. }
        | UseKind::Untested { .. }
        | UseKind::LateTest { .. } => {
            return None;
        }
    };
    let (interference, who) = sharing::interference(all, body, sharing::interferer(all, body, origin)?, origin.read);
    evidence.extend([Evidence::AcrossWait, who]);
    let mut moments = sharing::first_section(origin);
    moments.push(interference);
    moments.extend(origin.entered().map(|site| Moment { happens: Happening::WaitReturns, site }));
    moments.push(Moment { happens: last, site: one.site });
    let (subject, shape) = (Subject::Path(origin.path), Shape::AfterWait);
    Some(Suspicion { body, primary: one.site, lock: Some(origin.lock), subject, shape, moments, evidence })
}

fn written(facts: &BodyFacts, origin: &Origin, target: PathId, effect: Effect) -> Option<(Happening, Vec<Evidence>)> {
    if facts.paths.lock_above(target) != Some(origin.lock) {
        return None;
    }
    let same_place = facts.paths.overlap(origin.path, target);
    let mut evidence = vec![Evidence::DataDependence];
    match effect {
        Effect::Overwrites if same_place => evidence.extend([Evidence::Overwrites, Evidence::SamePlace]),
        Effect::Adjusts if same_place => evidence.push(Evidence::Adjusts),
        // Old and present values in one result: neither the guard nor the code shows that they do not fit together.
        Effect::Overwrites | Effect::Adjusts => {}
        Effect::Calls | Effect::Removes | Effect::Adds | Effect::Demands => evidence.push(Evidence::ThroughCall),
    }
    Some((Happening::Write, evidence))
}

/// The container itself is the old one, or the position was computed from what the container is part of.
fn position(facts: &BodyFacts, origin: &Origin, container: PathId) -> Option<Happening> {
    match facts.paths.lock_above(container) {
        None => Some(Happening::UsedAsContainer),
        Some(lock) if lock == origin.lock && facts.paths.overlap(container, origin.path) => {
            Some(Happening::UsedAsPosition)
        }
        Some(_) => None,
    }
}
