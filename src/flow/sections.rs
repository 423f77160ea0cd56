//! Critical sections: they open, close, and are interrupted by waits; values that come from an earlier section of the
//! same lock grow older with each one that opens.

use crate::domain::facts::{SectionSpan, UseKind};
use crate::domain::held::Holding;
use crate::domain::origin::{Cover, How, Origin};
use crate::domain::path::{PathId, Step};
use crate::domain::state::{Pending, State, Target};
use crate::domain::value::Value;
use crate::events::{BlockId, Local, Mode, Operand, Place, PlaceStep, Site};
use crate::flow::transfer::Walker;
use crate::flow::waits::Asked;

/// More pairs than this from one comparison are not kept.
const PAIRS: usize = 8;

impl Walker<'_> {
    pub(super) fn acquire(&mut self, state: &mut State, to: &Place, pending: Pending, waits: bool) {
        let slot = self.resolve(state, to);
        self.store(state, slot, Value::default(), pending.site);
        let data = self.paths.child(pending.lock, &Step::Data);
        state.pointers.insert(slot, Target::Known(data));
        if waits {
            state.pending.insert(to.local, pending);
        } else {
            self.open(state, to.local, pending);
        }
    }

    /// The guard is that of an entry. Who goes through all of them, and asks for none, holds the lock, and what is seen on
    /// the way is not followed.
    pub(super) fn point_at_entry(&mut self, state: &mut State, to: &Place, map: PathId, one: bool) {
        let slot = self.resolve(state, to);
        if !one {
            state.pointers.remove(&slot);
            return;
        }
        let data = self.paths.child(map, &Step::Data);
        let entry = self.paths.child(data, &Step::Element);
        state.pointers.insert(slot, Target::Known(entry));
    }

    /// Whether the map has the entry is known by whether there is a guard.
    pub(super) fn look_on_acquire(&mut self, state: &mut State, to: &Place, pending: Pending) {
        if !state.held.must(pending.lock) {
            self.grow_older(state, pending.lock, pending.site, false);
        }
        let data = self.paths.child(pending.lock, &Step::Data);
        let holding = Holding::new(pending.site, pending.mode);
        let key = state.keys.get(&pending.site).copied().flatten();
        let found = self.look_within(data, pending.lock, holding, How::Copied, pending.site);
        let found = found.map_looks(|look| Origin { key, ..look });
        let slot = self.resolve(state, to);
        state.add(slot, &found);
    }

    /// A guard that a callee returns.
    pub(super) fn acquire_into(&mut self, state: &mut State, carrier: Local, lock: PathId, site: Site, mode: Mode) {
        self.open(state, carrier, Pending { lock, site, mode, later: false, looked: false });
    }

    /// The lock is taken: whatever was read under it before may have changed.
    pub(super) fn pass_gap(&mut self, state: &mut State, lock: PathId, site: Site) {
        self.section_blocks.insert(site, self.block);
        self.grow_older(state, lock, site, false);
        self.enter_snapshots(state, site);
    }

    /// A section opens. If the lock is held already there was no gap.
    fn open(&mut self, state: &mut State, carrier: Local, Pending { lock, site, mode, looked, .. }: Pending) {
        if !state.held.must(lock) {
            self.lock_taken(state, lock, mode, site);
            if !looked {
                self.grow_older(state, lock, site, false);
            }
        }
        state.untested.remove(&lock);
        self.section_blocks.insert(site, self.block);
        self.enter_snapshots(state, site);
        self.note_section(lock, mode);
        self.note_taken(state, lock, mode);
        self.note_span(lock, site, mode);
        state.held.put(carrier, lock, Holding::new(site, mode));
    }

    pub(super) fn note_taken(&mut self, state: &mut State, lock: PathId, mode: Mode) {
        if self.is_atomic(lock) {
            return;
        }
        state.entered.insert((lock, mode));
        if let Some(record) = &mut self.record {
            record.taken.insert((lock, mode));
        }
    }

    pub(super) fn grow_older(&self, state: &mut State, lock: PathId, entered: Site, waited: bool) {
        self.looked_again(state, lock);
        if self.paths.is_ambiguous(lock) {
            return;
        }
        let held = std::mem::take(&mut state.held);
        state.map_looks(|origin| {
            if origin.lock != lock {
                return origin;
            }
            let left = origin.left.or(waited.then_some(entered));
            let cover = if waited { held.cover_besides(lock) } else { origin.cover };
            let cover = cover.filter(|cover| held.must_in(cover.lock, cover.section));
            Origin { age: origin.age.older(entered, waited), left, cover, ..origin }
        });
        state.held = held;
        state.forget_rechecks(lock);
        state.changed.retain(|&path| self.paths.lock_above(path) != Some(lock));
        state.reserved.retain(|&(section, _)| section != entered);
    }

    /// Someone takes the guard out of the result of a `try_lock`: now the lock is held.
    pub(super) fn look_into_pending(&mut self, state: &mut State, place: &Place) {
        if place.steps.is_empty() {
            return;
        }
        self.settle_pending(state, place.local);
    }

    pub(super) fn settle_pending(&mut self, state: &mut State, carrier: Local) {
        if let Some(pending) = state.pending.remove(&carrier) {
            self.open(state, carrier, pending);
        }
    }

    /// Guards go with the value they are in. A part of a variable takes the guard that it points through.
    pub(super) fn move_guards(&mut self, state: &mut State, from: &Place, to: &Place) {
        self.look_into_pending(state, from);
        if let Some(pending) = state.pending.remove(&from.local) {
            state.pending.insert(to.local, pending);
        }
        if from.local == to.local || !state.held.carries(from.local) {
            return;
        }
        let stays_local = self.resolve(state, to) == self.slot_in_local(to);
        // Only what is a guard itself is one of them; a part that can hold more may hold all.
        let is_guard = to.steps.is_empty()
            && self.function.variables.get(to.local as usize).is_some_and(|variable| variable.facts.is_guard);
        let moved = if is_guard { self.guards_at(state, from) } else { state.held.carried_by(from.local).collect() };
        for (lock, holding) in moved {
            state.held.take(from.local, lock);
            if stays_local {
                state.held.put(to.local, lock, holding);
            }
        }
    }

    /// The slot of a place that does not lead through a pointer.
    fn slot_in_local(&mut self, place: &Place) -> PathId {
        let root = self.paths.local(place.local);
        place.steps.iter().fold(root, |at, step| match step {
            PlaceStep::Index(position) => self.element(at, Some(*position)),
            other => self.paths.descend(at, other),
        })
    }

    fn guards_at(&mut self, state: &State, from: &Place) -> Vec<(PathId, Holding)> {
        let all: Vec<(PathId, Holding)> = state.held.carried_by(from.local).collect();
        if all.len() < 2 || from.steps.is_empty() {
            return all;
        }
        let slot = self.resolve(state, from);
        let target = state.pointer(&self.paths, slot);
        let lock = target.and_then(|target| self.paths.lock_above(target));
        all.into_iter().filter(|(of, _)| Some(*of) == lock).collect()
    }

    pub(super) fn release(&mut self, state: &mut State, of: &Place, site: Site) {
        state.pending.remove(&of.local);
        for (lock, holding) in self.guards_at(state, of) {
            state.held.take(of.local, lock);
            if !state.held.must(lock) {
                self.lock_given_up(state, lock, holding.mode, site);
            }
            self.close(state, lock, holding, site);
        }
    }

    /// The way to a block shows that there is no guard in a variable: it was let go before.
    pub(super) fn empty_variables(&mut self, state: &mut State, from: BlockId, next: BlockId) {
        let block = &self.function.blocks[from];
        for &(_, local) in block.empty.iter().filter(|(to, _)| *to == next) {
            state.pending.remove(&local);
            let site = block.events.last().map(|event| event.site);
            if let Some(site) = site.filter(|_| state.held.carries(local)) {
                self.release(state, &Place::variable(local), site);
            }
        }
    }

    /// For the pictures: a section that is opened here, and not in a function that is called.
    fn note_span(&mut self, lock: PathId, taken: Site, mode: Mode) {
        if !self.options.map || self.calling || self.applying || self.is_atomic(lock) {
            return;
        }
        if let Some(record) = &mut self.record {
            let new = SectionSpan { lock, mode, taken, left: Vec::new() };
            record.sections.entry((taken, lock)).or_insert(new);
        }
    }

    pub(super) fn close(&mut self, state: &mut State, lock: PathId, holding: Holding, site: Site) {
        let record = self.record.as_mut();
        if let Some(known) = record.and_then(|record| record.sections.get_mut(&(holding.section, lock))) {
            known.left.push(site);
        }
        self.note_untested(state, lock, site);
        let cover = state.held.cover_besides(lock);
        state.map_looks(|origin| left_behind(origin, lock, holding, cover, site));
        state.forget_rechecks(lock);
    }

    /// The guard goes in and comes out again; meanwhile others had the lock.
    pub(super) fn wait(&mut self, state: &mut State, to: &Place, guard: &Operand, asked: Asked, site: Site) {
        let Some(place) = guard.place() else { return };
        self.settle_pending(state, place.local);
        let target = self.pointer_of(state, guard);
        // A guard that is only lent stays where it is.
        let lent = target.and_then(|slot| self.paths.root_local(slot)).filter(|&local| state.held.carries(local));
        let given = state.held.carries(place.local);
        let (from, home) = match lent {
            Some(local) if !given => (Place::variable(local), local),
            _ => (place.clone(), to.local),
        };
        let guards = self.guards_at(state, &from);
        if guards.is_empty() {
            self.note_wait_within(state, guard, asked);
        }
        let slot = self.resolve(state, to);
        self.store(state, slot, Value::default(), site);
        for (lock, holding) in guards {
            self.note_wait(state, lock, holding.section, asked, site);
            state.held.take(from.local, lock);
            self.lock_lent(state, lock, site);
            self.grow_older(state, lock, site, true);
            self.enter_snapshots(state, site);
            state.held.put(home, lock, Holding { section: site, ..holding });
        }
        if let Some(target) = target.filter(|_| given) {
            state.pointers.insert(slot, Target::Known(target));
        }
    }

    /// `assert!`, under a lock that is taken here: who asks before the call has asked too early.
    fn note_asserted(&mut self, state: &State, found: &Value) {
        if self.record.is_none()
            || !self.control().is_assertion(self.block)
            || self.function.blocks[self.block].for_debugging
        {
            return;
        }
        let held = |look: &&Origin| {
            let own = state.held.must(look.lock) && !self.is_atomic(look.lock);
            own && !look.is_stale() && !look.by_callee && look.how == How::Copied && look.key.is_none()
        };
        let looks: Vec<PathId> = found.looks.iter().filter(held).map(|look| look.path).collect();
        if let Some(record) = &mut self.record {
            record.notes.asserted.extend(looks);
        }
    }

    /// The way forks. What is fresh under a held lock counts as looked at again.
    pub(super) fn branch(&mut self, state: &mut State, on: &Operand, site: Site) {
        let found = self.look(state, on, site);
        self.test_again(state, &found);
        let local = on.place().map_or(Local::MAX, |place| place.local);
        self.decide(state, local, &found, site);
        self.record_use(state, UseKind::Branch, &found, site);
        self.demand_in_branch(state, on, site);
        self.note_asserted(state, &found);
        self.record_late_test(&found, site);
        state.tested.extend(found.inputs.iter().map(|input| input.path));
        let atomics = found.looks.iter().map(|look| look.lock).filter(|&lock| self.is_atomic(lock));
        let atomics: Vec<PathId> = atomics.collect();
        if let Some(record) = &mut self.record {
            record.apart.asked.extend(atomics);
            // Whether an error is passed up tells nothing of what a callee has found.
            let passed_up = |origin: &&Origin| origin.by_callee && self.errors.contains(&local);
            record.tested.extend(found.looks.iter().filter(|look| !passed_up(look)).map(|look| look.read));
        }
        // What is old on one of the ways that lead here was not looked at again on the others.
        let is_old = |look: &Origin| found.looks.iter().any(|other| other.is_stale() && other.read == look.read);
        for origin in found.looks.iter().filter(|origin| !origin.is_stale() && !is_old(origin)) {
            if state.held.maybe(origin.lock).is_some_and(|holding| holding.section == origin.section) {
                state.rechecked.insert((origin.lock, origin.path));
            }
        }
    }

    /// An old look is compared with a fresh one: from here on the old one is known to fit, or not.
    pub(super) fn compare(&mut self, state: &mut State, sides: &[Value]) {
        let all = || sides.iter().flat_map(|side| &side.looks);
        let is_again = |old: &Origin, fresh: &Origin| fresh.lock == old.lock && fresh.read != old.read;
        let now = |old: &&Origin| all().any(|fresh| !fresh.is_stale() && is_again(old, fresh));
        for old in all().filter(|old| old.is_stale()).filter(now) {
            state.compared.insert((old.lock, old.section));
            state.rechecked.insert((old.lock, old.path));
        }
        let pairs = pairs_of(sides);
        if let Some(record) = self.record.as_mut().filter(|_| self.function.is_closure) {
            record.notes.compares.extend(pairs.iter().copied());
        }
        state.pairs.extend(pairs);
    }

    /// It is asked which of the two comes first.
    pub(super) fn order(&mut self, state: &mut State, sides: &[Value]) {
        state.ordered.extend(pairs_of(sides));
    }
}

/// Two things of the caller's, one on each side: given by it, or seen in the present section of a lock.
fn pairs_of(sides: &[Value]) -> Vec<(PathId, PathId)> {
    let [one, other] = sides else { return Vec::new() };
    let pairs = things(one).into_iter().flat_map(|one| things(other).into_iter().map(move |other| (one, other)));
    pairs.take(PAIRS).collect()
}

fn things(side: &Value) -> Vec<PathId> {
    let seen = side.looks.iter().filter(|look| !look.is_stale()).map(|look| look.path);
    side.inputs.iter().map(|input| input.path).chain(seen).collect()
}

/// A look whose section ends.
pub(super) fn left_behind(origin: Origin, lock: PathId, holding: Holding, cover: Option<Cover>, site: Site) -> Origin {
    let closes = origin.lock == lock && origin.section == holding.section && origin.left.is_none();
    let seen_under = cover.map(|cover| cover.lock);
    if closes { Origin { left: Some(site), cover, seen_under, ..origin } } else { origin }
}
