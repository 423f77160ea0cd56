//! Provenance: which look into which critical section a value was computed from, and how old that look is.

use crate::domain::path::PathId;
use crate::events::{Beyond, Mode, Site};
use serde::{Deserialize, Serialize};

/// One look under a lock. A value carries a set of them: *may* have been computed from each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    pub lock: PathId,
    /// What was looked at, below the lock's data.
    pub path: PathId,
    /// Where the section was opened.
    pub section: Site,
    pub read: Site,
    pub how: How,
    /// The entry that was looked for, if the section looked for one alone, and the caller gave its key.
    pub key: Option<PathId>,
    /// The section was one of readers.
    pub shared: bool,
    /// Nothing was copied: a variable was set one way or the other, depending on what was seen.
    pub implicit: bool,
    /// The section had changed it before it looked: a position that was seen then may be the thread's own.
    pub after_change: bool,
    /// A function that was called looked, in a section of its own.
    pub by_callee: bool,
    /// Where the section was left, once it was.
    pub left: Option<Site>,
    /// The task has slept at an `.await` since the section was left.
    pub slept: bool,
    /// The most that was done beyond the memory of the thread since then.
    pub meanwhile: Option<Beyond>,
    /// Another lock that was held when the section was left, and ever since.
    pub cover: Option<Cover>,
    /// Another lock that was held when the section was left, whatever became of it.
    pub seen_under: Option<PathId>,
    pub age: Age,
}

/// A lock held over a gap: who needs it too cannot get in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cover {
    pub lock: PathId,
    pub section: Site,
    pub mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum How {
    /// Copied, cloned or computed: the original is still there.
    Copied,
    /// Moved out: the value is this thread's alone.
    Taken,
    /// Counted up in the same section: nobody else gets this number.
    Reserved,
}

/// How many sections of the same lock were entered since the look (invariant J2 of Burrows and Leino).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Age {
    /// The section is still open, or was not followed by another one.
    Fresh,
    Stale {
        sections: u8,
        entered: Site,
        waited: bool,
    },
}

/// Ages above this are alike.
const OLDEST: u8 = 3;

impl Age {
    pub fn older(self, entered: Site, waited: bool) -> Age {
        let sections = match self {
            Age::Fresh => 1,
            Age::Stale { sections, .. } => OLDEST.min(sections + 1),
        };
        Age::Stale { sections, entered, waited }
    }
}

impl Origin {
    pub fn is_stale(&self) -> bool {
        matches!(self.age, Age::Stale { .. })
    }

    /// What a change of the thing handed out is this thread's own. What was old before stays a copy.
    pub fn taken_if_fresh(self) -> Origin {
        if self.is_stale() { self } else { Origin { how: How::Taken, ..self } }
    }

    pub fn waited(&self) -> bool {
        matches!(self.age, Age::Stale { waited: true, .. })
    }

    pub fn entered(&self) -> Option<Site> {
        match self.age {
            Age::Fresh => None,
            Age::Stale { entered, .. } => Some(entered),
        }
    }
}
