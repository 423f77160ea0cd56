//! What the last walk writes down for the checks.

use crate::domain::facts::{BodyFacts, StaleRead, Use, UseKind, Wait, Write};
use crate::domain::origin::{How, Origin};
use crate::domain::path::PathId;
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Function, Local, Site};
use crate::flow::Walked;
use crate::flow::decisions::Flow;
use crate::flow::summarise::Notes;
use crate::flow::transfer::Walker;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct Record {
    pub(super) notes: Notes,
    uses: Vec<Use>,
    pub(super) acts: Vec<Use>,
    pub(super) flows: Vec<Flow>,
    writes: Vec<Write>,
    pub(super) waits: Vec<Wait>,
    /// Waits after which something is tested, and those whose section ends without it.
    pub(super) waits_tested: BTreeSet<Site>,
    pub(super) waits_left: BTreeMap<Site, Site>,
    /// Where the looks were made that branches are decided by.
    pub(super) tested: BTreeSet<Site>,
    /// And those that must have found something: `unwrap`.
    pub(super) demanded: BTreeSet<Site>,
    pub(super) stale_reads: BTreeMap<(Local, Site), StaleRead>,
}

impl Walker<'_> {
    pub(super) fn start_recording(&mut self) {
        self.record = Some(Record::default());
    }

    pub(super) fn record_write(&mut self, state: &State, target: PathId, site: Site) {
        if let Some(record) = &mut self.record {
            let under = state.held.certain().map(|(lock, _)| lock).collect();
            record.writes.push(Write { target, site, under, gentle: false });
        }
    }

    /// A write that leaves alone what is there.
    pub(super) fn record_gentle_write(&mut self, state: &State, target: PathId, site: Site) {
        self.record_write(state, target, site);
        if let Some(write) = self.record.as_mut().and_then(|record| record.writes.last_mut()) {
            write.gentle = true;
        }
    }

    /// Keeps the origins that are stale and were not looked at again.
    pub(super) fn record_use(&mut self, state: &State, kind: UseKind, value: &Value, site: Site) {
        if self.record.is_none() {
            return;
        }
        let origins: Vec<Origin> = value.looks.iter().copied().filter(|origin| self.matters(state, origin)).collect();
        let (by_callee, among) = (self.applying, locks_in(value));
        if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
            record.uses.push(Use { site, kind, by_callee, among, origins });
        }
    }

    pub(super) fn matters(&self, state: &State, origin: &Origin) -> bool {
        origin.is_stale()
            && state.held.maybe(origin.lock).is_some()
            && !self.is_rechecked(state, origin)
            && !self.is_claimed(state, origin)
    }

    /// An atomic flag was set before the look, and whoever finds it set does not come here.
    pub(super) fn is_claimed(&self, state: &State, origin: &Origin) -> bool {
        state.decisions.values().any(|decision| {
            let mut looks = decision.value.looks.iter();
            decision.site < origin.section && looks.any(|look| look.how == How::Reserved && self.is_atomic(look.lock))
        })
    }

    pub(super) fn is_rechecked(&self, state: &State, origin: &Origin) -> bool {
        state.rechecked.iter().any(|&(lock, path)| lock == origin.lock && self.paths.overlap(path, origin.path))
    }

    pub(super) fn finish(mut self, function: &Function) -> Walked {
        let record = self.record.take().unwrap_or_default();
        let summary = self.summary(&record.notes);
        let variables = || (0u32..).zip(&function.variables);
        let mut uses = record.uses;
        // What the result of the write decides was looked at again by the write itself.
        uses.extend(record.acts.into_iter().filter(|act| !record.tested.contains(&act.site)));
        uses.extend(self.mixed(&record.flows));
        let mut waits = record.waits;
        for wait in &mut waits {
            wait.left_untested = record.waits_left.get(&wait.site).copied();
            wait.tested_somewhere = record.waits_tested.contains(&wait.site);
        }
        let facts = BodyFacts {
            function: function.name.clone(),
            paths: self.paths,
            uses,
            writes: record.writes,
            waits,
            stale_reads: record.stale_reads.into_values().collect(),
            lock_types: self.lock_types,
            private: self.made_here.difference(&self.handed_on).copied().collect(),
            names: function.variables.iter().map(|variable| variable.name.clone()).collect(),
            exclusive: variables().filter(|(_, it)| it.facts.exclusive).map(|(local, _)| local).collect(),
        };
        Walked { facts, summary, asked: self.asked }
    }
}

/// How many different locks the value was seen under.
pub(super) fn locks_in(value: &Value) -> usize {
    value.looks.iter().map(|origin| origin.lock).collect::<BTreeSet<_>>().len()
}
