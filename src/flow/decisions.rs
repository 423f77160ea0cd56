//! Branches and what depends on them: a write that happens only because of what an earlier section saw, a variable
//! that is set one way or the other, old and present values that go the same way.

use crate::domain::facts::{Effect, Seldom, Use, UseKind, Written};
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, whole_local};
use crate::domain::set::Set;
use crate::domain::state::{Decision, State};
use crate::domain::value::{Input, Value};
use crate::events::{BlockId, EventKind, Function, Identity, Local, LockKind, Meaning, Operand, Place, Rvalue, Site};
use crate::flow::record::locks_in;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Stands for a branch inside a call: whether a closure is run.
pub(super) const IN_CALL: BlockId = BlockId::MAX;

/// A change of something that others see.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) target: PathId,
    pub(super) effect: Effect,
    pub(super) written: Written,
    /// Of the entry that changes.
    pub(super) key: Option<PathId>,
    /// What is written wakes who waits.
    pub(super) wakes: bool,
    /// A function that is called does it, and goes by something that it has seen under the lock.
    pub(super) after_look: bool,
    /// It is made of the entry that is there now.
    pub(super) renews: bool,
}

impl Change {
    /// Nothing changes, and it must be there.
    pub(super) fn demand(target: PathId, key: Option<PathId>) -> Change {
        Change {
            target,
            effect: Effect::Demands,
            written: Written::Constant(None),
            key,
            wakes: false,
            after_look: false,
            renews: false,
        }
    }
}

/// Something goes from under a lock to a place outside.
pub(super) struct Flow {
    target: PathId,
    origin: Origin,
    site: Site,
}

