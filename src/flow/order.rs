//! Callees before callers: the order in which the bodies of a crate are walked. Functions that call each other in a
//! circle are walked together until their summaries stay the same, or a bound is reached.
//!
//! The walk starts with the functions that come near a lock. What they call beside that is read, and walked, at the
//! moment it is given something that matters: most functions of a crate are never read at all.

use crate::clock;
use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, EventKind, Function, Made, Rvalue};
use crate::flow::{Library, Options, Unsettled, Walked, walk};
use crate::summary::{Summaries, Summary};
use finding::timings::Counts;
use fxhash::FxHashMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Rounds over a circle of functions. What is not known by then is left out of the summaries.
const ROUNDS: usize = 2;

/// A function that is read while so many others wait for what they called is left for later.
const DEEPEST: usize = 32;

/// Where bodies come from, and what is done if one cannot be walked.
pub trait Source {
    type Fault;

    /// A function of this crate.
    fn read(&self, function: DefinitionId, near_locks: bool) -> Option<Function>;

    /// Runs the walk of one body; may catch what goes wrong in it.
    fn guard(
        &self,
        function: DefinitionId,
        walk: &dyn Fn() -> Result<Walked, Unsettled>,
    ) -> Result<Walked, Self::Fault>;
}

/// What is kept of a body once it is walked: bodies are large.
pub struct Outline {
    pub id: DefinitionId,
    pub has_locks: bool,
    near_locks: bool,
    callees: Vec<DefinitionId>,
}

impl Outline {
    fn of(function: &Function) -> Outline {
        let callees: BTreeSet<DefinitionId> = callees(function).collect();
        Outline {
            id: function.id,
            has_locks: function.has_locks(),
            near_locks: function.near_locks,
            callees: callees.into_iter().collect(),
        }
    }

    fn calls_itself(&self) -> bool {
        self.callees.contains(&self.id)
    }
}

/// How each body fared.
pub type Fared<Fault> = Vec<(Outline, Result<BodyFacts, Fault>)>;

/// Walks all bodies, and says how each one fared, and what is known of all functions now.
pub fn walk_all<S: Source>(
    near: Vec<Function>,
    foreign: Summaries,
    options: Options,
    source: &S,
) -> (Fared<S::Fault>, Summaries) {
    let book = Book {
        summaries: foreign,
        places: FxHashMap::default(),
        entries: Vec::new(),
        changed: FxHashMap::default(),
        now: 0,
    };
    let crew = Crew { source, options, book: RefCell::new(book), depth: Cell::new(0) };
    let near: Vec<usize> = near.into_iter().map(|function| crew.book.borrow_mut().enter(function)).collect();
    crew.walk_groups(&near, |group| !crew.is_begun(group));
    // What calls one that was being walked at that time had to do without it.
    let all: Vec<usize> = (0..crew.book.borrow().entries.len()).collect();
    crew.walk_groups(&all, |group| crew.is_outdated(group));
    let book = crew.book.into_inner();
    let fared = book.entries.into_iter().filter_map(|entry| Some((entry.outline, entry.result?)));
    (fared.collect(), book.summaries)
}

struct Crew<'s, S: Source> {
    source: &'s S,
    options: Options,
    book: RefCell<Book<S::Fault>>,
    /// How many walks wait for what they called.
    depth: Cell<usize>,
}

/// What is known so far.
struct Book<Fault> {
    summaries: Summaries,
    /// `None`: cannot be read.
    places: FxHashMap<DefinitionId, Option<usize>>,
    entries: Vec<Entry<Fault>>,
    /// When the summary of a function last became another one.
    changed: FxHashMap<DefinitionId, usize>,
    now: usize,
}

struct Entry<Fault> {
    outline: Outline,
    /// Until it is walked.
    body: Option<Rc<Function>>,
    result: Option<Result<BodyFacts, Fault>>,
    begun: bool,
    walked: usize,
}

impl<Fault> Book<Fault> {
    fn enter(&mut self, function: Function) -> usize {
        let place = self.entries.len();
        self.places.insert(function.id, Some(place));
        let outline = Outline::of(&function);
        self.entries.push(Entry { outline, body: Some(Rc::new(function)), result: None, begun: false, walked: 0 });
        place
    }

    fn note(&mut self, place: usize, result: Result<Walked, Fault>) {
        self.now += 1;
        let entry = &mut self.entries[place];
        match result {
            Ok(walked) => {
                entry.result = Some(Ok(walked.facts));
                if self.summaries.set(entry.outline.id, walked.summary) {
                    self.changed.insert(entry.outline.id, self.now);
                }
            }
            Err(fault) => entry.result = Some(Err(fault)),
        }
    }
}

