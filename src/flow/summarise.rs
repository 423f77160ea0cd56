//! From a finished walk to the summary that callers use.

use crate::domain::facts::{Effect, Listed, LockPair, MoverStep};
use crate::domain::mover::{Guarding, Mover, Moves};
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, Step};
use crate::domain::state::{State, Target};
use crate::domain::value::{Input, Value};
use crate::events::{Beyond, Counts, DefinitionId, LockKind, Mode, Site};
use crate::flow::decisions::Change;
use crate::flow::doubles::Wanted;
use crate::flow::transfer::Walker;
use crate::flow::waits::Asked;
use crate::summary::{
    Given, Invocation, LockKey, OuterPath, OuterTable, PairWithin, Position, Section, Source, Store, Summary,
    WaitWithin, WantedLock,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the walk noted for the summary.
#[derive(Default)]
pub(super) struct Notes {
    sections: Vec<(PathId, Mode)>,
    stores: Vec<NotedStore>,
    positions: Vec<(PathId, Value, bool)>,
    pub(super) invocations: Vec<NotedInvocation>,
    /// The parameter that the guard came in, and how it waits.
    pub(super) waits: Vec<(usize, Asked)>,
    /// What others are told, of what the function was given.
    pub(super) sent: Value,
    pub(super) sends: bool,
    pub(super) polls: Option<Rc<[DefinitionId]>>,
    /// What has to be as it is said to be, or the function panics, looked at under a lock that it takes.
    pub(super) asserted: BTreeSet<PathId>,
    /// Atomics that are counted.
    pub(super) counted: BTreeSet<(PathId, Counts)>,
    /// What a closure compares with each other.
    pub(super) compares: BTreeSet<(PathId, PathId)>,
    result: Value,
    /// `Some(None)`: returns that point at different things.
    pointer: Option<Option<PathId>>,
    /// What parts of it point at; `None` as above.
    parts: BTreeMap<PathId, Option<PathId>>,
    /// With whether they are there only on some ways.
    guards: Vec<(PathId, Mode, bool)>,
    /// The same locks by the names that they have here.
    returned: BTreeSet<PathId>,
    pub(super) beyond: Option<Beyond>,
    pub(super) moves: Moves,
    /// The steps on one of the worst ways.
    trail: Vec<MoverStep>,
    /// Locks of the caller's that it has to hold for what is done here.
    needs: Vec<PathId>,
    /// Locks that are waited for.
    wants: Vec<Wanted>,
    /// Pairs of locks that only callers can tell from others, and their numbers.
    pairs: Vec<(LockPair, usize)>,
}

struct NotedStore {
    change: Change,
    value: Value,
    rechecked: Vec<PathId>,
    compared: Vec<(PathId, PathId)>,
    atomic: bool,
    asked: bool,
}

pub(super) struct NotedInvocation {
    pub(super) number: usize,
    pub(super) callee: PathId,
    pub(super) given: Vec<(Value, Option<PathId>)>,
    pub(super) under_lock: bool,
    pub(super) under: Vec<PathId>,
}

/// A summary with more entries than this in one list keeps the first ones: its size must not depend on how much lies
/// below the function, or callers of callers would drown in it.
const MOST: usize = 8;

/// The same for what is told of one store.
const MOST_LOOKS: usize = 8;

/// And for locks that are waited for.
const MOST_WANTED: usize = 16;

/// And for calls of what the caller gave.
const MOST_INVOCATIONS: usize = 8;

impl Walker<'_> {
    pub(super) fn note_section(&mut self, lock: PathId, mode: Mode) {
        let Some(record) = &self.record else { return };
        let known = &record.notes.sections;
        if known.contains(&(lock, mode)) {
            return;
        }
        // One of an atomic makes room for one of another lock.
        let full = known.len() >= MOST;
        let gives_way = known.iter().rposition(|(of, _)| full && !self.is_atomic(lock) && self.is_atomic(*of));
        if let Some(record) = self.record.as_mut().filter(|_| !full || gives_way.is_some()) {
            gives_way.map(|at| record.notes.sections.remove(at));
            record.notes.sections.push((lock, mode));
        }
    }

    pub(super) fn note_store(&mut self, state: &mut State, change: Change, value: &Value) {
        self.note_changed_part(change.target);
        if !self.is_visible(change.target) {
            return;
        }
        state.changed.insert(change.target);
        if value.is_empty() && change.effect == Effect::Overwrites && state.tested.contains(&change.target) {
            state.keep_others_out();
        }
        if self.record.is_none() {
            return;
        }
        let lock = self.paths.lock_above(change.target);
        let rechecked = state.rechecked.iter().filter(|(of, _)| Some(*of) == lock).map(|(_, path)| *path);
        // Without a lock of its own here, the section is the caller's: whatever was tested was tested in it.
        let tested = state.tested.iter().filter(|_| lock.is_none()).copied();
        // Atomics that were asked on the way: who asked before the call has asked again.
        let asked = self.decisions_leading_here(state).flat_map(|decision| &decision.value.looks);
        let asked = asked.filter(|look| self.is_atomic(look.lock)).map(|look| look.path);
        // Whether it is there already is no question of whether it waits.
        let of_others = |look: &Origin| !self.paths.overlap(look.path, change.target);
        let leading = self.decisions_leading_here(state).any(|decision| decision.value.looks.iter().any(of_others));
        let asked_itself = self.asked_within || leading;
        let rechecked: BTreeSet<PathId> = rechecked.chain(tested).chain(asked).collect();
        let rechecked = rechecked.into_iter().take(MOST_LOOKS).collect();
        let compared = state.pairs.iter().copied().take(MOST_LOOKS).collect();
        // Those of atomics tell most; and many of them leave room for the others.
        let atomic = lock.is_some_and(|lock| self.is_atomic(lock));
        let most = if atomic { 2 * MOST } else { MOST };
        if let Some(record) = &mut self.record
            && record.notes.stores.iter().filter(|known| known.atomic == atomic).count() < most
        {
            record.notes.stores.push(NotedStore {
                change,
                value: value.clone(),
                rechecked,
                compared,
                atomic,
                asked: asked_itself,
            });
        }
    }

    /// The caller sees it: behind a pointer that it gave, or in a static.
    fn is_visible(&self, target: PathId) -> bool {
        let behind = || self.paths.ancestry(target).filter_map(|at| self.paths.step(at)).any(Step::is_pointee);
        self.is_input(target) && (self.paths.root_local(target).is_none() || behind())
    }

    pub(super) fn note_position(&mut self, container: PathId, value: &Value, changes: bool) {
        if self.is_searched(container, value) {
            return;
        }
        if let Some(record) = &mut self.record
            && record.notes.positions.len() < MOST
        {
            record.notes.positions.push((container, value.clone(), changes));
        }
    }

    /// One for each place and callee.
    pub(super) fn note_invoked(&mut self, new: NotedInvocation) {
        let Some(record) = &mut self.record else { return };
        let known = &mut record.notes.invocations;
        let is_new = known.iter().all(|known| (known.number, known.callee) != (new.number, new.callee));
        if is_new && known.len() < MOST_INVOCATIONS {
            known.push(new);
        }
    }

    pub(super) fn note_wanted(&mut self, wanted: Wanted) {
        if let Some(record) = &mut self.record {
            record.wanted.insert(wanted.lock);
        }
        let is_input = self.is_input(wanted.lock);
        if let Some(record) = &mut self.record
            && is_input
            && record.notes.wants.len() < MOST_WANTED
            && !record.notes.wants.contains(&wanted)
        {
            record.notes.wants.push(wanted);
        }
    }

    /// The caller knows which locks these are, and nobody else does.
    pub(super) fn note_pair(&mut self, pair: LockPair, number: usize) {
        let locks = [pair.held, pair.wanted];
        let keyless = locks.iter().any(|&lock| LockKey::of(&self.paths, lock).is_none());
        let are_inputs = locks.iter().all(|&lock| self.is_input(lock));
        if let Some(record) = &mut self.record
            && keyless
            && are_inputs
            && record.notes.pairs.len() < MOST
            && record.notes.pairs.iter().all(|(known, _)| [known.held, known.wanted] != locks)
        {
            record.notes.pairs.push((pair, number));
        }
    }

    pub(super) fn note_need(&mut self, lock: PathId) {
        if let Some(record) = &mut self.record
            && record.notes.needs.len() < MOST
            && !record.notes.needs.contains(&lock)
        {
            record.notes.needs.push(lock);
        }
    }

    pub(super) fn note_wait_of_caller(&mut self, new: (usize, Asked)) {
        if let Some(record) = &mut self.record
            && record.notes.waits.len() < MOST
            && !record.notes.waits.contains(&new)
        {
            record.notes.waits.push(new);
        }
    }

    pub(super) fn note_return(&mut self, state: &State, site: Site) {
        let slot = self.paths.local(0);
        let value = self.found_at(state, slot, site);
        let targets = self.targets_below(state, slot);
        // What a struct with other things in it points at says nothing about those.
        let result = self.function.variables.first().map(|variable| variable.facts).unwrap_or_default();
        let speaks_for_all = result.leads_to_one || result.borrows || result.holds_guard;
        let pointer = targets.first().copied().filter(|_| targets.len() == 1 && speaks_for_all);
        let pointer = pointer.map(|target| self.as_chosen(target));
        let guards: Vec<(PathId, Mode, bool)> =
            state.held.carried_by(0).map(|(lock, holding)| (lock, holding.mode, !holding.certain)).collect();
        let parts = self.parts_returned(state, slot);
        let returned: Vec<PathId> = guards.iter().map(|(lock, ..)| *lock).collect();
        let guards: Vec<(PathId, Mode, bool)> =
            guards.into_iter().map(|(lock, mode, sometimes)| (self.lock_as_chosen(lock), mode, sometimes)).collect();
        let Some(record) = &mut self.record else { return };
        record.notes.returned.extend(returned);
        for (part, target) in parts {
            let known = record.notes.parts.entry(part).or_insert(target);
            *known = known.filter(|known| Some(*known) == target);
        }
        // What is returned may decide for the caller.
        let plain = value.looks.iter().filter(|look| !look.implicit);
        record.tested.extend(plain.clone().map(|look| look.read));
        record.handed_out.extend(plain.clone().map(|look| (look.lock, look.section)));
        record.returned.extend(plain.map(|look| (look.lock, look.read)));
        record.told.extend(value.looks.iter().filter(|look| look.implicit).map(|look| look.read));
        record.notes.result.add(&value);
        let moves = record.notes.moves.or(state.moves);
        if moves != record.notes.moves || record.notes.trail.is_empty() {
            record.notes.trail.clone_from(&state.trail);
        }
        record.notes.moves = moves;
        record.notes.pointer = Some(match record.notes.pointer {
            Some(known) if known != pointer => None,
            _ => pointer,
        });
        for guard in guards {
            if !record.notes.guards.contains(&guard) {
                record.notes.guards.push(guard);
            }
        }
    }

    /// What the fields of a struct point at that is returned: the handles that it was made with.
    fn parts_returned(&self, state: &State, slot: PathId) -> Vec<(PathId, Option<PathId>)> {
        if self.record.is_none() || !self.paths.has_parts(slot) {
            return Vec::new();
        }
        let parts = state.pointers.iter().filter(|(at, _)| **at != slot && self.paths.is_within(**at, slot));
        let known = parts.map(|(&at, target)| match target {
            Target::Known(target) if self.is_input(*target) => (at, Some(*target)),
            Target::Known(_) | Target::Several => (at, None),
        });
        known.take(MOST).collect()
    }

    /// How atomic the body is, with the steps that say so.
    pub(super) fn listed(&self, notes: &Notes, requires: &[PathId]) -> Listed {
        let is_guarded = |lock: &PathId| self.lock_types.get(lock).is_some_and(|of| of.kind == LockKind::Guarded);
        let sections = notes.sections.iter().map(|(lock, _)| *lock).filter(is_guarded);
        let mut locks: Vec<PathId> = Vec::new();
        for lock in sections.chain(notes.needs.iter().chain(requires).copied()).filter(|&lock| self.is_input(lock)) {
            if !locks.contains(&lock) {
                locks.push(lock);
            }
        }
        // What never returns has no moves of its own.
        let mut moves = notes.moves;
        if self.broken.is_some() {
            moves.alone = Mover::Compound;
        }
        if !requires.is_empty() {
            moves.guarding = moves.guarding.max(Guarding::LeftToCaller);
        }
        Listed {
            moves,
            locks,
            idle: notes.stores.is_empty() && notes.sections.is_empty() && notes.beyond.is_none(),
            declared: self.function.atomic,
            steps: self.broken.clone().unwrap_or_else(|| notes.trail.clone()),
        }
    }

    pub(super) fn summary(&self, notes: &Notes, requires: &[PathId]) -> Summary {
        let mut outside = Outside { walker: self, table: OuterTable::default() };
        let sections = notes.sections.iter().filter(|(lock, _)| !notes.returned.contains(lock));
        let compares = notes.compares.iter().take(MOST);
        let counted = notes.counted.iter().take(MOST);
        let asserted = notes.asserted.iter().take(MOST);
        Summary {
            invocations: notes.invocations.iter().filter_map(|call| outside.invocation(call)).collect(),
            sections: sections.filter_map(|&(lock, mode)| outside.section(lock, mode)).collect(),
            stores: notes.stores.iter().filter_map(|store| outside.store(store)).collect(),
            positions: notes.positions.iter().filter_map(|position| outside.position(position)).collect(),
            waits: notes.waits.iter().map(|(guard, asked)| outside.wait(*guard, *asked)).collect(),
            result: outside.sources(&self.as_told(notes)),
            pointer: notes.pointer.flatten().and_then(|path| outside.path(path)),
            parts: notes.parts.iter().filter_map(|(&part, &to)| outside.path(part).zip(outside.path(to?))).collect(),
            guards: notes
                .guards
                .iter()
                .filter_map(|&(lock, mode, sometimes)| Some((outside.section(lock, mode)?, sometimes)))
                .collect(),
            compares: compares.filter_map(|&(one, other)| outside.path(one).zip(outside.path(other))).collect(),
            counted: counted.filter_map(|&(lock, counts)| Some((outside.path(lock)?, counts))).collect(),
            asserted: asserted.filter_map(|&path| outside.path(path)).collect(),
            sends: notes.sends,
            polls: notes.polls.clone(),
            sent: outside.sources(&notes.sent),
            beyond: notes.beyond,
            moves: notes.moves,
            requires: requires.iter().filter_map(|&lock| outside.path(lock)).collect(),
            wants: notes.wants.iter().filter_map(|wanted| outside.wanted(wanted)).collect(),
            pairs: notes.pairs.iter().filter_map(|(pair, number)| outside.pair(pair, *number)).collect(),
            needs: notes.needs.iter().filter_map(|&lock| outside.path(lock)).collect(),
            paths: outside.table.finish(),
        }
    }
}