impl Walker<'_> {
    pub(super) fn end_decisions(&self, state: &mut State, entered: BlockId) {
        if state.decisions.is_empty() {
            return;
        }
        for block in self.decisions_ended(state, entered) {
            let Some(decision) = state.decisions.remove(&block) else { continue };
            let asserted = decision.gone && self.control().is_assertion(block);
            let value = match asserted {
                true => self.relied_upon(&decision.value),
                false => self.asked_until_so(&decision.value, block, entered),
            };
            if !value.is_empty() {
                state.decisions.insert(block, Decision { value: value.into(), asserted, ..decision });
            }
        }
    }

    /// There may be far more of one than of the other: of the ways that meet after a large `match`, or of the decisions
    /// that deeply nested code is in.
    fn decisions_ended(&self, state: &State, entered: BlockId) -> Vec<BlockId> {
        let ended = self.control().ended_at(entered);
        if ended.len() <= state.decisions.len() {
            return ended.to_vec();
        }
        let taken = state.decisions.iter().map(|(&branch, _)| branch);
        taken.filter(|&branch| self.control().ends_at(branch, entered)).collect()
    }

    /// A loop that takes the lock, looks, and goes round until it likes what it sees: what follows depends on the last
    /// look, though every way leads to it.
    fn asked_until_so(&self, value: &Value, branch: BlockId, entered: BlockId) -> Value {
        if self.control().in_one_loop(branch, entered) {
            return Value::default();
        }
        let within = |origin: &&Origin| {
            let section = self.section_blocks.get(&origin.section);
            section.is_some_and(|&section| section != branch && self.control().in_one_loop(section, branch))
        };
        Value { looks: value.looks.iter().filter(within).copied().collect(), inputs: Set::default() }
    }

    /// An assertion that there is no such entry: whoever puts one there relies on it. What else is asserted stops a program
    /// that is wrong anyway.
    fn relied_upon(&self, value: &Value) -> Value {
        let counts = |origin: &&Origin| origin.how == How::Copied && !self.is_atomic(origin.lock);
        Value { looks: value.looks.iter().filter(counts).copied().collect(), inputs: Set::default() }
    }

    /// The way forks on this value. An old look that was just compared with a fresh one decides nothing by itself.
    /// Nor does what a callee saw, if it only decides whether an error is passed up.
    pub(super) fn decide(&mut self, state: &mut State, operand: Local, on: &Value, site: Site) {
        let compared = |origin: &Origin| origin.is_stale() && self.is_rechecked(state, origin);
        let passed_up = |origin: &Origin| origin.by_callee && self.errors.contains(&operand);
        let looks: Set<Origin> =
            on.looks.iter().copied().filter(|origin| !compared(origin) && !passed_up(origin)).collect();
        // In a function that takes no lock, what was given may come from under one; in others it is as good as constant.
        let inputs = if self.function.near_locks { Set::default() } else { on.inputs.clone() };
        let value = Value { looks, inputs };
        if value.is_empty() {
            state.decisions.remove(&self.block);
        } else {
            state.decisions.insert(self.block, Decision { site, gone: false, asserted: false, value: Rc::new(value) });
        }
    }

    /// `found = true` inside `if guard.contains(..)`: the variable tells what was seen, as long as the lock is held.
    pub(super) fn add_implicit(&mut self, state: &mut State, to: &Place) {
        let Some(local) = whole_local(to).filter(|local| self.set_again.contains(local)) else { return };
        let seen = |origin: &&Origin| {
            let open = state.held.maybe(origin.lock).is_some_and(|holding| holding.section == origin.section);
            origin.how == How::Copied && (local == 0 || (open && !origin.is_stale()))
        };
        let mut told = Value::default();
        for decision in state.decisions.values().filter(|decision| !decision.asserted) {
            let looks = decision.value.looks.iter().filter(seen).map(|origin| Origin { implicit: true, ..*origin });
            let inputs = decision.value.inputs.clone().map(|input| Input { implicit: true, ..input });
            told.add(&Value { looks: looks.collect(), inputs });
        }
        if !told.is_empty() {
            let slot = self.paths.local(local);
            state.add(slot, &told);
        }
    }

    /// An `.await`: whoever wants a lock that is free can have it now.
    pub(super) fn sleep(&mut self, state: &mut State) {
        state.map_looks(|origin| Origin { slept: origin.slept || origin.left.is_some(), ..origin });
    }

    pub(super) fn change(&self, target: PathId, effect: Effect, value: &Value) -> Change {
        let key = self.key.as_ref().and_then(|key| self.one_root(key));
        Change {
            target,
            effect,
            written: self.written(target, value),
            key,
            wakes: self.leaves_word(),
            after_look: false,
            renews: false,
        }
    }

    fn written(&self, target: PathId, value: &Value) -> Written {
        let identity = self.identity_written();
        let root = self.paths.root_of(target);
        let in_key = |input: PathId| {
            let key = self.key.iter().flat_map(|key| &key.inputs);
            key.into_iter().any(|part| self.paths.root_of(part.path) == self.paths.root_of(input))
        };
        let given = value.inputs.iter().any(|input| self.paths.root_of(input.path) != root && !in_key(input.path));
        match identity {
            Identity::None if value.is_empty() => Written::Constant(self.number_written()),
            _ if given => Written::Given(identity),
            _ => Written::Derived(identity),
        }
    }

    /// Of what the present event writes.
    fn identity_written(&self) -> Identity {
        let of = |operand: &Operand| {
            let variable = operand.place().and_then(|place| self.function.variables.get(place.local as usize));
            variable.map(|variable| variable.facts.identity).unwrap_or_default()
        };
        match self.event {
            Some(EventKind::Assign { value: Rvalue::Use(operand), .. }) => of(operand),
            Some(EventKind::Assign { value: Rvalue::Aggregate { parts, .. }, .. }) => {
                parts.iter().map(|part| of(&part.operand)).max().unwrap_or_default()
            }
            Some(EventKind::Call(call)) => call.arguments.iter().skip(1).map(of).max().unwrap_or_default(),
            _ => Identity::None,
        }
    }

    /// The number that the present event writes.
    fn number_written(&self) -> Option<u64> {
        let operand = match self.event {
            Some(EventKind::Assign { value: Rvalue::Use(operand), .. }) => Some(operand),
            Some(EventKind::Call(call)) => call.arguments.get(1),
            _ => None,
        };
        operand.and_then(|operand| if let Operand::Constant(number) = operand { *number } else { None })
    }

    /// Something is done under a lock; which decisions led here that an earlier section of it is behind?
    pub(super) fn record_act(&mut self, state: &State, change: Change, site: Site) {
        if self.record.is_none() || state.decisions.is_empty() {
            return;
        }
        let Some(lock) = self.paths.lock_above(change.target) else { return };
        // When another thread comes to set a flag is nobody's business here.
        if self.elsewhere && self.is_atomic(lock) {
            return;
        }
        let Change { target, effect, written, key, after_look, renews, .. } = change;
        let by_callee = self.applying;
        let adds_entry = effect == Effect::Overwrites && self.paths.is_entry(target);
        // Who makes an entry of what is there now has asked again whether there is one.
        let renews_entry = renews && self.paths.is_entry(target);
        let concerns = |decision: &Decision| match decision.asserted {
            true => adds_entry,
            false => !(decision.gone && (effect == Effect::Demands || renews_entry)),
        };
        let leading: Vec<(BlockId, &Decision)> =
            self.all_leading_here(state).filter(|(_, decision)| concerns(decision)).collect();
        let last = self.last_decision(state, target);
        let won = self.is_for_winner(state, lock).then_some(Seldom::Won);
        for (branch, decision) in leading {
            let counts =
                |origin: &&Origin| origin.lock == lock && origin.how == How::Copied && self.matters(state, origin);
            let origins: Vec<Origin> = decision.value.looks.iter().filter(counts).copied().collect();
            let (decided, at_once) = (decision.site, Some(decision.site) == last);
            let (told, handed_out, rides, resets) = (false, false, None, None);
            let at_the_end = || self.is_at_the_end(decision, lock).then_some(Seldom::AtTheEnd);
            let (is_step, seldom) = (false, won.or_else(at_the_end));
            let below = self.counts_below(decision, effect, site);
            let refuses = if origins.is_empty() { None } else { self.turns_others_away(branch) };
            let kind = UseKind::Act {
                target,
                effect,
                decided,
                written,
                key,
                told,
                handed_out,
                refuses,
                after_look,
                at_once,
                rides,
                resets,
                is_step,
                seldom,
                below,
            };
            let is_of_lock = decision.value.looks.iter().any(|origin| origin.lock == lock);
            if let (Some(record), Effect::Overwrites, true, false) = (&mut self.record, effect, is_of_lock, by_callee) {
                record.steps.add(decided, target, self.block, site);
            }
            if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
                let among = locks_in(&decision.value);
                record.acts.push(Use { site, kind, by_callee, among, origins, around_loop: Vec::new() });
            }
            if decision.asserted {
                continue;
            }
            self.record_late_act(state, decision, lock, effect, site);
            self.record_untested_act(state, decision, lock, effect, site);
            self.note_reset(decision, change, lock);
        }
    }

    /// The last branch before this. One that only asks whether the thing is there that is changed does not count: `if let
    /// Some(flag) = &self.flag`.
    fn last_decision(&self, state: &State, target: PathId) -> Option<Site> {
        let only_asks = |branch: &BlockId| self.asked.get(branch).is_some_and(|&of| self.paths.is_within(target, of));
        let mut branch = self.control().decider(self.block)?;
        while only_asks(&branch) {
            branch = self.control().decider(branch)?;
        }
        state.decisions.get(&branch).map(|decision| decision.site)
    }

    /// The branches that were gone through to come here.
    pub(super) fn decisions_leading_here<'s>(&self, state: &'s State) -> impl Iterator<Item = &'s Decision> {
        self.all_leading_here(state).map(|(_, decision)| decision).filter(|decision| !decision.asserted)
    }

    /// The same with assertions.
    fn all_leading_here<'s>(&self, state: &'s State) -> impl Iterator<Item = (BlockId, &'s Decision)> {
        let leads_here = |block: BlockId| block == IN_CALL || self.control().leads_to(block, self.block);
        state.decisions.iter().map(|(&block, decision)| (block, decision)).filter(move |(block, _)| leads_here(*block))
    }

    /// The one thing of the caller's that a key is made of.
    pub(super) fn one_root(&self, key: &Value) -> Option<PathId> {
        let first = key.inputs.first()?.path;
        let same = |input: &Input| self.paths.overlap(input.path, first);
        (key.looks.is_empty() && key.inputs.iter().all(same)).then_some(first)
    }

    /// The same for a path of a callee's: what the caller of this body gave, if it is made of that.
    pub(super) fn key_behind(&self, state: &State, key: PathId) -> Option<PathId> {
        let stored = state.stored(&self.paths, key);
        if stored.is_empty() && self.is_input(key) { Some(key) } else { self.one_root(&stored) }
    }

    /// A section asks a container for an entry.
    pub(super) fn note_key(&mut self, state: &mut State, container: Option<PathId>, key: Option<&Value>) {
        let lock = container.and_then(|container| self.paths.lock_above(container));
        let (Some(lock), Some(key)) = (lock, key) else { return };
        let Some(holding) = state.held.maybe(lock) else { return };
        let key = self.one_root(key);
        let known = state.keys.or_insert(holding.section, key);
        if *known != key {
            *known = None;
        }
    }

    /// Whoever gets this may change an atomic that a decision in force rests on.
    pub(super) fn leads_to_decided_atomic(&self, state: &State, target: PathId) -> bool {
        let mut looks = state.decisions.values().flat_map(|decision| &decision.value.looks);
        looks.any(|origin| self.paths.is_within(origin.lock, target) && self.is_atomic(origin.lock))
    }

    pub(super) fn is_atomic(&self, lock: PathId) -> bool {
        self.is_of_kind(lock, LockKind::Atomic)
    }

    pub(super) fn has_guards(&self, lock: PathId) -> bool {
        self.is_of_kind(lock, LockKind::Guarded)
    }

    pub(super) fn is_map(&self, lock: PathId) -> bool {
        self.is_of_kind(lock, LockKind::Map)
    }

    fn is_of_kind(&self, lock: PathId, kind: LockKind) -> bool {
        self.lock_types.get(&lock).is_some_and(|of| of.kind == kind)
    }

    /// `unwrap` on what is there now, because of what was there before.
    /// A guard that is there says something only where it is the guard of an entry.
    pub(super) fn demand(&mut self, state: &State, value: &Value, guard: bool, site: Site) {
        let counts = |origin: &&Origin| !origin.is_stale() && (!guard || self.is_map(origin.lock));
        let present: Vec<Origin> = value.looks.iter().filter(counts).copied().collect();
        for origin in present {
            if let Some(record) = &mut self.record {
                record.demanded.insert(origin.read);
            }
            self.note_expected(state, origin, site);
            let open = state.held.maybe(origin.lock).is_some_and(|holding| holding.section == origin.section);
            if (open || self.is_map(origin.lock)) && origin.how == How::Copied {
                self.record_act(state, Change::demand(origin.path, origin.key), site);
            }
        }
    }

    /// Something is lent to a call that may keep what else it is given.
    pub(super) fn note_flow(&mut self, state: &State, target: PathId, value: &Value, site: Site) {
        if self.record.is_none() {
            return;
        }
        let held = |origin: &&Origin| state.held.maybe(origin.lock).is_some() && origin.how == How::Copied;
        let flows = value.looks.iter().filter(held).map(|&origin| Flow { target, origin, site });
        // That a later section looks at the thing again, to tell of it too, is what is wrong here; only a comparison helps.
        let compared = |origin: &Origin| state.compared.contains(&(origin.lock, origin.section));
        let flows: Vec<Flow> =
            flows.filter(|flow| !compared(&flow.origin) && !self.is_claimed(state, &flow.origin)).collect();
        if let Some(record) = &mut self.record {
            record.flows.extend(flows);
        }
    }

    /// Old and present state of the same thing, in one place.
    pub(super) fn mixed(&self, flows: &[Flow]) -> Vec<Use> {
        let (old, fresh): (Vec<&Flow>, Vec<&Flow>) = flows.iter().partition(|flow| flow.origin.is_stale());
        let pairs = old.iter().filter_map(|old| {
            let beside = fresh.iter().find(|fresh| {
                fresh.target == old.target
                    && fresh.site != old.site
                    && fresh.origin.lock == old.origin.lock
                    && Some(fresh.origin.section) == old.origin.entered()
                    && self.paths.overlap(fresh.origin.path, old.origin.path)
            })?;
            let kind = UseKind::Beside { fresh: beside.site };
            Some(Use {
                site: old.site,
                kind,
                by_callee: false,
                among: 1,
                origins: vec![old.origin],
                around_loop: Vec::new(),
            })
        });
        pairs.collect()
    }
}

