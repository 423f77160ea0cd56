//! Closures. Their type says which code they run, so wherever one is called, or handed to someone who may call it, its
//! summary is applied: `guard.iter().any(|it| ..)` looks under the lock, `self.with_state(|state| ..)` writes under it.
//!
//! A function that calls what it was given tells its callers so, and they apply the closure that they gave.

use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Step};
use crate::domain::state::{Decision, State, Target};
use crate::domain::value::{Input, Value};
use crate::events::{Beyond, Call, Closure, Field, Local, Operand, Site};
use crate::flow::apply::{Actuals, Outcome};
use crate::flow::calls::Argument;
use crate::flow::decisions::IN_CALL;
use crate::flow::summarise::NotedInvocation;
use crate::flow::transfer::Walker;
use crate::summary::{Invocation, invoked};

/// Locals that stand for the arguments of a closure while it is applied. No body has locals of these numbers.
const SCRATCH: Local = Local::MAX - 1000;

/// Places for arguments at each depth: what was captured, the result, and the parameters.
const PLACES: Local = 12;

/// Closures in closures deeper than this are not followed.
const DEEPEST: Local = 6;

impl Walker<'_> {
    /// A reference, or something that has one in it.
    pub(super) fn borrows(&self, operand: &Operand) -> bool {
        let variable = operand.place().and_then(|place| self.function.variables.get(place.local as usize));
        variable.is_some_and(|variable| variable.facts.borrows)
    }

    pub(super) fn closure_in(&self, operand: &Operand) -> Option<Closure> {
        let place = operand.place().filter(|place| place.steps.is_empty())?;
        self.function.variables.get(place.local as usize)?.closure
    }

    fn scratch(&mut self, number: Local) -> PathId {
        self.paths.local(SCRATCH - self.depth * PLACES - number)
    }

    /// Runs the closure that lies in the slot.
    fn run(
        &mut self,
        state: &mut State,
        closure: Closure,
        slot: PathId,
        given: &[Given],
        site: Site,
    ) -> Option<Outcome> {
        if !self.elsewhere {
            self.record_call(state, closure.body, site);
        }
        let summary = self.known(closure.body).or_else(|| self.learn(closure.body))?;
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let captured = if closure.behind_reference { self.target_of(state, slot) } else { slot };
        let mut slots = vec![Some(captured)];
        if closure.by_reference {
            let pin = self.scratch(0);
            state.pointers.insert(pin, Target::Known(captured));
            slots = vec![Some(pin)];
        }
        for (number, given) in (2..PLACES).zip(given) {
            let parameter = self.scratch(number);
            state.clear(&self.paths, parameter);
            state.values.insert(parameter, given.value.clone().into());
            state.pointers.extend(given.pointer.map(|pointer| (parameter, Target::Known(pointer))));
            slots.push(Some(parameter));
        }
        let mut actuals = Actuals::new(&summary, slots);
        let callee = self.callee.take();
        let mut outcome = self.apply_summary(state, &mut actuals, &summary, site);
        outcome.value = outcome.value.map_looks(|look| self.as_seen_here(look, site));
        self.callee = callee;
        for number in 0..PLACES {
            let place = self.scratch(number);
            state.clear(&self.paths, place);
        }
        self.depth -= 1;
        Some(outcome)
    }

    /// What a closure of this body loads is loaded here, as everyone can see who reads it.
    fn as_seen_here(&self, look: Origin, site: Site) -> Origin {
        let loaded = look.read == site && self.is_atomic(look.lock) && self.depth == 1;
        Origin { by_callee: look.by_callee && !loaded, ..look }
    }

    /// `f(a, b)`: a closure that is known, or one that the caller knows.
    pub(super) fn invoke(&mut self, state: &mut State, call: &Call, site: Site) {
        let (callee, tuple) = (&call.arguments[0], &call.arguments[1]);
        let slot = self.operand_slot(state, callee);
        let given = self.parts_given(state, tuple, site);
        let closure = self.closure_in(callee);
        let outcome = closure.zip(slot).and_then(|(closure, slot)| self.run(state, closure, slot, &given, site));
        match (outcome, slot) {
            (Some(outcome), _) => self.apply_outcome(state, call, outcome, site),
            (None, Some(slot)) => {
                let tuple = self.operand_slot(state, tuple);
                self.invoke_unknown(state, call, slot, given, tuple, site);
            }
            (None, None) => self.give(state, call, Value::default(), None, site),
        }
    }

    /// What is called came from the caller, who will know; the result stands for whatever comes of it.
    fn invoke_unknown(
        &mut self,
        state: &mut State,
        call: &Call,
        slot: PathId,
        given: Vec<Given>,
        tuple: Option<PathId>,
        site: Site,
    ) {
        let behind = state.pointer(&self.paths, slot).unwrap_or(slot);
        let origin = state.stored(&self.paths, behind);
        let callee = origin.inputs.first().map_or(behind, |input| input.path);
        if !self.is_input(callee) {
            let all = Value::union(given.iter().map(|given| &given.value));
            return self.give(state, call, all, None, site);
        }
        if let Some(tuple) = tuple {
            self.note_handle_given(state, tuple, site);
        }
        let result = self.note_invocation(state, callee, &given, site);
        let mut value = Value::union(given.iter().map(|given| &given.value));
        value.inputs.insert(Input::read(result));
        let pointer = call.result.pointer.then(|| self.paths.child(result, &Step::Pointee { shared: true }));
        self.give(state, call, value, pointer, site);
    }

    fn note_invocation(&mut self, state: &State, callee: PathId, given: &[Given], site: Site) -> PathId {
        let next = self.invocations.len();
        let number = *self.invocations.entry(site).or_insert(next);
        let (under_lock, under) = (state.held.maybe_any(), state.held.possible().collect());
        let given = given.iter().map(|given| (given.value.clone(), given.pointer)).collect();
        // On a thread that is started here it is no call that the caller would wait for.
        if !self.elsewhere {
            self.note_invoked(NotedInvocation { number, callee, given, under_lock, under });
        }
        self.paths.local(invoked(number))
    }

    /// A callee calls what it was given here.
    pub(super) fn apply_invocation(
        &mut self,
        state: &mut State,
        actuals: &mut Actuals<'_>,
        invocation: &Invocation,
        site: Site,
    ) {
        let given: Vec<Given> = invocation
            .given
            .iter()
            .map(|given| Given {
                value: self.value_of(state, actuals, &given.sources, site),
                pointer: given.pointer.and_then(|path| self.translate(state, actuals, path)),
            })
            .collect();
        let Some(slot) = self.translate(state, actuals, invocation.callee) else { return };
        let closure = actuals.closure(invocation.callee);
        let result = self.scratch(1);
        state.clear(&self.paths, result);
        match closure.and_then(|closure| self.run(state, closure, slot, &given, site)) {
            Some(outcome) => {
                state.values.insert(result, outcome.value.into());
                state.pointers.extend(outcome.pointer.map(|pointer| (result, Target::Known(pointer))));
                actuals.invoked.insert(invocation.number, result);
            }
            None if self.is_input(slot) => {
                let passed_on = self.note_invocation(state, slot, &given, site);
                actuals.invoked.insert(invocation.number, passed_on);
            }
            None => {}
        }
    }

    fn parts_given(&mut self, state: &mut State, tuple: &Operand, site: Site) -> Vec<Given> {
        let Some(slot) = self.operand_slot(state, tuple) else { return Vec::new() };
        let parts = (0..PLACES - 2).map(|index| {
            let part = self.paths.child(slot, &Step::Field(Field::numbered(index)));
            let pointer = state.pointers.get(&part).and_then(|target| match target {
                Target::Known(target) => Some(*target),
                Target::Several => None,
            });
            Given { value: self.found_at(state, part, site), pointer }
        });
        parts.collect()
    }

    /// Whether it calls the closure here, or on another thread, or never, must be known: the closure takes locks.
    pub(super) fn is_given_locks_to_take(&self, call: &Call) -> bool {
        let closures = call.arguments.iter().filter_map(|argument| self.closure_in(argument));
        let mut summaries = closures.filter_map(|closure| self.known(closure.body));
        summaries.any(|summary| !summary.sections.is_empty() || !summary.wants.is_empty())
    }

    /// Someone unknown is given closures: he may call them with what else he is given, or with a part of it.
    pub(super) fn run_given(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        site: Site,
    ) -> Option<Outcome> {
        let mut all: Option<Outcome> = None;
        if call.arguments.iter().any(|operand| self.closure_in(operand).is_some()) {
            self.settle_given(state, call);
        }
        for (index, operand) in call.arguments.iter().enumerate() {
            let Some(closure) = self.closure_in(operand) else { continue };
            let Some(slot) = self.operand_slot(state, operand) else { continue };
            let others = || arguments.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, other)| other);
            let value = Value::union(others().map(|other| &other.value));
            let pointer = self.given_pointer(state, call, arguments, index);
            let given: Vec<Given> = (2..PLACES).map(|_| Given { value: value.clone(), pointer }).collect();
            self.decide_in_call(state, arguments, index, site);
            let spawns = call.beyond == Some(Beyond::Spawns);
            if spawns {
                self.record_spawn(state, closure.body, slot, call.for_many, site);
            }
            let elsewhere = std::mem::replace(&mut self.elsewhere, spawns);
            let may_be_later = self.later || self.can_be_kept(operand);
            let later = std::mem::replace(&mut self.later, may_be_later);
            let outcome = self.run(state, closure, slot, &given, site);
            self.note_run_by_others(closure.body);
            (self.elsewhere, self.later) = (elsewhere, later);
            state.decisions.remove(&IN_CALL);
            let Some(outcome) = outcome else { continue };
            let known = all.get_or_insert_default();
            known.value.add(&outcome.value);
            known.pointer = known.pointer.or(outcome.pointer);
            known.guards.extend(outcome.guards);
        }
        all
    }

    /// Borrows nothing: whoever is given it may keep it, and run it on another thread.
    fn can_be_kept(&self, operand: &Operand) -> bool {
        let variable = operand.place().and_then(|place| self.function.variables.get(place.local as usize));
        variable.is_some_and(|variable| !variable.facts.borrows)
    }

    /// Futures that are given to someone who runs them.
    pub(super) fn record_futures(&mut self, state: &mut State, call: &Call, site: Site) {
        if call.beyond != Some(Beyond::Spawns) {
            return;
        }
        for operand in &call.arguments {
            let variable = operand.place().and_then(|place| self.function.variables.get(place.local as usize));
            if let Some(body) = variable.and_then(|variable| variable.future)
                && let Some(slot) = self.operand_slot(state, operand)
            {
                self.record_spawn(state, body, slot, false, site);
            }
        }
    }

    /// A guard that is handed over with the closure is there when the closure runs.
    fn settle_given(&mut self, state: &mut State, call: &Call) {
        for operand in &call.arguments {
            let Operand::Move(place) = operand else { continue };
            if state.pending.get(&place.local).is_some_and(|pending| !pending.later) {
                self.settle_pending(state, place.local);
            }
        }
    }

    /// Whether a closure is run (`unwrap_or_else`) depends on what comes before it.
    fn decide_in_call(&mut self, state: &mut State, arguments: &[Argument], closure: usize, site: Site) {
        let looks = arguments.first().filter(|_| closure > 0).map(|first| first.value.looks.clone());
        if let Some(looks) = looks.filter(|looks| !looks.is_empty()) {
            let value = Value { looks, ..Value::default() };
            state.decisions.insert(IN_CALL, Decision { site, gone: false, asserted: false, value: value.into() });
        }
    }

    /// A reference is given on to a part of it; what is in a wrapper is given on as it is.
    fn given_pointer(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        closure: usize,
    ) -> Option<PathId> {
        let first = (0..arguments.len()).find(|&other| other != closure)?;
        let operand = &call.arguments[first];
        let place = operand.place()?;
        let reference = self.function.variables.get(place.local as usize).is_some_and(|it| it.facts.pointer);
        if reference {
            return arguments[first].target.map(|target| self.paths.child(target, &Step::Element));
        }
        let slot = self.operand_slot(state, operand)?;
        self.targets_below(state, slot).first().copied()
    }
}

/// One argument of a closure.
pub(super) struct Given {
    value: Value,
    pointer: Option<PathId>,
}
