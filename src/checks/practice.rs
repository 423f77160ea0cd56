//! What is done everywhere is no slip (after Engler's "bugs as deviant behaviour"). Where several functions look in one step
//! and change in another, or take the locks of a type in any order, and this with many of its locks, then its authors do not
//! count on these locks to keep threads apart: they are there because the language asks for them, each around a field of its own,
//! and something else makes the callers take turns, such as one connection for each thread.

use super::{Evidence, Happening, Moment, Shape, Suspicion, score};
use crate::checks::terms::deadlock;
use crate::domain::path::PathId;
use crate::events::DefinitionId;
use crate::summary::{Crate, LockKey};
use std::collections::{BTreeMap, BTreeSet};

/// So many functions of one type are not wrong in the same way, with so many of its locks.
const MANY: usize = 5;

/// Fewer are enough, but for deadlocks, where a type has so many locks and atomics that nearly each field has one.
const FEWER: usize = 4;
const A_LOCK_FOR_EACH_FIELD: usize = 8;

/// What has fewer points is not even worth counting.
const COUNTS: i32 = 20;

/// What is done with the locks of one type.
#[derive(Default)]
struct Practice<'c> {
    functions: BTreeSet<&'c str>,
    locks: BTreeSet<LockKey>,
}

impl Practice<'_> {
    fn is_common(&self, enough: usize) -> bool {
        self.functions.len() >= enough && self.locks.len() >= enough
    }
}

/// Puts it to the evidence of all that takes two threads with one object.
pub fn weigh(all: &Crate, found: &mut [&mut Suspicion]) {
    let mut practices: BTreeMap<DefinitionId, Practice<'_>> = BTreeMap::new();
    for one in found.iter().filter(|one| takes_two_threads(one) && as_told(one) >= COUNTS) {
        if let Some((owner, lock)) = owned(all, one.body, one.lock) {
            let practice = practices.entry(owner).or_default();
            practice.functions.insert(&all.bodies[one.body].function);
            practice.locks.insert(lock);
        }
    }
    let crowded = crowded(all, &practices);
    for one in found.iter_mut().filter(|one| takes_two_threads(one)) {
        let mut locks = one.moments.iter().filter_map(taken).chain([(one.body, one.lock)]);
        let deadlocks = matches!(one.shape, Shape::Deadlock(_));
        let is_practice = |(owner, _): (DefinitionId, LockKey)| {
            let enough = if crowded.contains(&owner) && !deadlocks { FEWER } else { MANY };
            practices.get(&owner).is_some_and(|practice| practice.is_common(enough))
        };
        if locks.any(|(body, lock)| owned(all, body, lock).is_some_and(is_practice)) {
            one.evidence.push(Evidence::PracticeOfType);
        }
    }
}

/// The types of those with a practice that have a lock for nearly each field.
fn crowded(all: &Crate, practices: &BTreeMap<DefinitionId, Practice<'_>>) -> BTreeSet<DefinitionId> {
    let mut locks: BTreeMap<DefinitionId, BTreeSet<LockKey>> = BTreeMap::new();
    if !practices.values().any(|practice| practice.is_common(FEWER)) {
        return BTreeSet::new();
    }
    for facts in all.bodies.iter().filter(|facts| !facts.says_nothing()) {
        let keys = facts.lock_types.iter().filter_map(|(lock, _)| LockKey::of(&facts.paths, *lock));
        for (owner, key) in keys.filter_map(|key| Some((key.owner()?, key))) {
            locks.entry(owner).or_default().insert(key);
        }
    }
    locks.into_iter().filter(|(_, locks)| locks.len() >= A_LOCK_FOR_EACH_FIELD).map(|(owner, _)| owner).collect()
}

/// Whoever takes a lock that he holds needs nobody else for it to go wrong; and what no lock is tied to is another matter.
fn takes_two_threads(one: &Suspicion) -> bool {
    matches!(
        one.shape,
        Shape::LostUpdate
            | Shape::PutBack
            | Shape::OldValueStored
            | Shape::OldValuePassed
            | Shape::OldPosition
            | Shape::OldKey
            | Shape::OldBesidePresent
            | Shape::CheckThenWrite
            | Shape::CheckThenInsert
            | Shape::CheckThenAdmit
            | Shape::CheckThenCount
            | Shape::CheckThenDemand
            | Shape::CheckThenUncovered
            | Shape::SplitUpdate
            | Shape::TestThenStore
            | Shape::TestThenCount
            | Shape::Deadlock(deadlock::Shape::ReadTwice | deadlock::Shape::LockOrder)
    )
}

/// A lock that the threads of a deadlock have or want: if only one thread has the object that one of them is in, there is none.
fn taken(moment: &Moment) -> Option<(usize, Option<PathId>)> {
    match moment.happens {
        Happening::Deadlock(
            deadlock::Happening::HasLock { body, lock, .. } | deadlock::Happening::WantsLock { body, lock, .. },
        ) => Some((body, Some(lock))),
        _ => None,
    }
}

/// Signs that one thread at a time comes here do not make it less of a practice.
fn as_told(one: &Suspicion) -> i32 {
    let signs = one.evidence.iter().filter(|evidence| matches!(evidence, Evidence::Alone(_)));
    score(&one.evidence) - signs.map(|sign| sign.points()).sum::<i32>()
}

/// The lock, and the type that has it. Nobody takes a concurrent map because the language asks for it.
fn owned(all: &Crate, body: usize, lock: Option<PathId>) -> Option<(DefinitionId, LockKey)> {
    let facts = &all.bodies[body];
    let lock = LockKey::of(&facts.paths, lock.filter(|&lock| !facts.is_map(lock))?)?;
    Some((lock.owner()?, lock))
}
