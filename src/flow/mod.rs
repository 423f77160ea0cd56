//! Walks a body until nothing new is learnt, and writes down what the checks want to know.

mod apply;
mod atomics;
mod calls;
mod closures;
mod confined;
mod control;
mod decisions;
mod dominance;
mod doubles;
mod drops;
mod enlists;
mod expected;
mod guards;
mod liveness;
mod memory;
mod movers;
mod order;
mod owners;
mod positions;
mod published;
mod puts;
mod record;
mod refusals;
mod results;
mod sections;
mod seldom;
mod settle;
mod snapshots;
mod steps;
mod summarise;
mod takes;
mod touches;
mod transfer;
mod updates;
mod waits;

pub use order::{Source, walk_all};

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, Function};
use crate::summary::Summary;
use liveness::Liveness;
use std::rc::Rc;
use transfer::Walker;

/// Which extra work is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Follow the ghost variables of the 2002 rule too.
    pub snapshots: bool,
    /// Keep the steps that say how atomic a body is, whether it is meant to be or not.
    pub atomicity: bool,
    /// Keep where locks are held.
    pub map: bool,
    /// How much may be done for one body, if it is not [`FUEL`].
    pub fuel: Option<usize>,
}

/// What the walk of one body may cost: events, times what is known where they are met. It is counted and not timed, so that every machine gives up on the same bodies.
const FUEL: usize = 20_000_000;

/// Why a body was not walked to its end; it is reported as a skipped body.
#[derive(Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// A loop goes on learning: a fault of the analysis.
    NoEnd,
    /// It is so large that the others would have to wait for it.
    TooLarge,
}

/// What the walk of one body gave.
pub struct Walked {
    pub facts: BodyFacts,
    pub summary: Summary,
}

/// Where a walk learns what other functions do.
pub trait Library {
    fn known(&self, function: DefinitionId) -> Option<Rc<Summary>>;

    /// The same for a function that matters here: it may have to be read first.
    fn learn(&self, function: DefinitionId) -> Option<Rc<Summary>>;
}

/// Walks one body; the summaries of what it calls are known, as far as they can be.
pub fn walk(function: &Function, library: &dyn Library, options: Options) -> Result<Walked, Unsettled> {
    let mut walker = Walker::new(function, library, options);
    let liveness = Liveness::of(function);
    settle::settle(&mut walker, &liveness)?;
    if walker.learnt_late {
        settle::settle(&mut walker, &liveness)?;
    }
    Ok(walker.finish(function))
}
