//! What each event does to the state.

use crate::clock;
use crate::domain::facts::MoverStep;
use crate::domain::path::{PathId, Paths, Root, Step, whole_local};
use crate::domain::state::{Pending, State, Target};
use crate::domain::value::Value;
use crate::events::{
    BlockId, Call, Counts, DefinitionId, Event, EventKind, Function, Local, LockKind, LockType, Made, Meaning, Operand,
    Part, Place, Rvalue, Site, TypeFacts,
};
use crate::flow::control::Control;
use crate::flow::decisions::{errors, set_again};
use crate::flow::doubles::Wanted;
use crate::flow::enlists::enlists;
use crate::flow::positions::Positions;
use crate::flow::record::Record;
use crate::flow::touches::made_from_raw;
use crate::flow::updates::Unminded;
use crate::flow::waits::Asked;
use crate::flow::{Library, Options};
use crate::summary::Summary;
use finding::timings;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Carries what is the same at every point of a body.
pub(super) struct Walker<'f> {
    pub(super) function: &'f Function,
    library: &'f dyn Library,
    pub(super) options: Options,
    pub(super) paths: Paths,
    /// Made in this body.
    pub(super) made_here: BTreeSet<Local>,
    /// Handed to someone who may share it.
    pub(super) handed_on: BTreeSet<Local>,
    /// Those that a closure or a future has, too.
    pub(super) captured: BTreeSet<Local>,
    /// Those of them that the closure does not only borrow.
    pub(super) kept_by_closures: BTreeSet<Local>,
    /// What happens now is told by the summary of a callee.
    pub(super) applying: bool,
    /// And whether it happens was decided there.
    pub(super) asked_within: bool,
    pub(super) record: Option<Record>,
    /// Functions that did not matter when they were called.
    pub(super) passed_over: BTreeSet<DefinitionId>,
    /// One of them did matter in the end.
    pub(super) learnt_late: bool,
    pub(super) lock_types: BTreeMap<PathId, LockType>,
    control: OnceCell<Control>,
    /// References that were made from raw pointers.
    vouched: OnceCell<BTreeSet<Local>>,
    /// Branches on which thread this is.
    pub(super) asks_who: OnceCell<Vec<BlockId>>,
    /// Branches on numbers that are never reached.
    pub(super) at_the_end: OnceCell<BTreeSet<Site>>,
    pub(super) on_nothing: OnceCell<BTreeSet<Site>>,
    /// Variables that have something in them for sure.
    pub(super) full: OnceCell<BTreeSet<Local>>,
    /// Where atomics are exchanged.
    pub(super) exchanges: BTreeSet<Site>,
    /// Variables of the source that are set in more than one place.
    pub(super) set_again: BTreeSet<Local>,
    pub(super) positions: Positions,
    /// Those among them that something was found at.
    pub(super) indexing: BTreeSet<Local>,
    /// Discriminants that tell which way a `?` went.
    pub(super) errors: BTreeSet<Local>,
    /// The blocks that sections are opened in.
    pub(super) section_blocks: BTreeMap<Site, BlockId>,
    /// The blocks that waits stand in.
    pub(super) wait_blocks: BTreeMap<Site, BlockId>,
    /// What it was asked about last in a block which variant it is.
    pub(super) asked: BTreeMap<BlockId, PathId>,
    /// The key of the entry that is written now.
    pub(super) key: Option<Value>,
    /// The calls of what the caller gave, numbered in the order in which they are met.
    pub(super) invocations: BTreeMap<Site, usize>,
    /// The steps of a body that is not as atomic as it is meant to be.
    pub(super) broken: Option<Vec<MoverStep>>,
    /// Leaves word somewhere to be woken: what it asks of others before that is worth knowing.
    pub(super) enlists: bool,
    /// Where atomics are written without a look.
    pub(super) blind_stores: BTreeSet<Site>,
    /// Where a fixed number in an atomic is exchanged, and nobody asks whether that was done.
    pub(super) ignored_exchanges: BTreeMap<PathId, (Site, BlockId)>,
    /// Where what was loaded is expected, and nobody asks whether it was still so.
    pub(super) unminded: BTreeMap<PathId, Unminded>,
    /// Where atomics are counted up or down.
    pub(super) counts: BTreeMap<Site, Counts>,
    /// What happens now happens on a thread that is started here.
    pub(super) elsewhere: bool,
    /// What happens now may happen later, when somebody runs a closure that has all it needs.
    pub(super) later: bool,
    /// What happens now happens in a function that is called.
    pub(super) calling: bool,
    /// And the lock that it takes is held when it returns.
    pub(super) receiving: bool,
    /// Locks whose guards it is given: it may let them go, and take them again.
    pub(super) given_away: Vec<PathId>,
    /// What is being dropped.
    pub(super) dropping: Option<PathId>,
    /// Variables that something was put into that was taken out from under a lock.
    pub(super) taken_out: BTreeSet<Local>,
    /// Variables of which parts are changed, on some way.
    pub(super) changed_parts: BTreeSet<Local>,
    /// The function that is being called.
    pub(super) callee: Option<DefinitionId>,
    /// It is one of several that may be meant.
    pub(super) guessing: bool,
    /// How many closures are being run in each other.
    pub(super) depth: Local,
    /// Where the walk is.
    pub(super) block: BlockId,
    pub(super) event: Option<&'f EventKind>,
}

