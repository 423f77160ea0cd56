//! Waits on condition variables: what led to them, and whether anything is tested after them.
//!
//! A wait may return though nobody has notified, and whoever notified may have been followed by someone else. So the
//! condition has to be tested again before the section ends: by going round a loop, or by a look that decides something.

use crate::domain::facts::{ChangeAfter, Effect, HeldAsleep, Notification, Polled, Sleep, Wait};
use crate::domain::held::Holding;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, whole_local};
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Call, DefinitionId, EventKind, Local, LockKind, Mode, Operand, Rvalue, Site, Waiting};
use crate::flow::apply::Actuals;
use crate::flow::decisions::Change;
use crate::flow::transfer::Walker;
use crate::summary::Summary;
use std::rc::Rc;

/// What the call of a wait says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) condition: Option<PathId>,
    pub(super) how: Waiting,
}

impl Walker<'_> {
    /// Before the guard is given up.
    pub(super) fn note_wait(&mut self, state: &mut State, lock: PathId, section: Site, asked: Asked, site: Site) {
        if asked.how.tested {
            state.untested.remove(&lock);
        } else {
            state.untested.insert(lock, site);
        }
        self.wait_blocks.insert(site, self.block);
        if self.record.is_none() {
            return;
        }
        let early = self.early_looks(state, lock);
        let decided = state.decisions.values().any(|decision| !decision.asserted && !decision.value.looks.is_empty());
        let in_loop = self.control().in_a_loop(self.function, self.block);
        let Asked { condition, how } = asked;
        let wait = Wait {
            site,
            lock,
            section,
            condition,
            how,
            decided,
            early,
            left_untested: None,
            in_loop,
            tested_somewhere: false,
            held: self.held_besides(state, lock),
            tests: self.atomics_tested(state),
            sees: self.seen_to_wait(state, lock),
        };
        if let Some(record) = &mut self.record {
            record.waits.push(wait);
        }
    }

    fn held_besides(&self, state: &State, lock: PathId) -> Vec<(PathId, Mode, Site)> {
        let others = state.held.certain().filter(|(held, _)| *held != lock);
        others.map(|(held, holding)| (held, holding.mode, holding.section)).collect()
    }

    /// What the branch has seen that leads to the wait.
    fn atomics_tested(&self, state: &State) -> Vec<PathId> {
        let decider = self.control().decider(self.block);
        let decision = decider.and_then(|block| state.decisions.get(&block)).filter(|decision| !decision.asserted);
        let looks = decision.into_iter().flat_map(|decision| &decision.value.looks);
        let mut atomics: Vec<PathId> = looks.map(|look| look.lock).filter(|&lock| self.is_atomic(lock)).collect();
        atomics.dedup();
        atomics
    }

    /// Whoever waits on it is woken.
    pub(super) fn notify(&mut self, state: &mut State, condition: Option<PathId>, kept: bool, site: Site) {
        state.notified.extend(condition.map(|condition| (condition, site)));
        let Some((record, condition)) = self.record.as_mut().zip(condition) else { return };
        let under = state.held.certain().map(|(lock, holding)| (lock, holding.mode)).collect();
        let entered = state.entered.iter().copied().collect();
        record.notifications.push(Notification { condition, site, under, entered, kept });
    }

    /// Something is put where others see it, after they were told; unless they had to wait for the lock since then.
    pub(super) fn note_untold(&mut self, state: &State, change: Change, site: Site) {
        let Some(lock) = self.paths.lock_above(change.target).filter(|_| self.record.is_some()) else { return };
        let Some(holding) = state.held.maybe(lock) else { return };
        if matches!(change.effect, Effect::Removes | Effect::Demands) {
            return;
        }
        let before = state.notified.iter().filter(|(_, notified)| *notified < holding.section);
        let target = change.target;
        let new = before.map(|&(condition, notified)| ChangeAfter { condition, notified, target, site });
        if let Some(record) = &mut self.record {
            record.changes_after.extend(new);
        }
    }

    /// What the decision to wait has seen under the lock.
    fn seen_to_wait(&self, state: &State, lock: PathId) -> Vec<PathId> {
        let decider = self.control().decider(self.block);
        let decision = decider.and_then(|block| state.decisions.get(&block));
        let looks = decision.into_iter().flat_map(|decision| &decision.value.looks);
        let mut seen: Vec<PathId> =
            looks.filter(|look| look.lock == lock && !look.is_stale()).map(|look| look.path).collect();
        seen.dedup();
        seen
    }

    /// A future that ends with a notification, awaited where it is made. Nothing but that ends it, so what is held now is held
    /// until then. One that is given a name may be waited for later, when less is held, and one that is stored or handed on
    /// is polled by somebody else.
    pub(super) fn await_notice(&mut self, state: &State, call: &Call, condition: Option<PathId>, site: Site) {
        let is_named = self.function.variables.get(call.to.local as usize).is_some_and(|it| it.name.is_some());
        if is_named || !self.is_awaited(call) {
            return;
        }
        let held = state.held.certain().map(|(lock, holding)| (lock, holding.mode, holding.section)).collect();
        let looked = self.decisions_leading_here(state).any(|decision| !decision.value.looks.is_empty());
        let knowingly = looked || self.control().in_a_loop(self.function, self.block);
        if let Some((record, condition)) = self.record.as_mut().zip(condition) {
            record.sleeps.push(Sleep { condition, site, held, knowingly });
        }
    }

    /// A future is polled, and may wake its own task before it returns.
    pub(super) fn note_polled(&mut self, state: &State, wakers: &Rc<[DefinitionId]>, site: Site) {
        let blocks = |lock: PathId| {
            let of = self.lock_types.get(&lock);
            of.is_some_and(|of| of.kind != LockKind::Atomic && !of.for_tasks && !of.reentrant)
        };
        let held: Vec<(PathId, Holding)> = state.held.certain().filter(|(lock, _)| blocks(*lock)).collect();
        let Some(record) = &mut self.record else { return };
        record.notes.polls = Some(wakers.clone());
        for (lock, holding) in held {
            let (mode, taken, wakers) = (holding.mode, holding.section, wakers.clone());
            record.polled.push(Polled { lock, mode, taken, site, wakers });
        }
    }

    /// An `.await` that is not ready: who holds a lock that blocks threads keeps it.
    pub(super) fn note_asleep(&mut self, state: &State, site: Site) {
        let blocks =
            |lock: &PathId| self.lock_types.get(lock).is_some_and(|of| of.kind != LockKind::Atomic && !of.for_tasks);
        let Some(record) = &mut self.record else { return };
        for (lock, holding) in state.held.certain().filter(|(lock, _)| blocks(lock)) {
            let new = HeldAsleep { lock, mode: holding.mode, taken: holding.section, site };
            if record.asleep.iter().all(|known| (known.lock, known.taken) != (new.lock, new.taken)) {
                record.asleep.push(new);
            }
        }
    }

    /// The guard came from the caller, who knows of which lock it is.
    pub(super) fn note_wait_within(&mut self, state: &mut State, guard: &Operand, asked: Asked) {
        if self.record.is_none() {
            return;
        }
        let lent = self.pointer_of(state, guard).and_then(|target| self.paths.root_local(target));
        let given = guard.place().map(|place| self.moved_from(place.local));
        let parameter = [lent, given].into_iter().flatten().find(|&local| self.is_parameter(local));
        let Some(parameter) = parameter else { return };
        let tested = asked.how.tested || self.control().in_a_loop(self.function, self.block);
        let note = (parameter as usize, Asked { how: Waiting { tested, ..asked.how }, ..asked });
        self.note_wait_of_caller(note);
    }

    /// The variable that a temporary was moved out of.
    pub(super) fn moved_from(&self, local: Local) -> Local {
        let moves = self.function.events().filter_map(|event| match &event.kind {
            EventKind::Assign { to, value: Rvalue::Use(Operand::Move(from)) } if whole_local(to) == Some(local) => {
                whole_local(from)
            }
            _ => None,
        });
        moves.last().unwrap_or(local)
    }

    /// A callee waits with guards that it is given here.
    pub(super) fn wait_in_callee(&mut self, state: &mut State, call: &Call, summary: &Summary, site: Site) {
        for wait in &summary.waits {
            let Some(guard) = wait.guard.checked_sub(1).and_then(|index| call.arguments.get(index)) else { continue };
            // A guard that does not come back is let go by the callee.
            if matches!(guard, Operand::Move(_)) && !call.result.holds_guard && !self.is_lent(guard) {
                continue;
            }
            let slots = call.arguments.iter().map(|argument| self.operand_slot(state, argument)).collect();
            let actuals = Actuals::new(summary, slots);
            let condition = wait.condition.and_then(|path| self.translate(state, &actuals, path));
            self.wait(state, &call.to, guard, Asked { condition, how: wait.how }, site);
        }
    }

    fn is_lent(&self, guard: &Operand) -> bool {
        let variable = guard.place().and_then(|place| self.function.variables.get(place.local as usize));
        variable.is_some_and(|variable| variable.facts.pointer)
    }

    /// Looks from before the lock was taken that decide whether to wait, and nothing else does.
    fn early_looks(&self, state: &State, lock: PathId) -> Vec<(Site, Origin)> {
        let under_lock =
            |origin: &Origin| (origin.lock == lock && !origin.is_stale()) || origin.seen_under == Some(lock);
        let decider = self.control().decider(self.block);
        let decision = decider.and_then(|block| state.decisions.get(&block)).filter(|decision| !decision.asserted);
        let Some(decision) = decision else { return Vec::new() };
        let looks = &decision.value.looks;
        let alone = |origin: &&Origin| looks.iter().all(|other| other.lock == origin.lock || !under_lock(other));
        let early = looks.iter().filter(|origin| !under_lock(origin)).filter(alone);
        early.map(|&origin| (decision.site, origin)).collect()
    }

    /// A branch after a wait tests again if it looks at something fresh, or if the way has gone round a loop.
    pub(super) fn test_again(&mut self, state: &mut State, on: &Value) {
        let looks = on.looks.iter().any(|origin| !origin.is_stale());
        let round = |wait: &Site| self.wait_blocks.get(wait).is_none_or(|&at| self.block <= at);
        let tested: Vec<Site> = state.untested.values().copied().filter(|wait| looks || round(wait)).collect();
        state.untested.retain(|_, wait| !tested.contains(wait));
        if let Some(record) = &mut self.record {
            record.waits_tested.extend(tested);
        }
    }

    /// The section ends. If nothing was tested since the wait in it, that is worth knowing.
    pub(super) fn note_untested(&mut self, state: &mut State, lock: PathId, site: Site) {
        let Some(wait) = state.untested.remove(&lock) else { return };
        if let Some(record) = &mut self.record {
            record.waits_left.entry(wait).or_insert(site);
        }
    }
}
