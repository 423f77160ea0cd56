//! Callees before callers: the order in which the bodies of a crate are walked. Functions that call each other in a
//! circle are walked together until their summaries stay the same, or a bound is reached.

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, EventKind, Function, Made, Rvalue};
use crate::flow::{Options, Unsettled, walk};
use crate::summary::{Summaries, Summary};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::HashMap;

/// Rounds over a circle of functions. What is not known by then is left out of the summaries.
const ROUNDS: usize = 4;

/// Walks all bodies. `guarded` runs the walk of one body and may catch what goes wrong in it.
pub fn walk_all<E>(
    functions: &[Function],
    options: Options,
    guarded: impl Fn(&dyn Fn() -> Result<(BodyFacts, Summary), Unsettled>) -> Result<(BodyFacts, Summary), E>,
) -> Vec<Result<BodyFacts, E>> {
    let mut summaries = Summaries::default();
    let mut walked: Vec<Option<Result<BodyFacts, E>>> = functions.iter().map(|_| None).collect();
    for group in groups(functions) {
        let circular = group.len() > 1 || calls_itself(&functions[group[0]]);
        for _ in 0..if circular { ROUNDS } else { 1 } {
            let mut changed = false;
            for &index in &group {
                let function = &functions[index];
                let result = guarded(&|| walk(function, &summaries, options));
                walked[index] = Some(result.map(|(facts, summary)| {
                    changed |= summaries.set(function.id, summary);
                    facts
                }));
            }
            if !changed {
                break;
            }
        }
    }
    walked.into_iter().flatten().collect()
}

/// Groups of functions that call each other, callees first. The numbers are places in the list.
fn groups(functions: &[Function]) -> Vec<Vec<usize>> {
    let places: HashMap<DefinitionId, usize> =
        functions.iter().enumerate().map(|(place, function)| (function.id, place)).collect();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = functions.iter().map(|_| graph.add_node(())).collect();
    for (caller, function) in functions.iter().enumerate() {
        for callee in callees(function).filter_map(|callee| places.get(&callee)) {
            graph.update_edge(nodes[caller], nodes[*callee], ());
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
        EventKind::Assign { value: Rvalue::Aggregate { made: Made::Coroutine(body), .. }, .. } => Some(*body),
        _ => None,
    })
}

fn calls_itself(function: &Function) -> bool {
    callees(function).any(|callee| callee == function.id)
}
