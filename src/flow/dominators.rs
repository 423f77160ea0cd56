//! Which blocks every way to a block leads through, answered at once: a block's dominators form a tree, and a walk over
//! the tree numbers each block before and after those below it. Deeply nested code asks this of every decision at every
//! step, so the tree must not be climbed each time.

use crate::events::BlockId;
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use std::ops::Range;

pub(super) struct Dominators {
    above: Vec<Option<BlockId>>,
    /// The numbers of the block and of those below it; nothing for a block that no way leads to.
    below: Vec<Range<usize>>,
}

impl Dominators {
    /// The ways start at the first block.
    pub(super) fn of(graph: &DiGraph<(), ()>) -> Dominators {
        let count = graph.node_count();
        if count == 0 {
            return Dominators { above: Vec::new(), below: Vec::new() };
        }
        let found = simple_fast(graph, NodeIndex::new(0));
        let above = |block| found.immediate_dominator(NodeIndex::new(block)).map(NodeIndex::index);
        let above: Vec<Option<BlockId>> = (0..count).map(above).collect();
        let mut children = vec![Vec::new(); count];
        for (block, parent) in above.iter().enumerate() {
            parent.iter().for_each(|&parent: &BlockId| children[parent].push(block));
        }
        let mut dominators = Dominators { above, below: vec![0..0; count] };
        dominators.number(&children);
        dominators
    }

    fn number(&mut self, children: &[Vec<BlockId>]) {
        let mut next = 0;
        let mut open = vec![(0, false)];
        while let Some((block, is_done)) = open.pop() {
            if is_done {
                self.below[block].end = next;
                continue;
            }
            self.below[block].start = next;
            next += 1;
            open.push((block, true));
            open.extend(children[block].iter().map(|&child| (child, false)));
        }
    }

    /// Every way to `later` leads through `earlier`; of a block that no way leads to nothing is said.
    pub(super) fn dominates(&self, earlier: BlockId, later: BlockId) -> bool {
        let later = &self.below[later];
        !later.is_empty() && self.below[earlier].contains(&later.start)
    }

    /// The block and those that dominate it, the nearest first.
    pub(super) fn from(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let first = Some(block).filter(|&block| !self.below[block].is_empty());
        std::iter::successors(first, |&block| self.above[block])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize, edges: &[(usize, usize)]) -> Dominators {
        let mut graph = DiGraph::new();
        (0..count).for_each(|_| {
            graph.add_node(());
        });
        for &(from, to) in edges {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
        Dominators::of(&graph)
    }

    /// A branch, its two sides, where they meet, a loop back to the branch, and a block that no way leads to.
    #[test]
    fn the_numbers_say_what_the_tree_says() {
        let found = of(6, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 1), (5, 4)]);
        let chain = |block| found.from(block).collect::<Vec<_>>();
        assert_eq!(chain(4), [4, 1, 0]);
        assert_eq!(chain(3), [3, 1, 0]);
        assert_eq!(chain(5), [0; 0]);
        for later in 0..6 {
            for earlier in 0..6 {
                assert_eq!(found.dominates(earlier, later), chain(later).contains(&earlier), "{earlier} {later}");
            }
        }
        assert_eq!(of(0, &[]).below.len(), 0);
    }
}
