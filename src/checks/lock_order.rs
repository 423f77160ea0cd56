//! Two locks that are taken in one order here and in the other order there: two threads that each have one of them wait for
//! each other, and neither goes on. The same round a longer circle of locks.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! struct Bank { accounts: Mutex<Vec<u64>>, log: Mutex<Vec<String>> }
//!
//! impl Bank {
//!     fn deposit(&self, to: usize, amount: u64) {
//!         let mut accounts = self.accounts.lock().unwrap();
//!         accounts[to] += amount;
//!         self.log.lock().unwrap().push(format!("{amount} to {to}"));
//!     }
//!
//!     fn audit(&self) -> bool {
//!         let log = self.log.lock().unwrap();
//!         let accounts = self.accounts.lock().unwrap(); // `deposit` may have it, and wait for `log`
//!         log.is_empty() == accounts.iter().all(|balance| *balance == 0)
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Take the locks in one order everywhere, or let the first go before the second is taken.
//!
//! ## How it is decided
//!
//! Wherever a lock is waited for while another one is held for sure, in one function or through those that it calls, that order
//! is noted, with locks known by their type and field. An order that leads back to where it started is reported, at the place
//! that fewer others agree with. Silent where both places hold a third lock that lets only one of them in, where all that
//! meets is readers, for `try_lock`, and for two objects of one type (`from.lock` and `to.lock`), which have no order of their
//! own.
//!
//! ## What it can miss
//!
//! Locks that are held only on some ways; orders between crates; locks in containers.
//!
//! ## What it may wrongly report
//!
//! Two places that never run at the same time: one of them when the program starts, or both on one thread. A private helper that
//! takes the second lock only through what it calls weighs less: who calls it may have the object alone.

use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, LockPair};
use crate::events::Mode;
use crate::summary::{Crate, LockKey};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A longer circle is a chain of guesses.
const LONGEST: usize = 4;

/// How far down a pair is followed to where it is taken.
const DEEPEST: usize = 16;

/// One place that takes two locks in an order.
#[derive(Clone, Copy)]
struct Edge<'f> {
    body: usize,
    facts: &'f BodyFacts,
    pair: &'f LockPair,
}

type Edges<'f> = BTreeMap<LockKey, BTreeMap<LockKey, Vec<Edge<'f>>>>;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let edges = edges(all);
    let mut told: BTreeSet<Vec<&LockKey>> = BTreeSet::new();
    let mut found = Vec::new();
    for (first, nexts) in &edges {
        for (second, places) in nexts {
            let Some(circle) = places.iter().find_map(|&place| circle(all, &edges, place, first, second)) else {
                continue;
            };
            let mut locks: Vec<&LockKey> = circle.iter().map(|(_, from)| *from).collect();
            locks.sort();
            if told.insert(locks) {
                found.push(suspicion(all, &edges, &circle));
            }
        }
    }
    found
}

fn edges(all: &Crate) -> Edges<'_> {
    let mut edges = Edges::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for pair in &facts.pairs {
            let shared = sharing::is_shared(facts, pair.held) && sharing::is_shared(facts, pair.wanted);
            let keys = LockKey::of(&facts.paths, pair.held).zip(LockKey::of(&facts.paths, pair.wanted));
            if let Some((held, wanted)) = keys.filter(|(held, wanted)| shared && held != wanted) {
                let places = edges.entry(held).or_default().entry(wanted).or_default();
                places.push(Edge { body, facts, pair });
            }
        }
    }
    edges
}

