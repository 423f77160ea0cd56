//! Reading and writing: from places to paths, and what is found or left there.

use crate::domain::facts::{Effect, UseKind};
use crate::domain::held::Holding;
use crate::domain::origin::{Age, How, Origin};
use crate::domain::path::{PathId, Root, Step};
use crate::domain::state::{State, Target};
use crate::domain::value::{Input, Value};
use crate::events::{Local, Mode, Operand, Place, PlaceStep, Site};
use crate::flow::decisions::Change;
use crate::flow::enlists::Word;
use crate::flow::transfer::Walker;
use crate::summary::invocation_of;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Parts of a value on their way from one slot to another.
#[derive(Default)]
pub(super) struct Parts {
    values: BTreeMap<PathId, Rc<Value>>,
    pointers: BTreeMap<PathId, Target>,
}

impl Parts {
    pub(super) fn restore(self, state: &mut State) {
        state.values.extend(self.values);
        state.pointers.extend(self.pointers);
    }
}

impl Walker<'_> {
    /// The path of a place: pointers are followed where it is known what they point at.
    pub(super) fn resolve(&mut self, state: &State, place: &Place) -> PathId {
        let mut at = self.paths.local(place.local);
        for step in &place.steps {
            at = match step {
                PlaceStep::Deref { shared } => self.follow(state, at, *shared),
                PlaceStep::Index(position) => self.element(at, Some(*position)),
                other => self.paths.descend(at, other),
            };
        }
        at
    }

    /// What the pointer in the slot points at.
    pub(super) fn follow(&mut self, state: &State, slot: PathId, shared: bool) -> PathId {
        match state.pointer(&self.paths, slot) {
            Some(target) => target,
            None => self.paths.child(slot, &Step::Pointee { shared }),
        }
    }

    /// Like [`Walker::follow`] for a reference whose kind is not known.
    pub(super) fn target_of(&mut self, state: &State, slot: PathId) -> PathId {
        self.follow(state, slot, true)
    }

    pub(super) fn operand_slot(&mut self, state: &mut State, operand: &Operand) -> Option<PathId> {
        match operand {
            Operand::Copy(place) | Operand::Move(place) => Some(self.resolve(state, place)),
            Operand::Static(id, name) => {
                // A slot of its own that points at the static.
                let target = self.paths.root(Root::Static(*id, name.clone()));
                let slot = self.paths.child(target, &Step::Pointee { shared: true });
                state.pointers.insert(slot, Target::Known(target));
                Some(slot)
            }
            Operand::Constant(_) => None,
        }
    }

    pub(super) fn pointer_of(&mut self, state: &mut State, operand: &Operand) -> Option<PathId> {
        let slot = self.operand_slot(state, operand)?;
        state.pointer(&self.paths, slot)
    }

    /// What a read of the path finds: under a lock a fresh look, elsewhere what was stored, or what the caller left.
    pub(super) fn found_at(&self, state: &State, path: PathId, site: Site) -> Value {
        let found = self.found_now(state, path, site);
        let changed = !found.is_empty() && self.paths.overlaps_one_of(&state.changed, path);
        if changed { found.after_change() } else { found }
    }

    fn found_now(&self, state: &State, path: PathId, site: Site) -> Value {
        let Some(lock) = self.paths.lock_above(path) else { return self.stored_at(state, path) };
        if self.paths.is_ambiguous(lock) {
            return Value::default();
        }
        let Some(holding) = state.held.maybe(lock) else { return Value::default() };
        let reserved = [path, lock].iter().any(|&what| state.reserved.contains(&(holding.section, what)));
        let how = if reserved { How::Reserved } else { How::Copied };
        let key = state.keys.get(&holding.section).copied().flatten();
        self.look_within(path, lock, holding, how, site).map_looks(|look| Origin { key, ..look })
    }

    pub(super) fn look_within(&self, path: PathId, lock: PathId, holding: Holding, how: How, site: Site) -> Value {
        Value::look(Origin {
            lock,
            path,
            section: holding.section,
            read: site,
            how,
            key: None,
            shared: holding.mode == Mode::Shared,
            implicit: false,
            after_change: false,
            by_callee: false,
            left: None,
            slept: false,
            meanwhile: None,
            cover: None,
            seen_under: None,
            age: Age::Fresh,
        })
    }

    fn stored_at(&self, state: &State, path: PathId) -> Value {
        let mut found = state.stored(&self.paths, path);
        if self.is_input(path) && state.nearest(&self.paths, path).is_none() {
            found.inputs.insert(Input { alone: state.alone, ..Input::read(path) });
        }
        found
    }

    pub(super) fn is_parameter(&self, local: Local) -> bool {
        (1..=self.function.parameters).contains(&(local as usize))
    }

    /// Starts at a parameter or a static.
    pub(super) fn is_input(&self, path: PathId) -> bool {
        match self.paths.root_of(path) {
            Root::Local(local) => self.is_parameter(*local) || invocation_of(*local).is_some(),
            Root::Static(..) => true,
        }
    }

    pub(super) fn look_at(&mut self, state: &State, place: &Place, site: Site) -> Value {
        let path = self.resolve(state, place);
        self.found_at(state, path, site)
    }

    /// What an operand is computed from, without following it if it is a pointer.
    pub(super) fn look_shallow(&mut self, state: &State, operand: &Operand, site: Site) -> Value {
        operand.place().map(|place| self.look_at(state, place, site)).unwrap_or_default()
    }

    /// What an operand is computed from, and what it points at.
    pub(super) fn look(&mut self, state: &State, operand: &Operand, site: Site) -> Value {
        let Some(place) = operand.place() else { return Value::default() };
        let slot = self.resolve(state, place);
        let mut found = self.found_at(state, slot, site);
        for target in self.targets_below(state, slot) {
            found.add(&self.found_at(state, target, site));
            if let Some(further) = state.pointer(&self.paths, target) {
                found.add(&self.found_at(state, further, site));
            }
        }
        found
    }

    /// Everything the slot or a part of it points at.
    pub(super) fn targets_below(&self, state: &State, slot: PathId) -> Vec<PathId> {
        let own = state.pointer(&self.paths, slot);
        if !self.paths.has_parts(slot) {
            return own.into_iter().collect();
        }
        let parts = state.pointers.iter().filter_map(|(&at, target)| match target {
            Target::Known(target) if at != slot && self.paths.is_within(at, slot) => Some(*target),
            Target::Known(_) | Target::Several => None,
        });
        own.into_iter().chain(parts).collect()
    }

    /// Leaves a value in the slot. Under a lock this is a write that others see.
    pub(super) fn store(&mut self, state: &mut State, slot: PathId, value: Value, site: Site) {
        if self.paths.lock_above(slot).is_some() {
            self.write(state, slot, &value, Effect::Overwrites, site);
            return;
        }
        self.note_store(state, self.change(slot, Effect::Overwrites, &value), &value);
        state.clear(&self.paths, slot);
        state.set(&self.paths, slot, value, self.is_input(slot));
    }

    /// A change of what a lock protects, computed from `value`.
    pub(super) fn write(&mut self, state: &mut State, target: PathId, value: &Value, effect: Effect, site: Site) {
        let change = self.change(target, effect, value);
        self.record_write(state, change, site);
        self.write_unrecorded(state, change, value, site);
    }

    /// The same, where the write itself is told of elsewhere.
    pub(super) fn write_unrecorded(&mut self, state: &mut State, change: Change, value: &Value, site: Site) {
        let Change { target, effect, .. } = change;
        let Some(lock) = self.paths.lock_above(target) else { return };
        // The same look can be fresh on one way and old on another: then it is no second look.
        let old = |read: Site| value.looks.iter().any(|origin| origin.read == read && origin.is_stale());
        let present = |origin: &&Origin| {
            origin.lock == lock && !origin.is_stale() && !old(origin.read) && self.paths.overlap(origin.path, target)
        };
        let adjusts = value.looks.iter().any(|origin| present(&origin));
        // Of the entry itself, and not of how many there are.
        let renews = value.looks.iter().filter(present).any(|origin| origin.key.is_some());
        let effect = if adjusts && effect == Effect::Overwrites { Effect::Adjusts } else { effect };
        if adjusts {
            self.reserve(state, lock, target);
        } else if value.is_empty() && state.rechecked.contains(&(lock, target)) {
            self.claim(state, lock);
        }
        let change = Change { effect, renews, ..change };
        state.changed.insert(target);
        self.note_store(state, change, value);
        if change.wakes {
            self.enlist(state, Word { on: target, by_notice: false, alone: true }, site);
            self.note_late_word(state, target, site);
        }
        if self.fills_what_is_free(state, lock, target) {
            return;
        }
        self.record_use(state, UseKind::Write { target, effect, key: change.key }, value, site);
        self.record_act(state, change, site);
    }

    /// The section has looked, and found nothing there: nobody's work is lost.
    fn fills_what_is_free(&self, state: &State, lock: PathId, target: PathId) -> bool {
        let fresh =
            |origin: &Origin| origin.lock == lock && !origin.is_stale() && self.paths.overlap(origin.path, target);
        self.record.is_some()
            && self
                .decisions_leading_here(state)
                .any(|decision| decision.gone && decision.value.looks.iter().any(fresh))
    }

    /// A number that is counted up in the section it was read in is this thread's own.
    fn reserve(&mut self, state: &mut State, lock: PathId, target: PathId) {
        let Some(holding) = state.held.maybe(lock) else { return };
        state.reserved.insert((holding.section, target));
        state.map_looks(|origin| {
            let counted = origin.section == holding.section && origin.path == target && !origin.is_stale();
            if counted && origin.how == How::Copied { Origin { how: How::Reserved, ..origin } } else { origin }
        });
    }

    /// A flag that is tested and set in one section (`if busy { return } busy = true`) keeps others out of what follows:
    /// what this section looks at is this thread's own until it clears the flag.
    pub(super) fn claim(&mut self, state: &mut State, lock: PathId) {
        let Some(holding) = state.held.maybe(lock) else { return };
        state.reserved.insert((holding.section, lock));
        state.map_looks(|origin| {
            let own = origin.section == holding.section && !origin.is_stale() && origin.how == How::Copied;
            if own { Origin { how: How::Reserved, ..origin } } else { origin }
        });
    }

    /// What is known of the parts of `from`, as parts of `to`.
    pub(super) fn parts_below(&mut self, state: &State, from: PathId, to: PathId) -> Parts {
        if self.paths.lock_above(to).is_some() || !self.paths.has_parts(from) {
            return Parts::default();
        }
        let mut parts = Parts::default();
        let below = |walker: &Self, path: PathId| path != from && walker.paths.is_within(path, from);
        for (&path, value) in state.values.iter().filter(|(path, _)| below(self, **path)) {
            parts.values.insert(path, value.clone());
        }
        for (&path, &target) in state.pointers.iter().filter(|(path, _)| below(self, **path)) {
            parts.pointers.insert(path, target);
        }
        Parts {
            values: parts.values.into_iter().map(|(path, it)| (self.paths.rebase(path, from, to), it)).collect(),
            pointers: parts.pointers.into_iter().map(|(path, it)| (self.paths.rebase(path, from, to), it)).collect(),
        }
    }

    /// Whoever gets this may share what it leads to.
    pub(super) fn hand_on(&mut self, state: &mut State, operand: &Operand) {
        let Some(slot) = self.operand_slot(state, operand) else { return };
        let own = self.paths.root_local(slot);
        let reached: Vec<_> =
            self.targets_below(state, slot).into_iter().filter_map(|target| self.paths.root_local(target)).collect();
        self.handed_on.extend(own.into_iter().chain(reached));
    }
}