impl<'f> Walker<'f> {
    pub(super) fn new(function: &'f Function, library: &'f dyn Library, options: Options) -> Self {
        Walker {
            function,
            library,
            options,
            paths: Paths::for_variables(function.variables.len()),
            made_here: BTreeSet::new(),
            handed_on: BTreeSet::new(),
            captured: BTreeSet::new(),
            kept_by_closures: BTreeSet::new(),
            applying: false,
            asked_within: false,
            record: None,
            passed_over: BTreeSet::new(),
            learnt_late: false,
            lock_types: BTreeMap::new(),
            control: OnceCell::new(),
            vouched: OnceCell::new(),
            asks_who: OnceCell::new(),
            at_the_end: OnceCell::new(),
            on_nothing: OnceCell::new(),
            full: OnceCell::new(),
            exchanges: BTreeSet::new(),
            set_again: set_again(function),
            errors: errors(function),
            positions: Positions::of(function),
            indexing: BTreeSet::new(),
            section_blocks: BTreeMap::new(),
            wait_blocks: BTreeMap::new(),
            asked: BTreeMap::new(),
            key: None,
            invocations: BTreeMap::new(),
            broken: None,
            enlists: enlists(function),
            blind_stores: BTreeSet::new(),
            ignored_exchanges: BTreeMap::new(),
            unminded: BTreeMap::new(),
            counts: BTreeMap::new(),
            elsewhere: false,
            later: false,
            calling: false,
            receiving: false,
            given_away: Vec::new(),
            dropping: None,
            taken_out: BTreeSet::new(),
            changed_parts: BTreeSet::new(),
            callee: None,
            guessing: false,
            depth: 0,
            block: 0,
            event: None,
        }
    }

    pub(super) fn walk_block(&mut self, state: &mut State, block: BlockId) {
        self.block = block;
        let events = &self.function.blocks[block].events;
        clock::count(timings::Counts { steps: events.len() as u64, ..timings::Counts::default() });
        for event in events {
            self.event = Some(&event.kind);
            if !self.function.guards.is_empty() {
                self.check_guards(state, event);
            }
            self.follow_pointers(state, event, event.site);
            self.step(state, event);
        }
    }

    /// Most bodies have no branch that matters, and never ask.
    pub(super) fn control(&self) -> &Control {
        self.control.get_or_init(|| Control::of(self.function))
    }

    pub(super) fn vouched(&self) -> &BTreeSet<Local> {
        self.vouched.get_or_init(|| made_from_raw(self.function))
    }

    pub(super) fn paths(&self) -> &Paths {
        &self.paths
    }

    pub(super) fn known(&self, function: DefinitionId) -> Option<Rc<Summary>> {
        self.library.known(function)
    }

    /// What a function does that is worth reading for what it is given here.
    pub(super) fn learn(&mut self, function: DefinitionId) -> Option<Rc<Summary>> {
        let learnt = self.library.learn(function);
        self.learnt_late |= learnt.is_some() && self.passed_over.contains(&function);
        learnt
    }

