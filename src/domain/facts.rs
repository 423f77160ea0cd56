//! What the flow found in one body, as plain data for the checks: nothing is judged yet.

use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths};
use crate::events::{Local, Site};
use std::collections::BTreeSet;
use std::rc::Rc;

/// One body, walked.
#[derive(Debug)]
pub struct BodyFacts {
    pub function: String,
    pub paths: Paths,
    /// Stale values that decide something.
    pub uses: Vec<Use>,
    /// Everything that changes what a lock protects.
    pub writes: Vec<Write>,
    /// Variables read by the rule of 2002 though stale.
    pub stale_reads: Vec<StaleRead>,
    /// The type of each lock, as users write it.
    pub lock_types: Vec<(PathId, Rc<str>)>,
    /// Locals made in this body that nothing outside it can reach.
    pub private: BTreeSet<Local>,
    pub names: Vec<Option<Rc<str>>>,
    /// Parameters and locals of type `&mut T`.
    pub exclusive: BTreeSet<Local>,
}

/// A place where a value with stale origins decides something.
#[derive(Clone, Debug)]
pub struct Use {
    pub site: Site,
    pub kind: UseKind,
    /// It happens in a function that is called here.
    pub by_callee: bool,
    /// Stale, and not looked at again since.
    pub origins: Vec<Origin>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// It is stored under a lock that is held now.
    Write { target: PathId, effect: Effect },
    /// It is a position in this container, or the container itself is the old one.
    Position { container: PathId },
    /// The way forks on it while the lock it came from is held again.
    Branch,
}

/// What a write does to what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Replaces it without a look.
    Overwrites,
    /// Computes the new value from the present one and the old look.
    Adjusts,
    /// A call that can see the present value: `insert`, `push`, a method of the user's.
    Calls,
}

/// A change of what a lock protects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub target: PathId,
    pub site: Site,
    /// The locks that are held for sure.
    pub under: Vec<PathId>,
}

/// A read that the paper's assertion would fail at, and the reads after it that it speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleRead {
    pub variable: Local,
    pub written: Site,
    pub entered: Site,
    pub age: u8,
    pub read: Site,
    pub echoes: Vec<Site>,
}