impl<S: Source> Crew<'_, S> {
    fn walk_groups(&self, places: &[usize], wanted: impl Fn(&[usize]) -> bool) {
        let groups = {
            let book = self.book.borrow();
            groups(places, |place| &book.entries[place].outline)
        };
        for group in groups {
            if wanted(&group) {
                self.walk_group(&group);
            }
        }
    }

    fn walk_group(&self, group: &[usize]) {
        let circular = group.len() > 1 || self.book.borrow().entries[group[0]].outline.calls_itself();
        group.iter().for_each(|&place| self.walk_one(place));
        for _ in 1..if circular { ROUNDS } else { 1 } {
            for &place in group.iter().filter(|place| self.is_outdated(&[**place])) {
                self.walk_one(place);
            }
        }
        let mut book = self.book.borrow_mut();
        let now = book.now;
        for &place in group {
            book.entries[place].walked = now;
            book.entries[place].body = None;
        }
    }

    fn walk_one(&self, place: usize) {
        let Some(function) = self.body(place) else { return };
        clock::count(Counts { walks: 1, ..Counts::default() });
        let result = self.source.guard(function.id, &|| walk(&function, self, self.options));
        self.book.borrow_mut().note(place, result);
    }

    fn body(&self, place: usize) -> Option<Rc<Function>> {
        let mut book = self.book.borrow_mut();
        let now = book.now;
        let entry = &mut book.entries[place];
        entry.begun = true;
        entry.walked = now;
        if entry.body.is_none() {
            entry.body = self.source.read(entry.outline.id, entry.outline.near_locks).map(Rc::new);
        }
        entry.body.clone()
    }

    /// Some callee has another summary than when it was walked.
    fn is_outdated(&self, group: &[usize]) -> bool {
        let book = self.book.borrow();
        group.iter().map(|&place| &book.entries[place]).any(|entry| {
            let callees = &mut entry.outline.callees.iter();
            callees.any(|callee| book.changed.get(callee).is_some_and(|&when| when > entry.walked))
        })
    }

    fn is_begun(&self, group: &[usize]) -> bool {
        let book = self.book.borrow();
        group.iter().all(|&place| book.entries[place].begun)
    }

    /// The function and all that it calls, as far as no walk of them has begun.
    fn with_callees(&self, function: DefinitionId) -> Vec<usize> {
        let mut new = BTreeSet::new();
        let mut wanted = BTreeSet::from([function]);
        while let Some(id) = wanted.pop_first() {
            let Some(place) = self.place_of(id) else { continue };
            let book = self.book.borrow();
            let entry = &book.entries[place];
            if !entry.begun && new.insert(place) {
                wanted.extend(&entry.outline.callees);
            }
        }
        new.into_iter().collect()
    }

    fn place_of(&self, function: DefinitionId) -> Option<usize> {
        if let Some(&known) = self.book.borrow().places.get(&function) {
            return known;
        }
        let read = self.source.read(function, false);
        let mut book = self.book.borrow_mut();
        match read {
            Some(function) => Some(book.enter(function)),
            None => {
                book.places.insert(function, None);
                None
            }
        }
    }
}

impl<S: Source> Library for Crew<'_, S> {
    fn known(&self, function: DefinitionId) -> Option<Rc<Summary>> {
        self.book.borrow().summaries.get(function)
    }

    fn learn(&self, function: DefinitionId) -> Option<Rc<Summary>> {
        let depth = self.depth.get();
        if depth < DEEPEST {
            self.depth.set(depth + 1);
            self.walk_groups(&self.with_callees(function), |group| !self.is_begun(group));
            self.depth.set(depth);
        }
        self.known(function)
    }
}

/// Groups of functions that call each other, callees first.
fn groups<'o>(places: &[usize], outline: impl Fn(usize) -> &'o Outline) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<usize, ()>::new();
    let nodes: FxHashMap<DefinitionId, _> =
        places.iter().map(|&place| (outline(place).id, graph.add_node(place))).collect();
    for &place in places {
        let Outline { id, callees, .. } = outline(place);
        for callee in callees.iter().filter_map(|callee| nodes.get(callee)) {
            graph.add_edge(nodes[id], *callee, ());
        }
    }
    let groups = kosaraju_scc(&graph).into_iter().map(|group| {
        let mut group: Vec<usize> = group.into_iter().map(|node| graph[node]).collect();
        group.sort_unstable();
        group
    });
    groups.collect()
}

fn callees(function: &Function) -> impl Iterator<Item = DefinitionId> {
    function.events().flat_map(|event| match &event.kind {
        EventKind::Call(call) => {
            let dropped = call.sent.iter().flat_map(|(_, by)| by.iter());
            call.callees.iter().copied().chain(dropped.map(|one| one.body)).collect()
        }
        EventKind::Destroy { by, .. } => by.iter().map(|one| one.body).collect(),
        EventKind::Assign {
            value: Rvalue::Aggregate { made: Made::Coroutine(body) | Made::Closure(body), .. },
            ..
        } => vec![*body],
        _ => Vec::new(),
    })
}