    fn step(&mut self, state: &mut State, event: &Event) {
        let site = event.site;
        if !state.announced.is_empty() {
            // A new number.
            state.announced.retain(|&(read, _)| read != site);
        }
        match &event.kind {
            EventKind::Assign { to, value } => {
                self.assign(state, to, value, site);
                self.move_on(state, to);
            }
            EventKind::Acquire { to, lock, key, lock_type, mode, fallible, later, looks, recursive } => {
                self.read_snapshots(state, lock, site);
                if let Some(key) = key {
                    let key = self.look(state, key, site);
                    state.keys.insert(site, self.one_root(&key));
                }
                let lock = self.lock_path(state, lock, lock_type);
                self.write_snapshot(state, to, site);
                // An entry of a map that is not there comes without a guard, and still is waited for.
                if !*fallible || lock_type.kind == LockKind::Map {
                    self.wants(state, Wanted { lock, mode: *mode, recursive: *recursive }, site);
                }
                let pending = Pending { lock, site, mode: *mode, later: *later, looked: *looks };
                self.acquire(state, to, pending, *fallible || *later);
                if lock_type.kind == LockKind::Map {
                    self.point_at_entry(state, to, lock, key.is_some());
                }
                if *looks {
                    self.look_on_acquire(state, to, pending);
                }
            }
            EventKind::Destroy { of, by } => self.destroy(state, of, by, site),
            EventKind::Release { of } => self.release(state, of, site),
            EventKind::Wait { to, guard, others, how } => {
                others.iter().for_each(|other| self.read_snapshots(state, other, site));
                let condition = others.first().and_then(|condition| self.pointer_of(state, condition));
                let asked = Asked { condition, how: *how };
                self.wait(state, to, guard, asked, site);
            }
            EventKind::Call(call) => {
                self.destroy_sent(state, call, site);
                self.call(state, call, site);
                self.move_on(state, &call.to);
                if matches!(call.meaning, Some(Meaning::Take { .. } | Meaning::Put { .. } | Meaning::Remove)) {
                    self.taken_out.insert(call.to.local);
                }
            }
            EventKind::Touch(touch) => self.touch(state, touch, site),
            EventKind::Branch(on) => {
                self.read_snapshots(state, on, site);
                self.branch(state, on, site);
            }
            EventKind::Suspend => {
                self.note_asleep(state, site);
                self.go_to_sleep(state);
                self.sleep(state);
            }
            EventKind::Return => {
                self.go_to_sleep(state);
                self.note_return(state, site);
            }
            EventKind::Dead(local) => self.dead(state, *local),
        }
    }

    fn lock_path(&mut self, state: &mut State, lock: &Operand, lock_type: &LockType) -> PathId {
        let slot = self.operand_slot(state, lock);
        let path = slot.map(|slot| self.target_of(state, slot));
        let path = path.unwrap_or_else(|| self.paths.local(Local::MAX));
        let path = if lock_type.behind { self.paths.child(path, &Step::Pointee { shared: true }) } else { path };
        self.name_lock(path, lock_type);
        path
    }

    pub(super) fn name_lock(&mut self, lock: PathId, lock_type: &LockType) {
        self.lock_types.entry(lock).or_insert_with(|| lock_type.clone());
    }

    /// An element of something. Which one is known where the position is a variable that is set once: two locks at one
    /// position are one lock. Under a lock all elements are alike, since others may move them.
    pub(super) fn element(&mut self, container: PathId, position: Option<Local>) -> PathId {
        let step = self.step_at(container, position);
        self.paths.child(container, &step)
    }

    /// The variable is set anew, in the next round of a loop: what was at the old position is elsewhere now.
    pub(super) fn move_on(&self, state: &mut State, to: &Place) {
        let Some(local) = whole_local(to).filter(|local| self.indexing.contains(local)) else { return };
        let depends = |at: PathId| self.paths.step(at).is_some_and(|step| step.depends_on(local));
        let at = |lock: PathId| self.paths.ancestry(lock).any(depends);
        state.forget_looks(|origin| at(origin.lock));
    }