impl Walker<'_> {
    /// The result, where a function that changes something tells how that went: `remove` finds it or does not. That is
    /// news of what this thread did, and not a look that grows old.
    fn as_told(&self, notes: &Notes) -> Value {
        let changes = |path: PathId| notes.stores.iter().any(|store| self.paths.overlap(store.change.target, path));
        let Value { looks, inputs } = notes.result.clone();
        let taken: Vec<PathId> = inputs.iter().filter(|input| input.taken).map(|input| input.path).collect();
        // Beside what is taken out, the rest only says whether there was something.
        let hands_out = |path: PathId| taken.iter().any(|&taken| self.paths.overlap(taken, path));
        let told = |input: &Input| hands_out(input.path) || (input.implicit && changes(input.path));
        Value {
            looks: looks.map(|look| match look.implicit && look.how == How::Copied && changes(look.path) {
                true => Origin { how: How::Taken, ..look },
                false => look,
            }),
            inputs: inputs.map(|input| Input { taken: input.taken || told(&input), ..input }),
        }
    }
}

/// The body as its callers see it.
struct Outside<'w, 'f> {
    walker: &'w Walker<'f>,
    table: OuterTable,
}

impl Outside<'_, '_> {
    fn path(&mut self, path: PathId) -> Option<OuterPath> {
        self.table.path(&self.walker.paths, path, self.walker.function.parameters)
    }

