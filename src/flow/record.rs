//! What the last walk writes down for the checks.

use crate::domain::facts::{
    Access, Apart, BodyFacts, CallUnder, CalledOn, ChangeAfter, CountedBack, Double, Effect, Enlisting, HeldAsleep,
    Lacking, LateWord, LockPair, Notification, Polled, SectionSpan, Sleep, Spawned, StaleRead, Use, UseKind, Wait,
    Write, Written,
};
use crate::domain::origin::{How, Origin};
use crate::domain::path::{PathId, Step};
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Beyond, BlockId, Call, DefinitionId, EventKind, Function, Local, Mode, Order, Site};
use crate::flow::Walked;
use crate::flow::control::leads_on;
use crate::flow::decisions::{Change, Flow};
use crate::flow::expected::Filled;
use crate::flow::results;
use crate::flow::steps::Steps;
use crate::flow::summarise::Notes;
use crate::flow::transfer::Walker;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Record {
    pub(super) notes: Notes,
    pub(super) uses: Vec<Use>,
    /// How strictly the operations on atomics are ordered.
    pub(super) orders: BTreeMap<Site, Order>,
    pub(super) acts: Vec<Use>,
    pub(super) flows: Vec<Flow>,
    pub(super) writes: Vec<Write>,
    pub(super) counted_back: Vec<CountedBack>,
    pub(super) apart: Apart,
    pub(super) filled: Vec<Filled>,
    /// Where something is sent to another thread.
    pub(super) sends: Vec<(Site, BlockId)>,
    calls: Vec<CallUnder>,
    spawned: Vec<Spawned>,
    pub(super) accesses: Vec<Access>,
    /// Atomics that are written.
    pub(super) stored: Vec<(PathId, Site)>,
    pub(super) waits: Vec<Wait>,
    pub(super) notifications: Vec<Notification>,
    pub(super) changes_after: Vec<ChangeAfter>,
    pub(super) asleep: Vec<HeldAsleep>,
    pub(super) sleeps: Vec<Sleep>,
    /// By the lock under which was looked and the place, and those that sleep without a second look.
    pub(super) enlistings: BTreeMap<(PathId, Site), Enlisting>,
    pub(super) late_words: Vec<LateWord>,
    pub(super) polled: Vec<Polled>,
    pub(super) wanted: BTreeSet<PathId>,
    pub(super) slept: BTreeSet<(PathId, Site)>,
    pub(super) taken: BTreeSet<(PathId, Mode)>,
    pub(super) lacking: Vec<Lacking>,
    pub(super) doubles: Vec<Double>,
    pub(super) pairs: Vec<LockPair>,
    pub(super) pairs_under: Vec<Vec<(PathId, Mode)>>,
    /// By the place where the lock is taken.
    pub(super) sections: BTreeMap<(Site, PathId), SectionSpan>,
    /// Waits after which something is tested, and those whose section ends without it.
    pub(super) waits_tested: BTreeSet<Site>,
    pub(super) waits_left: BTreeMap<Site, Site>,
    /// Where the looks were made that branches are decided by.
    pub(super) tested: BTreeSet<Site>,
    /// Looks that what is returned is made of, and those that only which value is returned tells of.
    pub(super) returned: BTreeSet<(PathId, Site)>,
    pub(super) told: BTreeSet<Site>,
    /// Sections of which something seen in them is returned.
    pub(super) handed_out: BTreeSet<(PathId, Site)>,
    /// And those that must have found something: `unwrap`.
    pub(super) demanded: BTreeSet<Site>,
    /// What is done beyond the memory of the thread because of a branch.
    riders: BTreeMap<Site, Beyond>,
    /// What is overwritten because of it.
    pub(super) steps: Steps,
    /// Atomics that are overwritten because of a branch on something else.
    pub(super) resets: BTreeMap<Site, PathId>,
    pub(super) stale_reads: BTreeMap<(Local, Site), StaleRead>,
}

