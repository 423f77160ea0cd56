//! Which variables may still be read after a point. What is known of the others is forgotten where blocks meet, so that
//! the state stays as small as the code around it is, however long the body.

use crate::domain::path::PathId;
use crate::domain::state::{State, Target};
use crate::events::{Event, EventKind, Function, Local, Operand, Place, PlaceStep, Rvalue};
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

/// A set of locals.
#[derive(Clone, PartialEq, Eq)]
struct Locals(Vec<u64>);

impl Locals {
    fn new(count: usize) -> Locals {
        Locals(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, local: Local) {
        if let Some(word) = self.0.get_mut(local as usize / 64) {
            *word |= 1 << (local % 64);
        }
    }

    fn remove(&mut self, local: Local) {
        if let Some(word) = self.0.get_mut(local as usize / 64) {
            *word &= !(1 << (local % 64));
        }
    }

    fn contains(&self, local: Local) -> bool {
        self.0.get(local as usize / 64).is_none_or(|word| word & (1 << (local % 64)) != 0)
    }

    fn add_all(&mut self, other: &Locals) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }
}

/// For each block, the locals that may be read from its start on.
pub(super) struct Liveness(Vec<Locals>);

impl Liveness {
    pub(super) fn of(function: &Function) -> Liveness {
        let mut live = vec![Locals::new(function.variables.len()); function.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in function.blocks.iter().enumerate().rev() {
                let mut at = Locals::new(function.variables.len());
                block.successors.iter().for_each(|&next| at.add_all(&live[next]));
                block.events.iter().rev().for_each(|event| step_back(&mut at, event));
                if at != live[index] {
                    live[index] = at;
                    changed = true;
                }
            }
        }
        Liveness(live)
    }
}

/// The event reads the variable.
pub(super) fn reads(function: &Function, event: &Event, local: Local) -> bool {
    let mut live = Locals::new(function.variables.len());
    step_back(&mut live, event);
    live.contains(local)
        && !matches!(event.kind, EventKind::Release { .. } | EventKind::Destroy { .. } | EventKind::Touch(_))
}

/// From after the event to before it.
fn step_back(live: &mut Locals, event: &Event) {
    match &event.kind {
        EventKind::Assign { to, value } => {
            define(live, to);
            read_value(live, value);
        }
        EventKind::Acquire { to, lock, key, .. } => {
            define(live, to);
            read(live, lock);
            key.iter().for_each(|key| read(live, key));
        }
        EventKind::Wait { to, guard, others, .. } => {
            define(live, to);
            read(live, guard);
            others.iter().for_each(|other| read(live, other));
        }
        EventKind::Call(call) => {
            define(live, &call.to);
            call.arguments.iter().for_each(|argument| read(live, argument));
        }
        EventKind::Branch(on) => read(live, on),
        EventKind::Touch(touch) => read_place(live, &touch.place),
        EventKind::Destroy { of, .. } => read_place(live, of),
        EventKind::Release { of } => live.insert(of.local),
        EventKind::Dead(local) => live.remove(*local),
        EventKind::Return => live.insert(0),
        EventKind::Suspend => {}
    }
}

fn define(live: &mut Locals, to: &Place) {
    if to.steps.is_empty() { live.remove(to.local) } else { live.insert(to.local) }
}

fn read(live: &mut Locals, operand: &Operand) {
    if let Some(place) = operand.place() {
        read_place(live, place);
    }
}

fn read_place(live: &mut Locals, place: &Place) {
    live.insert(place.local);
    for step in &place.steps {
        if let PlaceStep::Index(index) = step {
            live.insert(*index);
        }
    }
}

fn read_value(live: &mut Locals, value: &Rvalue) {
    match value {
        Rvalue::Use(operand) => read(live, operand),
        Rvalue::Borrow(place) | Rvalue::Discriminant(place) => read_place(live, place),
        Rvalue::Compare(operands) | Rvalue::Order(operands) | Rvalue::Compute(operands) => {
            operands.iter().for_each(|operand| read(live, operand));
        }
        Rvalue::Aggregate { parts, .. } => parts.iter().for_each(|part| read(live, &part.operand)),
        Rvalue::Nothing => {}
    }
}

impl Walker<'_> {
    /// Forgets what nobody can read from the block's start on: dead locals that no live pointer leads to.
    pub(super) fn forget_dead(&self, state: &mut State, liveness: &Liveness, block: usize) {
        let live = &liveness.0[block];
        let mut kept: BTreeSet<Local> = BTreeSet::new();
        let keeps = |kept: &BTreeSet<Local>, path: PathId| match self.paths.root_local(path) {
            Some(local) => live.contains(local) || kept.contains(&local) || self.is_input(path),
            None => true,
        };
        loop {
            let led_to: Vec<Local> = state
                .pointers
                .iter()
                .filter(|(slot, _)| keeps(&kept, **slot))
                .filter_map(|(_, target)| match target {
                    Target::Known(target) => self.paths.root_local(*target),
                    Target::Several => None,
                })
                .filter(|&local| !live.contains(local) && !kept.contains(&local))
                .collect();
            if led_to.is_empty() {
                break;
            }
            kept.extend(led_to);
        }
        let kept = kept;
        state.pointers.retain(|&slot, _| keeps(&kept, slot));
        state.values.retain(|&slot, _| keeps(&kept, slot));
    }
}
