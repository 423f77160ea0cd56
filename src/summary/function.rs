//! What a caller must know of a function: which locks it goes through, what it stores where, what its result is made
//! of. Everything is told in paths that the caller can name: they start at a parameter or a static.

use crate::domain::facts::{Effect, Written};
use crate::domain::mover::Moves;
use crate::domain::origin::How;
use crate::events::{Beyond, Counts, DefinitionId, LockType, Mode, Waiting};
use crate::summary::outer::{OuterPath, OuterPaths};
use fxhash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What something is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Source {
    /// What the caller left at the path.
    Input { path: OuterPath, taken: bool, implicit: bool, after_change: bool, alone: bool },
    /// A look under a lock, in a section that is over.
    Look { lock: OuterPath, path: OuterPath, key: Option<OuterPath>, how: How, shared: bool, after_change: bool },
}

/// A critical section that the function opens and closes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub lock: OuterPath,
    pub lock_type: LockType,
    pub mode: Mode,
}

/// A lock that the function waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedLock {
    pub lock: OuterPath,
    pub lock_type: LockType,
    pub mode: Mode,
    pub recursive: bool,
}

/// Two locks that the function takes one after the other, and that it knows only by what it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairWithin {
    pub held: Section,
    pub wanted: Section,
    pub recursive: bool,
    /// Among the pairs of the function.
    pub number: usize,
}

/// A change that the caller, or other threads, can see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Store {
    pub target: OuterPath,
    pub sources: Vec<Source>,
    pub effect: Effect,
    pub written: Written,
    /// What is written wakes who waits.
    pub wakes: bool,
    /// Whether it comes to that was decided by what the function saw itself.
    pub asked: bool,
    /// The key of the entry that is written.
    pub key: Option<OuterPath>,
    /// Paths that were looked at again, in the section of the store, before it.
    pub rechecked: Vec<OuterPath>,
    /// Things of the caller's that were compared with each other before it.
    pub compared: Vec<(OuterPath, OuterPath)>,
}

/// A position that comes from the caller, used in a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub container: OuterPath,
    pub sources: Vec<Source>,
    /// What is there is changed, and not only read.
    pub changes: bool,
}

/// A call of something that the caller gave: a closure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    pub number: usize,
    pub callee: OuterPath,
    pub given: Vec<Given>,
    /// Some lock of the function is held meanwhile.
    pub under_lock: bool,
    /// Those of them that the caller can name.
    pub under: Vec<OuterPath>,
}

/// A wait with a guard that the caller gave, and gets back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitWithin {
    /// The parameter that the guard is in, counted from 1.
    pub guard: usize,
    pub condition: Option<OuterPath>,
    /// If tested, then by the function itself.
    pub how: Waiting,
}

/// One argument of an invocation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    pub sources: Vec<Source>,
    pub pointer: Option<OuterPath>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What the paths below are numbers of.
    pub paths: OuterPaths,
    pub invocations: Vec<Invocation>,
    pub sections: Vec<Section>,
    pub stores: Vec<Store>,
    pub positions: Vec<Position>,
    pub waits: Vec<WaitWithin>,
    /// What the result is made of.
    pub result: Vec<Source>,
    /// What the result points at.
    pub pointer: Option<OuterPath>,
    /// What parts of the result point at, where it is made of several.
    pub parts: Vec<(OuterPath, OuterPath)>,
    /// Locks whose guards are in the result, and whether they are there only on some ways.
    pub guards: Vec<(Section, bool)>,
    /// Whether it could be moved to one point in time.
    pub moves: Moves,
    /// Locks that it waits for, itself or through what it calls.
    pub wants: Vec<WantedLock>,
    /// The order in which it takes locks that only its callers can tell from others.
    pub pairs: Vec<PairWithin>,
    /// Locks that it says its callers hold, and those that what it does needs though it says nothing.
    pub requires: Vec<OuterPath>,
    pub needs: Vec<OuterPath>,
    /// Atomics that it counts up or down.
    pub counted: Vec<(OuterPath, Counts)>,
    /// What it panics at if it is not as it is said to be, under a lock that it takes.
    pub asserted: Vec<OuterPath>,
    /// It polls a future by hand.
    pub polls: Option<Rc<[DefinitionId]>>,
    /// It puts something into a channel itself: what it calls may send something else.
    pub sends: bool,
    /// What it tells other threads of.
    pub sent: Vec<Source>,
    /// Things of the caller's that a closure compares with each other.
    pub compares: Vec<(OuterPath, OuterPath)>,
    /// The most that it does beyond the memory of the thread.
    pub beyond: Option<Beyond>,
}

impl Summary {
    /// A call of it leads to no lock, neither of its own nor through what it is given to call.
    pub fn is_idle(&self) -> bool {
        self.sections.is_empty()
            && self.guards.is_empty()
            && self.invocations.is_empty()
            && self.waits.is_empty()
            && self.requires.is_empty()
    }
}

/// Summaries by function.
#[derive(Clone, Debug, Default)]
pub struct Summaries {
    known: FxHashMap<DefinitionId, Rc<Summary>>,
}

impl Summaries {
    /// Starts with what is known of other crates.
    pub fn with(foreign: impl IntoIterator<Item = (DefinitionId, Rc<Summary>)>) -> Summaries {
        Summaries { known: foreign.into_iter().collect() }
    }

    pub fn get(&self, function: DefinitionId) -> Option<Rc<Summary>> {
        self.known.get(&function).cloned()
    }

    /// Says whether anything changed.
    pub fn set(&mut self, function: DefinitionId, summary: Summary) -> bool {
        let summary = Rc::new(summary);
        self.known.insert(function, summary.clone()).is_none_or(|before| before != summary)
    }
}
