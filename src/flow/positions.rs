//! Variables that can stand for a position: set in one place, so that as long as the way does not come there again, two
//! elements at the position are one element. A position that a function finds from such variables is the same each time, too:
//! the shard of a key.

use crate::domain::facts::UseKind;
use crate::domain::path::{Keys, NO_KEY, PathId, Step, whole_local};
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Call, DefinitionId, EventKind, Function, Local, Operand, Place, PlaceStep, Rvalue, Site};
use crate::flow::apply::Actuals;
use crate::flow::calls::Argument;
use crate::flow::decisions::Change;
use crate::flow::transfer::Walker;

/// How often copies of copies are followed.
pub(super) const LONGEST: usize = 8;

/// What each variable is set by.
pub(super) struct Positions {
    /// How often each is set.
    times: Vec<u32>,
    /// What it was last seen to be a copy of, or a reference to.
    copies: Vec<Option<Local>>,
    /// The function that gave it, and what that was given.
    found: Vec<Option<(DefinitionId, Vec<Local>)>>,
}

impl Positions {
    pub(super) fn of(function: &Function) -> Positions {
        let count = function.variables.len();
        let is_given = |local: usize| (1..=function.parameters).contains(&local);
        let mut times: Vec<u32> = (0..count).map(|local| u32::from(is_given(local))).collect();
        let mut copies = vec![None; count];
        let mut found = vec![None; count];
        for event in function.events() {
            let Some(to) = set_by(&event.kind) else { continue };
            let Some(times) = times.get_mut(to.local as usize) else { continue };
            *times += 1;
            let Some(local) = whole_local(to) else { continue };
            match &event.kind {
                EventKind::Assign { value: Rvalue::Use(operand), .. } => {
                    copies[local as usize] = operand.place().and_then(whole_local);
                }
                EventKind::Assign { value: Rvalue::Borrow(of), .. } => copies[local as usize] = lent(of),
                EventKind::Call(call) => found[local as usize] = found_by(function, call),
                _ => {}
            }
        }
        Positions { times, copies, found }
    }

    /// What the function finds from what it is given is the same wherever it is asked for. What the container is part of
    /// says no more than the container does.
    fn chosen(&self, position: Local, container: Option<Local>) -> Option<Step> {
        let (by, given) = self.found.get(position as usize)?.as_ref()?;
        let sources: Option<Vec<Local>> = given.iter().map(|&local| self.source(local)).collect();
        keys(sources?.into_iter().filter(|&source| Some(source) != container))
            .map(|from| Step::Chosen { by: *by, from })
    }

    /// The variable that it is a copy of in the end, or itself, if it is set once.
    pub(super) fn source(&self, local: Local) -> Option<Local> {
        let once = |local: &Local| self.times.get(*local as usize) == Some(&1);
        let copied = |at: &Local| self.copies.get(*at as usize).copied().flatten().filter(once);
        std::iter::successors(Some(local).filter(once), copied).take(LONGEST).last()
    }
}

pub(super) fn set_by(event: &EventKind) -> Option<&Place> {
    match event {
        EventKind::Assign { to, .. } | EventKind::Acquire { to, .. } | EventKind::Wait { to, .. } => Some(to),
        EventKind::Call(call) => Some(&call.to),
        EventKind::Destroy { .. }
        | EventKind::Release { .. }
        | EventKind::Touch(_)
        | EventKind::Branch(_)
        | EventKind::Suspend
        | EventKind::Return
        | EventKind::Dead(_) => None,
    }
}

/// All of a variable, or what a reference in it leads to.
fn lent(of: &Place) -> Option<Local> {
    matches!(*of.steps, [] | [PlaceStep::Deref { .. }]).then_some(of.local)
}

/// One function of which nothing else is known, with nothing but variables given to it. What it may change, such as a
/// generator of random numbers, gives something else each time.
fn found_by(function: &Function, call: &Call) -> Option<(DefinitionId, Vec<Local>)> {
    let [by] = call.callees[..] else { return None };
    let plain = |argument: &Operand| {
        let local = argument.place().and_then(whole_local)?;
        let variable = function.variables.get(local as usize)?;
        (!variable.facts.exclusive).then_some(local)
    };
    let given: Option<Vec<Local>> = call.arguments.iter().map(plain).collect();
    given.filter(|_| call.meaning.is_none()).map(|given| (by, given))
}

