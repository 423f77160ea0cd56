//! Things that are dropped, and take locks when they are: under a lock that their `drop` needs this is a deadlock.
//!
//! What else they do is not followed: they are gone, and nobody reads them any more.

use crate::domain::held::Holding;
use crate::domain::origin::How;
use crate::domain::path::{PathId, Step};
use crate::domain::state::{State, Target};
use crate::events::{Call, Destructor, Local, Place, PlaceStep, Site};
use crate::flow::apply::Actuals;
use crate::flow::transfer::Walker;
use crate::summary::LockKey;

/// Stands for the reference that `drop` is given. No body has a local of this number.
const DROPPED: Local = Local::MAX - 4;

impl Walker<'_> {
    pub(super) fn destroy(&mut self, state: &mut State, of: &Place, by: &[Destructor], site: Site) {
        let at = self.resolve(state, of);
        self.destroy_at(state, at, by, site);
    }

    /// What nobody is there to receive is dropped by who sends it.
    pub(super) fn destroy_sent(&mut self, state: &mut State, call: &Call, site: Site) {
        for (argument, by) in &call.sent {
            let slot = call.arguments.get(*argument).and_then(|argument| self.operand_slot(state, argument));
            if let Some(slot) = slot {
                self.destroy_at(state, slot, by, site);
            }
        }
    }

    fn destroy_at(&mut self, state: &mut State, at: PathId, by: &[Destructor], site: Site) {
        // Whose parts were changed may have nothing left to do.
        if self.paths.root_local(at).is_some_and(|local| self.changed_parts.contains(&local)) {
            return;
        }
        for Destructor { body, steps, .. } in by {
            let Some(summary) = self.known(*body).filter(|summary| !summary.wants.is_empty()) else { continue };
            let target = steps.iter().fold(at, |at, step| match step {
                PlaceStep::Deref { shared } => self.follow(state, at, *shared),
                other => self.paths.descend(at, other),
            });
            let pin = self.paths.local(DROPPED);
            state.pointers.insert(pin, Target::Known(target));
            let actuals = Actuals::new(&summary, vec![Some(pin)]);
            let callee = self.callee.replace(*body);
            self.dropping = Some(target);
            self.callee_wants(state, &actuals, &summary, site);
            (self.dropping, self.callee) = (None, callee);
            state.pointers.remove(&pin);
        }
    }

    /// Part of what is dropped: nobody can hold it, or it could not be dropped.
    pub(super) fn is_dropped_too(&self, lock: PathId) -> bool {
        let Some(dropped) = self.dropping else { return false };
        let below = self.paths.ancestry(lock).take_while(|&at| at != dropped);
        let mut below = below.filter_map(|at| self.paths.step(at));
        self.paths.is_within(lock, dropped) && !below.any(Step::is_pointee)
    }

    /// The lock that what is dropped was kept under, if that is what its `drop` leads back to: the same field of the same type.
    pub(super) fn leads_back(&self, state: &State, lock: PathId) -> Option<(PathId, Holding)> {
        let dropped = self.dropping?;
        let key = LockKey::of(&self.paths, lock)?;
        let held = state.held.certain();
        let mut same = held.filter(|(held, _)| LockKey::of(&self.paths, *held).as_ref() == Some(&key));
        let taken = self.paths.root_local(dropped).is_some_and(|local| self.taken_out.contains(&local));
        let looks = state.stored(&self.paths, dropped).looks;
        let was_in = |held: PathId| taken && looks.iter().any(|look| look.lock == held && look.how == How::Taken);
        same.find(|(held, _)| self.paths.is_within(dropped, *held) || was_in(*held))
    }

    /// A part of a variable is changed.
    pub(super) fn note_changed_part(&mut self, target: PathId) {
        let is_part = self.paths.parent(target).is_some();
        let local = self.paths.root_local(target).filter(|&local| is_part && !self.is_parameter(local));
        self.changed_parts.extend(local);
    }
}
