//! What is done everywhere is no slip (after Engler's "bugs as deviant behaviour"). Where several functions look in one section
//! and change in another, with many of the locks of a type, its authors do not count on these locks to keep the two
//! together: they are there because the language asks for them, each around a field of its own, and something else makes the
//! callers take turns, such as one connection for each thread.

use super::{Evidence, Suspicion, score};
use crate::events::DefinitionId;
use crate::summary::{Crate, LockKey};
use std::collections::{BTreeMap, BTreeSet};

/// So many functions of one type are not wrong in the same way, with so many of its locks.
const FUNCTIONS: usize = 5;
const LOCKS: usize = 5;

/// What has fewer points is not even worth counting.
const COUNTS: i32 = 20;

/// What is done with the locks of one type.
#[derive(Default)]
struct Practice<'c> {
    functions: BTreeSet<&'c str>,
    locks: BTreeSet<LockKey>,
}

impl Practice<'_> {
    fn is_common(&self) -> bool {
        self.functions.len() >= FUNCTIONS && self.locks.len() >= LOCKS
    }
}

/// Puts it to the evidence of all that was found about two sections.
pub fn weigh(all: &Crate, found: &mut [&mut Suspicion]) {
    let mut practices: BTreeMap<DefinitionId, Practice<'_>> = BTreeMap::new();
    for one in found.iter().filter(|one| as_told(one) >= COUNTS) {
        if let Some((owner, lock)) = owned(all, one) {
            let practice = practices.entry(owner).or_default();
            practice.functions.insert(&all.bodies[one.body].function);
            practice.locks.insert(lock);
        }
    }
    for one in found {
        let practice = owned(all, one).and_then(|(owner, _)| practices.get(&owner));
        if practice.is_some_and(Practice::is_common) {
            one.evidence.push(Evidence::PracticeOfType);
        }
    }
}

/// Signs that one thread at a time comes here do not make it less of a practice.
fn as_told(one: &Suspicion) -> i32 {
    let signs = one.evidence.iter().filter(|evidence| matches!(evidence, Evidence::Alone(_)));
    score(&one.evidence) - signs.map(|sign| sign.points()).sum::<i32>()
}

/// The lock, and the type that has it.
fn owned(all: &Crate, one: &Suspicion) -> Option<(DefinitionId, LockKey)> {
    let lock = LockKey::of(&all.bodies[one.body].paths, one.lock?)?;
    Some((lock.owner()?, lock))
}
