//! State that no lock is tied to: every use of it is written down, with the locks that are held, and with what was done to
//! the atomics of the same object before. A `compare_exchange` that succeeded keeps others out as well as a lock does.

use crate::domain::facts::Access;
use crate::domain::path::{PathId, Root, Step, whole_local};
use crate::domain::state::State;
use crate::events::{
    Call, EventKind, Exposed, Function, Local, Meaning, Mode, Operand, PlaceStep, Rvalue, Site, Touch,
};
use crate::flow::calls::Argument;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

/// A body that touches more shows what it does in the first ones.
const MOST: usize = 512;

impl Walker<'_> {
    /// Something behind a pointer is read or written.
    pub(super) fn touch(&mut self, state: &State, touch: &Touch, site: Site) {
        if self.record.is_none() {
            return;
        }
        let path = self.resolve(state, &touch.place);
        if let Some((location, kind)) = self.exposed_above(path).filter(|(_, kind)| *kind != Exposed::Atomic) {
            // What is only the way to it is no use of it: the pointer itself.
            if kind != Exposed::Pointer || path != location {
                self.record_access(state, location, path, (touch.write, touch.wide), site);
            }
        }
    }

    /// An operation on an atomic.
    pub(super) fn operate(&mut self, state: &mut State, call: &Call, lock: PathId, mode: Mode, site: Site) {
        if !self.is_atomic(lock) {
            return;
        }
        let writes = mode == Mode::Exclusive;
        // Who is told what was there has looked.
        let stores = matches!(call.meaning, Some(Meaning::Put { .. })) && call.result.unit;
        if let (Some(record), true) = (&mut self.record, writes) {
            record.stored.push((lock, site));
        }
        if self.function.exposures.is_empty() {
            return;
        }
        if let Some((location, _)) = self.exposed_above(lock).filter(|(_, kind)| *kind == Exposed::Atomic) {
            self.record_access(state, location, lock, (writes, !stores), site);
        }
        self.note_operation(state, lock, writes && !stores);
    }

    /// The same in a function that is called.
    pub(super) fn operate_in_callee(&mut self, state: &mut State, lock: PathId, mode: Mode, site: Site) {
        if !self.function.exposures.is_empty() && self.is_atomic(lock) {
            let writes = mode == Mode::Exclusive;
            self.note_operation(state, lock, writes);
            if let (Some(record), true) = (&mut self.record, writes) {
                record.stored.push((lock, site));
            }
        }
    }

    fn note_operation(&mut self, state: &mut State, atomic: PathId, decides: bool) {
        state.operated.insert(atomic);
        if decides {
            state.claimed.insert(atomic);
        }
    }

    /// A function of which nothing is known may keep others out, by whatever it is given of the object.
    pub(super) fn unknown_may_claim(&mut self, state: &mut State, call: &Call) {
        if !self.function.touches || !call.shares || call.meaning.is_some() {
            return;
        }
        for argument in &call.arguments {
            if let Some(target) = self.pointer_of(state, argument) {
                state.claimed.insert(target);
            }
        }
    }

    /// It is given something that others have too, in a body that uses what no lock is tied to: it may be there to keep others
    /// out.
    pub(super) fn may_claim(&self, arguments: &[Argument]) -> bool {
        let leads_out = |argument: &Argument| argument.target.is_some_and(|target| self.is_input(target));
        self.function.touches && arguments.iter().any(leads_out)
    }

    /// The innermost thing on the way that no lock is tied to.
    fn exposed_above(&self, path: PathId) -> Option<(PathId, Exposed)> {
        let exposures = &self.function.exposures;
        if exposures.is_empty() {
            return None;
        }
        let field = |at: PathId| match self.paths.step(at) {
            Some(Step::Field(field)) => exposures.fields.get(&(field.owner?, field.index)).map(|it| (at, it.kind)),
            _ => None,
        };
        let found = self.paths.ancestry(path).find_map(field);
        found.or_else(|| match self.paths.root_of(path) {
            Root::Static(id, _) => {
                let root = self.paths.ancestry(path).last()?;
                exposures.statics.get(id).map(|it| (root, it.kind))
            }
            Root::Local(_) => None,
        })
    }

    fn record_access(
        &mut self,
        state: &State,
        location: PathId,
        path: PathId,
        (write, wide): (bool, bool),
        site: Site,
    ) {
        // A function that is called tells of its own.
        if self.applying || self.elsewhere {
            return;
        }
        let root = self.paths.root_local(path);
        let alone = root.is_some_and(|local| self.function.unshareable.contains(&local));
        let shared = self.others_reach(location) && !alone;
        let by_its_thread = self.knows_its_thread();
        let same_object = |other: &PathId| match root {
            Some(root) => self.paths.root_local(*other) == Some(root),
            None => self.paths.root_local(*other).is_none(),
        };
        let claimed = state.claimed.iter().copied().filter(same_object).collect();
        let operated = state.operated.iter().copied().filter(same_object).collect();
        let under = state.held.certain().map(|(lock, holding)| (lock, holding.mode, holding.section)).collect();
        let Some(record) = self.record.as_mut().filter(|record| record.accesses.len() < MOST) else { return };
        let published = Vec::new();
        let new =
            Access { location, path, site, write, wide, shared, by_its_thread, under, claimed, operated, published };
        // One statement can read the same thing more than once.
        if !record.accesses.iter().rev().take(4).any(|known| known.is_same(&new)) {
            record.accesses.push(new);
        }
    }

    /// Someone else may have the object at the same time, and use it in the same way. Who has a handle for itself (`&mut`)
    /// may have had to take a lock to get it.
    fn others_reach(&self, location: PathId) -> bool {
        let is_exclusive = |local: Local| {
            let variable = self.function.variables.get(local as usize);
            variable.is_some_and(|variable| variable.facts.exclusive)
        };
        match self.paths.root_local(location) {
            None => true,
            // Where a variable leads that nobody knows is not known to be shared.
            Some(local) => {
                let given = self.is_parameter(local) && !is_exclusive(local) && !self.is_given_away(local);
                given && self.begins_shared(location)
            }
        }
    }

    /// A handle that is given beside the object, and not lent: the caller may have made it for this.
    fn is_given_away(&self, local: Local) -> bool {
        let variable = self.function.variables.get(local as usize);
        local > 1 && variable.is_some_and(|variable| variable.facts.pointer && !variable.facts.borrows)
    }

    /// The way begins with a pointer that others may have, or with one that a closure has captured. What is given by value is
    /// the body's own, and may be what a lock was taken for: a guard.
    fn begins_shared(&self, location: PathId) -> bool {
        let steps = self.paths.steps(location);
        let captured = |step: &&Step| matches!(step, Step::Field(field) if field.owner.is_none());
        let start = steps.iter().position(captured).map_or(0, |at| at + 1);
        matches!(steps.get(start), Some(Step::Pointee { shared: true }))
    }

    /// What is stored into atomics after the access tells others of it.
    pub(super) fn publish(&self, accesses: &mut [Access], stored: &[(PathId, Site)]) {
        for access in accesses.iter_mut() {
            let root = self.paths.root_of(access.path);
            let later =
                stored.iter().filter(|(atomic, site)| *site > access.site && self.paths.root_of(*atomic) == root);
            access.published = later.map(|(atomic, _)| *atomic).collect();
            access.published.dedup();
        }
    }
}

