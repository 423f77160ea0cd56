//! Control dependence: how long a branch stays in force.
//!
//! Whatever lies on a way from a branch to the block that all ways from it come back together in (its immediate
//! postdominator) depends on the branch; from that block on nothing does. So it is enough to know that block for each
//! branch: a walk that drops the decision there carries, at every point, exactly the decisions that led to it.
//!
//! A side that only panics does not count as a way: an assertion is no decision. An endless loop is left, for this
//! purpose, where it turns back.

use crate::events::{BlockId, Event, EventKind, Function};
use crate::flow::dominators::Dominators;
use petgraph::algo::dominators::simple_fast;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

pub(super) struct Control {
    /// The decisions that end where the block starts.
    ended: Vec<Vec<BlockId>>,
    /// Where all ways from a block come together again.
    meeting: Vec<Option<BlockId>>,
    forwards: Dominators,
    /// The loop that each block is in: blocks of one number lead to each other.
    loops: Vec<usize>,
    groups: Vec<Vec<BlockId>>,
    before: Vec<Vec<BlockId>>,
    /// Whether more than one way leads on.
    parts: Vec<bool>,
}

/// So many blocks are gone back to find where the ways to a block part.
const BACK: usize = 24;

impl Control {
    pub(super) fn of(function: &Function) -> Control {
        let count = function.blocks.len();
        let mut ended = vec![Vec::new(); count];
        let (graph, exit) = backwards(function);
        let backwards = simple_fast(&graph, exit);
        let after = |block| backwards.immediate_dominator(NodeIndex::new(block)).map(NodeIndex::index);
        let meeting: Vec<Option<BlockId>> = (0..count).map(|block| after(block).filter(|&next| next < count)).collect();
        for (block, next) in meeting.iter().enumerate() {
            if let Some(next) = next {
                ended[*next].push(block);
            }
        }
        let mut before = vec![Vec::new(); count];
        for (from, block) in function.blocks.iter().enumerate() {
            block.successors.iter().for_each(|&to| before[to].push(from));
        }
        let parts = function.blocks.iter().map(|block| block.successors.len() > 1).collect();
        let graph = forwards(function);
        let mut loops = vec![0; count];
        let mut groups = Vec::new();
        for (number, blocks) in kosaraju_scc(&graph).into_iter().rev().enumerate() {
            let mut blocks: Vec<BlockId> = blocks.into_iter().map(NodeIndex::index).collect();
            blocks.sort_unstable();
            blocks.iter().for_each(|&block| loops[block] = number);
            groups.push(blocks);
        }
        Control { ended, meeting, forwards: Dominators::of(&graph), loops, groups, before, parts }
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
    pub(super) fn decider(&self, function: &Function, block: BlockId) -> Option<BlockId> {
        self.forwards.from(block).skip(1).find(|&branch| {
            let forks = matches!(function.blocks[branch].events.last(), Some(Event { kind: EventKind::Branch(_), .. }));
            let over = self.meeting[branch].is_some_and(|meeting| self.dominates(meeting, block));
            forks && !over
        })
    }

    /// Every way to `later` leads through `earlier`.
    pub(super) fn dominates(&self, earlier: BlockId, later: BlockId) -> bool {
        self.forwards.dominates(earlier, later)
    }

    /// The branch was gone through to come to the block; or it is one of several conditions, `one && other`, that were asked one
    /// after the other and have the same way out, and some of them may have been enough.
    pub(super) fn leads_to(&self, branch: BlockId, block: BlockId) -> bool {
        self.dominates(branch, block) || self.forwards.from(block).any(|at| self.is_way_out_of(branch, at))
    }

    /// All ways to the block part at the branch, or at branches before it that lead to it.
    fn is_way_out_of(&self, branch: BlockId, block: BlockId) -> bool {
        let mut ahead = self.before[block].clone();
        let mut seen = Vec::new();
        let mut is_met = false;
        while let Some(next) = ahead.pop() {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            if next == branch {
                is_met = true;
            } else if self.parts[next] {
                if !self.dominates(next, branch) {
                    return false;
                }
            } else if seen.len() > BACK || self.before[next].is_empty() || next >= block {
                return false;
            } else {
                ahead.extend(&self.before[next]);
            }
        }
        is_met
    }

    pub(super) fn ended_at(&self, block: BlockId) -> &[BlockId] {
        &self.ended[block]
    }

    pub(super) fn ends_at(&self, branch: BlockId, block: BlockId) -> bool {
        self.meeting.get(branch).is_some_and(|meeting| *meeting == Some(block))
    }
}

/// The blocks with all edges turned round, and one more from which every way out is reached.
fn backwards(function: &Function) -> (DiGraph<(), ()>, NodeIndex) {
    let mut graph = DiGraph::new();
    let nodes: Vec<NodeIndex> = function.blocks.iter().map(|_| graph.add_node(())).collect();
    let exit = graph.add_node(());
    for (from, block) in function.blocks.iter().enumerate() {
        for &to in &block.successors {
            graph.add_edge(nodes[to], nodes[from], ());
        }
        if block.events.last().is_some_and(|event| matches!(event.kind, EventKind::Return)) {
            graph.add_edge(exit, nodes[from], ());
        }
    }
    let returns = reached(&graph, exit);
    for (from, block) in function.blocks.iter().enumerate() {
        if !returns[from] && block.successors.iter().any(|&to| to <= from) {
            graph.add_edge(exit, nodes[from], ());
        }
    }
    (graph, exit)
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

fn reached(graph: &DiGraph<(), ()>, from: NodeIndex) -> Vec<bool> {
    let mut seen = vec![false; graph.node_count()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node.index()], true) {
            open.extend(graph.neighbors(node));
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
