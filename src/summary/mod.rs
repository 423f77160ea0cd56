//! What the rest of a crate must know of a body: who changes what under which lock.
//!
//! Here the second equality of locks holds: across threads a lock is its type and field, or its static.

mod callers;
mod function;
mod outer;
mod store;
mod writes;

pub use function::{
    Given, Invocation, PairWithin, Position, Section, Source, Store, Summaries, Summary, WaitWithin, WantedLock,
};
pub use outer::{OuterNode, OuterPath, OuterPaths, OuterRoot, OuterTable, invocation_of, invoked};
pub use store::{ForeignFunction, ForeignWrite, Stored, Validity};
pub use writes::{Interferer, LockKey, Writes};

use crate::domain::facts::BodyFacts;
use callers::HeldByCallers;

/// All bodies of a crate, walked, and what they do to each other.
pub struct Crate {
    pub bodies: Vec<BodyFacts>,
    pub writes: Writes,
    /// Writes in other crates of the workspace.
    pub elsewhere: Vec<ForeignWrite>,
}

impl Crate {
    pub fn new(bodies: Vec<BodyFacts>, elsewhere: Vec<ForeignWrite>) -> Crate {
        let held = HeldByCallers::infer(&bodies);
        let mut writes = Writes::collect(&bodies, held);
        writes.add_elsewhere(&elsewhere);
        Crate { bodies, writes, elsewhere }
    }
}