/// References that were made by following a raw pointer.
pub(super) fn made_from_raw(function: &Function) -> BTreeSet<Local> {
    let is_raw = |local: Local| function.variables.get(local as usize).is_some_and(|it| it.facts.raw);
    // References to variables that are raw pointers.
    let to_raw = function.events().filter_map(|event| match &event.kind {
        EventKind::Assign { to, value: Rvalue::Borrow(of) } => whole_local(to).filter(|_| is_raw(of.local)),
        _ => None,
    });
    let to_raw: BTreeSet<Local> = to_raw.collect();
    let made = function.events().filter_map(|event| match &event.kind {
        EventKind::Assign { to, value: Rvalue::Borrow(of) } => {
            let follows = matches!(of.steps.first(), Some(PlaceStep::Deref { .. })) && is_raw(of.local);
            whole_local(to).filter(|_| follows)
        }
        // `NonNull::as_ref`, and `as_ref` of a raw pointer.
        EventKind::Call(call) => {
            let pointer = call.arguments.first().and_then(Operand::place).filter(|place| place.steps.is_empty());
            let from_raw = pointer.is_some_and(|place| is_raw(place.local) || to_raw.contains(&place.local));
            whole_local(&call.to).filter(|_| from_raw && call.result.borrows && !call.result.raw)
        }
        _ => None,
    });
    made.collect()
}
