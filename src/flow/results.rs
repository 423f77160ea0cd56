//! Objects that a body makes and gives to its caller. Until it returns nobody else has them, if it starts nothing with them.

use crate::domain::path::whole_local;
use crate::events::{Call, EventKind, Function, Local, Meaning, Operand, Place, Rvalue};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that end up in the result. Of those that only lead somewhere, such as an `Arc`, the ones that were `made` here,
/// or by a function that was given all it needed.
pub(super) fn made_for_caller(function: &Function, made: &BTreeSet<Local>) -> BTreeSet<Local> {
    let (mut sources, mut users) = (Edges::new(), Edges::new());
    let mut own: Vec<Local> = made.iter().copied().collect();
    for event in function.events() {
        let (to, from): (&Place, Vec<&Operand>) = match &event.kind {
            EventKind::Assign { to, value: Rvalue::Use(from) } => (to, vec![from]),
            EventKind::Assign { to, value: Rvalue::Aggregate { parts, .. } } => {
                (to, parts.iter().map(|part| &part.operand).collect())
            }
            EventKind::Call(call) if matches!(call.meaning, Some(Meaning::New | Meaning::Pass)) => {
                own.extend(whole_local(&call.to).filter(|_| call.meaning == Some(Meaning::New)));
                (&call.to, call.arguments.iter().collect())
            }
            EventKind::Call(call) => {
                own.extend(whole_local(&call.to).filter(|_| is_given_all(function, call)));
                continue;
            }
            _ => continue,
        };
        let Some(to) = whole_local(to) else { continue };
        for from in from.into_iter().filter_map(moved) {
            sources.entry(to).or_default().push(from);
            users.entry(from).or_default().push(to);
        }
    }
    let own = reached(&users, own);
    let mut found = reached(&sources, vec![0]);
    found.retain(|&local| is_object(function, local, own.contains(&local)));
    found
}

type Edges = BTreeMap<Local, Vec<Local>>;

fn reached(edges: &Edges, mut open: Vec<Local>) -> BTreeSet<Local> {
    let mut found = BTreeSet::new();
    while let Some(local) = open.pop() {
        if found.insert(local) {
            open.extend(edges.get(&local).into_iter().flatten());
        }
    }
    found
}

/// A part counts, too: what was found in a `Result` is moved out of it.
fn moved(operand: &Operand) -> Option<Local> {
    match operand {
        Operand::Move(place) => Some(place.local),
        _ => None,
    }
}

fn is_given_all(function: &Function, call: &Call) -> bool {
    let lent = |operand: &Operand| {
        let variable = operand.place().and_then(|place| function.variables.get(place.local as usize));
        variable.is_some_and(|variable| variable.facts.borrows)
    };
    !call.arguments.iter().any(lent)
}

fn is_object(function: &Function, local: Local, own: bool) -> bool {
    let Some(variable) = function.variables.get(local as usize) else { return false };
    let leads_away = variable.facts.borrows || variable.facts.raw;
    let only_leads = variable.facts.pointer || variable.facts.leads_to_one;
    (local as usize) > function.parameters && !leads_away && (own || !only_leads)
}
