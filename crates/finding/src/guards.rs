//! The document of `cargo stalemate guards`: what guards the state that no type ties to a lock, as far as that can be
//! inferred, and for every guess that is wrong the place that shows it.

use crate::document::{Place, Tool};
use serde::{Deserialize, Serialize};

/// A field or a static.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocationGuards {
    #[serde(flatten)]
    pub place: Place,
    pub package: String,
    /// `Account.balance`, or the name of the static.
    pub location: String,
    pub kind: LocationKind,
    /// Places that use it.
    pub uses: usize,
    /// Those among them where nobody else can have it.
    pub alone: usize,
    pub guesses: Vec<Guess>,
    /// The functions that use it, and those that call them.
    pub functions: Vec<FunctionGuards>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LocationKind {
    Cell,
    Pointer,
    Static,
    Atomic,
}

impl LocationKind {
    pub fn name(self) -> &'static str {
        match self {
            LocationKind::Cell => "cell",
            LocationKind::Pointer => "raw pointer",
            LocationKind::Static => "static mut",
            LocationKind::Atomic => "atomic",
        }
    }
}

/// What the callers of a function hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionGuards {
    pub function: String,
    pub guesses: Vec<Guess>,
}

/// One thing that could be so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Guess {
    pub guess: GuessKind,
    /// The lock, for the kinds that have one.
    pub lock: Option<String>,
    pub holds: bool,
    pub text: String,
    /// What shows that it is not so.
    pub refuted_at: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuessKind {
    ThreadLocal,
    ReadOnly,
    MainThread,
    GuardedBy,
    Requires,
}

impl LocationGuards {
    /// Some guess says that no two threads can be there at once.
    pub fn is_guarded(&self) -> bool {
        self.guesses.iter().any(|guess| guess.holds)
    }
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardsDocument {
    pub schema: u32,
    pub tool: Tool,
    pub locations: Vec<LocationGuards>,
}

/// How many pairs of uses are left after each of Chord's stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairStages {
    pub original: u64,
    pub reachable: u64,
    pub aliasing: u64,
    pub escaping: u64,
    pub unlocked: u64,
    /// What was done to count them: uses, calls and kinds of use that were looked at.
    pub steps: u64,
}

impl PairStages {
    pub fn add(&mut self, other: PairStages) {
        self.original += other.original;
        self.reachable += other.reachable;
        self.aliasing += other.aliasing;
        self.escaping += other.escaping;
        self.unlocked += other.unlocked;
        self.steps += other.steps;
    }
}
