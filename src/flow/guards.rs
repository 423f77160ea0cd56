//! Fields that are said to be used only under a lock, and functions that are said to be called only with one: where that
//! lock is not held, it is written down, with what is held instead.

use crate::domain::facts::{Lack, Lacking, Performed};
use crate::domain::mover::Guarding;
use crate::domain::path::{PathId, Root, Step};
use crate::domain::state::State;
use crate::events::{Event, EventKind, Field, Local, Operand, Place, PlaceStep, Rvalue, Site, Start, Way, WayStep};
use crate::flow::apply::Actuals;
use crate::flow::transfer::Walker;
use crate::summary::Summary;

impl Walker<'_> {
    /// Looks at every place that the event reads, writes or borrows.
    pub(super) fn check_guards(&mut self, state: &mut State, event: &Event) {
        for place in places(&event.kind) {
            for (at, step) in place.steps.iter().enumerate() {
                if let PlaceStep::Field(field) = step {
                    self.check_field(state, place, at, field, event.site);
                }
            }
        }
    }

    fn check_field(&mut self, state: &mut State, place: &Place, at: usize, field: &Field, site: Site) {
        let guards = self.function.guards.clone();
        let Some(way) = field.owner.and_then(|owner| guards.get(&(owner, field.index))) else { return };
        let object = Place { local: place.local, steps: place.steps[..at].into() };
        let object = self.resolve(state, &object);
        if !self.is_shared(object) {
            return;
        }
        let lock = self.way(state, Some(object), way);
        let field = self.paths.child(object, &Step::Field(field.clone()));
        let Some(lock) = lock.filter(|&lock| !self.is_guarded(state, lock)) else { return };
        self.record_lacking(state, Lack::Field(field), lock, site);
        let guarding = self.left_to_caller(lock);
        self.perform_unguarded(state, Performed::Touches(field), guarding, site);
    }

    /// Others may have it, too.
    fn is_shared(&self, object: PathId) -> bool {
        let is_exclusive = |local: Local| {
            let variable = self.function.variables.get(local as usize);
            variable.is_some_and(|variable| variable.facts.exclusive)
        };
        self.paths.root_local(object).is_none() || self.paths.is_behind_shared_pointer(object, is_exclusive)
    }

    /// Held here, or by whoever calls, as the function says.
    fn is_guarded(&mut self, state: &State, lock: PathId) -> bool {
        state.held.must(lock) || self.required(state).contains(&lock)
    }

    /// The locks that the function says its callers hold.
    pub(super) fn required(&mut self, state: &State) -> Vec<PathId> {
        let requires = self.function.requires.clone();
        requires.iter().filter_map(|way| self.way(state, None, way)).collect()
    }

    fn way(&mut self, state: &State, object: Option<PathId>, way: &Way) -> Option<PathId> {
        let mut at = match &way.start {
            Start::Object => object?,
            Start::Parameter(local) => self.paths.local(*local),
            Start::Static(id, name) => self.paths.root(Root::Static(*id, name.clone())),
        };
        for step in &way.steps {
            at = match step {
                WayStep::Field(field) => self.paths.child(at, &Step::Field(field.clone())),
                WayStep::Follow { shared } => self.follow(state, at, *shared),
            };
        }
        Some(at)
    }

    /// A lock that the caller knows, too, may be the caller's.
    fn left_to_caller(&mut self, lock: PathId) -> Guarding {
        if self.is_input(lock) {
            self.note_need(lock);
            Guarding::LeftToCaller
        } else {
            Guarding::Missing
        }
    }

    fn record_lacking(&mut self, state: &State, what: Lack, lock: PathId, site: Site) {
        let held = state.held.certain().map(|(lock, holding)| (lock, holding.section)).collect();
        if let Some(record) = &mut self.record {
            record.lacking.push(Lacking { site, what, lock, held });
        }
    }

    /// What the callee wants held, and whether it is.
    pub(super) fn check_call(
        &mut self,
        state: &mut State,
        actuals: &Actuals<'_>,
        summary: &Summary,
        site: Site,
    ) -> Guarding {
        for &path in &summary.requires {
            let lock = self.translate(state, actuals, path).filter(|&lock| self.is_shared(lock));
            if let Some(lock) = lock.filter(|&lock| !self.is_guarded(state, lock)) {
                self.record_lacking(state, Lack::Call, lock, site);
            }
        }
        let mut all = if summary.moves.guarding == Guarding::Missing { Guarding::Missing } else { Guarding::Held };
        for &path in summary.requires.iter().chain(&summary.needs) {
            let one = match self.translate(state, actuals, path) {
                Some(lock) if self.is_guarded(state, lock) || !self.is_shared(lock) => Guarding::Held,
                Some(lock) => self.left_to_caller(lock),
                None => Guarding::Missing,
            };
            all = all.max(one);
        }
        all
    }

    /// An atomic that is used under the lock that guards it is used by one thread at a time.
    pub(super) fn is_used_under_guard(&mut self, state: &State, atomic: PathId) -> bool {
        let Some(Step::Field(field)) = self.paths.step(atomic).cloned() else { return false };
        let guards = self.function.guards.clone();
        let Some(way) = field.owner.and_then(|owner| guards.get(&(owner, field.index))) else { return false };
        let object = self.paths.parent(atomic);
        self.way(state, object, way).is_some_and(|lock| self.is_guarded(state, lock) || self.is_input(lock))
    }
}

pub(super) fn places(event: &EventKind) -> Vec<&Place> {
    match event {
        EventKind::Assign { to, value } => {
            let read = match value {
                Rvalue::Use(operand) => in_operands([operand]),
                Rvalue::Borrow(place) | Rvalue::Discriminant(place) => vec![place],
                Rvalue::Compare(all) | Rvalue::Order(all) | Rvalue::Compute(all) => in_operands(all),
                Rvalue::Aggregate { parts, .. } => in_operands(parts.iter().map(|part| &part.operand)),
                Rvalue::Nothing => Vec::new(),
            };
            with(read, to)
        }
        EventKind::Acquire { to, lock, key, .. } => with(in_operands([lock].into_iter().chain(key)), to),
        EventKind::Wait { to, guard, others, .. } => with(in_operands(others.iter().chain([guard])), to),
        EventKind::Call(call) => with(in_operands(&call.arguments), &call.to),
        EventKind::Branch(on) => in_operands([on]),
        // What is dropped with its owner is seen by nobody else.
        EventKind::Touch(_)
        | EventKind::Destroy { .. }
        | EventKind::Release { .. }
        | EventKind::Suspend
        | EventKind::Return
        | EventKind::Dead(_) => Vec::new(),
    }
}

fn in_operands<'o>(operands: impl IntoIterator<Item = &'o Operand>) -> Vec<&'o Place> {
    operands.into_iter().filter_map(Operand::place).collect()
}

fn with<'p>(mut places: Vec<&'p Place>, to: &'p Place) -> Vec<&'p Place> {
    places.push(to);
    places
}
