//! Names of locks and of what they protect, as they stand in the source.

use crate::domain::facts::{BodyFacts, Performed};
use crate::domain::path::{PathId, Root, Step};
use crate::summary::Crate;

/// `self.state`, `COUNTER`, `queue`; `None` where the source has no name for it.
pub(super) fn lock(facts: &BodyFacts, lock: PathId) -> Option<String> {
    let mut parts = Vec::new();
    match facts.paths.root_of(lock) {
        Root::Local(local) => parts.extend(variable(facts, *local)),
        Root::Static(_, name) => parts.push(name.to_string()),
    }
    parts.extend(fields(facts.paths.steps(lock)));
    (!parts.is_empty()).then(|| parts.join("."))
}

/// The same with the numbers of fields that have no other name: `self.0`.
pub(super) fn memory(facts: &BodyFacts, path: PathId) -> Option<String> {
    let root = match facts.paths.root_of(path) {
        Root::Local(local) => variable(facts, *local),
        Root::Static(_, name) => Some(name.to_string()),
    };
    let fields = facts.paths.steps(path).into_iter().filter_map(|step| match step {
        // What a closure has captured, and the insides of others' types, have no number that anybody knows.
        Step::Field(field) if !is_number(&field.name) || field.owner.is_some() => Some(field.name.to_string()),
        _ => None,
    });
    let parts: Vec<String> = root.into_iter().chain(fields).collect();
    (!parts.is_empty()).then(|| parts.join("."))
}

/// The lock that a step is about, or the function that it calls.
pub(super) fn performed(all: &Crate, facts: &BodyFacts, what: Performed) -> Option<String> {
    match what {
        Performed::Calls(callee) | Performed::CallsUnguarded(callee) => {
            let callee = all.bodies.iter().find(|facts| Some(facts.id) == callee)?;
            Some(callee.function.clone()).filter(|name| !name.is_empty())
        }
        _ => lock(facts, what.lock()?),
    }
}

pub(super) fn variable(facts: &BodyFacts, local: u32) -> Option<String> {
    facts.names.get(local as usize)?.as_deref().map(str::to_owned)
}

/// The way below the lock: `balance`, `queue.items`; empty for all that the lock protects.
pub(super) fn access(facts: &BodyFacts, path: PathId) -> String {
    let parts: Vec<String> = fields(facts.paths.steps_under_lock(path)).collect();
    parts.join(".")
}

/// Fields without a name (of tuples, of enum variants) are left out: `0` tells nobody anything.
fn fields(steps: Vec<&Step>) -> impl Iterator<Item = String> {
    steps.into_iter().filter_map(|step| match step {
        Step::Field(field) if !is_number(&field.name) => Some(field.name.to_string()),
        Step::Field(_) | Step::Pointee { .. } | Step::Element | Step::At(_) | Step::Chosen { .. } | Step::Data => None,
    })
}

fn is_number(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_digit())
}