    fn assign(&mut self, state: &mut State, to: &Place, value: &Rvalue, site: Site) {
        self.read_value_snapshots(state, value, site);
        match value {
            Rvalue::Use(operand) => self.copy(state, to, operand, site),
            Rvalue::Borrow(of) => {
                self.look_into_pending(state, of);
                let target = self.resolve(state, of);
                let slot = self.resolve(state, to);
                let way = self.way_through(state, of);
                self.store(state, slot, way, site);
                state.pointers.insert(slot, Target::Known(target));
            }
            Rvalue::Compare(operands) | Rvalue::Order(operands) => {
                let sides: Vec<Value> = operands.iter().map(|side| self.look(state, side, site)).collect();
                self.compare(state, &sides);
                if matches!(value, Rvalue::Order(_)) {
                    self.order(state, &sides);
                }
                let slot = self.resolve(state, to);
                self.store(state, slot, Value::union(&sides), site);
            }
            Rvalue::Compute(operands) => {
                let found: Vec<Value> = operands.iter().map(|operand| self.look(state, operand, site)).collect();
                let slot = self.resolve(state, to);
                self.store(state, slot, Value::union(&found), site);
            }
            Rvalue::Aggregate { made, parts } => self.build(state, to, *made, parts, site),
            Rvalue::Discriminant(place) => {
                let found = self.look_at(state, place, site);
                let of = self.resolve(state, place);
                self.asked.insert(self.block, state.pointer(&self.paths, of).unwrap_or(of));
                let slot = self.resolve(state, to);
                self.store(state, slot, found, site);
            }
            Rvalue::Nothing => {
                let slot = self.resolve(state, to);
                self.store(state, slot, Value::default(), site);
            }
        }
        self.add_implicit(state, to);
        self.write_snapshot(state, to, site);
    }

    /// `to = from`: the value, what it points at, and the guards in it.
    fn copy(&mut self, state: &mut State, to: &Place, from: &Operand, site: Site) {
        let Some(place) = from.place() else {
            let slot = self.resolve(state, to);
            self.store(state, slot, Value::default(), site);
            if let Operand::Static(id, name) = from {
                let target = self.paths.root(Root::Static(*id, name.clone()));
                state.pointers.insert(slot, Target::Known(target));
            }
            return;
        };
        let source = self.resolve(state, place);
        let slot = self.resolve(state, to);
        let found = self.look_at(state, place, site);
        if matches!(from, Operand::Move(_)) {
            self.move_guards(state, place, to);
            self.move_ownership(place, to);
            if self.taken_out.contains(&place.local) {
                self.taken_out.insert(to.local);
            }
        }
        let parts = self.parts_below(state, source, slot);
        let own = state.pointers.contains_key(&source);
        let pointer = state.pointer(&self.paths, source).filter(|_| own || self.may_point(place, to));
        let pointer = pointer.or_else(|| self.opaque_target(state, source, to));
        self.store(state, slot, found, site);
        parts.restore(state);
        if let Some(target) = pointer {
            state.pointers.or_insert(slot, Target::Known(target));
        }
    }

    /// A part of something that points somewhere need not point there itself: a number beside a guard does not.
    /// A handle in an `Option` does.
    fn may_point(&self, from: &Place, to: &Place) -> bool {
        let variable = whole_local(to).and_then(|local| self.function.variables.get(local as usize));
        let within = self.function.variables.get(from.local as usize);
        let is_all = |facts: TypeFacts| facts.pointer && within.is_some_and(|from| from.facts.leads_to_one);
        variable.is_none_or(|it| it.facts.borrows || it.facts.holds_guard || is_all(it.facts))
    }

    /// A copy of a pointer of which nobody knows where it leads still leads to the same place.
    fn opaque_target(&mut self, state: &State, source: PathId, to: &Place) -> Option<PathId> {
        let variable = whole_local(to).and_then(|local| self.function.variables.get(local as usize))?;
        let unknown = state.pointer(&self.paths, source).is_none() && !state.pointers.contains_key(&source);
        let shared = !variable.facts.exclusive && !variable.facts.owned;
        (variable.facts.pointer && unknown).then(|| self.paths.child(source, &Step::Pointee { shared }))
    }

