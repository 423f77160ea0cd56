//! What the last walk writes down for the checks.

use crate::domain::facts::{BodyFacts, StaleRead, Use, UseKind, Write};
use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::domain::state::State;
use crate::domain::value::Value;
use crate::events::{Function, Local, Site};
use crate::flow::Walked;
use crate::flow::summarise::Notes;
use crate::flow::transfer::Walker;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Record {
    pub(super) notes: Notes,
    uses: Vec<Use>,
    writes: Vec<Write>,
    pub(super) stale_reads: BTreeMap<(Local, Site), StaleRead>,
}

impl Walker<'_> {
    pub(super) fn start_recording(&mut self) {
        self.record = Some(Record::default());
    }

    pub(super) fn record_write(&mut self, state: &State, target: PathId, site: Site) {
        if let Some(record) = &mut self.record {
            let under = state.held.certain().map(|(lock, _)| lock).collect();
            record.writes.push(Write { target, site, under });
        }
    }

    /// Keeps the origins that are stale and were not looked at again.
    pub(super) fn record_use(&mut self, state: &State, kind: UseKind, value: &Value, site: Site) {
        if self.record.is_none() {
            return;
        }
        let origins: Vec<Origin> = value.looks.iter().copied().filter(|origin| self.matters(state, origin)).collect();
        let by_callee = self.applying;
        if let (Some(record), false) = (&mut self.record, origins.is_empty()) {
            record.uses.push(Use { site, kind, by_callee, origins });
        }
    }

    fn matters(&self, state: &State, origin: &Origin) -> bool {
        let rechecked =
            || state.rechecked.iter().any(|&(lock, path)| lock == origin.lock && self.paths.overlap(path, origin.path));
        origin.is_stale() && state.held.maybe(origin.lock).is_some() && !rechecked()
    }

    pub(super) fn finish(mut self, function: &Function) -> Walked {
        let record = self.record.take().unwrap_or_default();
        let summary = self.summary(&record.notes);
        let variables = || (0u32..).zip(&function.variables);
        let facts = BodyFacts {
            function: function.name.clone(),
            paths: self.paths,
            uses: record.uses,
            writes: record.writes,
            stale_reads: record.stale_reads.into_values().collect(),
            lock_types: self.lock_types,
            private: self.made_here.difference(&self.handed_on).copied().collect(),
            names: function.variables.iter().map(|variable| variable.name.clone()).collect(),
            exclusive: variables().filter(|(_, it)| it.facts.exclusive).map(|(local, _)| local).collect(),
        };
        Walked { facts, summary, asked: self.asked }
    }
}
