//! The ghost variables of Burrows and Leino, one set per variable of the source: `from_critical` (J1), `stale` (J0)
//! and `age` (J2). Sections of all locks are alike, as in the paper.
//!
//! Where the paper's checker warns it goes on as if the variable were fresh; the reads that follow are kept as echoes
//! of the one that was reported.

use crate::events::Site;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub written: Site,
    /// J1: the last write was inside a critical section.
    pub from_critical: bool,
    pub standing: Standing,
}

/// J0, with the memory of what was already said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Fresh,
    /// A section was entered after the write.
    Stale {
        entered: Site,
        age: u8,
    },
    /// Was stale and reported at this read; taken as fresh from there on.
    Reported {
        at: Site,
    },
}

/// Ages above this are alike.
const OLDEST: u8 = 9;

impl Snapshot {
    pub fn written(at: Site, from_critical: bool) -> Snapshot {
        Snapshot { written: at, from_critical, standing: Standing::Fresh }
    }

    /// The ghost statement G2.
    pub fn enter_section(&mut self, at: Site) {
        if !self.from_critical {
            return;
        }
        self.standing = match self.standing {
            Standing::Stale { age, .. } => Standing::Stale { entered: at, age: OLDEST.min(age + 1) },
            Standing::Fresh | Standing::Reported { .. } => Standing::Stale { entered: at, age: 1 },
        };
    }

    /// Possibly stale on one way is stale; written inside on one way counts as inside.
    pub fn join(&mut self, other: Snapshot) {
        if other.from_critical && !self.from_critical {
            *self = other;
            return;
        }
        if other.from_critical == self.from_critical && rank(other.standing) > rank(self.standing) {
            *self = other;
        }
    }
}

/// The order in which joins prefer: a warning that is still to come, then one that was given.
fn rank(standing: Standing) -> (u8, u8, Option<Site>) {
    match standing {
        Standing::Fresh => (0, 0, None),
        Standing::Reported { at } => (1, 0, Some(at)),
        Standing::Stale { entered, age } => (2, age, Some(entered)),
    }
}
