//! What the rest of a crate must know of a body: who changes what under which lock.
//!
//! Here the second equality of locks holds: across threads a lock is its type and field, or its static.

mod callers;
mod function;
mod writes;

pub use function::{
    Given, Invocation, OuterPath, OuterRoot, Position, Section, Source, Store, Summaries, Summary, invocation_of,
    invoked,
};
pub use writes::{Interferer, LockKey, Writes};

use crate::domain::facts::BodyFacts;
use callers::HeldByCallers;

/// All bodies of a crate, walked, and what they do to each other.
pub struct Crate {
    pub bodies: Vec<BodyFacts>,
    pub writes: Writes,
}

impl Crate {
    pub fn new(bodies: Vec<BodyFacts>) -> Crate {
        let held = HeldByCallers::infer(&bodies);
        let writes = Writes::collect(&bodies, held);
        Crate { bodies, writes }
    }
}