/// There is one at least, and not too many.
fn keys(from: impl Iterator<Item = Local>) -> Option<Keys> {
    let mut keys = [NO_KEY; 3];
    let mut count = 0;
    for local in from {
        *keys.get_mut(count)? = local;
        count += 1;
    }
    (count > 0).then_some(keys)
}

impl Walker<'_> {
    pub(super) fn index(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let container = arguments[0].target;
        if let Some(container) = container {
            let both = Value::union([&arguments[0].value, &arguments[1].value]);
            self.note_position(container, &arguments[1].value, false);
            if !self.is_searched(container, &arguments[1].value) {
                self.record_use(state, UseKind::Position { container, changes: false }, &both, site);
            }
            let key = self.one_root(&arguments[1].value);
            self.record_act(state, Change::demand(container, key), site);
        }
        let position = call.arguments[1].place().and_then(whole_local);
        let element = container.map(|container| self.element(container, position));
        let mut value = container.map(|container| state.stored(&self.paths, container)).unwrap_or_default();
        value.add(&self.atomics_in(&arguments[1].value));
        self.give(state, call, value, element, site);
    }

    /// Which element it is, as far as that can be known again.
    pub(super) fn step_at(&mut self, container: PathId, position: Option<Local>) -> Step {
        let known = position.and_then(|position| self.positions.source(position));
        let Some(position) = known.filter(|_| self.paths.lock_above(container).is_none()) else {
            return Step::Element;
        };
        let root = self.paths.root_local(container);
        let step = self.positions.chosen(position, root).unwrap_or(Step::At(position));
        self.indexing.insert(position);
        self.note_keys(&step);
        step
    }

    fn note_keys(&mut self, step: &Step) {
        if let Step::Chosen { from, .. } = step {
            self.indexing.extend(from.iter().filter(|&&key| key != NO_KEY));
        }
    }

    /// The result of this function leads to an element that depends on what it was given: the same each time.
    pub(super) fn as_chosen(&mut self, target: PathId) -> PathId {
        let found = self.paths.ancestry(target).find(|&at| matches!(self.paths.step(at), Some(Step::At(_))));
        let Some((at, container)) = found.and_then(|at| Some((at, self.paths.parent(at)?))) else { return target };
        let root = self.paths.root_local(container);
        let is_exclusive =
            |local: Local| self.function.variables.get(local as usize).is_none_or(|it| it.facts.exclusive);
        let keeps = |local: Local| !is_exclusive(local) && self.positions.source(local) == Some(local);
        let given = 1..=Local::try_from(self.function.parameters).unwrap_or_default();
        let others: Vec<Local> = given.filter(|local| Some(*local) != root).collect();
        let all_keep = others.iter().all(|&local| keeps(local));
        let Some(from) = keys(others.into_iter()).filter(|_| all_keep) else { return target };
        let chosen = self.paths.child(container, &Step::Chosen { by: self.function.id, from });
        self.paths.rebase(target, at, chosen)
    }

    /// The same for the lock of a guard in the result.
    pub(super) fn lock_as_chosen(&mut self, lock: PathId) -> PathId {
        let chosen = self.as_chosen(lock);
        if let Some(lock_type) = self.lock_types.get(&lock).filter(|_| chosen != lock).cloned() {
            self.name_lock(chosen, &lock_type);
        }
        chosen
    }

    /// A step that a callee tells of, with the variables that it was given.
    pub(super) fn translate_step(&mut self, actuals: &Actuals<'_>, step: &Step) -> Step {
        let Step::Chosen { by, from } = step else { return step.clone() };
        let given = |key: Local| if key == NO_KEY { Some(NO_KEY) } else { actuals.source(key) };
        let [one, two, three] = from.map(given);
        let step = match (one, two, three) {
            (Some(one), Some(two), Some(three)) => Step::Chosen { by: *by, from: [one, two, three] },
            _ => Step::Element,
        };
        self.note_keys(&step);
        step
    }

    /// The variables that arguments are copies of, or lend.
    pub(super) fn sources_of(&self, arguments: &[Operand]) -> Vec<Option<Local>> {
        let source = |operand: &Operand| self.positions.source(operand.place().and_then(whole_local)?);
        arguments.iter().map(source).collect()
    }
}
