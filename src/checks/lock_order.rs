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
//! that fewer others agree with; all who come to the second lock through one function are one. Silent where both places hold a third lock that lets only one of them in, and for `try_lock`.
//!
//! An `Arc` of a lock that several types have in their fields is one lock, if it protects a type of this crate, and none of them
//! has two of that kind.
//!
//! Where two only read one of the locks, they wait for each other all the same if a writer comes in between, as it does for a
//! lock that somebody writes: new readers wait behind it. That weighs less. Locks that nobody writes, and `read_recursive`, do
//! not count.
//!
//! Two objects of one type have no order of their own: `transfer(from, to)` that takes the lock of one and then that of the
//! other, itself or through functions that give it the guard, is reported, for another thread may go the other way. Not so if
//! the function takes them in both orders: then it has asked which comes first.
//!
//! ## What it can miss
//!
//! Locks that are held only on some ways; locks in containers; a lock that two types share, around what is no type of this
//! crate; two crates of the workspace that take the locks of a third in two orders, if neither depends on the other.
//!
//! ## What it may wrongly report
//!
//! Two places that never run at the same time: one of them when the program starts, or both on one thread; two locks of one
//! type that two types have in their fields, and that are never the same. A private helper that
//! takes the second lock only through what it calls weighs less: who calls it may have the object alone. So does a lock that is
//! taken through a trait that several types implement. A function of two objects whose callers see to the order. Where one of
//! the locks is in a type of which each object has one thread by all that is done with its locks (see `check_then_act`), it is
//! ranked low.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, LockPair};
use crate::events::{Mode, Site};
use crate::summary::{Crate, ForeignPair, LockKey};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A longer circle is a chain of guesses.
const LONGEST: usize = 4;

/// How far down a pair is followed to where it is taken.
const DEEPEST: usize = 16;

/// One place of this crate that takes two locks in an order.
#[derive(Clone, Copy)]
pub struct OwnEdge<'f> {
    pub body: usize,
    pub facts: &'f BodyFacts,
    pub pair: &'f LockPair,
}

/// The same, here or in another crate of the workspace.
#[derive(Clone, Copy)]
enum Edge<'f> {
    Here(OwnEdge<'f>),
    Elsewhere { number: usize, pair: &'f ForeignPair },
}

impl Edge<'_> {
    fn held_mode(&self) -> Mode {
        match self {
            Edge::Here(edge) => edge.pair.held_mode,
            Edge::Elsewhere { pair, .. } => pair.held.mode,
        }
    }

    fn wanted_mode(&self) -> Mode {
        match self {
            Edge::Here(edge) => edge.pair.wanted_mode,
            Edge::Elsewhere { pair, .. } => pair.wanted.mode,
        }
    }

    /// Who wants to read waits if somebody wants to write.
    fn is_behind_writers(&self) -> bool {
        match self {
            Edge::Here(edge) => !edge.pair.recursive,
            Edge::Elsewhere { .. } => false,
        }
    }

    /// Other locks that are held.
    fn gates(&self, all: &Crate) -> BTreeMap<LockKey, Mode> {
        match self {
            Edge::Here(edge) => gates(all, edge),
            Edge::Elsewhere { pair, .. } => pair.besides.iter().map(|lock| (lock.clone(), Mode::Exclusive)).collect(),
        }
    }
}

/// By the names that others know them by, too.
fn gates(all: &Crate, edge: &OwnEdge<'_>) -> BTreeMap<LockKey, Mode> {
    let OwnEdge { body, facts, pair } = *edge;
    let ends = [pair.held, pair.wanted].map(|lock| all.aliases.key(facts, lock));
    let held = facts.pairs_under.get(pair.under).into_iter().flatten();
    let held = held.map(|(lock, mode)| (all.aliases.key(facts, *lock), *mode)).filter(|(lock, _)| !ends.contains(lock));
    let held = held.filter_map(|(lock, mode)| Some((lock?, mode)));
    let mut gates = all.writes.held_besides(facts, body, pair);
    for (lock, mode) in held {
        let known = gates.entry(lock).or_insert(mode);
        *known = (*known).max(mode);
    }
    gates
}

