//! From the plain body to events: each statement becomes one event or none.

use super::{Block, Call, CallShape, Event, EventKind, Function};
use crate::mir::plain::{self, Body, Statement};
use crate::models::Meaning;

pub fn lower(body: Body, near_locks: bool) -> Function {
    let blocks = body.blocks.into_iter().map(|block| Block {
        events: block
            .statements
            .into_iter()
            .filter_map(|(site, statement)| event(statement).map(|kind| Event { site, kind }))
            .collect(),
        successors: block.successors,
    });
    Function {
        id: body.id,
        name: body.function,
        blocks: blocks.collect(),
        variables: body.variables,
        parameters: body.parameters,
        near_locks,
    }
}

fn event(statement: Statement) -> Option<EventKind> {
    match statement {
        Statement::Assign { to, value } => Some(EventKind::Assign { to, value }),
        Statement::Dead(local) => Some(EventKind::Dead(local)),
        Statement::Drop { place, facts } => facts.holds_guard.then_some(EventKind::Release { of: place }),
        Statement::Call(call) => Some(call_event(call)),
        Statement::Branch(on) => Some(EventKind::Branch(on)),
        Statement::Suspend => Some(EventKind::Suspend),
        Statement::Return => Some(EventKind::Return),
    }
}

fn call_event(mut call: plain::Call) -> EventKind {
    match call.meaning {
        Some(Meaning::Acquire { mode, fallible, later }) if !call.arguments.is_empty() => EventKind::Acquire {
            to: call.to,
            lock: call.arguments.swap_remove(0),
            lock_type: call.receiver.unwrap_or_default(),
            mode,
            fallible,
            later,
        },
        Some(Meaning::Wait { guard }) if guard < call.arguments.len() => {
            let guard = call.arguments.remove(guard);
            EventKind::Wait { to: call.to, guard, others: call.arguments }
        }
        meaning => EventKind::Call(Call {
            callee: call.callee,
            shape: shape(meaning, call.arguments.len()),
            arguments: call.arguments,
            to: call.to,
            result: call.result,
        }),
    }
}

/// A row that asks for more arguments than the call has says nothing about it.
fn shape(meaning: Option<Meaning>, arguments: usize) -> CallShape {
    let (shape, needed) = match meaning {
        Some(Meaning::Alias) => (CallShape::Alias, 1),
        Some(Meaning::Pass) => (CallShape::Pass, 1),
        Some(Meaning::Poll) => (CallShape::Poll, 1),
        Some(Meaning::Handle) => (CallShape::Handle, 1),
        Some(Meaning::Index) => (CallShape::Index, 2),
        Some(Meaning::Update { position }) => (CallShape::Update { position }, position + 1),
        Some(Meaning::Put { value }) => (CallShape::Put { value }, value + 1),
        Some(Meaning::Take) => (CallShape::Take, 1),
        Some(Meaning::Swap) => (CallShape::Swap, 2),
        Some(Meaning::Compare) => (CallShape::Compare, 2),
        Some(Meaning::Hint) => (CallShape::Hint, 0),
        Some(Meaning::New) => (CallShape::New, 0),
        Some(Meaning::Acquire { .. } | Meaning::Wait { .. }) | None => (CallShape::Unknown, 0),
    };
    if arguments < needed { CallShape::Unknown } else { shape }
}
