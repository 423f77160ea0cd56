//! A call of a function whose summary is known: its sections, stores and result, in the caller's paths.

use crate::domain::facts::{Effect, UseKind};
use crate::domain::held::Holding;
use crate::domain::origin::{Age, Cover, How, Origin};
use crate::domain::path::{PathId, Root, Step};
use crate::domain::set::Set;
use crate::domain::state::{Pending, State, Target};
use crate::domain::value::Value;
use crate::events::{Call, Closure, Local, LockType, Mode, Site};
use crate::flow::decisions::Change;
use crate::flow::sections::left_behind;
use crate::flow::transfer::Walker;
use crate::summary::{Invocation, OuterNode, OuterPath, OuterPaths, OuterRoot, Section, Source, Store, Summary};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Carries the guards of the callee while its stores are applied. No body has a local of this number.
const CALLEE: Local = Local::MAX - 1;

/// Stands for the pointer through which a coroutine is run.
const PIN: Local = Local::MAX - 2;

/// What the parameters of the callee stand for, in the caller's paths.
pub(super) struct Actuals<'s> {
    paths: &'s OuterPaths,
    slots: Vec<Option<PathId>>,
    /// Where the result goes, once it is there.
    result: Option<PathId>,
    /// For those that are closures, which.
    closures: Vec<Option<Closure>>,
    /// The variables that the arguments are copies of, or lend.
    sources: Vec<Option<Local>>,
    /// What the closures gave, by the number of the invocation.
    pub(super) invoked: BTreeMap<usize, PathId>,
    /// The caller's names for the callee's paths, as far as they were asked for.
    known: RefCell<Vec<Option<PathId>>>,
    /// What was counted up before the call.
    reserved: Set<(Site, PathId)>,
}

impl<'s> Actuals<'s> {
    pub(super) fn new(summary: &'s Summary, slots: Vec<Option<PathId>>) -> Actuals<'s> {
        let paths = &summary.paths;
        let known = RefCell::new(vec![None; paths.len()]);
        let (closures, sources, invoked) = (Vec::new(), Vec::new(), BTreeMap::new());
        Actuals { paths, slots, result: None, closures, sources, invoked, known, reserved: Set::default() }
    }

    /// Of the parameter, counted from 1.
    pub(super) fn source(&self, parameter: Local) -> Option<Local> {
        self.sources.get((parameter as usize).checked_sub(1)?).copied().flatten()
    }

    /// The closure that the path is, if it is a parameter that is one.
    pub(super) fn closure(&self, path: OuterPath) -> Option<Closure> {
        match self.paths.root_of(path)? {
            OuterRoot::Parameter(number) => self.closures.get(number.checked_sub(1)?).copied().flatten(),
            OuterRoot::Static(..) | OuterRoot::Result | OuterRoot::Invoked(_) => None,
        }
    }
}

/// A guard in what a call gives.
pub(super) struct GuardGiven {
    pub(super) lock: PathId,
    pub(super) lock_type: LockType,
    pub(super) mode: Mode,
    /// There only on some ways.
    pub(super) sometimes: bool,
}

/// What a call gives.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) value: Value,
    pub(super) pointer: Option<PathId>,
    pub(super) guards: Vec<GuardGiven>,
}

