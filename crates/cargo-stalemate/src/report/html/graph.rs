//! The order in which locks are taken, as a graph: an arrow from a lock that is held to one that is waited for. A way
//! round in circles is a way to stand still for ever.

use finding::map::Order;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};

/// All orders, one arrow for all places that take two locks in the same order.
#[derive(Debug)]
pub struct Graph<'a> {
    pub locks: Vec<&'a str>,
    pub arrows: Vec<Arrow<'a>>,
    /// Locks that wait for each other, as numbers of locks.
    pub cycles: Vec<Vec<usize>>,
    /// The place of each lock in an order in which only arrows on cycles lead back.
    pub ranks: Vec<usize>,
}

#[derive(Debug)]
pub struct Arrow<'a> {
    pub held: usize,
    pub wanted: usize,
    pub in_cycle: bool,
    pub orders: Vec<&'a Order>,
}

impl<'a> Graph<'a> {
    pub fn new(orders: &'a [Order]) -> Graph<'a> {
        let locks: BTreeSet<&str> =
            orders.iter().flat_map(|order| [order.held.as_str(), order.wanted.as_str()]).collect();
        let locks: Vec<&str> = locks.into_iter().collect();
        let number: BTreeMap<&str, usize> = locks.iter().enumerate().map(|(number, lock)| (*lock, number)).collect();
        let mut arrows = BTreeMap::<(usize, usize), Vec<&Order>>::new();
        for order in orders {
            arrows.entry((number[order.held.as_str()], number[order.wanted.as_str()])).or_default().push(order);
        }
        let knots = knots(locks.len(), arrows.keys().copied());
        let mut ranks = vec![0; locks.len()];
        knots.iter().enumerate().for_each(|(rank, knot)| knot.iter().for_each(|lock| ranks[*lock] = rank));
        let is_cycle = |knot: &&Vec<usize>| knot.len() > 1 || arrows.contains_key(&(knot[0], knot[0]));
        let mut cycles: Vec<Vec<usize>> = knots.iter().filter(is_cycle).cloned().collect();
        cycles.sort();
        let together = |held: &usize, wanted: &usize| cycles.iter().any(|it| it.contains(held) && it.contains(wanted));
        let arrows = arrows.into_iter();
        let arrow = |((held, wanted), orders)| Arrow { held, wanted, in_cycle: together(&held, &wanted), orders };
        let arrows = arrows.map(arrow).collect();
        Graph { locks, arrows, cycles, ranks }
    }

    /// What fits into a picture: the locks on cycles, then those beside them, then the others, those with most arrows
    /// first.
    pub fn core(&self, most: usize) -> BTreeSet<usize> {
        let on_cycles: BTreeSet<usize> = self.cycles.iter().flatten().copied().collect();
        let beside = self.arrows.iter().filter(|it| on_cycles.contains(&it.held) || on_cycles.contains(&it.wanted));
        let beside: BTreeSet<usize> = beside.flat_map(|arrow| [arrow.held, arrow.wanted]).collect();
        let mut others: Vec<usize> = if on_cycles.is_empty() { (0..self.locks.len()).collect() } else { Vec::new() };
        let arrows = |lock: &usize| self.arrows.iter().filter(|it| it.held == *lock || it.wanted == *lock).count();
        others.sort_by_key(|lock| std::cmp::Reverse(arrows(lock)));
        let mut core = BTreeSet::new();
        for lock in on_cycles.into_iter().chain(beside).chain(others) {
            if core.len() < most {
                core.insert(lock);
            }
        }
        core
    }
}

/// Locks that can be reached from each other, together; those that lead to others before them.
fn knots(locks: usize, arrows: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<NodeIndex> = (0..locks).map(|_| graph.add_node(())).collect();
    for (held, wanted) in arrows {
        graph.add_edge(nodes[held], nodes[wanted], ());
    }
    let knots = tarjan_scc(&graph).into_iter().rev();
    let mut knots: Vec<Vec<usize>> = knots.map(|knot| knot.into_iter().map(NodeIndex::index).collect()).collect();
    knots.iter_mut().for_each(|knot| knot.sort_unstable());
    knots
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::report::samples::place;

    pub fn orders(pairs: &[(&str, &str)]) -> Vec<Order> {
        let order = |(line, (held, wanted)): (u32, &(&str, &str))| Order {
            held: held.to_string(),
            wanted: wanted.to_string(),
            held_at: place("src/a.rs", line),
            wanted_at: place("src/a.rs", line + 1),
            package: "p".into(),
            function: "f".into(),
        };
        (1..).zip(pairs).map(order).collect()
    }

    #[test]
    fn locks_that_wait_for_each_other_are_a_cycle() {
        let orders = orders(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("e", "e"), ("a", "b")]);
        let graph = Graph::new(&orders);
        assert_eq!(graph.cycles, [vec![0, 1, 2], vec![4]]);
        let arrows: Vec<_> = graph.arrows.iter().map(|it| (it.held, it.wanted, it.in_cycle, it.orders.len())).collect();
        assert_eq!(arrows, [(0, 1, true, 2), (1, 2, true, 1), (2, 0, true, 1), (2, 3, false, 1), (4, 4, true, 1)]);
    }

    #[test]
    fn the_picture_starts_with_cycles_and_what_is_beside_them() {
        let pairs = orders(&[("a", "b"), ("b", "a"), ("b", "c"), ("x", "y"), ("c", "d")]);
        let graph = Graph::new(&pairs);
        assert_eq!(graph.core(40), BTreeSet::from([0, 1, 2]));
        assert_eq!(graph.core(2), BTreeSet::from([0, 1]));
        let none = orders(&[("a", "b"), ("b", "c")]);
        assert_eq!(Graph::new(&none).core(40).len(), 3);
        assert_eq!(Graph::new(&none).core(1), BTreeSet::from([1]));
    }
}