type Edges<'f> = BTreeMap<LockKey, BTreeMap<LockKey, Vec<Edge<'f>>>>;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let edges = circular(edges(all));
    let written = sharing::taken_to_write(all);
    let mut told: BTreeSet<Vec<&LockKey>> = BTreeSet::new();
    let mut found = Vec::new();
    for (first, nexts) in &edges {
        for (second, places) in nexts {
            let own = || places.iter().filter(|place| matches!(place, Edge::Here(_)));
            let find = |written| own().find_map(|&place| circle(all, &edges, written, (place, first), second));
            // One that needs no writer in between tells more.
            let Some(circle) = find(&BTreeSet::new()).or_else(|| find(&written)) else { continue };
            let mut locks: Vec<&LockKey> = circle.iter().map(|(_, from)| *from).collect();
            locks.sort();
            if told.insert(locks) {
                found.extend(suspicion(all, &edges, &circle));
            }
        }
    }
    found.extend(all.bodies.iter().enumerate().flat_map(|(body, facts)| twins(facts, body)));
    found
}

/// `transfer(from, to)`: the same lock of two objects, in the order of the arguments. Where a body takes them in both orders, it
/// has asked before which comes first.
fn twins(facts: &BodyFacts, body: usize) -> Option<Suspicion> {
    let is_same = |pair: &&LockPair| {
        let key = LockKey::of(&facts.paths, pair.held);
        let excludes = pair.held_mode.max(pair.wanted_mode) == Mode::Exclusive;
        let shared = sharing::is_shared(facts, pair.held) && sharing::is_shared(facts, pair.wanted);
        // Who has one of the objects to himself is alone with it: nobody comes with the two the other way round.
        let lent = [pair.held, pair.wanted].iter().all(|&lock| !sharing::is_in_own_object(facts, lock));
        let both_here = pair.of_two && !pair.by_callee && lent;
        both_here && excludes && shared && key.is_some() && key == LockKey::of(&facts.paths, pair.wanted)
    };
    let roots = |pair: &LockPair| (facts.paths.root_local(pair.held), facts.paths.root_local(pair.wanted));
    let all: Vec<&LockPair> = facts.pairs.iter().filter(is_same).collect();
    let is_alone = |pair: &&&LockPair| {
        let (held, wanted) = roots(pair);
        !all.iter().any(|other| roots(other) == (wanted, held))
    };
    let pair = all.iter().find(is_alone)?;
    let LockPair { held, taken, wanted, site, .. } = **pair;
    let step = |happens, site| moment(happens, site);
    let has = |lock, other| Happening::HasLock { body, lock, other };
    let wants = |lock, other| Happening::WantsLock { body, lock, other };
    let moments = vec![
        step(has(held, false), taken),
        step(has(wanted, true), taken),
        step(wants(held, true), site),
        step(wants(wanted, false), site),
    ];
    Some(Suspicion {
        body,
        primary: site,
        lock: Some(wanted),
        subject: Subject::Place(held),
        shape: checks::Shape::Deadlock(Shape::LockOrder),
        moments,
        evidence: vec![checks::Evidence::Deadlock(Evidence::Twins)],
    })
}

/// The pairs of this crate, with the locks by their keys.
pub fn own_edges(all: &Crate) -> impl Iterator<Item = (OwnEdge<'_>, LockKey, LockKey)> {
    all.bodies.iter().enumerate().flat_map(move |(body, facts)| {
        facts.pairs.iter().filter_map(move |pair| {
            let shared = sharing::is_shared(facts, pair.held) && sharing::is_shared(facts, pair.wanted);
            let keys = all.aliases.key(facts, pair.held).zip(all.aliases.key(facts, pair.wanted));
            let (held, wanted) = keys.filter(|(held, wanted)| shared && held != wanted)?;
            Some((OwnEdge { body, facts, pair }, held, wanted))
        })
    })
}

fn edges(all: &Crate) -> Edges<'_> {
    let mut edges = Edges::new();
    for (edge, held, wanted) in own_edges(all) {
        edges.entry(held).or_default().entry(wanted).or_default().push(Edge::Here(edge));
    }
    for (number, pair) in all.pairs_elsewhere.iter().enumerate() {
        let nexts = edges.entry(pair.held.lock.clone()).or_default();
        nexts.entry(pair.wanted.lock.clone()).or_default().push(Edge::Elsewhere { number, pair });
    }
    edges
}

