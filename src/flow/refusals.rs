//! Branches that turn somebody away: `if map.contains_key(&name) { return Err(Taken) }`. Who comes through was promised to be the
//! first, or within the limit; that holds for nobody if two come through together.

use crate::events::{BlockId, Function, Refusal};
use crate::flow::transfer::Walker;

/// So many blocks may stand before the error is made: its message, and what is dropped.
const FAR: usize = 48;

impl Walker<'_> {
    /// How those are turned away who go another way from the branch than the one that leads here.
    pub(super) fn turns_others_away(&self, branch: BlockId) -> Option<Refusal> {
        let ways = &self.function.blocks.get(branch)?.successors;
        let meeting = self.control().meeting_of(branch);
        ways.iter().filter_map(|&way| refused(self.function, way, self.block, meeting)).max()
    }
}

/// What the way leads to, if it does not come to the act, before the ways from the branch meet again.
fn refused(function: &Function, way: BlockId, act: BlockId, meeting: Option<BlockId>) -> Option<Refusal> {
    let mut seen = Vec::new();
    let mut open = vec![way];
    while let Some(block) = open.pop() {
        if block == act || seen.len() > FAR {
            return None;
        }
        if Some(block) != meeting && !seen.contains(&block) {
            seen.push(block);
            open.extend(&function.blocks[block].successors);
        }
    }
    seen.into_iter().filter_map(|block| function.blocks[block].refuses).max()
}