/// Variables that are assigned to, as a whole, in more than one place: those with a name, the result, and what is moved
/// on at once (`matches!`). The compiler's own notes of what is to be dropped are copied, never moved.
pub(super) fn set_again(function: &Function) -> BTreeSet<Local> {
    let mut once = BTreeSet::new();
    let mut again = BTreeSet::new();
    let mut copied = BTreeSet::new();
    for event in function.events() {
        match &event.kind {
            EventKind::Assign { to, .. } => {
                let local = whole_local(to);
                again.extend(local.filter(|&local| !once.insert(local)));
            }
            EventKind::Branch(Operand::Copy(place)) => {
                copied.insert(place.local);
            }
            _ => {}
        }
    }
    let named = |local: Local| function.variables.get(local as usize).is_some_and(|it| it.name.is_some());
    let tells = |local: Local| function.variables.get(local as usize).is_some_and(|it| !it.facts.unit);
    again.retain(|&local| tells(local) && (local == 0 || named(local) || !copied.contains(&local)));
    again
}

/// Which way a `?` went: the discriminants of what `Try::branch` gave.
pub(super) fn errors(function: &Function) -> BTreeSet<Local> {
    let mut results = BTreeSet::new();
    let mut discriminants = BTreeSet::new();
    for event in function.events() {
        match &event.kind {
            EventKind::Call(call) if call.meaning == Some(Meaning::Try) => {
                results.extend(whole_local(&call.to));
            }
            EventKind::Assign { to, value: Rvalue::Discriminant(of) } if results.contains(&of.local) => {
                discriminants.extend(whole_local(to));
            }
            _ => {}
        }
    }
    discriminants
}
