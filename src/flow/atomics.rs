//! Operations on atomics that belong together: each is a section of its own, and what matters is what lies between two.

use crate::domain::facts::{Counted, CountedBack, Effect, Use, UseKind, Written};
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, whole_local};
use crate::domain::set::Set;
use crate::domain::state::{Decision, State};
use crate::domain::value::Value;
use crate::events::{
    BlockId, Call, Counts, Event, EventKind, Function, Local, Meaning, Mode, Operand, Place, PlaceStep, Rvalue, Site,
    TypeFacts,
};
use crate::flow::calls::Argument;
use crate::flow::control::leads_on;
use crate::flow::decisions::Change;
use crate::flow::liveness::reads;
use crate::flow::positions::{LONGEST, set_by};
use crate::flow::record::locks_in;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

impl Walker<'_> {
    /// `compare_exchange`: looks and writes in one step. What it expects may be from long ago, and its answer may be lost.
    pub(super) fn exchange(&mut self, state: &mut State, call: &Call, arguments: &[Argument], weak: bool, site: Site) {
        let lock = arguments[0].target.and_then(|target| self.paths.lock_above(target));
        if let (Some(lock), true) = (lock, self.record.is_some()) {
            self.record_exchange(lock, call, [&arguments[1].value, &arguments[2].value], weak, site);
        }
        self.exchanges.insert(site);
        self.merge(state, call, arguments, site);
    }

    fn record_exchange(&mut self, lock: PathId, call: &Call, [expected, new]: [&Value; 2], weak: bool, site: Site) {
        let origins: Vec<Origin> = expected.looks.iter().copied().filter(|origin| origin.lock == lock).collect();
        let again = self.control().in_a_loop(self.function, self.block);
        let from_before = |origin: &Origin| {
            let seen = self.section_blocks.get(&origin.section);
            seen.is_some_and(|&seen| !self.control().in_one_loop(seen, self.block))
        };
        let set_once =
            call.arguments[1].place().and_then(whole_local).is_some_and(|local| is_set_once(self.function, local));
        let around = again && set_once && !origins.is_empty() && origins.iter().all(from_before);
        let ignored = whole_local(&call.to).is_some_and(|result| is_ignored(self.function, result));
        if ignored && origins.is_empty() {
            self.ignored_exchanges.insert(lock, (site, self.block));
        }
        if ignored {
            self.note_unminded(lock, origins.iter().map(|origin| origin.read).collect(), site);
        }
        let root = self.paths.root_of(lock);
        let own = new.inputs.iter().any(|input| self.paths.root_of(input.path) != root)
            || call.arguments[2].place().is_some_and(|new| is_returned_after(self.function, self.block, new));
        let before = call.arguments[1].place().and_then(whole_local);
        let before = before.and_then(|local| given_by(self.function, local)).filter(|at| self.counts.contains_key(at));
        let outdated = before.is_some_and(|at| origins.iter().any(|origin| origin.section == at));
        let kind = UseKind::Exchange { target: lock, around, ignored, weak, own, outdated };
        if let (Some(record), true) = (&mut self.record, around || ignored || outdated) {
            let among = locks_in(expected);
            record.uses.push(Use { site, kind, by_callee: false, among, origins, around_loop: Vec::new() });
        }
    }

    /// What a pointer was found by: the numbers in atomics that were the positions of what it leads to. What is loaded there is
    /// what they lead to.
    pub(super) fn way_to(&self, state: &State, pointer: PathId) -> Value {
        state.nearest(&self.paths, pointer).map(|value| self.atomics_in(value)).unwrap_or_default()
    }

    /// Loaded from an atomic into something without a name.
    pub(super) fn is_loaded_for_now(&self, state: &State, slot: PathId) -> bool {
        let variable = self.paths.root_local(slot).and_then(|local| self.function.variables.get(local as usize));
        variable.is_some_and(|variable| variable.name.is_none()) && !self.way_to(state, slot).is_empty()
    }

    /// What a place was found by that leads through positions, or through a reference. Where a raw pointer leads to is for those who
    /// follow it to know, who are mostly alone.
    pub(super) fn way_through(&mut self, state: &State, place: &Place) -> Value {
        let mut way = Value::default();
        let is_reference = |facts: TypeFacts| facts.borrows && !facts.raw;
        let is_reference = self.function.variables.get(place.local as usize).is_some_and(|it| is_reference(it.facts));
        if is_reference && matches!(place.steps.first(), Some(PlaceStep::Deref { .. })) {
            let reference = self.paths.local(place.local);
            way = self.way_to(state, reference);
        }
        for step in &place.steps {
            if let PlaceStep::Index(position) = step {
                let position = self.paths.local(*position);
                way.add(&self.way_to(state, position));
            }
        }
        way
    }

    /// Looks at atomics alone.
    pub(super) fn atomics_in(&self, value: &Value) -> Value {
        let atomic = |origin: &&Origin| self.is_atomic(origin.lock);
        Value { looks: value.looks.iter().filter(atomic).copied().collect(), inputs: Set::default() }
    }

    /// `fetch_add` and its kin: the new value is made of the present one, which is the result.
    pub(super) fn adjust(
        &mut self,
        state: &mut State,
        call: &Call,
        arguments: &[Argument],
        counts: Option<Counts>,
        site: Site,
    ) {
        let Some(target) = arguments[0].target else { return self.unknown(state, call, arguments, site) };
        let before = self.found_at(state, target, site);
        let all = Value::union(arguments[1..].iter().map(|argument| &argument.value).chain([&before]));
        if let Some(lock) = self.paths.lock_above(target) {
            if let Some(counts) = counts {
                self.note_count(state, lock, counts, site);
                self.record_counted_on(state, lock, call, site);
                let added = Value::union(arguments[1..].iter().map(|argument| &argument.value));
                self.note_credit(state, lock, &added, site);
            }
            self.write(state, target, &all, Effect::Adjusts, site);
        }
        self.give(state, call, before, None, site);
    }

    /// What was loaded, and no branch has asked for, lives on beside what is stored now: what came in between is in neither.
    pub(super) fn record_reset(&mut self, state: &State, lock: PathId, target: PathId, site: Site) {
        if self.record.is_none() || !self.is_atomic(lock) {
            return;
        }
        let loaded = |look: &Origin| {
            look.lock == lock && look.shared && look.how == How::Copied && !look.implicit && !look.by_callee
        };
        let asked: BTreeSet<Site> =
            self.decisions_leading_here(state).flat_map(|it| &it.value.looks).map(|look| look.read).collect();
        // What was computed from it may be a size or a word for a message.
        let itself = |path: PathId, look: &Origin| {
            let local = self.paths.root_local(path).filter(|_| self.paths.parent(path).is_none());
            local.is_some_and(|local| given_by(self.function, local) == Some(look.read))
        };
        let live = state.values.iter().flat_map(|(&path, value)| value.looks.iter().map(move |look| (path, look)));
        let live = live.filter(|(path, look)| loaded(look) && !asked.contains(&look.read) && itself(*path, look));
        let looks: Set<Origin> = live.map(|(_, look)| *look).collect();
        self.record_use(state, UseKind::Reset { target }, &Value { looks, inputs: Set::default() }, site);
    }

    /// Here, or in a function that is called here.
    pub(super) fn record_counted(&mut self, lock: PathId, counts: Counts, site: Site) {
        let by_callee = self.applying;
        let Some(record) = &self.record else { return };
        let before = record.sends.iter().filter(|(sent, _)| *sent < site);
        let sent = before.filter(|(_, block)| self.control().dominates(*block, self.block)).map(|(sent, _)| *sent);
        // A callee that sends, too, has its own order of things.
        let sends_itself = record.sends.iter().any(|(sent, _)| *sent == site);
        let sent = sent.max().filter(|_| !sends_itself);
        if let Some(record) = &mut self.record {
            record.apart.counted.push(Counted { lock, site, counts, sent, by_callee });
            record.notes.counted.insert((lock, counts));
        }
    }

    /// Counted one way, and because of what was there counted back.
    fn note_count(&mut self, state: &State, lock: PathId, counts: Counts, site: Site) {
        self.counts.insert(site, counts);
        if self.record.is_none() || !self.is_atomic(lock) {
            return;
        }
        if !self.applying {
            self.record_counted(lock, counts, site);
        }
        let taken_back = |origin: &&Origin| {
            let before = self.counts.get(&origin.section);
            origin.lock == lock && !origin.by_callee && before.is_some_and(|&before| before != counts)
        };
        let leading = self.decisions_leading_here(state).flat_map(|decision| &decision.value.looks);
        let counted: BTreeSet<Site> = leading.filter(taken_back).map(|origin| origin.section).collect();
        if let Some(record) = &mut self.record {
            let new = counted.into_iter().map(|counted| CountedBack { lock, counted, back: site });
            record.counted_back.extend(new);
        }
    }

    /// Counted after an exchange that expects a certain number, done or not, and what it was is used. Who holds a lock meanwhile may
    /// be alone.
    fn record_counted_on(&mut self, state: &State, lock: PathId, call: &Call, site: Site) {
        let Some(&(exchanged, block)) = self.ignored_exchanges.get(&lock).filter(|_| self.record.is_some()) else {
            return;
        };
        let used = whole_local(&call.to).is_some_and(|result| !is_ignored(self.function, result));
        let alone = state.held.certain().any(|(held, holding)| held != lock && holding.mode == Mode::Exclusive);
        let before = !alone && exchanged < site && self.control().dominates(block, self.block);
        let kind = UseKind::CountedOn { target: lock, exchanged };
        if let (Some(record), true) = (&mut self.record, used && before) {
            let (origins, around_loop) = (Vec::new(), Vec::new());
            record.uses.push(Use { site, kind, by_callee: false, among: 0, origins, around_loop });
        }
    }

    /// Something is written to an atomic that does not depend on what was there.
    pub(super) fn note_blind_store(&mut self, lock: PathId, value: &Value, site: Site) {
        if self.is_atomic(lock) && !value.looks.iter().any(|origin| origin.lock == lock) {
            self.blind_stores.insert(site);
        }
    }

    /// The way forks on what an atomic held before this thread wrote to it without a look.
    pub(super) fn record_late_test(&mut self, value: &Value, site: Site) {
        let late = |origin: &&Origin| {
            let stored = origin.entered().filter(|entered| self.blind_stores.contains(entered));
            stored.is_some() && origin.shared && self.is_atomic(origin.lock)
        };
        let origins: Vec<Origin> = value.looks.iter().filter(late).copied().collect();
        let among = locks_in(value);
        if let (Some(record), Some(first)) = (&mut self.record, origins.first()) {
            let stored = first.entered().unwrap_or(site);
            let kind = UseKind::LateTest { stored };
            record.uses.push(Use { site, kind, by_callee: false, among, origins, around_loop: Vec::new() });
        }
    }

    /// A count was changed, and what it was before decides that something goes which a lock protects, which is taken only
    /// then. To put something there is another matter: whoever counts down finds it.
    pub(super) fn record_late_act(
        &mut self,
        state: &State,
        decision: &Decision,
        lock: PathId,
        effect: Effect,
        site: Site,
    ) {
        let Some(holding) = state.held.maybe(lock).filter(|_| !self.applying && effect == Effect::Removes) else {
            return;
        };
        let counted = |origin: &&Origin| {
            let before = origin.lock != lock && !origin.shared && origin.section < holding.section;
            before && !origin.by_callee && self.is_atomic(origin.lock) && !self.is_settled(state, origin)
        };
        let origins: Vec<Origin> = decision.value.looks.iter().filter(counted).copied().collect();
        if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
            let (kind, among) = (UseKind::Late { lock }, locks_in(&decision.value));
            record.uses.push(Use { site, kind, by_callee: false, among, origins, around_loop: Vec::new() });
        }
    }

    /// An atomic was loaded, and because of what it was something is changed that a lock protects, which is taken only then;
    /// and nothing is looked at under the lock before.
    pub(super) fn record_untested_act(
        &mut self,
        state: &State,
        decision: &Decision,
        lock: PathId,
        effect: Effect,
        site: Site,
    ) {
        let changes = matches!(effect, Effect::Overwrites | Effect::Adjusts | Effect::Calls);
        let Some(holding) = state.held.maybe(lock).filter(|_| changes && self.has_guards(lock)) else { return };
        if self.elsewhere || self.looks_under(state, lock, holding.section) {
            return;
        }
        let tested = |origin: &&Origin| {
            let before = origin.lock != lock && origin.shared && origin.section < holding.section;
            let alone = origin.cover.is_none() && origin.seen_under.is_none();
            let again = self.is_settled(state, origin) || self.is_rechecked(state, origin);
            before && alone && self.is_atomic(origin.lock) && origin.how == How::Copied && !again
        };
        let origins: Vec<Origin> = decision.value.looks.iter().filter(tested).copied().collect();
        let by_callee = self.applying;
        if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
            let (kind, among) = (UseKind::Untested { lock }, locks_in(&decision.value));
            record.uses.push(Use { site, kind, by_callee, among, origins, around_loop: Vec::new() });
        }
    }

    /// Something that the section has seen decides, too.
    fn looks_under(&self, state: &State, lock: PathId, section: Site) -> bool {
        let seen = |look: &Origin| look.lock == lock && look.section == section;
        state.rechecked.iter().any(|&(of, _)| of == lock)
            || self.decisions_leading_here(state).any(|decision| decision.value.looks.iter().any(seen))
    }

    /// Another atomic is overwritten because of the decision.
    pub(super) fn note_reset(&mut self, decision: &Decision, change: Change, lock: PathId) {
        let blind = change.effect == Effect::Overwrites && !matches!(change.written, Written::Constant(_));
        let other = decision.value.looks.iter().all(|look| look.lock != lock);
        let counts = blind && other && self.is_atomic(lock);
        if let (Some(record), true) = (&mut self.record, counts) {
            record.resets.entry(decision.site).or_insert(change.target);
        }
    }
}

