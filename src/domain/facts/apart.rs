//! What belongs together, and is done in two steps.

use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::events::{Counts, Site};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// What is done if nobody else owns what this `drop` gives up.
    pub last_owners: Vec<LastOwner>,
    pub expected: Vec<Expected>,
    /// Where atomics are counted, in functions that write something else, too; and the atomics that branches are decided by.
    pub counted: Vec<Counted>,
    pub asked: BTreeSet<PathId>,
    /// Where something is taken out that must be there, or the thread panics.
    pub sure_takes: BTreeSet<Site>,
    /// Pointers that were loaded from atomics, and followed without a lock.
    pub followed: Vec<Followed>,
}

impl Apart {
    pub fn says_nothing(&self) -> bool {
        self.last_owners.is_empty() && self.expected.is_empty() && self.followed.is_empty()
    }
}

/// A `drop` asks whether its handle is the last one, does something only if so, and gives the handle up in another step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastOwner {
    /// What is owned, as far as it has a name.
    pub of: Option<PathId>,
    pub asked: Site,
    pub acts: Site,
}

/// What was put there in a section that is over must be there still, or the thread panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The look at what is there now.
    pub look: Origin,
    pub put: Site,
    pub demanded: Site,
}

/// An atomic is counted up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    pub lock: PathId,
    pub site: Site,
    pub counts: Counts,
    /// Something was sent to another thread before, on every way.
    pub sent: Option<Site>,
    pub by_callee: bool,
}

/// A pointer that was loaded from an atomic is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    pub atomic: PathId,
    pub loaded: Site,
    pub site: Site,
    /// What was written before it was put there can be seen.
    pub acquires: bool,
}