    fn invocation(&mut self, call: &NotedInvocation) -> Option<Invocation> {
        let callee = self.path(call.callee)?;
        let given = call.given.iter().map(|(value, pointer)| Given {
            sources: self.sources(value),
            pointer: pointer.and_then(|path| self.path(path)),
        });
        let given = given.collect();
        let under = call.under.iter().filter_map(|&lock| self.path(lock)).collect();
        Some(Invocation { number: call.number, given, callee, under_lock: call.under_lock, under })
    }

    fn wait(&mut self, guard: usize, asked: Asked) -> WaitWithin {
        let condition = asked.condition.and_then(|path| self.path(path));
        WaitWithin { guard, condition, how: asked.how }
    }

    fn wanted(&mut self, wanted: &Wanted) -> Option<WantedLock> {
        let Section { lock, lock_type, mode } = self.section(wanted.lock, wanted.mode)?;
        Some(WantedLock { lock, lock_type, mode, recursive: wanted.recursive })
    }

    fn pair(&mut self, pair: &LockPair, number: usize) -> Option<PairWithin> {
        let held = self.section(pair.held, pair.held_mode)?;
        let wanted = self.section(pair.wanted, pair.wanted_mode)?;
        Some(PairWithin { held, wanted, recursive: pair.recursive, number })
    }

