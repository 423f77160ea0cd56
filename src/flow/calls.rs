//! Calls: what the result is made of, what the arguments suffer, where guards go.

use crate::domain::facts::Effect;
use crate::domain::held::Holding;
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, Step};
use crate::domain::state::{Pending, State, Target};
use crate::domain::value::Value;
use crate::events::{Beyond, Call, DefinitionId, Identity, Local, LockKind, LockType, Meaning, Mode, Operand, Site};
use crate::flow::apply::Outcome;
use crate::flow::doubles::Wanted;
use crate::flow::transfer::Walker;
use crate::summary::Summary;
use std::rc::Rc;

/// Carries the guard of a call that is a section of its own. No body has a local of this number.
const ONE_CALL: Local = Local::MAX - 3;

/// An argument as the call sees it.
pub(super) struct Argument {
    /// What it is made of, and what it points at is made of.
    pub(super) value: Value,
    /// What it points at.
    pub(super) target: Option<PathId>,
    /// Lent with the right to change it.
    mutable: bool,
}

impl Walker<'_> {
    pub(super) fn call(&mut self, state: &mut State, call: &Call, site: Site) {
        if let Some(does) = call.beyond {
            self.reach_out(state, does);
            if does == Beyond::Sends || (does == Beyond::Acts && call.shares && call.meaning.is_none()) {
                self.announce(state, call, site);
            }
            if does == Beyond::Blocks {
                self.go_to_sleep(state);
            }
            self.effect_performs(state, call, site);
        }
        call.arguments.iter().for_each(|argument| self.read_snapshots(state, argument, site));
        let callees = if call.meaning.is_none() { &call.callees[..] } else { &[] };
        callees.iter().for_each(|&callee| self.record_call(state, callee, site));
        if !callees.is_empty() {
            self.note_object(state, call, callees.len());
        }
        self.record_futures(state, call, site);
        if call.invokes {
            self.invoke(state, call, site);
            self.write_snapshot(state, &call.to, site);
            return;
        }
        if let Some((mode, lock_type)) = &call.section {
            self.call_as_section(state, call, *mode, lock_type, site);
            self.write_snapshot(state, &call.to, site);
            return;
        }
        if call.meaning.is_none() {
            call.arguments.iter().for_each(|argument| self.hand_on(state, argument));
        }
        let known: Option<Vec<Rc<Summary>>> = callees.iter().map(|&id| self.known(id)).collect();
        if let Some(known) = known.filter(|known| !known.is_empty()) {
            self.note_entry(state, call, site);
            return self.call_one_of(state, call, &known, site);
        }
        let mut arguments = self.arguments(state, call, site);
        self.look_at_part(state, call, &mut arguments, site);
        let takes_locks = |&id: &DefinitionId| self.known(id).is_some_and(|summary| !summary.is_idle());
        let is_asked_for = || self.matters_to(state, call, &arguments) || self.is_given_locks_to_take(call);
        if !callees.is_empty() && (callees.iter().any(takes_locks) || is_asked_for()) {
            let known: Option<Vec<Rc<Summary>>> =
                callees.iter().map(|&id| self.known(id).or_else(|| self.learn(id))).collect();
            if let Some(known) = known {
                return self.call_one_of(state, call, &known, site);
            }
        }
        self.passed_over.extend(callees);
        self.unknown_performs(state, call, site);
        self.unknown_may_claim(state, call);
        let given = self.run_given(state, call, &arguments, site);
        self.pass_guards(state, call, site);
        self.by_meaning(state, call, &arguments, site);
        if let Some(outcome) = given {
            self.add_outcome(state, call, outcome, site);
        }
        self.write_snapshot(state, &call.to, site);
    }

    /// The call is about one part of what the guard protects.
    fn look_at_part(&mut self, state: &mut State, call: &Call, arguments: &mut [Argument], site: Site) {
        let (Some(part), Some(guard)) = (&call.part, arguments.first_mut()) else { return };
        let Some(data) = guard.target.and_then(|slot| state.pointer(&self.paths, slot)) else { return };
        let part = self.paths.child(data, &Step::Field(part.clone()));
        (guard.target, guard.value) = (Some(part), self.found_at(state, part, site));
    }

    /// Each of them may be the one that runs.
    fn call_one_of(&mut self, state: &mut State, call: &Call, summaries: &[Rc<Summary>], site: Site) {
        let before = state.clone();
        let guessing = std::mem::replace(&mut self.guessing, summaries.len() > 1);
        for (number, summary) in summaries.iter().enumerate() {
            self.callee = call.callees.get(number).copied();
            if number == 0 {
                self.call_known(state, call, summary, site);
            } else {
                let mut way = before.clone();
                self.call_known(&mut way, call, summary, site);
                state.join(&way, &self.paths);
            }
        }
        self.guessing = guessing;
    }

    fn call_known(&mut self, state: &mut State, call: &Call, summary: &Summary, site: Site) {
        self.wait_in_callee(state, call, summary, site);
        let moved = call.arguments.iter().filter(|argument| matches!(argument, Operand::Move(_)));
        let moved = moved.filter_map(Operand::place).flat_map(|place| state.held.carried_by(place.local));
        self.given_away = moved.map(|(lock, _)| lock).collect();
        let may_be_later = self.later || self.is_future_for_others(call);
        let later = std::mem::replace(&mut self.later, may_be_later);
        self.apply(state, call, summary, site);
        self.later = later;
        self.given_away.clear();
        self.pass_guards(state, call, site);
        self.write_snapshot(state, &call.to, site);
    }

    /// What closures gave is part of the result of whoever called them.
    fn add_outcome(&mut self, state: &mut State, call: &Call, outcome: Outcome, site: Site) {
        let slot = self.resolve(state, &call.to);
        if self.paths.lock_above(slot).is_none() && !outcome.value.is_empty() {
            state.add(slot, &outcome.value);
        }
        if let Some(pointer) = outcome.pointer.filter(|_| call.result.borrows || call.result.pointer) {
            state.pointers.insert(slot, Target::Known(pointer));
        }
        if call.result.holds_guard {
            for guard in outcome.guards {
                self.receive_guard(state, call, guard, site);
            }
        }
    }

    /// Seen from the last to the first: what is asked for comes before where.
    fn arguments(&mut self, state: &mut State, call: &Call, site: Site) -> Vec<Argument> {
        let mut arguments: Vec<Argument> = Vec::new();
        for (index, operand) in call.arguments.iter().enumerate().rev() {
            if index == 0 && self.asks_for_entry(call) {
                let container = self.pointer_of(state, operand);
                self.note_key(state, container, arguments.last().map(|key| &key.value));
            }
            arguments.push(self.argument(state, operand, call, site));
        }
        arguments.reverse();
        arguments
    }

    /// The same, where the callee tells the rest.
    fn note_entry(&mut self, state: &mut State, call: &Call, site: Site) {
        if self.asks_for_entry(call) {
            let key = self.argument(state, &call.arguments[1], call, site);
            let container = self.pointer_of(state, &call.arguments[0]);
            self.note_key(state, container, Some(&key.value));
        }
    }

    /// `map.get(key)`: a reference, and something that is no closure.
    fn asks_for_entry(&self, call: &Call) -> bool {
        let variable =
            |operand: &Operand| operand.place().and_then(|it| self.function.variables.get(it.local as usize));
        let reference = call.arguments.first().and_then(variable).is_some_and(|it| it.facts.pointer);
        reference && call.arguments.get(1).is_some_and(|key| self.closure_in(key).is_none())
    }

    fn by_meaning(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        match call.meaning {
            Some(Meaning::Alias) => self.alias(state, call, arguments, site),
            Some(Meaning::Peek { through }) => self.peek(state, call, arguments, through, site),
            Some(Meaning::Pass | Meaning::Try) => self.pass(state, call, arguments, site),
            Some(Meaning::Demand) => {
                self.demand(state, &arguments[0].value, call.result.holds_guard, site);
                self.pass(state, call, arguments, site);
            }
            Some(Meaning::Part) => self.part(state, call, arguments, site),
            Some(Meaning::Poll) => {
                self.poll(state, call, arguments, site);
                if let Some(wakers) = self.function.polls.clone() {
                    self.note_polled(state, &wakers, site);
                }
            }
            Some(Meaning::Handle) => self.handle(state, call, arguments, site),
            Some(Meaning::Index) => self.index(state, call, arguments, site),
            Some(Meaning::Update { position }) => self.update(state, call, arguments, position, site),
            Some(Meaning::Put { value }) => self.put(state, call, arguments, value, site),
            Some(Meaning::Exchange { weak }) => self.exchange(state, call, arguments, weak, site),
            Some(Meaning::Merge | Meaning::Sift) => self.merge(state, call, arguments, site),
            Some(Meaning::Adjust { counts }) => self.adjust(state, call, arguments, counts, site),
            Some(Meaning::Remove) => self.remove(state, call, arguments, Effect::Removes, site),
            Some(Meaning::Add) => self.remove(state, call, arguments, Effect::Adds, site),
            Some(Meaning::Take { .. }) => self.take(state, call, arguments, site),
            Some(Meaning::Owners) => self.ask_for_owners(state, call, arguments, site),
            Some(Meaning::Swap) => self.swap(state, call, arguments, site),
            Some(meaning @ (Meaning::Compare | Meaning::Order)) => {
                self.compare(state, &values(arguments));
                if meaning == Meaning::Order {
                    self.order(state, &values(arguments));
                }
                self.give(state, call, Value::union(&values(arguments)), None, site);
            }
            Some(Meaning::Look) => self.give(state, call, Value::union(&values(arguments)), None, site),
            Some(Meaning::Notify { kept }) => {
                self.notify(state, arguments[0].target, kept, site);
                self.give(state, call, Value::default(), None, site);
            }
            Some(Meaning::Sleep) => {
                self.await_notice(state, call, arguments[0].target, site);
                self.enlist_for_notice(state, call, arguments, self.is_awaited(call), site);
            }
            Some(Meaning::Enlist) => self.enlist_for_notice(state, call, arguments, true, site),
            Some(Meaning::Hint) => self.give(state, call, Value::default(), None, site),
            Some(Meaning::New) => {
                self.give(state, call, Value::union(&values(arguments)), None, site);
                self.made_here.insert(call.to.local);
            }
            // The last two are events of their own; here their row asked for an argument that is not there.
            None | Some(Meaning::Acquire { .. } | Meaning::Wait { .. }) => {
                self.unknown(state, call, arguments, site);
            }
        }
    }

    /// The lock is held for the call alone, and the call works on what it protects.
    fn call_as_section(&mut self, state: &mut State, call: &Call, mode: Mode, lock_type: &LockType, site: Site) {
        let Some(slot) = self.operand_slot(state, &call.arguments[0]) else { return };
        let lock = self.target_of(state, slot);
        self.name_lock(lock, lock_type);
        let holding = Holding::new(site, mode);
        let enters = !state.held.must(lock);
        if lock_type.kind != LockKind::Atomic {
            self.wants(state, Wanted { lock, mode, recursive: false }, site);
        }
        if enters {
            self.one_operation(state, lock, site);
            self.section_blocks.insert(site, self.block);
            self.grow_older(state, lock, site, false);
            self.note_section(lock, mode);
            self.operate(state, call, lock, mode, site);
            state.held.put(ONE_CALL, lock, holding);
        }
        // Seen from within: what an earlier section gave is old here.
        let mut arguments = self.arguments(state, call, site);
        let data = self.paths.child(lock, &Step::Data);
        self.note_key(state, Some(data), arguments.get(1).map(|key| &key.value));
        let mut value = self.found_at(state, data, site);
        if lock_type.kind == LockKind::Atomic {
            value.add(&self.way_to(state, slot));
            // What is in an entry of a map is looked at under the guard of the entry, too.
            if mode == Mode::Shared && self.paths.lock_above(lock).is_some_and(|above| self.is_map(above)) {
                value.add(&self.found_at(state, lock, site));
            }
        }
        arguments[0] = Argument { value, target: Some(data), mutable: mode == Mode::Exclusive };
        if let (Some(record), Some(order)) = (&mut self.record, call.order) {
            record.orders.insert(site, order);
        }
        self.by_meaning(state, call, &arguments, site);
        if enters {
            state.held.take(ONE_CALL, lock);
            self.close(state, lock, holding, site);
        }
    }

    /// A function that is given something from under a lock, or that gives a lock, is worth reading. In a function that
    /// has no locks itself, whatever comes from its caller may be that.
    fn matters_to(&self, state: &State, call: &Call, arguments: &[Argument]) -> bool {
        let helps = !self.function.near_locks;
        let guarded = |path: PathId| self.paths.lock_above(path).is_some() || (helps && self.is_input(path));
        let leads = |target: PathId| guarded(target) || state.pointer(&self.paths, target).is_some_and(guarded);
        let decided = |target: PathId| self.leads_to_decided_atomic(state, target);
        let worth = |argument: &Argument| {
            !argument.value.looks.is_empty()
                || argument.target.is_some_and(decided)
                || (helps && !argument.value.inputs.is_empty())
                || argument.target.is_some_and(leads)
        };
        let asked = |argument: &Argument| argument.target.is_some() && self.enlists;
        // A copy of what a lock belongs to that is held is another way to that lock.
        let held = |target: PathId| state.held.certain().any(|(lock, _)| self.paths.is_within(lock, target));
        let copies = call.result.identity == Identity::Own
            && matches!(arguments, [Argument { target: Some(of), .. }] if held(*of));
        call.result.names_lock
            || copies
            || arguments.iter().any(|it| worth(it) || asked(it))
            || self.may_claim(arguments)
    }

    /// A guard on its way into the result (`unwrap`) is not looked through.
    fn argument(&mut self, state: &mut State, operand: &Operand, call: &Call, site: Site) -> Argument {
        let carries = operand
            .place()
            .is_some_and(|place| state.held.carries(place.local) || state.pending.contains_key(&place.local));
        let passes = matches!(operand, Operand::Move(_)) && carries && call.result.holds_guard;
        let value = if passes { self.look_shallow(state, operand, site) } else { self.look(state, operand, site) };
        let target = self.pointer_of(state, operand);
        let variable = operand.place().and_then(|place| self.function.variables.get(place.local as usize));
        Argument { value, target, mutable: variable.is_some_and(|variable| variable.facts.exclusive) }
    }

    /// Leaves the result.
    pub(super) fn give(&mut self, state: &mut State, call: &Call, value: Value, target: Option<PathId>, site: Site) {
        let slot = self.resolve(state, &call.to);
        let kept = call.result.holds_guard.then(|| state.pointer(&self.paths, slot)).flatten();
        self.store(state, slot, value, site);
        if let Some(target) = target.or(kept) {
            state.pointers.insert(slot, Target::Known(target));
        }
    }

    /// Guards that are given away come back in the result, if it can carry one, or end here.
    fn pass_guards(&mut self, state: &mut State, call: &Call, site: Site) {
        let carries = |argument: &&Operand| match argument {
            Operand::Move(place) => state.held.carries(place.local),
            _ => false,
        };
        let among_others = call.arguments.iter().filter(carries).count() > 1;
        for argument in &call.arguments {
            let Operand::Move(place) = argument else { continue };
            // A future that is wrapped or handed on gives its guard later.
            if let Some(pending) = state.pending.get(&place.local).copied().filter(|pending| pending.later) {
                state.pending.remove(&place.local);
                state.pending.insert(call.to.local, pending);
                continue;
            }
            self.settle_pending(state, place.local);
            if !state.held.carries(place.local) {
                continue;
            }
            let target = self.pointer_of(state, argument);
            if call.result.holds_guard {
                self.move_guards(state, place, &call.to);
                if call.meaning.is_none() && (among_others || !self.is_plain_guard(place.local)) {
                    state.held.doubt(call.to.local);
                }
                let slot = self.resolve(state, &call.to);
                if let Some(target) = target {
                    state.pointers.insert(slot, Target::Known(target));
                }
            } else {
                self.release(state, place, site);
            }
        }
    }

    /// The guard itself, and not something that has one, and perhaps another.
    fn is_plain_guard(&self, local: Local) -> bool {
        self.function.variables.get(local as usize).is_some_and(|variable| variable.facts.is_guard)
    }

    fn alias(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let target = arguments[0].target.map(|slot| self.inner_target(state, slot));
        let value = arguments[0].target.map(|slot| state.stored(&self.paths, slot)).unwrap_or_default();
        self.give(state, call, value, target, site);
    }

    fn peek(&mut self, state: &mut State, call: &Call, arguments: &[Argument], through: bool, site: Site) {
        if call.part.is_some() || !through {
            return self.give(state, call, arguments[0].value.clone(), arguments[0].target, site);
        }
        self.alias(state, call, arguments, site);
        let slot = self.resolve(state, &call.to);
        if self.paths.lock_above(slot).is_none() && !arguments[0].value.is_empty() {
            state.add(slot, &arguments[0].value);
        }
    }

    /// What the slot points at; for a wrapper, the one thing that is pointed at in it.
    fn inner_target(&mut self, state: &State, slot: PathId) -> PathId {
        let mut inside = self.targets_below(state, slot);
        inside.dedup();
        match inside[..] {
            [only] => only,
            _ => self.target_of(state, slot),
        }
    }

    fn pass(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let inside = self.operand_slot(state, &call.arguments[0]).map(|slot| self.targets_below(state, slot));
        let target = inside.and_then(|inside| inside.first().copied());
        self.give(state, call, Value::union(&values(arguments)), target, site);
    }

    /// A future that is a lock still to be had gives its guard where the result is looked into.
    fn poll(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let future = arguments[0].target.and_then(|target| self.paths.root_local(target));
        let pending = future.and_then(|local| state.pending.get(&local).copied());
        let pointer = arguments[0].target.and_then(|target| state.pointer(&self.paths, target));
        let pointer = pointer.filter(|_| call.result.holds_guard || call.result.borrows);
        self.give(state, call, arguments[0].value.clone(), pointer, site);
        if let Some(pending) = pending {
            state.pending.insert(call.to.local, Pending { later: false, ..pending });
        }
    }

    /// The clone of an `Arc`: another name for the same thing, unless it was found under a lock. Then it is a copy of
    /// what was there, and stays what it is when the original is replaced. The same where it was loaded, and what it was loaded
    /// into is gone after the statement.
    fn handle(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let slot = arguments[0].target;
        let open = slot.filter(|&slot| self.paths.lock_above(slot).is_none() && !self.is_loaded_for_now(state, slot));
        let target = open.map(|slot| self.target_of(state, slot));
        self.give(state, call, arguments[0].value.clone(), target, site);
    }

    /// The guard goes into the result, and whether there is such a part is something that was seen.
    fn part(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let part = arguments[0].target.map(|target| self.paths.child(target, &Step::Element));
        let value = arguments[0].target.map(|target| self.found_at(state, target, site)).unwrap_or_default();
        self.give(state, call, value, part, site);
    }

    /// What is there decides what is put there. Others see a write; nothing old decides it.
    pub(super) fn merge(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        let Some(target) = arguments[0].target else { return self.unknown(state, call, arguments, site) };
        let value = self.found_at(state, target, site).map_looks(|look| Origin { how: How::Reserved, ..look });
        if let Some(lock) = self.paths.lock_above(target) {
            self.update_by_closure(state, call, lock, site);
            self.record_gentle_write(state, target, call.meaning == Some(Meaning::Sift), site);
            let container = self.paths.parent(target).filter(|_| self.paths.step(target) == Some(&Step::Element));
            // Who is led to the entry has asked whether it is there, and not what is in it.
            let asked = if call.result.borrows && container.is_some() { None } else { Some(target) };
            state.rechecked.extend([asked, container].into_iter().flatten().map(|looked| (lock, looked)));
        }
        self.give(state, call, value, call.result.borrows.then_some(target), site);
    }

    /// Nothing is known of the callee: its result may depend on all it was given, and it may change what was lent.
    pub(super) fn unknown(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        self.may_look_again(state, arguments);
        if let Some(entry) = self.next_entry(state, call, arguments) {
            return self.give(state, call, Value::default(), Some(entry), site);
        }
        let all = Value::union(&values(arguments));
        let projects = call.result.borrows && !call.result.holds_guard;
        let lent = || arguments.iter().filter(|argument| argument.mutable).filter_map(|argument| argument.target);
        if lent().next().is_some() {
            self.change_lent(state, arguments, projects, site);
        } else {
            self.compare(state, &values(arguments));
        }
        let target = projects.then(|| self.projection(state, arguments)).flatten();
        let value = if projects { all } else { self.handed_out(all, &lent().collect::<Vec<_>>()) };
        self.give(state, call, value, target, site);
    }

    /// An iterator that holds a map's lock gives an entry, which holds it too.
    fn next_entry(&mut self, state: &State, call: &Call, arguments: &[Argument]) -> Option<PathId> {
        let iterator = arguments.first()?.target.filter(|_| call.result.holds_guard && arguments.len() == 1)?;
        let carrier = self.paths.root_local(iterator)?;
        let is_map = |lock: PathId| self.lock_types.get(&lock).is_some_and(|of| of.kind == LockKind::Map);
        let (map, _) = state.held.carried_by(carrier).find(|(lock, _)| is_map(*lock))?;
        let entries = self.paths.child(map, &Step::Data);
        Some(self.paths.child(entries, &Step::Element))
    }

    /// What is lent mutably changes, unless the call only leads into it (`iter_mut`, `get_mut`).
    fn change_lent(&mut self, state: &mut State, arguments: &[Argument], projects: bool, site: Site) {
        for (index, argument) in arguments.iter().enumerate() {
            let Some(target) = argument.target.filter(|_| argument.mutable) else { continue };
            let others = arguments.iter().enumerate().filter(|(other, _)| *other != index);
            let value = Value::union(others.map(|(_, other)| &other.value));
            if self.paths.lock_above(target).is_none() {
                let known = self.found_at(state, target, site);
                self.note_store(state, self.change(target, Effect::Calls, &value), &value);
                self.note_flow(state, target, &value, site);
                state.values.insert(target, Value::union([&known, &value]).into());
            } else if !projects {
                self.write(state, target, &value, Effect::Calls, site);
            }
        }
    }

    /// A result that borrows points into the first argument that points anywhere.
    fn projection(&mut self, state: &State, arguments: &[Argument]) -> Option<PathId> {
        let target = arguments.iter().find_map(|argument| argument.target)?;
        let base = state.pointer(&self.paths, target).unwrap_or(target);
        Some(self.paths.child(base, &Step::Element))
    }
}

fn values(arguments: &[Argument]) -> Vec<Value> {
    arguments.iter().map(|argument| argument.value.clone()).collect()
}
