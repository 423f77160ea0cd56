//! What the rest of a crate must know of a body: who changes what under which lock.
//!
//! Here the second equality of locks holds: across threads a lock is its type and field, or its static.

mod aliases;
mod callers;
mod entrances;
mod function;
mod keys;
mod outer;
mod shared;
mod store;
mod writes;

pub use aliases::Aliases;
pub use entrances::Entrances;
pub use function::{
    Given, Invocation, PairWithin, Position, Section, Source, Store, Summaries, Summary, WaitWithin, WantedLock,
};
pub use keys::LockKey;
pub use outer::{OuterNode, OuterPath, OuterPaths, OuterRoot, OuterTable, invocation_of, invoked};
pub use shared::{
    Guess, Guessed, LocationGuesses, LocationKey, Pair, Refuted, RootKind, Shared, Spot, Stages, guesses,
};
pub use store::{ForeignFunction, ForeignLock, ForeignPair, ForeignWrite, Stored, Validity};
pub use writes::{Interferer, Writes, is_same_place};

use crate::domain::facts::BodyFacts;
use crate::events::Exposures;
use callers::HeldByCallers;
use std::rc::Rc;

/// What the other crates of the workspace have left for this one.
#[derive(Default)]
pub struct Elsewhere {
    pub functions: Vec<ForeignFunction>,
    pub writes: Vec<ForeignWrite>,
    pub pairs: Vec<ForeignPair>,
}

/// All bodies of a crate, walked, and what they do to each other.
pub struct Crate {
    pub bodies: Vec<BodyFacts>,
    pub writes: Writes,
    /// Locks that several objects share.
    pub aliases: Aliases,
    /// Writes in other crates of the workspace.
    pub elsewhere: Vec<ForeignWrite>,
    /// Orders of locks there.
    pub pairs_elsewhere: Vec<ForeignPair>,
    /// What no lock is tied to.
    pub shared: Shared,
}

impl Crate {
    pub fn new(bodies: Vec<BodyFacts>, elsewhere: Elsewhere, exposures: Rc<Exposures>) -> Crate {
        let Elsewhere { writes: elsewhere, pairs: pairs_elsewhere, .. } = elsewhere;
        let held = HeldByCallers::of_locks(&bodies);
        let mut writes = Writes::collect(&bodies, held);
        writes.add_elsewhere(&elsewhere);
        let shared = Shared::collect(&bodies, &writes, exposures);
        let aliases = Aliases::collect(&bodies);
        Crate { bodies, writes, aliases, elsewhere, pairs_elsewhere, shared }
    }
}