    fn section(&mut self, lock: PathId, mode: Mode) -> Option<Section> {
        let lock_type = self.walker.lock_types.get(&lock).cloned();
        Some(Section { lock: self.path(lock)?, lock_type: lock_type.unwrap_or_default(), mode })
    }

    fn store(&mut self, store: &NotedStore) -> Option<Store> {
        Some(Store {
            target: self.path(store.change.target)?,
            sources: self.sources(&store.value),
            effect: store.change.effect,
            written: store.change.written,
            wakes: store.change.wakes,
            asked: store.asked,
            key: store.change.key.and_then(|key| self.path(key)),
            rechecked: store.rechecked.iter().filter_map(|&path| self.path(path)).collect(),
            compared: store.compared.iter().filter_map(|&(one, other)| self.path(one).zip(self.path(other))).collect(),
        })
    }

    fn position(&mut self, (container, value, changes): &(PathId, Value, bool)) -> Option<Position> {
        let sources = self.sources(value);
        let container = self.path(*container)?;
        (!sources.is_empty()).then_some(Position { container, sources, changes: *changes })
    }

    fn sources(&mut self, value: &Value) -> Vec<Source> {
        let mut all: Vec<Source> = Vec::new();
        let mut add = |source: Source| {
            if all.len() < MOST && !all.contains(&source) {
                all.push(source);
            }
        };
        for input in &value.inputs {
            let Some(path) = self.path(input.path) else { continue };
            let Input { taken, implicit, after_change, .. } = *input;
            // What the flag was set because of is kept, whatever the ways that met later make of it.
            let same = |other: &&Input| other.path == input.path;
            let alone = implicit || value.inputs.iter().filter(same).any(|other| other.alone);
            add(Source::Input { path, taken, implicit, after_change, alone });
        }
        for look in &value.looks {
            let Some((lock, path)) = self.path(look.lock).zip(self.path(look.path)) else { continue };
            let key = look.key.and_then(|key| self.path(key));
            let (how, shared, after_change) = (look.how, look.shared, look.after_change);
            add(Source::Look { lock, path, key, how, shared, after_change });
        }
        all
    }
}
