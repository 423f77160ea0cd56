//! Which threads run which code: from the closures and futures that are started, from `main`, and, in a library, from
//! whatever other crates can call. The way from there to a body is kept, so that it can be told.

use crate::domain::facts::{BodyFacts, CallUnder, CalledOn};
use crate::events::{DefinitionId, Site};
use std::collections::{BTreeMap, VecDeque};

/// Roots that are remembered for each body: two tell a pair, and more add nothing.
const MOST: usize = 3;

/// A longer way is told from where it is cut.
const LONGEST: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// Given to someone who starts a thread or a task.
    Spawned {
        by: usize,
        site: Site,
        /// What it has was made there.
        of_own: bool,
    },
    Main,
    /// Two callers at once, if the types allow it.
    Interface,
}

/// Where a thread begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadRoot {
    pub body: usize,
    pub kind: RootKind,
    /// More than one thread may begin here.
    pub many: bool,
}

/// One way in which a body is come to.
#[derive(Clone, Copy, Debug)]
struct Reached {
    root: usize,
    /// The caller, and the call.
    from: Option<(usize, Site)>,
}

#[derive(Debug, Default)]
pub struct Threads {
    pub roots: Vec<ThreadRoot>,
    reached: Vec<Vec<Reached>>,
    spawned: Vec<bool>,
    /// What was done to find out.
    pub steps: u64,
}

impl Threads {
    pub(super) fn of(bodies: &[BodyFacts]) -> Threads {
        let places: BTreeMap<DefinitionId, usize> =
            bodies.iter().enumerate().map(|(place, facts)| (facts.id, place)).collect();
        let mut threads = Threads {
            roots: roots(bodies, &places),
            reached: vec![Vec::new(); bodies.len()],
            spawned: vec![false; bodies.len()],
            steps: 0,
        };
        for root in &threads.roots {
            threads.spawned[root.body] |= matches!(root.kind, RootKind::Spawned { .. });
        }
        threads.spread(bodies, &places);
        // Threads that the program starts tell more than callers that may come.
        threads.reached.iter_mut().for_each(|reached| reached.sort_by_key(|reached| reached.root));
        threads.multiply(&called_often(bodies, &places));
        threads
    }

    /// Breadth first from all roots at once; no body is come to more than a few times.
    fn spread(&mut self, bodies: &[BodyFacts], places: &BTreeMap<DefinitionId, usize>) {
        let starts =
            self.roots.iter().enumerate().map(|(number, root)| (root.body, Reached { root: number, from: None }));
        let mut open: VecDeque<(usize, Reached)> = starts.collect();
        while let Some((body, new)) = open.pop_front() {
            self.steps += 1;
            let known = &mut self.reached[body];
            if known.len() >= MOST || known.iter().any(|known| known.root == new.root) {
                continue;
            }
            known.push(new);
            for call in bodies[body].calls.iter().filter(|call| leads_on(call)) {
                if let Some(&callee) = places.get(&call.callee).filter(|callee| !self.spawned[**callee]) {
                    open.push_back((callee, Reached { root: new.root, from: Some((body, call.site)) }));
                }
            }
        }
    }

    /// A thread that is started by code that many threads run is one of many, unless each has objects of its own; so is one
    /// that is started for copies of one handle.
    fn multiply(&mut self, often: &[bool]) {
        let mut changed = true;
        while changed {
            changed = false;
            for number in 0..self.roots.len() {
                let ThreadRoot { kind: RootKind::Spawned { by, of_own: false, .. }, many: false, .. } =
                    self.roots[number]
                else {
                    continue;
                };
                if often[by] || self.reached[by].iter().any(|reached| self.roots[reached.root].many) {
                    self.roots[number].many = true;
                    changed = true;
                }
            }
        }
    }

    pub fn is_root(&self, body: usize) -> bool {
        self.spawned.get(body).copied().unwrap_or(false)
    }