impl Walker<'_> {
    pub(super) fn start_recording(&mut self) {
        self.record = Some(Record::default());
    }

    pub(super) fn record_write(&mut self, state: &State, change: Change, site: Site) {
        let constant = match change.written {
            Written::Constant(number) if change.effect == Effect::Overwrites => number,
            _ => None,
        };
        let removes = change.effect == Effect::Removes;
        let of_many = removes && self.asks_for_one(change.written);
        self.push_write(state, Write { constant, removes, of_many, ..self.plain_write(change.target, site) });
        self.note_untold(state, change, site);
    }

    /// `remove(key)`, and not `pop()` or `clear()`.
    fn asks_for_one(&self, written: Written) -> bool {
        match self.event.filter(|_| !self.applying) {
            Some(EventKind::Call(call)) => call.arguments.len() > 1,
            _ => !matches!(written, Written::Constant(_)),
        }
    }

    /// A write that looks at what is there, and leaves it alone or takes it away.
    pub(super) fn record_gentle_write(&mut self, state: &State, target: PathId, removes: bool, site: Site) {
        self.push_write(state, Write { gentle: true, removes, ..self.plain_write(target, site) });
    }

    fn plain_write(&self, target: PathId, site: Site) -> Write {
        let by_callee = self.applying;
        Write {
            target,
            site,
            under: Vec::new(),
            gentle: false,
            removes: false,
            of_many: false,
            fills: self.fills(),
            adds: self.adds(),
            by_callee,
            constant: None,
        }
    }

    fn push_write(&mut self, state: &State, write: Write) {
        if write.fills {
            self.note_filled(state, write.target, write.site);
        }
        if let Some(record) = &mut self.record {
            let under = state.held.certain().map(|(lock, holding)| (lock, holding.mode)).collect();
            record.writes.push(Write { under, ..write });
        }
    }

    pub(super) fn record_call(&mut self, state: &State, callee: DefinitionId, site: Site) {
        if let Some(record) = &mut self.record {
            let under = state.held.certain().map(|(lock, holding)| (lock, holding.mode)).collect();
            let claimed = state.claimed.iter().copied().collect();
            let operated = state.operated.iter().copied().collect();
            record.calls.push(CallUnder {
                callee,
                site,
                under,
                on: CalledOn::Anything,
                by_others: false,
                repeatedly: false,
                claimed,
                operated,
            });
        }
    }

    /// It is given to a function of which nothing is known: under which locks that runs it is not known, either.
    pub(super) fn note_run_by_others(&mut self, closure: DefinitionId) {
        let calls = self.record.iter_mut().flat_map(|record| record.calls.iter_mut().rev());
        if let Some(call) = calls.into_iter().find(|call| call.callee == closure) {
            call.by_others = true;
        }
    }

    /// Whose object the call that was just recorded works on.
    pub(super) fn note_object(&mut self, state: &mut State, call: &Call, callees: usize) {
        if self.record.is_none() {
            return;
        }
        let Some(first) = call.arguments.first() else { return };
        if first.place().is_some_and(|place| self.vouched().contains(&place.local)) {
            self.mark_object(CalledOn::Vouched, callees);
            return;
        }
        let pointer = self.pointer_of(state, first).or_else(|| self.operand_slot(state, first));
        let Some(target) = pointer else { return };
        if self.is_lent_alone(target) {
            self.mark_object(CalledOn::Own, callees);
            return;
        }
        let Some(root) = self.paths.root_local(target).filter(|&root| !self.is_parameter(root)) else { return };
        let by_value = !self.paths.steps(target).into_iter().any(Step::is_pointee);
        // A handle without a known target is what was just made, or anything.
        let made = self.made_here.contains(&root);
        let lives_here = by_value && self.pointer_of(state, first).is_some();
        if self.captured.contains(&root) || !(lives_here || made) {
            return;
        }
        let own_handle = by_value || first.place().is_some_and(|place| self.moved_from(place.local) == root);
        let on = if own_handle { CalledOn::Own } else { CalledOn::Copy };
        self.mark_object(on, callees);
    }

    /// Part of what the body was given with `&mut`, and not behind anything that others may have too.
    fn is_lent_alone(&self, target: PathId) -> bool {
        let shares = self.paths.steps(target).into_iter().any(|step| *step == Step::Pointee { shared: true });
        let root = self.paths.root_local(target).filter(|&root| self.is_parameter(root));
        let variable = root.and_then(|root| self.function.variables.get(root as usize));
        variable.is_some_and(|variable| variable.facts.exclusive) && !shares
    }

    fn mark_object(&mut self, on: CalledOn, callees: usize) {
        // Only threads that use what no lock is tied to are counted.
        let counts = !self.function.exposures.is_empty();
        let repeatedly = counts && self.control().in_a_loop(self.function, self.block);
        if let Some(record) = &mut self.record {
            for call in record.calls.iter_mut().rev().take(callees) {
                (call.on, call.repeatedly) = (on, repeatedly);
            }
        }
    }

    /// Someone runs it on a thread or task of its own.
    pub(super) fn record_spawn(&mut self, state: &State, body: DefinitionId, slot: PathId, for_many: bool, site: Site) {
        if self.record.is_none() {
            return;
        }
        let has = self.targets_below(state, slot);
        let of_own =
            has.into_iter().all(|target| self.paths.root_local(target).is_some_and(|it| !self.is_parameter(it)));
        let repeatedly = for_many || self.control().in_a_loop(self.function, self.block);
        if let Some(record) = &mut self.record {
            record.spawned.push(Spawned { body, site, repeatedly, of_own });
        }
    }

    /// Something is done that is not undone by anybody: time passes, and it is part of what was decided.
    pub(super) fn reach_out(&mut self, state: &mut State, does: Beyond) {
        if self.elsewhere {
            return;
        }
        state.map_looks(|origin| match origin.left {
            Some(_) => Origin { meanwhile: origin.meanwhile.max(Some(does)), ..origin },
            None => origin,
        });
        let Some(record) = &mut self.record else { return };
        record.notes.beyond = record.notes.beyond.max(Some(does));
        if does == Beyond::Blocks {
            return;
        }
        let decided: Vec<Site> = self.decisions_leading_here(state).map(|decision| decision.site).collect();
        if let Some(record) = &mut self.record {
            for site in decided {
                let known = record.riders.entry(site).or_insert(does);
                *known = does.max(*known);
            }
        }
    }

    /// Keeps the origins that are stale and were not looked at again.
    pub(super) fn record_use(&mut self, state: &State, kind: UseKind, value: &Value, site: Site) {
        if self.record.is_none() {
            return;
        }
        // A flag that only tells what was seen is no old value by itself: what is done because of it may be.
        let copied = value.looks.iter().copied().filter(|origin| !(origin.implicit && kind == UseKind::Branch));
        let origins: Vec<Origin> = copied.filter(|origin| self.matters(state, origin)).collect();
        let (by_callee, among) = (self.applying, locks_in(value));
        let far = origins.iter().filter(|origin| by_callee && origin.by_callee);
        let around_loop = far.filter(|origin| self.comes_around(origin, site)).map(|origin| origin.read).collect();
        if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
            record.uses.push(Use { site, kind, by_callee, among, origins, around_loop });
        }
    }

    /// The position was found in the container as it is now: what was old was only what to look for.
    pub(super) fn is_searched(&self, container: PathId, position: &Value) -> bool {
        let is_now = |look: &Origin| !look.is_stale() && look.left.is_none() && !look.by_callee;
        let mut now = position.looks.iter().filter(|look| is_now(look)).map(|look| look.path);
        let mut given = position.inputs.iter().map(|input| input.path);
        now.any(|path| self.paths.overlap(path, container)) || given.any(|path| self.paths.overlap(path, container))
    }

    /// No way leads from the look to where the walk is but back through a loop: it may have been the same call.
    fn comes_around(&self, origin: &Origin, site: Site) -> bool {
        let from = self.section_blocks.get(&origin.section);
        origin.read == site || from.is_some_and(|&from| !leads_on(self.function, from, self.block))
    }

    pub(super) fn matters(&self, state: &State, origin: &Origin) -> bool {
        origin.is_stale()
            && state.held.maybe(origin.lock).is_some()
            && !self.is_rechecked(state, origin)
            && !self.is_claimed(state, origin)
            && !self.is_settled(state, origin)
    }

    /// A later operation on the same atomic has looked, too, and what it found decides: the second test of a lazy
    /// initialisation, or `if !flag.swap(true)`.
    pub(super) fn is_settled(&self, state: &State, origin: &Origin) -> bool {
        let settles = |look: &Origin| look.lock == origin.lock && look.section > origin.section;
        self.is_atomic(origin.lock) && state.decisions.values().any(|decision| decision.value.looks.iter().any(settles))
    }

    /// Whether a look at the first says anything about the second. That a container has an entry says nothing about what
    /// is in the entry.
    fn tells_of(&self, looked: PathId, what: PathId) -> bool {
        let mut inside = self.paths.ancestry(what).take_while(|&at| at != looked);
        let in_entry = inside.any(|at| matches!(self.paths.step(at), Some(Step::Element)));
        self.paths.is_within(looked, what) || (self.paths.is_within(what, looked) && !in_entry)
    }

    /// An atomic flag was set before the look, and whoever finds it set does not come here.
    pub(super) fn is_claimed(&self, state: &State, origin: &Origin) -> bool {
        state.decisions.values().any(|decision| {
            let mut looks = decision.value.looks.iter();
            // Looked and changed in one step: `fetch_add`, `swap`.
            let in_one_step = |look: &Origin| look.how == How::Reserved || !look.shared;
            decision.site < origin.section && looks.any(|look| in_one_step(look) && self.is_atomic(look.lock))
        })
    }

    pub(super) fn is_rechecked(&self, state: &State, origin: &Origin) -> bool {
        state.compared.contains(&(origin.lock, origin.section))
            || state.rechecked.iter().any(|&(lock, path)| lock == origin.lock && self.tells_of(path, origin.path))
    }

    /// What is in the result and in no closure, if that is asked for.
    fn made_for_caller(&self, pairs: &[LockPair], spawns: bool) -> BTreeSet<Local> {
        let mut made = BTreeSet::new();
        if !pairs.is_empty() {
            made = results::made_for_caller(self.function, &self.made_here);
            // What is only lent to a closure is back when the closure is gone, unless a thread runs it meanwhile.
            let away = if spawns { &self.captured } else { &self.kept_by_closures };
            made.retain(|local| !away.contains(local));
        }
        made
    }

    pub(super) fn finish(mut self, function: &Function) -> Walked {
        let mut record = self.record.take().unwrap_or_default();
        let requires = self.required(&State::default());
        let listed = self.options.atomicity.then(|| Box::new(self.listed(&record.notes, &requires)));
        let summary = self.summary(&record.notes, &requires);
        let requires = requires.into_iter().map(|lock| (lock, Mode::Exclusive)).collect();
        let (mut uses, acts) = (std::mem::take(&mut record.uses), std::mem::take(&mut record.acts));
        // What the result of the write decides was looked at again by the write itself.
        let decides = |act: &Use| record.tested.contains(&act.site) && !record.demanded.contains(&act.site);
        uses.retain(|used| !(finds_or_not(used.kind) && decides(used)));
        let acts = acts.into_iter().filter(|act| !decides(act));
        let steps = record.steps.taken(function);
        uses.extend(acts.map(|act| as_it_went(act, &record, &steps)));
        uses.extend(self.mixed(&record.flows));
        let waits = settled_waits(&mut record);
        let takes = record.writes.iter().filter(|write| write.removes).map(|write| write.site);
        record.apart.sure_takes = takes.filter(|site| record.demanded.contains(site)).collect();
        let enlistings = record.enlistings.into_iter().filter(|(key, _)| record.slept.contains(key));
        let mut accesses = record.accesses;
        self.publish(&mut accesses, &record.stored);
        self.paths.seal();
        let made_for_caller = self.made_for_caller(&record.pairs, !record.spawned.is_empty());
        let mut facts = BodyFacts {
            id: function.id,
            function: String::new(),
            callers_known: false,
            exclusive_types: function.exclusive_types.clone(),
            driven_by: function.driven_by,
            promised: function.promised,
            sleeps_knowingly: function.sleeps_knowingly,
            calls: record.calls,
            spawned: record.spawned,
            accesses,
            stored: record.stored,
            notifications: record.notifications,
            changes_after: record.changes_after,
            asleep: record.asleep,
            sleeps: record.sleeps,
            enlistings: enlistings.map(|(_, one)| one).collect(),
            late_words: record.late_words,
            polled: record.polled,
            wanted: record.wanted,
            taken: record.taken.into_iter().collect(),
            has_token: function.has_token,
            is_closure: function.is_closure,
            exported: false,
            own: false,
            internal: false,
            is_main: false,
            paths: self.paths,
            uses,
            writes: record.writes,
            counted_back: record.counted_back,
            apart: record.apart,
            waits,
            stale_reads: record.stale_reads.into_values().collect(),
            orders: record.orders,
            broken: self.broken.filter(|_| function.atomic),
            listed,
            lacking: record.lacking,
            doubles: record.doubles,
            pairs: record.pairs,
            pairs_under: record.pairs_under,
            sections: record.sections.into_values().collect(),
            requires,
            lock_types: self.lock_types.into_iter().collect(),
            made_for_caller,
            private: self.made_here.difference(&self.handed_on).copied().chain(self.function.of_thread).collect(),
            names: function.variables.iter().map(|variable| variable.name.clone()).collect(),
            exclusive: exclusive(function),
        };
        if facts.says_nothing() {
            facts.forget_names();
        }
        Walked { facts, summary }
    }
}