/// It, and what it is a copy of, is set in one place.
fn is_set_once(function: &Function, variable: Local) -> bool {
    let mut variable = variable;
    for _ in 0..LONGEST {
        let sets = |event: &&Event| set_by(&event.kind).is_some_and(|to| to.local == variable);
        let mut setting = function.events().filter(sets);
        let (first, second) = (setting.next(), setting.next());
        match first.filter(|_| second.is_none()).map(|event| &event.kind) {
            Some(EventKind::Assign { value: Rvalue::Use(operand), .. }) => {
                let Some(source) = operand.place().and_then(whole_local) else { return true };
                variable = source;
            }
            Some(_) => return true,
            None => return false,
        }
    }
    false
}

/// The call that it is the whole result of, directly or by copies that are made once.
fn given_by(function: &Function, variable: Local) -> Option<Site> {
    let mut variable = variable;
    for _ in 0..LONGEST {
        let sets = |event: &&Event| set_by(&event.kind).is_some_and(|to| to.local == variable);
        let mut setting = function.events().filter(sets);
        let first = setting.next().filter(|_| setting.next().is_none())?;
        match &first.kind {
            EventKind::Call(call) if whole_local(&call.to) == Some(variable) => return Some(first.site),
            EventKind::Assign { value: Rvalue::Use(operand), .. } => {
                variable = operand.place().and_then(whole_local)?
            }
            _ => return None,
        }
    }
    None
}