    /// Where it is started as a thread.
    pub fn begins(&self, body: usize) -> Option<Site> {
        self.roots.iter().find_map(|root| match root.kind {
            RootKind::Spawned { site, .. } if root.body == body => Some(site),
            _ => None,
        })
    }

    /// Two roots from which the two bodies can run at the same time. Threads that the program starts tell more than callers
    /// that may come, and two roots more than one.
    pub fn apart(&self, one: usize, other: usize) -> Option<(usize, usize)> {
        let roots = |body: usize| self.reached[body].iter().map(|reached| reached.root);
        let pairs = roots(one).flat_map(|first| roots(other).map(move |second| (first, second)));
        let meet = pairs.filter(|(first, second)| first != second || self.roots[*first].many);
        let may_come = |root: usize| self.roots[root].kind == RootKind::Interface;
        meet.min_by_key(|&(first, second)| (may_come(first) || may_come(second), first == second))
    }

    /// Only `main` leads there.
    pub fn only_main(&self, body: usize) -> bool {
        let reached = &self.reached[body];
        !reached.is_empty() && reached.iter().all(|reached| self.roots[reached.root].kind == RootKind::Main)
    }

    pub fn reaches(&self, body: usize) -> bool {
        !self.reached[body].is_empty()
    }

    /// How the body is come to: bodies with the same signature are alike. One root of many threads is as good as another.
    pub(super) fn signature(&self, body: usize) -> Vec<Option<usize>> {
        let reached = self.reached[body].iter();
        let mut roots: Vec<Option<usize>> =
            reached.map(|reached| Some(reached.root).filter(|&root| !self.roots[root].many)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The calls from the root to the body: the caller, and the place of the call in it.
    pub fn way(&self, root: usize, body: usize) -> Vec<(usize, Site)> {
        let mut way = Vec::new();
        let mut at = body;
        while way.len() < LONGEST {
            let reached = self.reached[at].iter().find(|reached| reached.root == root);
            let Some((caller, site)) = reached.and_then(|reached| reached.from) else { break };
            way.push((caller, site));
            at = caller;
        }
        way.reverse();
        way
    }
}

/// Those that surely are threads come first.
fn roots(bodies: &[BodyFacts], places: &BTreeMap<DefinitionId, usize>) -> Vec<ThreadRoot> {
    let mut all = Vec::new();
    for (by, facts) in bodies.iter().enumerate() {
        for spawned in &facts.spawned {
            let Some(&body) = places.get(&spawned.body) else { continue };
            let kind = RootKind::Spawned { by, site: spawned.site, of_own: spawned.of_own };
            all.push(ThreadRoot { body, kind, many: spawned.repeatedly });
        }
    }
    let mains = bodies.iter().enumerate().filter(|(_, facts)| facts.is_main);
    all.extend(mains.map(|(body, _)| ThreadRoot { body, kind: RootKind::Main, many: false }));
    let interface = bodies.iter().enumerate().filter(|(_, facts)| facts.exported && !facts.promised);
    all.extend(interface.map(|(body, _)| ThreadRoot { body, kind: RootKind::Interface, many: true }));
    all
}

/// The object that it works on may be another thread's, too.
fn leads_on(call: &CallUnder) -> bool {
    match call.on {
        CalledOn::Anything | CalledOn::Copy => true,
        CalledOn::Own | CalledOn::Vouched => false,
    }
}

/// By body: it is called more than once with copies of a handle that the caller keeps.
fn called_often(bodies: &[BodyFacts], places: &BTreeMap<DefinitionId, usize>) -> Vec<bool> {
    let mut times = vec![0; bodies.len()];
    for call in bodies.iter().flat_map(|facts| &facts.calls).filter(|call| call.on == CalledOn::Copy) {
        if let Some(&callee) = places.get(&call.callee) {
            times[callee] += if call.repeatedly { 2 } else { 1 };
        }
    }
    times.into_iter().map(|times| times > 1).collect()
}
