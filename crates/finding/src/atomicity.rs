//! The document of `cargo stalemate atomicity`: what each function is, by itself and for a caller that holds its locks.

use crate::document::{Place, Tool};
use serde::{Deserialize, Serialize};

/// What a function can be, from the most to the least that others leave of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Atomicity {
    /// Touches nothing that changes.
    Const,
    /// Its steps can be moved past those of other threads, earlier and later.
    Mover,
    /// Only later: it takes a lock and keeps it.
    RightMover,
    /// Only earlier: it lets a lock go.
    LeftMover,
    /// As if nobody else ran meanwhile.
    Atomic,
    /// Others can come in between.
    Compound,
    /// A lock is not held that the code says is needed.
    Error,
}

impl Atomicity {
    pub const ALL: [Atomicity; 7] = [
        Atomicity::Const,
        Atomicity::Mover,
        Atomicity::RightMover,
        Atomicity::LeftMover,
        Atomicity::Atomic,
        Atomicity::Compound,
        Atomicity::Error,
    ];

    /// As the papers write it, and the document.
    pub fn name(self) -> &'static str {
        match self {
            Atomicity::Const => "const",
            Atomicity::Mover => "mover",
            Atomicity::RightMover => "right-mover",
            Atomicity::LeftMover => "left-mover",
            Atomicity::Atomic => "atomic",
            Atomicity::Compound => "compound",
            Atomicity::Error => "error",
        }
    }
}

/// One function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionAtomicity {
    #[serde(flatten)]
    pub place: Place,
    pub package: String,
    pub function: String,
    pub atomicity: Atomicity,
    /// What it is for a caller that holds these locks, if that is something else.
    pub if_held: Option<IfHeld>,
    /// It says that it is meant to be atomic.
    pub declared: bool,
    pub reason: String,
    /// The steps that count, on one of the worst ways through it. The last one of a compound function is one too many.
    pub steps: Vec<AtomicStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct IfHeld {
    pub locks: Vec<String>,
    pub atomicity: Atomicity,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AtomicStep {
    #[serde(flatten)]
    pub place: Place,
    pub moves: Atomicity,
    pub text: String,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AtomicityDocument {
    pub schema: u32,
    pub tool: Tool,
    pub functions: Vec<FunctionAtomicity>,
}

#[cfg(test)]
mod tests {
    use super::Atomicity;

    #[test]
    fn names_are_those_of_the_document() {
        for one in Atomicity::ALL {
            assert_eq!(serde_json::to_value(one).unwrap(), one.name());
        }
    }
}
