//! Operations on atomics that belong together: each is a section of its own, and what matters is what lies between two.

use crate::domain::facts::{Use, UseKind};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, whole_local};
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Call, Event, EventKind, Function, Local, Meaning, Rvalue, Site};
use crate::flow::calls::Argument;
use crate::flow::liveness::reads;
use crate::flow::positions::{LONGEST, set_by};
use crate::flow::record::locks_in;
use crate::flow::transfer::Walker;

impl Walker<'_> {
    /// `compare_exchange`: looks and writes in one step. What it expects may be from long ago, and its answer may be lost.
    pub(super) fn exchange(&mut self, state: &mut State, call: &Call, arguments: &[Argument], weak: bool, site: Site) {
        let lock = arguments[0].target.and_then(|target| self.paths.lock_above(target));
        if let (Some(lock), true) = (lock, self.record.is_some()) {
            self.record_exchange(lock, call, [&arguments[1].value, &arguments[2].value], weak, site);
        }
        self.merge(state, call, arguments, site);
    }

    fn record_exchange(&mut self, lock: PathId, call: &Call, [expected, new]: [&Value; 2], weak: bool, site: Site) {
        let origins: Vec<Origin> = expected.looks.iter().copied().filter(|origin| origin.lock == lock).collect();
        let again = self.control().in_a_loop(self.function, self.block);
        let from_before = |origin: &Origin| {
            let seen = self.section_blocks.get(&origin.section);
            seen.is_some_and(|&seen| !self.control().in_one_loop(seen, self.block))
        };
        let set_once =
            call.arguments[1].place().and_then(whole_local).is_some_and(|local| is_set_once(self.function, local));
        let around = again && set_once && !origins.is_empty() && origins.iter().all(from_before);
        let ignored = whole_local(&call.to).is_some_and(|result| is_ignored(self.function, result));
        let root = self.paths.root_of(lock);
        let own = new.inputs.iter().any(|input| self.paths.root_of(input.path) != root);
        let kind = UseKind::Exchange { target: lock, around, ignored, weak, own };
        if let (Some(record), true) = (&mut self.record, around || ignored) {
            let among = locks_in(expected);
            record.uses.push(Use { site, kind, by_callee: false, among, origins, around_loop: Vec::new() });
        }
    }

    /// Something is written to an atomic that does not depend on what was there.
    pub(super) fn note_blind_store(&mut self, lock: PathId, value: &Value, site: Site) {
        if self.is_atomic(lock) && !value.looks.iter().any(|origin| origin.lock == lock) {
            self.blind_stores.insert(site);
        }
    }

    /// The way forks on what an atomic held before this thread wrote to it without a look.
    pub(super) fn record_late_test(&mut self, value: &Value, site: Site) {
        let late = |origin: &&Origin| {
            let stored = origin.entered().filter(|entered| self.blind_stores.contains(entered));
            stored.is_some() && origin.shared && self.is_atomic(origin.lock)
        };
        let origins: Vec<Origin> = value.looks.iter().filter(late).copied().collect();
        let among = locks_in(value);
        if let (Some(record), Some(first)) = (&mut self.record, origins.first()) {
            let stored = first.entered().unwrap_or(site);
            let kind = UseKind::LateTest { stored };
            record.uses.push(Use { site, kind, by_callee: false, among, origins, around_loop: Vec::new() });
        }
    }
}

/// It, and what it is a copy of, is set in one place.
fn is_set_once(function: &Function, variable: Local) -> bool {
    let mut variable = variable;
    for _ in 0..LONGEST {
        let sets = |event: &&Event| set_by(&event.kind).is_some_and(|to| to.local == variable);
        let mut setting = function.events().filter(sets);
        let (first, second) = (setting.next(), setting.next());
        match first.filter(|_| second.is_none()).map(|event| &event.kind) {
            Some(EventKind::Assign { value: Rvalue::Use(operand), .. }) => {
                let Some(source) = operand.place().and_then(whole_local) else { return true };
                variable = source;
            }
            Some(_) => return true,
            None => return false,
        }
    }
    false
}

/// Nobody reads it but to throw it away: `let _ = ..`, `.ok();`.
fn is_ignored(function: &Function, result: Local) -> bool {
    let mut readers = function.events().filter(|event| reads(function, event, result));
    readers.all(|event| match &event.kind {
        EventKind::Call(call) => {
            let thrown_away = whole_local(&call.to).is_some_and(|next| is_unread(function, next));
            thrown_away && matches!(call.meaning, None | Some(Meaning::Pass)) && !call.result.unit
        }
        _ => false,
    })
}

fn is_unread(function: &Function, local: Local) -> bool {
    local != 0 && !function.events().any(|event| reads(function, event, local))
}