/// The same value is what the function returns, on a way from the block.
fn is_returned_after(function: &Function, block: BlockId, value: &Place) -> bool {
    let source = |place: &Place| whole_local(place).map(|local| copied_from(function, local));
    let Some(value) = source(value) else { return false };
    let returned = |operand: &Operand| operand.place().and_then(source) == Some(value);
    let returns = |event: &Event| match &event.kind {
        EventKind::Assign { to, value: Rvalue::Use(operand) } => whole_local(to) == Some(0) && returned(operand),
        EventKind::Assign { to, value: Rvalue::Aggregate { parts, .. } } => {
            whole_local(to) == Some(0) && parts.iter().any(|part| returned(&part.operand))
        }
        _ => false,
    };
    let mut blocks = function.blocks.iter().enumerate();
    blocks.any(|(next, data)| data.events.iter().any(returns) && leads_on(function, block, next))
}

/// The variable that it is a copy of, by copies that are made once.
fn copied_from(function: &Function, variable: Local) -> Local {
    let mut variable = variable;
    for _ in 0..LONGEST {
        let sets = |event: &&Event| set_by(&event.kind).is_some_and(|to| to.local == variable);
        let mut setting = function.events().filter(sets);
        let (Some(first), None) = (setting.next(), setting.next()) else { break };
        let EventKind::Assign { value: Rvalue::Use(operand), .. } = &first.kind else { break };
        let Some(source) = operand.place().and_then(whole_local) else { break };
        variable = source;
    }
    variable
}

/// Nobody reads it but to throw it away: `let _ = ..`, `.ok();`.
pub(super) fn is_ignored(function: &Function, result: Local) -> bool {
    let mut readers = function.events().filter(|event| reads(function, event, result));
    readers.all(|event| match &event.kind {
        EventKind::Call(call) => {
            let thrown_away = whole_local(&call.to).is_some_and(|next| is_unread(function, next));
            thrown_away && matches!(call.meaning, None | Some(Meaning::Pass)) && !call.result.unit
        }
        _ => false,
    })
}

fn is_unread(function: &Function, local: Local) -> bool {
    local != 0 && !function.events().any(|event| reads(function, event, local))
}
