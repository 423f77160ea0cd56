//! What a body does, step by step, in terms of movers: whether it could be moved to one point in time.

use crate::domain::facts::{MoverStep, Performed};
use crate::domain::mover::{Guarding, Mover};
use crate::domain::path::PathId;
use crate::domain::state::State;
use crate::events::{Beyond, Call, Mode, Site};
use crate::flow::transfer::Walker;
use crate::summary::Summary;

/// More steps than this need not be told to show what is wrong, unless they change what the others may be.
const MOST_STEPS: usize = 12;

impl Walker<'_> {
    pub(super) fn lock_taken(&mut self, state: &mut State, lock: PathId, mode: Mode, site: Site) {
        let within = self.if_caller_holds(lock, mode, Mover::Right);
        self.perform(state, Performed::Acquires(lock), Mover::Right, within, site);
    }

    pub(super) fn lock_given_up(&mut self, state: &mut State, lock: PathId, mode: Mode, site: Site) {
        let within = self.if_caller_holds(lock, mode, Mover::Left);
        self.perform(state, Performed::Releases(lock), Mover::Left, within, site);
    }

    /// A wait lets the lock go and takes it again, whoever had taken it.
    pub(super) fn lock_lent(&mut self, state: &mut State, lock: PathId, site: Site) {
        self.perform(state, Performed::Releases(lock), Mover::Left, Mover::Left, site);
        self.perform(state, Performed::Acquires(lock), Mover::Right, Mover::Right, site);
    }

    /// A lock that the caller knows, too, may be the caller's already, if it can be taken twice.
    fn if_caller_holds(&self, lock: PathId, mode: Mode, otherwise: Mover) -> Mover {
        let twice = mode == Mode::Shared || self.lock_types.get(&lock).is_some_and(|of| of.reentrant);
        if twice && self.is_input(lock) { Mover::Both } else { otherwise }
    }

    /// An operation on an atomic or a concurrent map: it takes a lock and gives it up, or is as good as that.
    pub(super) fn one_operation(&mut self, state: &mut State, lock: PathId, site: Site) {
        let mover = if self.is_used_under_guard(state, lock) { Mover::Both } else { Mover::Atomic };
        self.perform(state, Performed::Operates(lock), mover, mover, site);
    }

    /// It is wrong, unless the caller makes it right. Then it can be moved both ways.
    pub(super) fn perform_unguarded(&mut self, state: &mut State, what: Performed, guarding: Guarding, site: Site) {
        state.moves.guarding = state.moves.guarding.max(guarding);
        self.perform(state, what, Mover::Both, Mover::Both, site);
    }

    /// What a function does that is known.
    pub(super) fn call_performs(
        &mut self,
        state: &mut State,
        summary: &Summary,
        all_held: bool,
        guarding: Guarding,
        site: Site,
    ) {
        // That a lock is taken which is handed out is told where its guard comes in.
        let hands_out = |mover: Mover| mover == Mover::Right && !summary.guards.is_empty();
        let [alone, within] =
            [summary.moves.alone, summary.moves.within].map(|it| if hands_out(it) { Mover::Both } else { it });
        let alone = if all_held { within } else { alone };
        state.moves.guarding = state.moves.guarding.max(guarding);
        let what = match guarding {
            Guarding::Held => Performed::Calls(self.callee),
            Guarding::LeftToCaller | Guarding::Missing => Performed::CallsUnguarded(self.callee),
        };
        self.perform(state, what, alone, within, site);
    }

    /// A function of which nothing is known may do anything to what others see too.
    pub(super) fn unknown_performs(&mut self, state: &mut State, call: &Call, site: Site) {
        if call.shares && call.meaning.is_none() && call.beyond.is_none_or(|does| does == Beyond::Acts) {
            self.perform(state, Performed::CallsUnknown, Mover::Compound, Mover::Compound, site);
        }
    }

    /// What a function does of which only the effect is known.
    pub(super) fn effect_performs(&mut self, state: &mut State, call: &Call, site: Site) {
        match call.beyond {
            Some(Beyond::Io | Beyond::Blocks | Beyond::Spawns | Beyond::Sends) => {
                self.perform(state, Performed::ReachesOut, Mover::Atomic, Mover::Atomic, site);
            }
            Some(Beyond::Acts) | None => {}
        }
    }

    fn perform(&mut self, state: &mut State, what: Performed, alone: Mover, within: Mover, site: Site) {
        let before = state.moves.alone;
        state.moves.alone = before.then(alone);
        state.moves.within = state.moves.within.then(within);
        let told = self.function.atomic || self.options.atomicity;
        let unguarded = matches!(what, Performed::Touches(_) | Performed::CallsUnguarded(_));
        if !told || (alone == Mover::Both && !unguarded) {
            return;
        }
        // The first time: in a loop all is compound once something is.
        let breaks = before != Mover::Compound && state.moves.alone == Mover::Compound;
        let turns = before != state.moves.alone;
        if turns || (state.trail.len() < MOST_STEPS && before != Mover::Compound) {
            state.trail.push(MoverStep { what, mover: alone, site });
        }
        if breaks {
            self.broken.get_or_insert_with(|| state.trail.clone());
        }
    }
}