/// Only what lies on some circle: most programs have none, and then there is nothing to search.
fn circular(mut edges: Edges<'_>) -> Edges<'_> {
    let mut graph = DiGraph::<&LockKey, ()>::new();
    let mut nodes: BTreeMap<&LockKey, _> = BTreeMap::new();
    for (from, nexts) in &edges {
        for lock in std::iter::once(from).chain(nexts.keys()) {
            nodes.entry(lock).or_insert_with(|| graph.add_node(lock));
        }
        for to in nexts.keys() {
            graph.add_edge(nodes[from], nodes[to], ());
        }
    }
    let groups = kosaraju_scc(&graph).into_iter().enumerate();
    let groups: BTreeMap<LockKey, usize> = groups
        .flat_map(|(number, group)| group.into_iter().map(move |node| (node, number)))
        .map(|(node, number)| (graph[node].clone(), number))
        .collect();
    for (from, nexts) in &mut edges {
        nexts.retain(|to, _| groups[from] == groups[to]);
    }
    edges
}

/// The shortest way from where the place leads back to where it came from. Each step comes with the lock that is held there.
fn circle<'e, 'f>(
    all: &Crate,
    edges: &'e Edges<'f>,
    written: &BTreeSet<LockKey>,
    (start, from): (Edge<'f>, &'e LockKey),
    to: &'e LockKey,
) -> Option<Vec<(Edge<'f>, &'e LockKey)>> {
    let mut open: VecDeque<(Vec<(Edge<'f>, &LockKey)>, &LockKey)> = VecDeque::from([(vec![(start, from)], to)]);
    while let Some((way, at)) = open.pop_front() {
        let last = way.last()?.0;
        for (next, places) in edges.get(at).into_iter().flatten() {
            let fits = |place: &&Edge<'f>| meets(&last, place, at, written) && apart(all, &way, place);
            if next == from {
                if let Some(&end) = places.iter().find(|place| fits(place) && meets(place, &start, from, written)) {
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

/// What the one waits for is what the other holds, and not both only read. Readers that wait behind a writer wait for each
/// other, too.
fn meets(waits: &Edge<'_>, holds: &Edge<'_>, lock: &LockKey, written: &BTreeSet<LockKey>) -> bool {
    !only_read(waits, holds) || (waits.is_behind_writers() && written.contains(lock))
}

fn only_read(waits: &Edge<'_>, holds: &Edge<'_>) -> bool {
    waits.wanted_mode().max(holds.held_mode()) == Mode::Shared
}

/// No third lock lets only one of them in. One that one of them reads and the other writes does that, too.
fn apart(all: &Crate, way: &[(Edge<'_>, &LockKey)], next: &Edge<'_>) -> bool {
    let here = next.gates(all);
    let excludes =
        |(lock, mode): (&LockKey, &Mode)| here.get(lock).is_some_and(|other| (*mode).max(*other) == Mode::Exclusive);
    way.iter().all(|(edge, _)| !edge.gates(all).iter().any(excludes))
}

/// Where the locks are taken, if not by the function that knows which they are.
fn where_taken<'f>(all: &'f Crate, mut edge: OwnEdge<'f>) -> OwnEdge<'f> {
    for _ in 0..DEEPEST {
        let Some((callee, number)) = edge.pair.within else { break };
        let found = all.bodies.iter().enumerate().find(|(_, facts)| facts.id == callee);
        let Some((body, facts)) = found else { break };
        let Some(pair) = facts.pairs.get(number) else { break };
        edge = OwnEdge { body, facts, pair };
    }
    edge
}

fn suspicion(all: &Crate, edges: &Edges<'_>, circle: &[(Edge<'_>, &LockKey)]) -> Option<Suspicion> {
    // Whom the fewest agree with comes first, of those in this crate.
    let agreed = |at: usize| {
        let (_, from) = circle[at];
        let (_, to) = circle[(at + 1) % circle.len()];
        let places = edges.get(from).and_then(|nexts| nexts.get(to));
        places.map_or((0, 0), |places| (apart_from_each_other(all, places), places.len()))
    };
    let own = |at: usize| match circle[at].0 {
        Edge::Here(edge) => Some((at, edge)),
        Edge::Elsewhere { .. } => None,
    };
    let (start, first) = (0..circle.len()).filter_map(own).min_by_key(|(at, edge)| (agreed(*at), edge.pair.site))?;
    let first = where_taken(all, first);
    let mut moments = Vec::new();
    for at in 0..circle.len() {
        let (edge, _) = circle[(start + at) % circle.len()];
        moments.extend(told(all, edge, at > 0, first.pair.site));
    }
    let mut evidence = vec![Evidence::Circle];
    evidence.extend((circle.len() > 2).then_some(Evidence::LongCircle));
    let meetings = (0..circle.len()).map(|at| (&circle[at].0, &circle[(at + 1) % circle.len()].0));
    evidence.extend(meetings.filter(|(waits, holds)| only_read(waits, holds)).map(|_| Evidence::QueuedWriter));
    evidence.extend(circle.iter().any(|(edge, _)| is_in_helper(edge)).then_some(Evidence::InHelper));
    let guessed = |edge: &Edge<'_>| matches!(edge, Edge::Here(own) if own.pair.guessed);
    evidence.extend(circle.iter().any(|(edge, _)| guessed(edge)).then_some(Evidence::Guessed));
    evidence.extend(circle.iter().any(|(edge, _)| is_just_made(edge)).then_some(Evidence::JustMade));
    Some(Suspicion {
        body: first.body,
        primary: first.pair.site,
        lock: Some(first.pair.wanted),
        subject: Subject::Place(first.pair.held),
        shape: checks::Shape::Deadlock(Shape::LockOrder),
        moments,
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    })
}

/// How many places there are, where all that come to the second lock through one and the same function are one: what is wrong
/// there is wrong once.
fn apart_from_each_other(all: &Crate, places: &[Edge<'_>]) -> usize {
    let mut elsewhere = 0;
    let mut here = BTreeSet::new();
    for place in places {
        match place {
            Edge::Elsewhere { .. } => elsewhere += 1,
            Edge::Here(edge) => {
                let OwnEdge { body, pair, .. } = where_taken(all, *edge);
                let at = pair.callee.filter(|_| pair.by_callee);
                here.insert(at.map_or((None, Some((body, pair.site))), |callee| (Some(callee), None)));
            }
        }
    }
    elsewhere + here.len()
}

/// Its two steps. One in another crate has no site here, and stands with the finding's own.
fn told(all: &Crate, edge: Edge<'_>, other: bool, primary: Site) -> [Moment; 2] {
    match edge {
        Edge::Here(edge) => {
            let OwnEdge { body, pair, .. } = where_taken(all, edge);
            let LockPair { held, taken, wanted, site, .. } = *pair;
            let has = Happening::HasLock { body, lock: held, other };
            [moment(has, taken), moment(Happening::WantsLock { body, lock: wanted, other }, site)]
        }
        Edge::Elsewhere { number, .. } => [
            moment(Happening::HasLockElsewhere { number }, primary),
            moment(Happening::WantsLockElsewhere { number }, primary),
        ],
    }
}

/// Who calls it may be alone, unless the locks are such as others have too.
fn is_in_helper(edge: &Edge<'_>) -> bool {
    let Edge::Here(OwnEdge { facts, pair, .. }) = edge else { return false };
    let alone = pair.by_callee && pair.within.is_none() && facts.callers_known;
    // Nobody has a static alone.
    let is_anybodys = |lock| facts.paths.is_handed_round(lock) || facts.paths.root_local(lock).is_none();
    alone && ![pair.held, pair.wanted].iter().all(|&lock| is_anybodys(lock))
}

/// One of the locks is part of what the body makes and returns: nobody else can have it yet.
fn is_just_made(edge: &Edge<'_>) -> bool {
    let Edge::Here(OwnEdge { facts, pair, .. }) = edge else { return false };
    let roots = [pair.held, pair.wanted].map(|lock| facts.paths.root_local(lock));
    roots.into_iter().flatten().any(|local| facts.made_for_caller.contains(&local))
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Deadlock(happens), site }
}