    /// What a part of an aggregate points at, even if nobody knows where that is.
    fn part_target(&mut self, state: &mut State, part: &Part) -> Option<PathId> {
        let slot = self.operand_slot(state, &part.operand)?;
        let known = state.pointer(&self.paths, slot);
        known.or_else(|| part.pointer.then(|| self.paths.child(slot, &Step::Pointee { shared: true })))
    }

    fn move_ownership(&mut self, from: &Place, to: &Place) {
        let (Some(from), Some(to)) = (whole_local(from), whole_local(to)) else { return };
        if self.made_here.contains(&from) {
            self.made_here.insert(to);
        }
        if self.handed_on.contains(&from) {
            self.handed_on.insert(to);
        }
    }

    /// A tuple, struct or closure: each part keeps what it is made of.
    fn build(&mut self, state: &mut State, to: &Place, made: Made, parts: &[Part], site: Site) {
        let slot = self.resolve(state, to);
        let looked: Vec<(Value, Option<PathId>)> = parts
            .iter()
            .map(|part| (self.look_shallow(state, &part.operand, site), self.part_target(state, part)))
            .collect();
        let nested = self.pointers_below(state, slot, parts);
        for part in parts {
            if made != Made::Data {
                self.hand_on(state, &part.operand);
                let captured = self.pointer_of(state, &part.operand).and_then(|target| self.paths.root_local(target));
                self.captured.extend(captured);
                self.kept_by_closures.extend(captured.filter(|_| !self.borrows(&part.operand)));
            }
            if let Operand::Move(place) = &part.operand {
                self.move_guards(state, place, to);
            }
        }
        if self.paths.lock_above(slot).is_some() {
            self.store(state, slot, Value::union(looked.iter().map(|(found, _)| found)), site);
            return;
        }
        self.store(state, slot, Value::default(), site);
        self.made_here.extend(whole_local(to).filter(|_| made == Made::Data));
        for (part, (found, target)) in parts.iter().zip(looked) {
            let part = self.paths.descend(slot, &part.step);
            if !found.is_empty() {
                state.add(part, &found);
            }
            if let Some(target) = target {
                state.pointers.insert(part, Target::Known(target));
            }
        }
        state.pointers.extend(nested);
        if let Made::Coroutine(body) = made {
            self.record_call(state, body, site);
        }
        if let Made::Coroutine(body) = made
            && let Some(summary) = self.known(body)
        {
            self.callee = Some(body);
            let may_be_later = self.later || self.is_for_others(to);
            let later = std::mem::replace(&mut self.later, may_be_later);
            self.apply_coroutine(state, slot, &summary, site);
            self.later = later;
        }
    }

    /// What the parts of parts point at, where these go.
    fn pointers_below(&mut self, state: &mut State, slot: PathId, parts: &[Part]) -> Vec<(PathId, Target)> {
        let mut all = Vec::new();
        for part in parts {
            let Some(from) = self.operand_slot(state, &part.operand).filter(|&from| self.paths.has_parts(from)) else {
                continue;
            };
            let to = self.paths.descend(slot, &part.step);
            let below = state.pointers.iter().filter(|(at, _)| **at != from && self.paths.is_within(**at, from));
            let below: Vec<(PathId, Target)> = below.map(|(&at, &target)| (at, target)).collect();
            all.extend(below.into_iter().map(|(at, target)| (self.paths.rebase(at, from, to), target)));
        }
        all
    }

    /// A future that borrows nothing and is not what the function returns: it may be given to whoever runs tasks.
    fn is_for_others(&self, to: &Place) -> bool {
        let local = whole_local(to).filter(|local| *local != 0);
        let variable = local.and_then(|local| self.function.variables.get(local as usize));
        variable.is_some_and(|variable| !variable.facts.borrows)
    }

    /// An `async fn` that borrows nothing is called, and what runs is not awaited here: it may be given to whoever runs tasks.
    pub(super) fn is_future_for_others(&self, call: &Call) -> bool {
        let variable = self.function.variables.get(call.to.local as usize);
        variable.is_some_and(|it| it.future.is_some()) && self.is_for_others(&call.to) && !self.is_awaited(call)
    }

    fn dead(&mut self, state: &mut State, local: Local) {
        let slot = self.paths.local(local);
        state.clear(&self.paths, slot);
        state.pending.remove(&local);
        state.snapshots.remove(&local);
    }
}
