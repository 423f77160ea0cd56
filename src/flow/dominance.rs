//! Which blocks lie on every way to a block. That is asked often, and of bodies with thousands of blocks; so the tree of
//! dominators is numbered once, and each question is two comparisons.

use crate::events::BlockId;

pub(super) struct Dominance {
    /// The nearest block that lies on every way to a block.
    above: Vec<Option<BlockId>>,
    /// When a walk through the tree comes to a block, and when it has seen all below it. No way leads to blocks without.
    numbers: Vec<Option<(usize, usize)>>,
}

impl Dominance {
    /// Of the blocks that ways from `root` lead to; `next` are the blocks right after each.
    pub(super) fn of(next: &[Vec<BlockId>], root: BlockId) -> Dominance {
        let above = immediate(next, root);
        let mut below = vec![Vec::new(); above.len()];
        for (block, above) in above.iter().enumerate() {
            above.iter().for_each(|&above: &BlockId| below[above].push(block));
        }
        let mut numbers = vec![None; above.len()];
        let mut count = 0;
        let mut open: Vec<(BlockId, bool)> = Vec::new();
        if root < above.len() {
            open.push((root, false));
        }
        while let Some((block, is_done)) = open.pop() {
            match &mut numbers[block] {
                Some((_, last)) if is_done => *last = count,
                number => {
                    *number = Some((count, count));
                    count += 1;
                    open.push((block, true));
                    open.extend(below[block].iter().map(|&block| (block, false)));
                }
            }
        }
        Dominance { above, numbers }
    }

    /// Every way to `later` leads through `earlier`, or they are the same.
    pub(super) fn dominates(&self, earlier: BlockId, later: BlockId) -> bool {
        let numbers = |block: BlockId| self.numbers.get(block).copied().flatten();
        match (numbers(earlier), numbers(later)) {
            (Some((first, last)), Some((at, _))) => (first..last).contains(&at),
            _ => false,
        }
    }

    /// The others on every way to the block, the nearest first.
    pub(super) fn above(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(self.above[block], |&block| self.above[block])
    }
}

/// For each block the nearest other one that lies on every way from the root to it. Goes over the blocks, each after those
/// before it, until nothing changes (Cooper, Harvey and Kennedy, 2001): once or twice, if loops are as people write them.
pub(super) fn immediate(next: &[Vec<BlockId>], root: BlockId) -> Vec<Option<BlockId>> {
    let order = from_the_end(next, root);
    let mut place = vec![usize::MAX; next.len()];
    order.iter().enumerate().for_each(|(at, &block)| place[block] = at);
    let mut before = vec![Vec::new(); next.len()];
    for &from in &order {
        next[from].iter().for_each(|&to| before[to].push(from));
    }
    let mut above: Vec<Option<BlockId>> = vec![None; next.len()];
    let meet = |above: &[Option<BlockId>], mut one: BlockId, mut other: BlockId| {
        while one != other {
            let lower = if place[one] < place[other] { &mut one } else { &mut other };
            *lower = above[*lower].unwrap_or(root);
        }
        one
    };
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for &block in order.iter().rev().filter(|&&block| block != root) {
            let known = before[block].iter().copied().filter(|&from| from == root || above[from].is_some());
            let new = known.reduce(|one, other| meet(&above, one, other));
            is_settled &= above[block] == new;
            above[block] = new;
        }
    }
    above
}

/// The blocks that ways from the root lead to, each before the one that it was come to from.
fn from_the_end(next: &[Vec<BlockId>], root: BlockId) -> Vec<BlockId> {
    let (mut order, mut seen) = (Vec::new(), vec![false; next.len()]);
    let mut open: Vec<(BlockId, usize)> = Vec::new();
    if root < next.len() {
        seen[root] = true;
        open.push((root, 0));
    }
    while let Some((block, taken)) = open.last_mut() {
        match next[*block].get(*taken) {
            Some(&to) => {
                *taken += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    open.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::algo::dominators::simple_fast;
    use petgraph::graph::{DiGraph, NodeIndex};

    fn next(count: usize, edges: &[(u32, u32)]) -> Vec<Vec<BlockId>> {
        let mut next = vec![Vec::new(); count];
        edges.iter().for_each(|&(from, to)| next[from as usize].push(to as usize));
        next
    }

    /// Against another hand's work, on graphs with forks, loops, ways into the middle of loops, and blocks that no way
    /// leads to.
    #[test]
    fn numbers_say_what_the_tree_says() {
        let by_hand = vec![(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 3), (4, 5), (6, 5)];
        let mut seed = 7u32;
        let mut any = |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % most
        };
        let random = (0..50).map(|_| (0..24).map(|_| (any(15), any(15))).collect::<Vec<_>>());
        for edges in random.chain([by_hand]).collect::<Vec<_>>() {
            let mut graph = DiGraph::<(), ()>::new();
            for _ in 0..15 {
                graph.add_node(());
            }
            for &(from, to) in &edges {
                graph.add_edge(from.into(), to.into(), ());
            }
            let tree = simple_fast(&graph, NodeIndex::new(0));
            let dominance = Dominance::of(&next(15, &edges), 0);
            for later in 0..15 {
                let all: Vec<BlockId> =
                    tree.dominators(NodeIndex::new(later)).into_iter().flatten().map(NodeIndex::index).collect();
                for earlier in 0..15 {
                    assert_eq!(dominance.dominates(earlier, later), all.contains(&earlier), "{edges:?}");
                }
                let above: Vec<BlockId> = dominance.above(later).collect();
                assert_eq!(above, all.get(1..).unwrap_or_default(), "{edges:?} {later}");
            }
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<(u32, u32)> = (0..100_000).map(|block| (block, block + 1)).collect();
        let dominance = Dominance::of(&next(100_001, &edges), 0);
        assert!(dominance.dominates(5, 100_000) && !dominance.dominates(100_000, 5));
    }

    #[test]
    fn no_blocks_have_no_tree() {
        assert!(!Dominance::of(&[], 0).dominates(0, 0));
    }
}
