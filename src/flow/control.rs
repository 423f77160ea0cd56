//! Control dependence: how long a branch stays in force.
//!
//! Whatever lies on a way from a branch to the block that all ways from it come back together in (its immediate
//! postdominator) depends on the branch; from that block on nothing does. So it is enough to know that block for each
//! branch: a walk that drops the decision there carries, at every point, exactly the decisions that led to it.
//!
//! A side that only panics does not count as a way: an assertion decides nothing, but all that follows relies on it. An endless loop is left, for this
//! purpose, where it turns back.

use crate::events::{BlockId, Event, EventKind, Function};
use crate::flow::dominance::{Dominance, immediate};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::cell::OnceCell;

pub(super) struct Control {
    /// The decisions that end where the block starts.
    ended: Vec<Vec<BlockId>>,
    /// Where all ways from a block come together again.
    meeting: Vec<Option<BlockId>>,
    forwards: Dominance,
    /// The loop that each block is in: blocks of one number lead to each other.
    loops: Vec<usize>,
    groups: Vec<Vec<BlockId>>,
    before: Vec<Vec<BlockId>>,
    /// The first way on.
    after: Vec<Option<BlockId>>,
    /// Whether more than one way leads on.
    parts: Vec<bool>,
    /// Whether something is asked at the end, even if all other ways only panic.
    forks: Vec<bool>,
    /// Whether something is asked, and every way but one only panics.
    asserts: Vec<bool>,
    /// For each block, the blocks that all ways to part at it or at branches before it that lead to it.
    ways_out: OnceCell<Vec<Vec<BlockId>>>,
}

/// So many blocks are gone back to find where the ways to a block part.
const BACK: usize = 24;

impl Control {
    pub(super) fn of(function: &Function) -> Control {
        let count = function.blocks.len();
        let mut ended = vec![Vec::new(); count];
        let mut before = vec![Vec::new(); count];
        for (from, block) in function.blocks.iter().enumerate() {
            block.successors.iter().for_each(|&to| before[to].push(from));
        }
        let graph = backwards(function, &before);
        let returns = reached(&graph, count);
        let after = immediate(&graph, count);
        let meeting: Vec<Option<BlockId>> = after.into_iter().map(|next| next.filter(|&next| next < count)).collect();
        for (block, next) in meeting.iter().enumerate() {
            if let Some(next) = next {
                ended[*next].push(block);
            }
        }
        let after = function.blocks.iter().map(|block| block.successors.first().copied()).collect();
        let parts = function.blocks.iter().map(|block| block.successors.len() > 1).collect();
        let is_branch = |event: &Event| matches!(event.kind, EventKind::Branch(_));
        let forks: Vec<bool> = function.blocks.iter().map(|block| block.events.last().is_some_and(is_branch)).collect();
        let asserts = asserts(function, &forks, &returns);
        let graph = forwards(function);
        let mut loops = vec![0; count];
        let mut groups = Vec::new();
        for (number, blocks) in kosaraju_scc(&graph).into_iter().rev().enumerate() {
            let mut blocks: Vec<BlockId> = blocks.into_iter().map(NodeIndex::index).collect();
            blocks.sort_unstable();
            blocks.iter().for_each(|&block| loops[block] = number);
            groups.push(blocks);
        }
        let next: Vec<Vec<BlockId>> = function.blocks.iter().map(|block| block.successors.clone()).collect();
        let forwards = Dominance::of(&next, 0);
        Control {
            ended,
            meeting,
            forwards,
            loops,
            groups,
            before,
            after,
            parts,
            forks,
            asserts,
            ways_out: OnceCell::new(),
        }
    }

    /// Blocks that lead to each other, after those that lead to them, each group in the order of the blocks.
    pub(super) fn groups(&self) -> &[Vec<BlockId>] {
        &self.groups
    }

    pub(super) fn in_one_loop(&self, one: BlockId, other: BlockId) -> bool {
        self.loops[one] == self.loops[other]
    }

    /// Some way leads from the block back to it.
    pub(super) fn in_a_loop(&self, function: &Function, block: BlockId) -> bool {
        function.blocks[block].successors.iter().any(|&next| self.in_one_loop(block, next))
    }

    /// The last branch before the block that decides whether the way comes to it.
    pub(super) fn decider(&self, block: BlockId) -> Option<BlockId> {
        self.forwards.above(block).find(|&branch| self.forks[branch] && !self.meets_before(branch, block))
    }

    /// What the branch has parted is together again when the block is come to.
    pub(super) fn meets_before(&self, branch: BlockId, block: BlockId) -> bool {
        self.meeting[branch].is_some_and(|meeting| self.dominates(meeting, block))
    }

    /// Every way to `later` leads through `earlier`.
    pub(super) fn dominates(&self, earlier: BlockId, later: BlockId) -> bool {
        self.forwards.dominates(earlier, later)
    }

