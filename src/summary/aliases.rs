//! Locks that several objects share: an `Arc<Mutex<State>>` is a field here and a field there, and one lock all the same.
//!
//! Fields of two types that both lead to an `Arc` of a lock, of the same kind and around the same type of this crate, are
//! taken as one. Not so if some type has two such fields: then the type of what is protected does not tell which lock it is.

use crate::domain::facts::BodyFacts;
use crate::domain::path::PathId;
use crate::events::{DefinitionId, LockType};
use crate::summary::LockKey;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A kind of lock, and what it protects.
type Content = (Rc<str>, DefinitionId);

/// The fields that lead to a lock.
type Fields = Vec<(DefinitionId, u32)>;

#[derive(Debug, Default)]
pub struct Aliases {
    /// What two locks of one object protect.
    ambiguous: BTreeSet<Content>,
}

impl Aliases {
    pub(super) fn collect(bodies: &[BodyFacts]) -> Aliases {
        let mut owners: BTreeMap<Content, BTreeMap<DefinitionId, BTreeSet<Fields>>> = BTreeMap::new();
        for facts in bodies.iter().filter(|facts| !facts.says_nothing()) {
            for (lock, of) in &facts.lock_types {
                let Some(content) = content(facts, *lock, of) else { continue };
                let Some(LockKey::Fields(fields)) = LockKey::of(&facts.paths, *lock) else { continue };
                // The type of this crate that has the handle, be it in an `Option` or not.
                let own = fields.iter().position(|(owner, _)| owner.0 == facts.id.0);
                let Some(own) = own else { continue };
                let keys = owners.entry(content).or_default().entry(fields[own].0).or_default();
                keys.insert(fields[..=own].to_vec());
            }
        }
        let two = |keys: &BTreeMap<DefinitionId, BTreeSet<Fields>>| keys.values().any(|keys| keys.len() > 1);
        Aliases { ambiguous: owners.into_iter().filter(|(_, keys)| two(keys)).map(|(content, _)| content).collect() }
    }

    /// What all threads know the lock by, whichever object leads to it.
    pub fn key(&self, facts: &BodyFacts, lock: PathId) -> Option<LockKey> {
        let plain = LockKey::of(&facts.paths, lock)?;
        let of = facts.lock_types.iter().find(|(known, _)| *known == lock).map(|(_, of)| of);
        let content = of.and_then(|of| content(facts, lock, of)).filter(|content| !self.ambiguous.contains(content));
        match (plain, content) {
            (LockKey::Fields(_), Some((name, content))) => Some(LockKey::Content(name, content)),
            (plain, _) => Some(plain),
        }
    }
}

fn content(facts: &BodyFacts, lock: PathId, of: &LockType) -> Option<Content> {
    let content = of.content.filter(|_| facts.paths.is_handed_round(lock))?;
    Some((of.name.clone(), content))
}
