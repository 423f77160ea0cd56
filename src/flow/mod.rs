//! Walks a body until nothing new is learnt, then once more to write down what the checks want to know.
//!
//! The walk is a forward analysis over the blocks in reverse postorder. It ends because every part of a state only
//! grows and is bounded: paths have a longest length, sets of origins a largest size.

mod apply;
mod atomics;
mod calls;
mod closures;
mod control;
mod decisions;
mod liveness;
mod memory;
mod movers;
mod order;
mod positions;
mod record;
mod sections;
mod snapshots;
mod summarise;
mod takes;
mod transfer;
mod waits;

pub use order::{Source, walk_all};

use crate::domain::facts::BodyFacts;
use crate::domain::state::State;
use crate::events::{DefinitionId, Function};
use crate::summary::Summary;
use liveness::Liveness;
use std::collections::BTreeSet;
use std::rc::Rc;
use transfer::Walker;

/// Which extra work is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Follow the ghost variables of the 2002 rule too.
    pub snapshots: bool,
}

/// The body did not settle: a fault of the analysis, reported as a skipped body.
#[derive(Debug, PartialEq, Eq)]
pub struct Unsettled;

/// Rounds over one block before the walk gives up.
const ROUNDS: usize = 64;

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
    // Where no way leads back, each block is walked once, after all that lead to it, and what is seen then is final.
    let straight = has_no_way_back(function);
    let mut entries = settle(&mut walker, function, straight)?;
    if walker.learnt_late {
        entries = settle(&mut walker, function, straight)?;
    }
    if !straight {
        walker.start_recording();
        for (number, entry) in entries.into_iter().enumerate() {
            if let Some(mut state) = entry {
                walker.walk_block(&mut state, number);
            }
        }
    }
    Ok(walker.finish(function))
}

/// Each block stands before those that it leads to.
fn has_no_way_back(function: &Function) -> bool {
    let mut blocks = function.blocks.iter().enumerate();
    blocks.all(|(number, block)| block.successors.iter().all(|&next| number < next))
}

/// The state at the entry of each block that can be reached.
fn settle(walker: &mut Walker<'_>, function: &Function, recording: bool) -> Result<Vec<Option<State>>, Unsettled> {
    if recording {
        walker.start_recording();
    }
    let mut entries: Vec<Option<State>> = vec![None; function.blocks.len()];
    let liveness = Liveness::of(function);
    let mut rounds = vec![0usize; function.blocks.len()];
    let mut work = BTreeSet::from([0]);
    if let Some(first) = entries.first_mut() {
        *first = Some(State::default());
    }
    while let Some(block) = work.pop_first() {
        rounds[block] += 1;
        if rounds[block] > ROUNDS {
            return Err(Unsettled);
        }
        let Some(mut state) = entries.get(block).cloned().flatten() else { continue };
        walker.walk_block(&mut state, block);
        let successors = &function.blocks[block].successors;
        for (number, &next) in successors.iter().enumerate() {
            let is_last = number + 1 == successors.len();
            let mut state = if is_last { std::mem::take(&mut state) } else { state.clone() };
            if let Some(decision) = state.decisions.get_mut(&block) {
                decision.gone = function.blocks[block].if_gone == Some(next);
            }
            walker.forget_dead(&mut state, &liveness, next);
            walker.end_decisions(&mut state, next);
            let changed = match &mut entries[next] {
                Some(known) => known.join(&state, walker.paths()),
                empty => {
                    *empty = Some(state);
                    true
                }
            };
            if changed {
                work.insert(next);
            }
        }
    }
    Ok(entries)
}