    /// The branch was gone through to come to the block; or it is one of several conditions, `one && other`, that were asked one
    /// after the other and have the same way out, and some of them may have been enough.
    pub(super) fn leads_to(&self, branch: BlockId, block: BlockId) -> bool {
        let ways_out = || self.ways_out.get_or_init(|| self.all_ways_out());
        self.dominates(branch, block) || ways_out()[branch].iter().any(|&way_out| self.dominates(way_out, block))
    }

    fn all_ways_out(&self) -> Vec<Vec<BlockId>> {
        let mut all = vec![Vec::new(); self.before.len()];
        for block in 0..self.before.len() {
            let parting = self.parting_before(block, None).unwrap_or_default();
            for &branch in &parting {
                if self.all_lead_to(&parting, branch) {
                    all[branch].push(block);
                }
            }
        }
        // The only way on from an assertion is no parting for others.
        for branch in (0..self.before.len()).filter(|&block| self.forks[block] && !self.parts[block]) {
            let on = std::iter::successors(self.after[branch], |&next| self.after[next].filter(|_| !self.parts[next]));
            let is_way_out = |&block: &BlockId| {
                let parting = self.parting_before(block, Some(branch));
                parting.is_some_and(|parting| parting.contains(&branch) && self.all_lead_to(&parting, branch))
            };
            all[branch] = on.take(BACK).filter(is_way_out).collect();
        }
        all
    }

    fn all_lead_to(&self, parting: &[BlockId], branch: BlockId) -> bool {
        parting.iter().all(|&other| other == branch || self.dominates(other, branch))
    }

    /// The blocks at which all ways to the block part from others; `None` if there are ways that come from too far.
    fn parting_before(&self, block: BlockId, also: Option<BlockId>) -> Option<Vec<BlockId>> {
        let mut ahead = self.before[block].clone();
        let (mut seen, mut parting) = (Vec::new(), Vec::new());
        while let Some(next) = ahead.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            if self.parts[next] || Some(next) == also {
                parting.push(next);
            } else if seen.len() > BACK || self.before[next].is_empty() || next >= block {
                return None;
            } else {
                ahead.extend(&self.before[next]);
            }
        }
        Some(parting)
    }

    /// Every way but one only panics.
    pub(super) fn is_assertion(&self, branch: BlockId) -> bool {
        self.asserts.get(branch).is_some_and(|&asserts| asserts)
    }

    /// Where all ways from a branch come together again.
    pub(super) fn meeting_of(&self, branch: BlockId) -> Option<BlockId> {
        self.meeting[branch]
    }

    pub(super) fn ended_at(&self, block: BlockId) -> &[BlockId] {
        &self.ended[block]
    }

    pub(super) fn ends_at(&self, branch: BlockId, block: BlockId) -> bool {
        self.meeting.get(branch).is_some_and(|meeting| *meeting == Some(block))
    }
}

fn asserts(function: &Function, forks: &[bool], returns: &[bool]) -> Vec<bool> {
    let blocks = function.blocks.iter().zip(forks);
    let asserts = blocks.map(|(block, &forks)| {
        let ways_on = block.successors.iter().filter(|&&next| returns[next]).count();
        forks && ways_on == 1 && block.successors.len() > 1
    });
    asserts.collect()
}

/// The blocks with all edges turned round, and one more from which every way out is reached.
fn backwards(function: &Function, before: &[Vec<BlockId>]) -> Vec<Vec<BlockId>> {
    let exit = before.len();
    let returns = |event: &Event| matches!(event.kind, EventKind::Return);
    let ends = function.blocks.iter().enumerate().filter(|(_, block)| block.events.last().is_some_and(returns));
    let mut graph = before.to_vec();
    graph.push(ends.map(|(end, _)| end).collect());
    let returns = reached(&graph, exit);
    for (from, block) in function.blocks.iter().enumerate() {
        if !returns[from] && block.successors.iter().any(|&to| to <= from) {
            graph[exit].push(from);
        }
    }
    graph
}

fn forwards(function: &Function) -> DiGraph<(), ()> {
    let edges = function.blocks.iter().enumerate();
    let edges = edges.flat_map(|(from, block)| block.successors.iter().map(move |&to| (from, to)));
    let mut graph = DiGraph::new();
    function.blocks.iter().for_each(|_| {
        graph.add_node(());
    });
    edges.for_each(|(from, to)| {
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    });
    graph
}

fn reached(graph: &[Vec<BlockId>], from: BlockId) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&graph[node]);
        }
    }
    seen
}

/// Some way leads from one block to the other without turning back.
pub(super) fn leads_on(function: &Function, from: BlockId, to: BlockId) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if block == to {
            return true;
        }
        if block < to && !std::mem::replace(&mut seen[block], true) {
            open.extend(function.blocks[block].successors.iter().filter(|&&next| next > block));
        }
    }
    false
}
