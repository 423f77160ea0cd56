//! What each function is, for `cargo stalemate atomicity`.

use crate::domain::facts::{BodyFacts, Listed, MoverStep};
use crate::domain::mover::{Guarding, Mover};
use crate::emit::{names, words};
use crate::mir::{Position, Site};
use crate::summary::Crate;
use finding::Place;
use finding::atomicity::{AtomicStep, Atomicity, FunctionAtomicity, IfHeld};

/// `at` is where the function's name stands.
pub fn atomicity(
    all: &Crate,
    facts: &BodyFacts,
    package: &str,
    at: Site,
    position: impl Fn(Site) -> Position,
) -> Option<FunctionAtomicity> {
    let listed = facts.listed.as_deref()?;
    let place = |site: Site| {
        let at = position(site);
        Place { file: at.file, line: at.line, column: at.column }
    };
    let (alone, within) = both(listed);
    let if_held = (alone != within && !listed.locks.is_empty()).then(|| IfHeld {
        locks: listed.locks.iter().filter_map(|&lock| names::lock(facts, lock)).collect(),
        atomicity: within,
    });
    let step = |step: &MoverStep| {
        let name = names::performed(all, facts, step.what).map(|name| format!("`{name}`"));
        let text = words::performed(step.what, &name.unwrap_or_else(|| words::unnamed(step.what).to_owned()));
        AtomicStep { place: place(step.site), moves: one(step.mover), text }
    };
    let steps: Vec<AtomicStep> = listed.steps.iter().map(step).collect();
    Some(FunctionAtomicity {
        place: place(at),
        package: package.to_owned(),
        function: facts.function.clone(),
        atomicity: alone,
        if_held,
        declared: listed.declared,
        reason: words::why_atomicity(alone, &steps),
        steps,
    })
}

/// By itself, and for a caller that holds the locks it is given.
fn both(listed: &Listed) -> (Atomicity, Atomicity) {
    let known = |mover: Mover| if mover == Mover::Both && listed.idle { Atomicity::Const } else { one(mover) };
    let (alone, within) = (known(listed.moves.alone), known(listed.moves.within));
    match listed.moves.guarding {
        Guarding::Held => (alone, within),
        Guarding::LeftToCaller => (Atomicity::Error, within),
        Guarding::Missing => (Atomicity::Error, Atomicity::Error),
    }
}

fn one(mover: Mover) -> Atomicity {
    match mover {
        Mover::Both => Atomicity::Mover,
        Mover::Right => Atomicity::RightMover,
        Mover::Left => Atomicity::LeftMover,
        Mover::Atomic => Atomicity::Atomic,
        Mover::Compound => Atomicity::Compound,
    }
}
