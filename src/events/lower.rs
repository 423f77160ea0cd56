//! From the plain body to events: each statement becomes one event or none.

use super::{Block, Call, Event, EventKind, Function};
use crate::mir::plain::{self, Body, Operand, Statement};
use crate::models::{LockKind, Meaning};

pub fn lower(body: Body, near_locks: bool) -> Function {
    let blocks = body.blocks.into_iter().map(|block| {
        let events = block.statements.into_iter();
        let mut events: Vec<Event> = events
            .flat_map(|(site, statement)| {
                let before = destroyed(&statement);
                before.into_iter().chain(event(statement)).map(move |kind| Event { site, kind })
            })
            .collect();
        // Statements are larger, and leave their room to the events.
        events.shrink_to_fit();
        let plain::Block { successors, if_gone, for_debugging, empty, if_poisoned, refuses, .. } = block;
        Block { events, successors, if_gone, for_debugging, empty, if_poisoned, refuses }
    });
    Function {
        id: body.id,
        blocks: blocks.collect(),
        variables: body.variables,
        parameters: body.parameters,
        exclusive_types: body.exclusive_types,
        driven_by: body.driven_by,
        promised: body.promised,
        sleeps_knowingly: body.sleeps_knowingly,
        atomic: body.atomic,
        requires: body.requires,
        guards: body.guards,
        exposures: body.exposures,
        touches: body.touches,
        unshareable: body.unshareable,
        of_thread: body.of_thread,
        has_token: body.has_token,
        is_closure: body.is_closure,
        drops_clone: body.drops_clone,
        polls: body.polls,
        fences: body.fences,
        near_locks,
    }
}

/// A thing has its parts as long as its own `drop` runs, the guards among them.
fn destroyed(statement: &Statement) -> Option<EventKind> {
    match statement {
        Statement::Drop { place, by, .. } if !by.is_empty() => {
            Some(EventKind::Destroy { of: place.clone(), by: by.clone() })
        }
        _ => None,
    }
}

fn event(statement: Statement) -> Option<EventKind> {
    match statement {
        Statement::Assign { to, value } => Some(EventKind::Assign { to, value }),
        Statement::Dead(local) => Some(EventKind::Dead(local)),
        Statement::Drop { place, facts, .. } => facts.holds_guard.then_some(EventKind::Release { of: place }),
        Statement::Call(call) => Some(call_event(call)),
        Statement::Touch(touch) => Some(EventKind::Touch(touch)),
        Statement::Branch(on) => Some(EventKind::Branch(on)),
        Statement::Suspend => Some(EventKind::Suspend),
        Statement::Return => Some(EventKind::Return),
    }
}

fn call_event(mut call: plain::Call) -> EventKind {
    let lock_type = call.receiver.unwrap_or_default();
    match call.meaning {
        Some(Meaning::Acquire { mode, fallible, later, looks, recursive }) if !call.arguments.is_empty() => {
            let mut arguments = call.arguments.into_iter();
            EventKind::Acquire {
                to: call.to,
                lock: arguments.next().unwrap_or(Operand::Constant(None)),
                key: arguments.next().filter(|_| lock_type.kind == LockKind::Map),
                lock_type: Box::new(lock_type),
                mode,
                fallible,
                later,
                looks,
                recursive,
            }
        }
        Some(Meaning::Wait { guard, how }) if guard < call.arguments.len() => {
            let guard = call.arguments.remove(guard);
            EventKind::Wait { to: call.to, guard, others: call.arguments, how }
        }
        meaning => EventKind::Call(Box::new(Call {
            callees: call.callees,
            meaning: meaning.filter(|meaning| needs(*meaning) <= call.arguments.len()),
            beyond: call.beyond,
            for_many: call.for_many,
            order: call.order,
            shares: call.shares,
            sent: call.sent,
            invokes: call.invokes && call.arguments.len() == 2,
            section: call.section.filter(|_| !call.arguments.is_empty()).map(|mode| (mode, lock_type)),
            part: call.part,
            arguments: call.arguments,
            to: call.to,
            result: call.result,
        })),
    }
}

/// How many arguments the row speaks of. One that asks for more than the call has says nothing about it.
fn needs(meaning: Meaning) -> usize {
    match meaning {
        Meaning::Hint | Meaning::New => 0,
        Meaning::Alias
        | Meaning::Peek { .. }
        | Meaning::Pass
        | Meaning::Demand
        | Meaning::Try
        | Meaning::Part
        | Meaning::Look
        | Meaning::Poll
        | Meaning::Handle
        | Meaning::Merge
        | Meaning::Sift
        | Meaning::Notify { .. }
        | Meaning::Enlist
        | Meaning::Sleep
        | Meaning::Owners
        | Meaning::Adjust { .. }
        | Meaning::Remove
        | Meaning::Add
        | Meaning::Take { .. } => 1,
        Meaning::Exchange { .. } => 3,
        Meaning::Index | Meaning::Swap | Meaning::Compare | Meaning::Order => 2,
        Meaning::Update { position: last } | Meaning::Put { value: last } => last + 1,
        Meaning::Acquire { .. } => 1,
        Meaning::Wait { guard, .. } => guard + 1,
    }
}
