//! What a lock is called by all bodies alike, so that two of them can be seen to speak of one.

use crate::domain::path::{PathId, Paths, Root, Step};
use crate::events::DefinitionId;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A lock as all threads know it: the fields that lead to it (or to the `Arc` of it) from the last pointer on, or its
/// static. A wrapper's field alone would make all locks behind that wrapper one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LockKey {
    Fields(Vec<(DefinitionId, u32)>),
    Static(DefinitionId),
    /// A lock of this type around this, wherever an `Arc` of it is kept.
    Content(Rc<str>, DefinitionId),
    /// No lock, but as good as one: exclusive access to a type that is kept under locks.
    Exclusive(DefinitionId),
}

impl LockKey {
    /// `None` where only the body itself knows the lock: a parameter, a local.
    pub fn of(paths: &Paths, lock: PathId) -> Option<LockKey> {
        let mut fields: Vec<(DefinitionId, u32)> = paths
            .ancestry(lock)
            .skip_while(|&at| {
                matches!(paths.step(at), Some(Step::Pointee { .. } | Step::Element | Step::At(_) | Step::Chosen { .. }))
            })
            .map_while(|at| match paths.step(at) {
                Some(Step::Field(field)) => Some((field.owner.unwrap_or(NOBODY), field.index)),
                _ => None,
            })
            .collect();
        // A tuple is part of the type that it is in; what a closure has captured is part of nothing.
        let owned = fields.iter().rposition(|(owner, _)| *owner != NOBODY).map_or(0, |last| last + 1);
        fields.truncate(owned);
        match paths.root_of(lock) {
            _ if !fields.is_empty() => Some(LockKey::Fields(fields)),
            Root::Static(id, _) => Some(LockKey::Static(*id)),
            Root::Local(_) => None,
        }
    }
}

impl LockKey {
    /// The type that the lock is a field of.
    pub fn owner(&self) -> Option<DefinitionId> {
        match self {
            LockKey::Fields(fields) => fields.iter().map(|(owner, _)| *owner).find(|owner| *owner != NOBODY),
            LockKey::Static(_) | LockKey::Content(..) | LockKey::Exclusive(_) => None,
        }
    }

    /// The field alone, whatever its type is part of.
    pub fn field(&self) -> LockKey {
        match self {
            LockKey::Fields(fields) => LockKey::Fields(within_type(fields).to_vec()),
            _ => self.clone(),
        }
    }

    /// The same field of the same type, whatever that is part of.
    pub fn is_same_field(&self, other: &LockKey) -> bool {
        match (self, other) {
            (LockKey::Fields(one), LockKey::Fields(other)) => within_type(one) == within_type(other),
            _ => self == other,
        }
    }
}

/// Has the fields of tuples.
const NOBODY: DefinitionId = DefinitionId(0, 0);

/// The way from the type that has the lock, or the tuple that the lock is in.
fn within_type(fields: &[(DefinitionId, u32)]) -> &[(DefinitionId, u32)] {
    let first = fields.iter().position(|(owner, _)| *owner != NOBODY).map_or(fields.len(), |first| first + 1);
    &fields[..first]
}