/// The shortest way from where the place leads back to where it came from. Each step comes with the lock that is held there.
fn circle<'e, 'f>(
    all: &Crate,
    edges: &'e Edges<'f>,
    start: Edge<'f>,
    from: &'e LockKey,
    to: &'e LockKey,
) -> Option<Vec<(Edge<'f>, &'e LockKey)>> {
    let mut open: VecDeque<(Vec<(Edge<'f>, &LockKey)>, &LockKey)> = VecDeque::from([(vec![(start, from)], to)]);
    while let Some((way, at)) = open.pop_front() {
        let last = way.last()?.0;
        for (next, places) in edges.get(at).into_iter().flatten() {
            let fits = |place: &&Edge<'f>| meets(last.pair, place.pair) && apart(all, &way, place);
            if next == from {
                if let Some(&end) = places.iter().find(|place| fits(place) && meets(place.pair, start.pair)) {
                    return Some(way.into_iter().chain([(end, at)]).collect());
                }
            } else if way.len() + 1 < LONGEST
                && way.iter().all(|(_, known)| *known != next)
                && let Some(&place) = places.iter().find(fits)
            {
                open.push_back((way.iter().copied().chain([(place, at)]).collect(), next));
            }
        }
    }
    None
}

/// What the one waits for is what the other holds, and not both only read.
fn meets(waits: &LockPair, holds: &LockPair) -> bool {
    waits.wanted_mode.max(holds.held_mode) == Mode::Exclusive
}

/// No third lock lets only one of them in.
fn apart(all: &Crate, way: &[(Edge<'_>, &LockKey)], next: &Edge<'_>) -> bool {
    let gates = |edge: &Edge<'_>| all.writes.held_besides(edge.facts, edge.body, edge.pair);
    let here = gates(next);
    way.iter().all(|(edge, _)| gates(edge).is_disjoint(&here))
}

/// Where the locks are taken, if not by the function that knows which they are.
fn where_taken<'f>(all: &'f Crate, mut edge: Edge<'f>) -> Edge<'f> {
    for _ in 0..DEEPEST {
        let Some((callee, number)) = edge.pair.within else { break };
        let found = all.bodies.iter().enumerate().find(|(_, facts)| facts.id == callee);
        let Some((body, facts)) = found else { break };
        let Some(pair) = facts.pairs.get(number) else { break };
        edge = Edge { body, facts, pair };
    }
    edge
}

fn suspicion(all: &Crate, edges: &Edges<'_>, circle: &[(Edge<'_>, &LockKey)]) -> Suspicion {
    // Whom the fewest agree with comes first.
    let agreed = |at: usize| {
        let (_, from) = circle[at];
        let (_, to) = circle[(at + 1) % circle.len()];
        edges.get(from).and_then(|nexts| nexts.get(to)).map_or(0, Vec::len)
    };
    let start = (0..circle.len()).min_by_key(|&at| (agreed(at), circle[at].0.pair.site)).unwrap_or_default();
    let first = where_taken(all, circle[start].0);
    let mut moments = Vec::new();
    for at in 0..circle.len() {
        let edge = where_taken(all, circle[(start + at) % circle.len()].0);
        let LockPair { held, taken, wanted, site, .. } = *edge.pair;
        let (body, other) = (edge.body, at > 0);
        moments.push(Moment { happens: Happening::HasLock { body, lock: held, other }, site: taken });
        moments.push(Moment { happens: Happening::WantsLock { body, lock: wanted, other }, site });
    }
    let mut evidence = vec![Evidence::Circle];
    evidence.extend((circle.len() > 2).then_some(Evidence::LongCircle));
    let in_helper = |(edge, _): &(Edge<'_>, &LockKey)| {
        let alone = edge.pair.by_callee && edge.pair.within.is_none() && edge.facts.callers_known;
        alone && ![edge.pair.held, edge.pair.wanted].iter().all(|&lock| edge.facts.paths.is_handed_round(lock))
    };
    evidence.extend(circle.iter().any(in_helper).then_some(Evidence::InHelper));
    Suspicion {
        body: first.body,
        primary: first.pair.site,
        lock: Some(first.pair.wanted),
        subject: Subject::Place(first.pair.held),
        shape: Shape::LockOrder,
        moments,
        evidence,
    }
}