/// The waits, with what has become of them.
fn settled_waits(record: &mut Record) -> Vec<Wait> {
    let mut waits = std::mem::take(&mut record.waits);
    for wait in &mut waits {
        wait.left_untested = record.waits_left.get(&wait.site).copied();
        let after =
            |&(lock, read): &(PathId, Site)| lock == wait.lock && read > wait.site && !record.demanded.contains(&read);
        let returned = wait.how.timed && record.returned.iter().any(after);
        wait.tested_somewhere = returned || record.waits_tested.contains(&wait.site);
    }
    waits
}

/// What one thread has to itself: by `&mut`, or by a type that is not `Sync`.
fn exclusive(function: &Function) -> BTreeSet<Local> {
    let lent = (0u32..).zip(&function.variables).filter(|(_, it)| it.facts.exclusive).map(|(local, _)| local);
    lent.chain(function.unshareable.iter().copied()).collect()
}

/// A change that says whether what it is about was there.
fn finds_or_not(kind: UseKind) -> bool {
    matches!(kind, UseKind::Write { effect: Effect::Removes | Effect::Adds, .. } | UseKind::Untested { .. })
}

/// How many different locks the value was seen under.
pub(super) fn locks_in(value: &Value) -> usize {
    value.looks.iter().map(|origin| origin.lock).collect::<BTreeSet<_>>().len()
}

/// What the rest of the body says of an act: its result had to be there, or the caller is told how the check went.
fn as_it_went(mut act: Use, record: &Record, steps: &BTreeSet<(Site, Site)>) -> Use {
    if let UseKind::Act { effect, told, handed_out, rides, resets, decided, is_step, .. } = &mut act.kind {
        *is_step = steps.contains(&(*decided, act.site));
        *rides = record.riders.get(decided).copied();
        *resets = record.resets.get(decided).copied();
        if *effect == Effect::Removes && record.demanded.contains(&act.site) {
            *effect = Effect::Demands;
        }
        *told = act.origins.iter().any(|origin| record.told.contains(&origin.read));
        *handed_out = act.origins.iter().any(|origin| record.handed_out.contains(&(origin.lock, origin.section)));
    }
    act
}
