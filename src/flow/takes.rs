//! Things that are moved out of where they are: `take`, `replace`, `swap`.

use crate::domain::facts::Effect;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, whole_local};
use crate::domain::state::State;
use crate::domain::value::{Input, Value};
use crate::events::{Call, EventKind, Function, Local, Meaning, Operand, Place, Rvalue, Site};
use crate::flow::calls::Argument;
use crate::flow::positions::set_by;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

impl Walker<'_> {
    /// The present event puts something there, so that something is there afterwards for sure.
    pub(super) fn fills(&self) -> bool {
        match self.event.filter(|_| !self.applying) {
            Some(EventKind::Call(call)) => {
                matches!(call.meaning, Some(Meaning::Put { .. } | Meaning::Merge | Meaning::Take { fills: true }))
            }
            Some(EventKind::Assign { value: Rvalue::Use(Operand::Move(place)), .. }) => {
                let full = self.full.get_or_init(|| full_options(self.function));
                whole_local(place).is_some_and(|local| full.contains(&local))
            }
            _ => false,
        }
    }

    /// The present event hands something to a container that is no map: `push`, `push_back`.
    pub(super) fn adds(&self) -> bool {
        let Some(EventKind::Call(call)) = self.event.filter(|_| !self.applying) else { return false };
        let hands_over = call.arguments.iter().skip(1).any(|operand| operand.place().is_some());
        match call.meaning {
            Some(Meaning::Add) => true,
            None => !call.callees.iter().any(|&callee| self.known(callee).is_some()) && !call.shares && hands_over,
            Some(_) => false,
        }
    }

    pub(super) fn take(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let Some(target) = arguments[0].target else {
            return self.give(state, call, Value::default(), None, site);
        };
        let taken = self.taken_out(state, target, site);
        let put = Value::union(arguments[1..].iter().map(|argument| &argument.value));
        let pointer = state.pointer(&self.paths, target);
        self.take_guards(state, target, call);
        let moves_state = call.arguments.get(1).is_some_and(|marker| self.is_of_states(marker));
        let tested = self.paths.lock_above(target).filter(|&lock| state.rechecked.contains(&(lock, target)));
        if call.arguments.len() == 1 && self.paths.lock_above(target).is_some() {
            self.write(state, target, &put, Effect::Removes, site);
        } else {
            self.store(state, target, put, site);
        }
        let claimed = tested.filter(|_| moves_state);
        if let Some(lock) = claimed {
            self.claim(state, lock);
        }
        let taken = if claimed.is_some() { Value::default() } else { taken };
        self.give(state, call, taken, pointer.filter(|_| call.result.holds_guard), site);
    }

    /// One of several states of the user's: what is left there tells others how far this thread is.
    fn is_of_states(&self, operand: &Operand) -> bool {
        let variable =
            operand.place().and_then(whole_local).and_then(|local| self.function.variables.get(local as usize));
        variable.is_some_and(|variable| variable.facts.states)
    }

    /// Guards that are taken out of a variable go where the result goes.
    fn take_guards(&mut self, state: &mut State, target: PathId, call: &Call) {
        let Some(local) = self.paths.root_local(target).filter(|_| call.result.holds_guard) else { return };
        self.move_guards(state, &Place::variable(local), &call.to);
    }

    /// What is found there and does not stay there.
    pub(super) fn taken_out(&self, state: &State, target: PathId, site: Site) -> Value {
        self.handed_out(self.found_at(state, target, site), &[target])
    }

    /// A value that a call gave which changed these: what comes from under a lock, or from the caller, is no copy.
    pub(super) fn handed_out(&self, value: Value, changed: &[PathId]) -> Value {
        let under_lock = changed.iter().any(|&target| self.paths.lock_above(target).is_some());
        let Value { looks, inputs } = value;
        Value {
            looks: if under_lock { looks.map(Origin::taken_if_fresh) } else { looks },
            inputs: inputs.map(|input| {
                let changed = changed.iter().any(|&target| self.paths.overlap(target, input.path));
                Input { taken: input.taken || changed, ..input }
            }),
        }
    }

    pub(super) fn swap(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        if let (Some(one), Some(other)) = (arguments[0].target, arguments[1].target) {
            let left = self.taken_out(state, one, site);
            let right = self.taken_out(state, other, site);
            self.store(state, one, right, site);
            self.store(state, other, left, site);
        }
        self.give(state, call, Value::default(), None, site);
    }
}

/// Variables that are set to `Some(..)`, and to nothing else.
fn full_options(function: &Function) -> BTreeSet<Local> {
    let is_option = |local: Local| {
        let variable = function.variables.get(local as usize);
        variable.is_some_and(|variable| variable.facts.choice && !variable.facts.states)
    };
    let (mut full, mut other, mut moved) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for event in function.events() {
        let Some(local) = set_by(&event.kind).and_then(whole_local).filter(|&local| is_option(local)) else { continue };
        match &event.kind {
            EventKind::Assign { value: Rvalue::Aggregate { parts, .. }, .. } if !parts.is_empty() => {
                full.insert(local);
            }
            EventKind::Assign { value: Rvalue::Use(Operand::Move(from)), .. } => moved.push((local, whole_local(from))),
            _ => {
                other.insert(local);
            }
        }
    }
    for (local, from) in moved {
        let is_full = from.is_some_and(|from| full.contains(&from) && !other.contains(&from));
        if is_full {
            full.insert(local)
        } else {
            other.insert(local)
        };
    }
    &full - &other
}
