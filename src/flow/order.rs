//! Callees before callers: the order in which the bodies of a crate are walked. Functions that call each other in a
//! circle are walked together until their summaries stay the same, or a bound is reached.
//!
//! The walk starts with the functions that come near a lock. What they call beside that is read, and walked, at the
//! moment it is given something that matters: most functions of a crate are never read at all.

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, EventKind, Function, Made, Rvalue};
use crate::flow::{Library, Options, Unsettled, Walked, walk};
use crate::summary::{Summaries, Summary};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Rounds over a circle of functions. What is not known by then is left out of the summaries.
const ROUNDS: usize = 2;

/// A function that is read while so many others wait for what they called is left for later.
const DEEPEST: usize = 32;

/// Where bodies come from, and what is done if one cannot be walked.
pub trait Source {
    type Fault;

    /// A function of this crate that was not given at the start.
    fn read(&self, function: DefinitionId) -> Option<Function>;

    /// Runs the walk of one body; may catch what goes wrong in it.
    fn guard(&self, walk: &dyn Fn() -> Result<Walked, Unsettled>) -> Result<Walked, Self::Fault>;
}

/// How each body fared.
pub type Fared<Fault> = Vec<(Rc<Function>, Result<BodyFacts, Fault>)>;

/// Walks all bodies, and says how each one fared, and what is known of all functions now.
pub fn walk_all<S: Source>(
    near: Vec<Function>,
    foreign: Summaries,
    options: Options,
    source: &S,
) -> (Fared<S::Fault>, Summaries) {
    let book =
        Book { summaries: foreign, places: HashMap::new(), entries: Vec::new(), changed: HashMap::new(), now: 0 };
    let crew = Crew { source, options, book: RefCell::new(book), depth: Cell::new(0) };
    let near: Vec<usize> = near.into_iter().map(|function| crew.book.borrow_mut().enter(function)).collect();
    crew.walk_groups(&near, |group| !crew.is_begun(group));
    // What calls one that was being walked at that time had to do without it.
    let all: Vec<usize> = (0..crew.book.borrow().entries.len()).collect();
    crew.walk_groups(&all, |group| crew.is_outdated(group));
    let book = crew.book.into_inner();
    let fared = book.entries.into_iter().filter_map(|entry| Some((entry.function, entry.result?)));
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
    places: HashMap<DefinitionId, Option<usize>>,
    entries: Vec<Entry<Fault>>,
    /// When the summary of a function last became another one.
    changed: HashMap<DefinitionId, usize>,
    now: usize,
}

struct Entry<Fault> {
    function: Rc<Function>,
    result: Option<Result<BodyFacts, Fault>>,
    begun: bool,
    walked: usize,
}

impl<Fault> Book<Fault> {
    fn enter(&mut self, function: Function) -> usize {
        let place = self.entries.len();
        self.places.insert(function.id, Some(place));
        self.entries.push(Entry { function: Rc::new(function), result: None, begun: false, walked: 0 });
        place
    }

    /// Says whether the summary changed.
    fn note(&mut self, place: usize, result: Result<Walked, Fault>) -> bool {
        self.now += 1;
        let entry = &mut self.entries[place];
        match result {
            Ok(walked) => {
                entry.result = Some(Ok(walked.facts));
                let changed = self.summaries.set(entry.function.id, walked.summary);
                if changed {
                    self.changed.insert(entry.function.id, self.now);
                }
                changed
            }
            Err(fault) => {
                entry.result = Some(Err(fault));
                false
            }
        }
    }
}

impl<S: Source> Crew<'_, S> {
    fn walk_groups(&self, places: &[usize], wanted: impl Fn(&[usize]) -> bool) {
        let functions: Vec<Rc<Function>> = {
            let book = self.book.borrow();
            places.iter().map(|&place| book.entries[place].function.clone()).collect()
        };
        for group in groups(&functions) {
            let group: Vec<usize> = group.into_iter().map(|index| places[index]).collect();
            if wanted(&group) {
                self.walk_group(&group);
            }
        }
    }

    fn walk_group(&self, group: &[usize]) {
        let circular = group.len() > 1 || calls_itself(&self.book.borrow().entries[group[0]].function);
        for _ in 0..if circular { ROUNDS } else { 1 } {
            let mut moved = false;
            for &place in group {
                moved |= self.walk_one(place);
            }
            if !moved {
                break;
            }
        }
        let mut book = self.book.borrow_mut();
        let now = book.now;
        group.iter().for_each(|&place| book.entries[place].walked = now);
    }

    fn walk_one(&self, place: usize) -> bool {
        let function = {
            let entry = &mut self.book.borrow_mut().entries[place];
            entry.begun = true;
            entry.function.clone()
        };
        let result = self.source.guard(&|| walk(&function, self, self.options));
        self.book.borrow_mut().note(place, result)
    }

    /// Some callee has another summary than when it was walked.
    fn is_outdated(&self, group: &[usize]) -> bool {
        let book = self.book.borrow();
        group.iter().map(|&place| &book.entries[place]).any(|entry| {
            callees(&entry.function).any(|callee| book.changed.get(&callee).is_some_and(|&when| when > entry.walked))
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
                wanted.extend(callees(&entry.function));
            }
        }
        new.into_iter().collect()
    }

    fn place_of(&self, function: DefinitionId) -> Option<usize> {
        if let Some(&known) = self.book.borrow().places.get(&function) {
            return known;
        }
        let read = self.source.read(function);
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

/// Groups of functions that call each other, callees first. The numbers are places in the list.
fn groups(functions: &[Rc<Function>]) -> Vec<Vec<usize>> {
    let places: HashMap<DefinitionId, usize> =
        functions.iter().enumerate().map(|(place, function)| (function.id, place)).collect();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = functions.iter().map(|_| graph.add_node(())).collect();
    for (caller, function) in functions.iter().enumerate() {
        for callee in callees(function).filter_map(|callee| places.get(&callee)) {
            graph.add_edge(nodes[caller], nodes[*callee], ());
        }
    }
    let mut groups: Vec<Vec<usize>> =
        kosaraju_scc(&graph).into_iter().map(|group| group.into_iter().map(|node| node.index()).collect()).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

fn callees(function: &Function) -> impl Iterator<Item = DefinitionId> {
    function.events().filter_map(|event| match &event.kind {
        EventKind::Call(call) => call.callee,
        EventKind::Assign {
            value: Rvalue::Aggregate { made: Made::Coroutine(body) | Made::Closure(body), .. },
            ..
        } => Some(*body),
        _ => None,
    })
}

fn calls_itself(function: &Function) -> bool {
    callees(function).any(|callee| callee == function.id)
}
