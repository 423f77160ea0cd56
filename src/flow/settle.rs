//! The order in which the blocks of a body are walked: one after those that lead to it, and loops round and round until
//! nothing new is learnt in them. What the checks want to know is written down the last time a block is walked, when what
//! is known at its start is final: where no loop is, that is the only time.
//!
//! It ends because every part of a state only grows and is bounded: paths have a longest length, sets of origins a largest
//! size. A body that is so large that this would take minutes is given up.

use crate::clock;
use crate::domain::state::State;
use crate::events::{Block, BlockId, Function};
use crate::flow::liveness::Liveness;
use crate::flow::transfer::Walker;
use crate::flow::{FUEL, Unsettled};
use finding::timings::Counts;
use std::collections::BTreeSet;

/// Rounds over one block before the walk gives up.
const ROUNDS: usize = 64;

pub(super) fn settle(walker: &mut Walker<'_>, liveness: &Liveness) -> Result<(), Unsettled> {
    let function = walker.function;
    walker.start_recording();
    let mut entries: Vec<Option<State>> = vec![None; function.blocks.len()];
    if let Some(first) = entries.first_mut() {
        *first = Some(State::default());
    }
    let fuel = walker.options.fuel.unwrap_or(FUEL);
    let mut walk = Walk { walker, function, liveness, entries, fuel };
    if has_no_way_back(function) {
        return (0..function.blocks.len()).try_for_each(|block| walk.last_time(block, |_| false));
    }
    for group in walk.walker.control().groups().to_vec() {
        let is_within = |block: BlockId| group.binary_search(&block).is_ok();
        if group.iter().any(|&block| function.blocks[block].successors.iter().any(|&next| is_within(next))) {
            walk.go_round(&group, is_within)?;
        }
        group.iter().try_for_each(|&block| walk.last_time(block, is_within))?;
    }
    Ok(())
}

/// Each block stands before those that it leads to.
fn has_no_way_back(function: &Function) -> bool {
    let mut blocks = function.blocks.iter().enumerate();
    blocks.all(|(number, block)| block.successors.iter().all(|&next| number < next))
}

struct Walk<'w, 'f> {
    walker: &'w mut Walker<'f>,
    function: &'f Function,
    liveness: &'w Liveness,
    /// What is known at the start of each block so far.
    entries: Vec<Option<State>>,
    fuel: usize,
}

impl Walk<'_, '_> {
    /// Walks the blocks of a loop until nothing changes at their starts.
    fn go_round(&mut self, group: &[BlockId], is_within: impl Fn(BlockId) -> bool) -> Result<(), Unsettled> {
        let record = self.walker.record.take();
        let mut rounds = vec![0usize; group.len()];
        let mut work: BTreeSet<usize> = (0..group.len()).collect();
        while let Some(place) = work.pop_first() {
            rounds[place] += 1;
            if rounds[place] > ROUNDS {
                return Err(Unsettled::NoEnd);
            }
            let block = group[place];
            let Some(mut state) = self.entries[block].clone() else { continue };
            self.walk(&mut state, block)?;
            for next in self.pass_on(state, block, &is_within) {
                work.extend(group.binary_search(&next));
            }
        }
        self.walker.record = record;
        Ok(())
    }

    /// Walks a block whose start is known, and leaves what it gives at the blocks after it that were not walked yet.
    fn last_time(&mut self, block: BlockId, is_done: impl Fn(BlockId) -> bool) -> Result<(), Unsettled> {
        let Some(mut state) = self.entries[block].take() else { return Ok(()) };
        self.walk(&mut state, block)?;
        self.pass_on(state, block, |next| !is_done(next));
        Ok(())
    }

    fn walk(&mut self, state: &mut State, block: BlockId) -> Result<(), Unsettled> {
        let Block { events, successors, .. } = &self.function.blocks[block];
        let cost = (events.len() + successors.len() + 1) * (state.size() + 1);
        self.fuel = self.fuel.checked_sub(cost).ok_or(Unsettled::TooLarge)?;
        self.walker.walk_block(state, block);
        Ok(())
    }

    /// The blocks at whose start something is new.
    fn pass_on(&mut self, state: State, from: BlockId, wanted: impl Fn(BlockId) -> bool) -> Vec<BlockId> {
        let successors = &self.function.blocks[from].successors;
        successors.iter().copied().filter(|&next| wanted(next) && self.leave(state.clone(), from, next)).collect()
    }

    fn leave(&mut self, mut state: State, from: BlockId, next: BlockId) -> bool {
        if let Some(decision) = state.decisions.get_mut(&from) {
            decision.gone = self.function.blocks[from].if_gone == Some(next);
        }
        self.walker.empty_variables(&mut state, from, next);
        self.walker.forget_dead(&mut state, self.liveness, next);
        self.walker.end_decisions(&mut state, next);
        clock::count(Counts { carried: state.size() as u64, ..Counts::default() });
        match &mut self.entries[next] {
            Some(known) => known.join(&state, self.walker.paths()),
            empty => {
                *empty = Some(state);
                true
            }
        }
    }
}
