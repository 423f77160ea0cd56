//! Calls that change what their first argument points at: put something in, take something away.

use crate::domain::facts::{Effect, UseKind};
use crate::domain::path::{PathId, Step};
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Call, Site};
use crate::flow::calls::Argument;
use crate::flow::enlists::Word;
use crate::flow::transfer::Walker;

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
        // Nothing was there under a number that nobody had before.
        let is_new = self.key.iter().any(|key| key.looks.iter().any(|look| self.is_own_number(look)));
        let before = if is_new { Value::default() } else { self.taken_out(state, element, site) };
        if let Some(lock) = self.paths.lock_above(element) {
            self.note_blind_store(lock, &arguments[value].value, site);
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
