//! What the tool said about all versions when somebody last wrote it down, in a file of the repository: `state.txt`. A run
//! is compared with it, so that a change of the tool shows in what it changes; and the numbers in docs/field.md are made of
//! it, so that a verdict or a reason can be added without a run of hours.
//!
//! - [`text`]: the file;
//! - [`taken`]: a run in this form;
//! - [`diff`]: what was added, what is gone, what has changed.

mod diff;
mod taken;
mod text;

pub use diff::Diff;

use finding::Confidence;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// One version of a crate. How it is compiled is not asked: a version stands in the lists with one set of arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub name: String,
    pub version: String,
}

impl Version {
    pub fn new(name: &str, version: &str) -> Version {
        Version { name: name.to_owned(), version: version.to_owned() }
    }
}

impl Display for Version {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.version)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Those that could be checked.
    pub versions: BTreeMap<Version, Checked>,
    /// What became of the known bugs, by id.
    pub bugs: BTreeMap<String, Answer>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    pub lines: usize,
    /// Above low, sorted by lint and fingerprint.
    pub findings: Vec<Seen>,
}

/// A finding, as much of it as is written down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    pub lint: String,
    pub fingerprint: String,
    pub confidence: Confidence,
    /// `src/lib.rs:12`.
    pub place: String,
    /// In a fixed version, where the bug was: what was read in the version before says nothing about it.
    pub is_at_fix: bool,
}

impl Seen {
    pub fn is_same(&self, other: &Seen) -> bool {
        self.lint == other.lint && self.fingerprint == other.fingerprint
    }
}

/// What is said about an item of the lists of known bugs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// In the version that has the bug, or in the correct code.
    pub at: Said,
    /// In the fixed version, if there is one.
    pub fixed: Option<Said>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// That version could not be checked.
    NotChecked,
    Silent,
    /// The surest finding; one of low confidence is not shown to people, and counts as nothing.
    Reported {
        lint: String,
        confidence: Confidence,
    },
}

impl Said {
    pub fn is_shown(&self) -> bool {
        matches!(self, Said::Reported { confidence, .. } if *confidence > Confidence::Low)
    }

    /// It was checked, and people are shown nothing.
    pub fn is_silent(&self) -> bool {
        !self.is_shown() && *self != Said::NotChecked
    }
}
