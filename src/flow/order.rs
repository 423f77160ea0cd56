//! Callees before callers: the order in which the bodies of a crate are walked. Functions that call each other in a
//! circle are walked together until their summaries stay the same, or a bound is reached.
//!
//! The walk starts with the functions that come near a lock. What they call beside that is read only when it is given
//! something that matters, and what called it is then walked again: most functions of a crate are never read at all.

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, EventKind, Function, Made, Rvalue};
use crate::flow::{Options, Unsettled, Walked, walk};
use crate::summary::Summaries;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Rounds over a circle of functions. What is not known by then is left out of the summaries.
const ROUNDS: usize = 2;

/// How often callers are walked again with what they asked for. The second time is for what they ask for then.
const READINGS: usize = 2;

/// Where bodies come from, and what is done if one cannot be walked.
pub trait Source {
    type Fault;

    /// A function of this crate that was not given at the start.
    fn read(&mut self, function: DefinitionId) -> Option<Function>;

    /// Runs the walk of one body; may catch what goes wrong in it.
    fn guard(&mut self, walk: &dyn Fn() -> Result<Walked, Unsettled>) -> Result<Walked, Self::Fault>;
}

/// The state of the whole walk.
struct Crew<'s, S: Source> {
    source: &'s mut S,
    options: Options,
    functions: Vec<Function>,
    results: Vec<Option<Result<BodyFacts, S::Fault>>>,
    asked: Vec<BTreeSet<DefinitionId>>,
    summaries: Summaries,
}

/// How each body fared.
pub type Fared<Fault> = Vec<(Function, Result<BodyFacts, Fault>)>;

/// Walks all bodies, and says how each one fared, and what is known of all functions now.
pub fn walk_all<S: Source>(
    near: Vec<Function>,
    foreign: Summaries,
    options: Options,
    source: &mut S,
) -> (Fared<S::Fault>, Summaries) {
    let mut crew = Crew {
        source,
        options,
        results: near.iter().map(|_| None).collect(),
        asked: vec![BTreeSet::new(); near.len()],
        functions: near,
        summaries: foreign,
    };
    let mut known: HashSet<DefinitionId> = crew.functions.iter().map(|function| function.id).collect();
    let mut new: HashSet<DefinitionId> = known.clone();
    for _ in 0..READINGS {
        crew.walk_where_needed(&new);
        new = crew.read_what_is_asked_for(&mut known);
        if new.is_empty() {
            break;
        }
    }
    let results = crew.results.into_iter().flatten();
    (crew.functions.into_iter().zip(results).collect(), crew.summaries)
}

impl<S: Source> Crew<'_, S> {
    /// Reads what was asked for, and what that asks for in turn, before anything else is walked again.
    fn read_what_is_asked_for(&mut self, known: &mut HashSet<DefinitionId>) -> HashSet<DefinitionId> {
        let mut new = HashSet::new();
        loop {
            let asked: BTreeSet<DefinitionId> = self.asked.iter().flatten().copied().collect();
            let wanted: Vec<DefinitionId> = asked.into_iter().filter(|&function| known.insert(function)).collect();
            let before = self.functions.len();
            for function in wanted {
                self.functions.extend(self.source.read(function));
            }
            self.results.resize_with(self.functions.len(), || None);
            self.asked.resize_with(self.functions.len(), BTreeSet::new);
            for index in before..self.functions.len() {
                new.insert(self.functions[index].id);
                self.walk_one(index);
            }
            if self.functions.len() == before {
                return new;
            }
        }
    }

    /// Walks what is new, what asked for something new, and what calls a function whose summary has changed.
    fn walk_where_needed(&mut self, new: &HashSet<DefinitionId>) {
        let mut changed: HashSet<DefinitionId> = new.clone();
        for group in groups(&self.functions) {
            let touched = group.iter().any(|&index| {
                let function = &self.functions[index];
                new.contains(&function.id)
                    || self.asked[index].iter().any(|id| new.contains(id))
                    || callees(function).any(|callee| changed.contains(&callee))
            });
            if !touched {
                continue;
            }
            let circular = group.len() > 1 || calls_itself(&self.functions[group[0]]);
            for _ in 0..if circular { ROUNDS } else { 1 } {
                let mut moved = false;
                for &index in &group {
                    if self.walk_one(index) {
                        moved = true;
                        changed.insert(self.functions[index].id);
                    }
                }
                if !moved {
                    break;
                }
            }
        }
    }

    /// Says whether the summary changed.
    fn walk_one(&mut self, index: usize) -> bool {
        let (function, summaries, options) = (&self.functions[index], &self.summaries, self.options);
        match self.source.guard(&|| walk(function, summaries, options)) {
            Ok(walked) => {
                self.results[index] = Some(Ok(walked.facts));
                self.asked[index] = walked.asked;
                self.summaries.set(self.functions[index].id, walked.summary)
            }
            Err(fault) => {
                self.results[index] = Some(Err(fault));
                false
            }
        }
    }
}

/// Groups of functions that call each other, callees first. The numbers are places in the list.
fn groups(functions: &[Function]) -> Vec<Vec<usize>> {
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