impl Walker<'_> {
    pub(super) fn apply(&mut self, state: &mut State, call: &Call, summary: &Summary, site: Site) {
        let slots = call.arguments.iter().map(|argument| self.operand_slot(state, argument)).collect();
        let mut actuals = Actuals::new(summary, slots);
        actuals.closures = call.arguments.iter().map(|argument| self.closure_in(argument)).collect();
        actuals.sources = self.sources_of(&call.arguments);
        let outcome = self.apply_summary(state, &mut actuals, summary, site);
        self.apply_outcome(state, call, outcome, site);
        self.point_parts(state, call, &mut actuals, summary);
    }

    /// A struct that is made from handles leads where they lead.
    fn point_parts(&mut self, state: &mut State, call: &Call, actuals: &mut Actuals<'_>, summary: &Summary) {
        let slot = self.resolve(state, &call.to);
        if summary.parts.is_empty() || self.paths.lock_above(slot).is_some() {
            return;
        }
        let targets: Vec<_> = summary.parts.iter().map(|(_, target)| self.translate(state, actuals, *target)).collect();
        actuals.result = Some(slot);
        for ((part, _), target) in summary.parts.iter().zip(targets) {
            if let Some((part, target)) = self.translate(state, actuals, *part).zip(target) {
                state.pointers.insert(part, Target::Known(target));
            }
        }
    }

    /// Everything but leaving the result in its place.
    pub(super) fn apply_summary(
        &mut self,
        state: &mut State,
        actuals: &mut Actuals<'_>,
        summary: &Summary,
        site: Site,
    ) -> Outcome {
        if let Some(does) = summary.beyond {
            self.reach_out(state, does);
        }
        let mut locks = summary.sections.iter().map(|section| self.translate(state, actuals, section.lock));
        let all_held = locks.all(|lock| lock.is_some_and(|lock| state.held.must(lock)));
        self.callee_wants(state, actuals, summary, site);
        let guarding = self.check_call(state, actuals, summary, site);
        self.call_performs(state, summary, all_held, guarding, site);
        self.announce_within(state, actuals, summary, site);
        if let Some(wakers) = &summary.polls {
            self.note_polled(state, wakers, site);
        }
        let value = self.apply_effects(state, actuals, summary, site);
        let pointer = summary.pointer.and_then(|path| self.translate(state, actuals, path));
        let guards = summary.guards.iter().filter_map(|(section, sometimes)| {
            let lock = self.translate(state, actuals, section.lock)?;
            let Section { ref lock_type, mode, .. } = *section;
            Some(GuardGiven { lock, lock_type: lock_type.clone(), mode, sometimes: *sometimes })
        });
        let guards: Vec<GuardGiven> = guards.collect();
        let value = self.seen_with_guard(value, &guards, site);
        Outcome { value, pointer, guards }
    }

    fn announce_within(&mut self, state: &mut State, actuals: &Actuals<'_>, summary: &Summary, site: Site) {
        if summary.sends {
            self.note_sent(site);
        }
        if !summary.sent.is_empty() {
            let sent = self.value_of(state, actuals, &summary.sent, site);
            self.announce_all(state, &sent, site);
        }
    }

    /// Who returns a guard, and an atomic's value with it, has looked under the guard.
    fn seen_with_guard(&self, value: Value, guards: &[GuardGiven], site: Site) -> Value {
        let Some(given) = guards.iter().find(|given| !given.sometimes) else { return value };
        let cover = Cover { lock: given.lock, section: site, mode: given.mode };
        value.map_looks(|origin| {
            let there = origin.by_callee && origin.read == site && origin.seen_under.is_none();
            match there && self.is_atomic(origin.lock) {
                true => Origin { cover: Some(cover), seen_under: Some(given.lock), ..origin },
                false => origin,
            }
        })
    }

    /// A coroutine is made. What it will do is taken as done here; its result is found where it is polled.
    pub(super) fn apply_coroutine(&mut self, state: &mut State, slot: PathId, summary: &Summary, site: Site) {
        let pin = self.paths.local(PIN);
        state.pointers.insert(pin, Target::Known(slot));
        let mut actuals = Actuals::new(summary, vec![Some(pin)]);
        self.callee_wants(state, &actuals, summary, site);
        let guarding = self.check_call(state, &actuals, summary, site);
        self.call_performs(state, summary, false, guarding, site);
        self.announce_within(state, &actuals, summary, site);
        let value = self.apply_effects(state, &mut actuals, summary, site);
        state.pointers.remove(&pin);
        state.add(slot, &value);
    }

    /// Sections and stores; what is left is the result.
    fn apply_effects(&mut self, state: &mut State, actuals: &mut Actuals<'_>, summary: &Summary, site: Site) -> Value {
        let (under_lock, free): (Vec<_>, Vec<_>) = summary.invocations.iter().partition(|call| call.under_lock);
        free.into_iter().for_each(|call| self.apply_invocation(state, actuals, call, site));
        actuals.reserved.clone_from(&state.reserved);
        let applying = std::mem::replace(&mut self.applying, true);
        let sections: Vec<(PathId, Holding)> =
            summary.sections.iter().filter_map(|section| self.enter_callee(state, actuals, section, site)).collect();
        under_lock.into_iter().for_each(|call| self.apply_invocation_under(state, actuals, call, &sections, site));
        for &path in &summary.asserted {
            if let Some(path) = self.translate(state, actuals, path) {
                self.record_act(state, Change::demand(path, None), site);
            }
        }
        for store in &summary.stores {
            self.apply_store(state, actuals, store, site);
        }
        // Of a function that does more than to count, the number is its own business.
        let only_counts = summary.beyond.is_none() && summary.sections.len() <= 1 && summary.stores.len() <= 1;
        for &(lock, counts) in summary.counted.iter().filter(|_| only_counts) {
            if let Some(lock) = self.translate(state, actuals, lock) {
                self.record_counted(lock, counts, site);
            }
        }
        for position in &summary.positions {
            if let Some(container) = self.translate(state, actuals, position.container) {
                let value = self.value_of(state, actuals, &position.sources, site);
                self.note_position(container, &value, position.changes);
                self.record_use(state, UseKind::Position { container, changes: position.changes }, &value, site);
            }
        }
        self.applying = applying;
        let mut value = self.value_of(state, actuals, &summary.result, site);
        for (lock, holding) in sections {
            state.held.take(CALLEE, lock);
            let cover = state.held.cover_besides(lock);
            value = value.map_looks(|origin| left_behind(origin, lock, holding, cover, site));
            self.close(state, lock, holding, site);
        }
        value
    }

    /// Of the sections of the callee only those are open that were when it called what it was given.
    fn apply_invocation_under(
        &mut self,
        state: &mut State,
        actuals: &mut Actuals<'_>,
        call: &Invocation,
        sections: &[(PathId, Holding)],
        site: Site,
    ) {
        let under: Vec<Option<PathId>> = call.under.iter().map(|&lock| self.translate(state, actuals, lock)).collect();
        let others = sections.iter().filter(|(lock, _)| !under.contains(&Some(*lock)));
        for (lock, _) in others.clone() {
            state.held.take(CALLEE, *lock);
        }
        self.apply_invocation(state, actuals, call, site);
        others.for_each(|&(lock, holding)| state.held.put(CALLEE, lock, holding));
    }

    /// The callee takes the lock: what the caller knows of it grows older, unless the caller holds it already.
    fn enter_callee(
        &mut self,
        state: &mut State,
        actuals: &Actuals<'_>,
        section: &Section,
        site: Site,
    ) -> Option<(PathId, Holding)> {
        let lock = self.translate(state, actuals, section.lock)?;
        self.name_lock(lock, &section.lock_type);
        if state.held.must(lock) {
            return None;
        }
        self.pass_gap(state, lock, site);
        self.note_section(lock, section.mode);
        self.operate_in_callee(state, lock, section.mode, site);
        self.note_taken(state, lock, section.mode);
        let holding = Holding::new(site, section.mode);
        state.held.put(CALLEE, lock, holding);
        Some((lock, holding))
    }

    fn apply_store(&mut self, state: &mut State, actuals: &Actuals<'_>, store: &Store, site: Site) {
        let Some(target) = self.translate(state, actuals, store.target) else { return };
        let value = self.value_of(state, actuals, &store.sources, site);
        let key = store.key.and_then(|key| self.translate(state, actuals, key));
        let asked = key.filter(|_| store.wakes).map(|key| self.found_at(state, key, site));
        let key = key.and_then(|key| self.key_behind(state, key));
        if let Some(lock) = self.paths.lock_above(target) {
            let looks_again = !store.rechecked.is_empty() || !store.compared.is_empty();
            let before = looks_again.then(|| (state.rechecked.clone(), state.compared.clone()));
            self.apply_second_looks(state, actuals, store, lock, site);
            let (effect, written, wakes, after_look) = (store.effect, store.written, store.wakes, looks_again);
            let change = Change { target, effect, written, key, wakes, after_look, renews: false };
            self.record_write(state, change, site);
            self.key = asked;
            let before_it = std::mem::replace(&mut self.asked_within, store.asked);
            self.write_unrecorded(state, change, &value, site);
            self.key = None;
            self.asked_within = before_it;
            if let Some(before) = before {
                (state.rechecked, state.compared) = before;
            }
            return;
        }
        let (effect, written, wakes) = (store.effect, store.written, store.wakes);
        let change = Change { target, effect, written, key, wakes, after_look: false, renews: false };
        let before = (self.record.is_some() && !store.rechecked.is_empty()).then(|| state.tested.clone());
        if before.is_some() {
            for &path in &store.rechecked {
                let looked = self.translate(state, actuals, path);
                state.tested.extend(looked);
            }
        }
        self.note_store(state, change, &value);
        if let Some(before) = before {
            state.tested = before;
        }
        self.note_flow(state, target, &value, site);
        let known =
            if store.effect == Effect::Overwrites { Value::default() } else { self.found_at(state, target, site) };
        state.values.insert(target, Value::union([&known, &value]).into());
    }

    /// What the callee looked at again before the store holds for the store alone.
    fn apply_second_looks(
        &mut self,
        state: &mut State,
        actuals: &Actuals<'_>,
        store: &Store,
        lock: PathId,
        site: Site,
    ) {
        for &path in &store.rechecked {
            let looked = self.translate(state, actuals, path);
            state.rechecked.extend(looked.map(|path| (self.paths.lock_above(path).unwrap_or(lock), path)));
        }
        for &(one, other) in &store.compared {
            let (one, other) = (self.translate(state, actuals, one), self.translate(state, actuals, other));
            if let (Some(one), Some(other)) = (one, other) {
                let sides = [self.found_at(state, one, site), self.found_at(state, other, site)];
                self.compare(state, &sides);
            }
        }
    }

    pub(super) fn apply_outcome(&mut self, state: &mut State, call: &Call, outcome: Outcome, site: Site) {
        self.give(state, call, outcome.value, outcome.pointer, site);
        for guard in outcome.guards {
            let lock = guard.lock;
            self.receive_guard(state, call, guard, site);
            if outcome.pointer.is_none() {
                let data = self.paths.child(lock, &Step::Data);
                let slot = self.resolve(state, &call.to);
                state.pointers.insert(slot, Target::Known(data));
            }
        }
    }

    /// One that is not always there is held where somebody has found it in the result, as that of a `try_lock`; in what
    /// cannot be asked it may be held.
    pub(super) fn receive_guard(&mut self, state: &mut State, call: &Call, given: GuardGiven, site: Site) {
        let GuardGiven { lock, lock_type, mode, sometimes } = given;
        let carrier = call.to.local;
        self.name_lock(lock, &lock_type);
        if sometimes && call.result.choice && !state.pending.contains_key(&carrier) {
            state.pending.insert(carrier, Pending { lock, site, mode, later: false, looked: false });
            return;
        }
        self.acquire_into(state, carrier, lock, site, mode);
        if sometimes {
            state.held.put(carrier, lock, Holding { certain: false, ..Holding::new(site, mode) });
        }
    }

    /// The caller's name for a path of the callee.
    pub(super) fn translate(&mut self, state: &State, actuals: &Actuals<'_>, path: OuterPath) -> Option<PathId> {
        if let Some(known) = actuals.known.borrow().get(path.index()).copied().flatten() {
            return Some(known);
        }
        let found = match actuals.paths.node(path)? {
            OuterNode::Root(OuterRoot::Static(id, name)) => self.paths.root(Root::Static(*id, name.clone())),
            OuterNode::Root(OuterRoot::Result) => actuals.result?,
            OuterNode::Root(OuterRoot::Parameter(number)) => (*actuals.slots.get(number.checked_sub(1)?)?)?,
            OuterNode::Root(OuterRoot::Invoked(number)) => *actuals.invoked.get(number)?,
            OuterNode::Child(parent, step) => {
                let parent = self.translate(state, actuals, *parent)?;
                let pointer = if step.is_pointee() { state.pointer(&self.paths, parent) } else { None };
                let step = self.translate_step(actuals, step);
                pointer.unwrap_or_else(|| self.paths.child(parent, &step))
            }
        };
        actuals.known.borrow_mut()[path.index()] = Some(found);
        Some(found)
    }

    /// What was seen on a way on which the callee has set no flag: nobody was kept out by that.
    fn as_before(&self, state: &State, actuals: &Actuals<'_>, found: Value) -> Value {
        let flagged = |look: &Origin| {
            let (lock, path) = ((look.section, look.lock), (look.section, look.path));
            state.reserved.contains(&lock) && !actuals.reserved.contains(&lock) && !state.reserved.contains(&path)
        };
        found.map_looks(|look| match look.how == How::Reserved && flagged(&look) {
            true => Origin { how: How::Copied, ..look },
            false => look,
        })
    }

    pub(super) fn value_of(&mut self, state: &State, actuals: &Actuals<'_>, sources: &[Source], site: Site) -> Value {
        let mut all = Value::default();
        for source in sources {
            match *source {
                Source::Input { path, taken, implicit, after_change, alone } => {
                    let Some(path) = self.translate(state, actuals, path) else { continue };
                    let found = self.found_at(state, path, site);
                    let found = if alone { found } else { self.as_before(state, actuals, found) };
                    let found = if taken { found.taken() } else { found };
                    let found = if after_change { found.after_change() } else { found };
                    all.add(&if implicit { found.implicit() } else { found });
                }
                Source::Look { lock, path, key, how, shared, after_change } => {
                    let key = key.and_then(|key| self.translate(state, actuals, key));
                    let key = key.and_then(|key| self.key_behind(state, key));
                    let lock = self.translate(state, actuals, lock);
                    let path = self.translate(state, actuals, path);
                    let (Some(lock), Some(path)) = (lock, path) else { continue };
                    if self.paths.is_ambiguous(lock) {
                        continue;
                    }
                    let section = state.held.maybe(lock).map_or(site, |holding| holding.section);
                    let look = Origin {
                        lock,
                        path,
                        section,
                        read: site,
                        how,
                        key,
                        shared,
                        implicit: false,
                        after_change,
                        by_callee: true,
                        left: None,
                        slept: false,
                        meanwhile: None,
                        cover: None,
                        seen_under: None,
                        age: Age::Fresh,
                    };
                    all.add(&Value::look(look));
                }
            }
        }
        all
    }
}
