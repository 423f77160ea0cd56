//! Calls that change what their first argument points at: put something in, take something away.

use crate::domain::facts::{Effect, UseKind};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Step, whole_local};
use crate::domain::set::Set;
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Call, Event, EventKind, Function, Local, Operand, Rvalue, Site};
use crate::flow::calls::Argument;
use crate::flow::enlists::Word;
use crate::flow::positions::set_by;
use crate::flow::transfer::Walker;

/// How far back it is looked how a key was made.
const STEPS: usize = 4;

impl Walker<'_> {
    /// Something goes out of a container, or into it; the result says whether it was there.
    pub(super) fn remove(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        effect: Effect,
        site: Site,
    ) {
        let Some(target) = arguments[0].target else { return self.unknown(state, call, arguments, site) };
        let before = self.taken_out(state, target, site);
        let wanted = Value::union(arguments[1..].iter().map(|argument| &argument.value));
        if self.paths.lock_above(target).is_some() {
            self.write(state, target, &wanted, effect, site);
        } else {
            self.note_store(state, self.change(target, effect, &wanted), &wanted);
        }
        self.give(state, call, Value::union([&before, &wanted]), None, site);
    }

    pub(super) fn update(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        position: usize,
        site: Site,
    ) {
        if let Some(container) = arguments[0].target {
            self.note_position(container, &arguments[position].value, true);
            if !self.is_searched(container, &arguments[position].value) {
                self.record_use(
                    state,
                    UseKind::Position { container, changes: true },
                    &arguments[position].value,
                    site,
                );
            }
        }
        self.unknown(state, call, arguments, site);
    }

    /// Some element is replaced; the old one is the result.
    pub(super) fn put(&mut self, state: &mut State, call: &Call, arguments: &[Argument], value: usize, site: Site) {
        let Some(container) = arguments[0].target else { return self.unknown(state, call, arguments, site) };
        let element = self.paths.child(container, &Step::Element);
        self.key = match value {
            1 => self.asked_for(state, container, site),
            _ => arguments.get(1).map(|key| key.value.clone()),
        };
        if value > 1 {
            self.record_new_key(state, call, container, &arguments[1].value, site);
        }
        // Nothing was there under a number that nobody had before.
        let is_new = self.key.iter().any(|key| key.looks.iter().any(|look| self.is_own_number(look)));
        let before = if is_new { Value::default() } else { self.taken_out(state, element, site) };
        if let Some(lock) = self.paths.lock_above(element) {
            self.note_blind_store(lock, &arguments[value].value, site);
            if call.result.unit && matches!(call.arguments.get(value), Some(Operand::Constant(_))) {
                self.record_reset(state, lock, element, site);
            }
            self.write(state, element, &arguments[value].value, Effect::Overwrites, site);
        } else {
            let all = Value::union(arguments[1..].iter().map(|argument| &argument.value));
            let known = self.found_at(state, container, site);
            self.note_store(state, self.change(element, Effect::Overwrites, &all), &all);
            state.values.insert(container, Value::union([&known, &all]).into());
        }
        self.key = None;
        self.give(state, call, before, None, site);
    }

    /// How many there are, or the last key and one more: whoever looks at the same time comes to the same.
    fn record_new_key(&mut self, state: &State, call: &Call, container: PathId, key: &Value, site: Site) {
        let is_old = |look: &Origin| look.is_stale() && self.paths.overlap(look.path, container);
        if !key.looks.iter().any(is_old) || self.is_searched(container, key) {
            return;
        }
        let made = call.arguments[1].place().and_then(|key| how_made(self.function, key.local, STEPS));
        let Some(made) = made else { return };
        let of_content = |look: &&Origin| match made {
            Made::Computed => self.paths.overlap(look.path, container),
            Made::Asked => look.path == container,
        };
        let looks = key.looks.iter().filter(of_content).copied().collect();
        let value = Value { looks, inputs: Set::default() };
        self.record_use(state, UseKind::NewKey { container }, &value, site);
    }

    /// The key of the entry that is filled, if the caller gave it.
    fn asked_for(&self, state: &State, entry: PathId, site: Site) -> Option<Value> {
        let holding = state.held.maybe(self.paths.lock_above(entry)?)?;
        let key = state.keys.get(&holding.section).copied().flatten()?;
        Some(self.found_at(state, key, site))
    }

    /// From here on a notification of what the first argument points at is heard.
    pub(super) fn enlist_for_notice(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        alone: bool,
        site: Site,
    ) {
        if let Some(on) = arguments[0].target {
            self.enlist(state, Word { on, by_notice: true, alone }, site);
        }
        self.give(state, call, Value::default(), None, site);
    }
}

/// What makes a value another one than those it comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// By arithmetic.
    Computed,
    /// By a function that tells something of what it is lent: `len`.
    Asked,
}

/// The same on all ways, but for those where it is a number that is written there.
fn how_made(function: &Function, variable: Local, steps: usize) -> Option<Made> {
    let sets = |event: &&Event| set_by(&event.kind).is_some_and(|to| to.local == variable);
    let mut made = None;
    for event in function.events().filter(sets).take_while(|_| steps > 0) {
        let here = match &event.kind {
            EventKind::Assign { value: Rvalue::Use(Operand::Constant(_)), .. } => continue,
            EventKind::Assign { value: Rvalue::Compute(_), .. } => Made::Computed,
            EventKind::Assign { value: Rvalue::Use(operand), .. } => {
                let from = operand.place()?;
                let made = how_made(function, from.local, steps - 1)?;
                // Part of what a function gave may be what it was given.
                if made == Made::Asked && whole_local(from).is_none() {
                    return None;
                }
                made
            }
            EventKind::Call(call) if call.meaning.is_none() && call.arguments.len() == 1 => Made::Asked,
            _ => return None,
        };
        if made.replace(here).is_some_and(|before| before != here) {
            return None;
        }
    }
    made
}
