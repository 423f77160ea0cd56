//! Locks that are waited for though this thread has them.

use crate::domain::facts::{Double, LockPair};
use crate::domain::held::Holding;
use crate::domain::path::PathId;
use crate::domain::state::State;
use crate::events::{Local, LockKind, Mode, Site};
use crate::flow::apply::Actuals;
use crate::flow::transfer::Walker;
use crate::summary::{PairWithin, Summary};

/// A body that takes more pairs of locks than this shows its order in the first ones.
const MOST_PAIRS: usize = 128;

/// A lock that is taken, by whoever waits for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) lock: PathId,
    pub(super) mode: Mode,
    /// Other readers do not hinder it, not even if a writer waits.
    pub(super) recursive: bool,
}

impl Walker<'_> {
    /// The thread waits until it has the lock.
    pub(super) fn wants(&mut self, state: &State, wanted: Wanted, site: Site) {
        let Wanted { lock, mode, recursive } = wanted;
        let of = self.lock_types.get(&lock);
        let reentrant = of.is_some_and(|of| of.reentrant);
        let shards = of.is_some_and(|of| of.kind == LockKind::Map);
        let given_away = self.given_away.contains(&lock);
        if self.elsewhere || self.later || reentrant || given_away || !self.paths.is_one_place(lock) {
            return;
        }
        if !shards {
            self.record_pairs(state, wanted, site);
        }
        let held = state.held.certain().find(|(held, _)| *held == lock).or_else(|| self.leads_back(state, lock));
        let held = held.filter(|(_, holding)| !holding.went_through && !self.is_dropped_too(lock));
        let Some((lock, holding)) = held else {
            self.note_wanted(wanted);
            return;
        };
        let shared = holding.mode == Mode::Shared && mode == Mode::Shared;
        // A loop comes back with the guard of the last round, and the next one takes its place.
        let same = holding.section == site && !self.applying;
        if same || (shared && (recursive || shards)) {
            return;
        }
        let (by_callee, by_drop, if_poisoned) = (self.calling, self.dropping.is_some(), self.is_poisoned());
        if let Some(record) = &mut self.record {
            record.doubles.push(Double {
                lock,
                first: holding.section,
                second: site,
                shared,
                shards,
                by_callee,
                by_drop,
                by_closure: false,
                if_poisoned,
            });
        }
    }

    /// The way comes here only if another thread has panicked with a lock.
    fn is_poisoned(&self) -> bool {
        let mut ways = self.function.blocks.iter().filter_map(|block| block.if_poisoned).peekable();
        ways.peek().is_some() && ways.any(|way| self.control().dominates(way, self.block))
    }

    /// The caller's closure is run, and given what leads to a lock that nobody else can have now.
    pub(super) fn note_handle_given(&mut self, state: &State, given: PathId, site: Site) {
        if self.elsewhere || self.later {
            return;
        }
        let targets = self.targets_below(state, given);
        let leads_to = |lock: PathId| targets.iter().any(|&target| self.paths.is_within(lock, target));
        let waits = |lock: &PathId| {
            self.lock_types.get(lock).is_some_and(|of| of.kind == LockKind::Guarded && !of.reentrant && !of.for_tasks)
        };
        let mut held =
            state.held.certain().filter(|(_, holding)| holding.mode == Mode::Exclusive && !holding.went_through);
        let Some((lock, holding)) = held.find(|(lock, _)| waits(lock) && leads_to(*lock)) else { return };
        if let Some(record) = &mut self.record {
            record.doubles.push(Double {
                lock,
                first: holding.section,
                second: site,
                shared: false,
                shards: false,
                by_callee: false,
                by_drop: false,
                by_closure: true,
                if_poisoned: false,
            });
        }
    }

    /// Which locks are held meanwhile.
    fn record_pairs(&mut self, state: &State, wanted: Wanted, site: Site) {
        let by_callee = self.calling && !self.receiving;
        let guarded = |lock: &PathId| self.lock_types.get(lock).is_some_and(|of| of.kind == LockKind::Guarded);
        let held: Vec<(PathId, Holding)> = state
            .held
            .certain()
            .filter(|(lock, holding)| {
                let other = *lock != wanted.lock && !holding.went_through;
                other && guarded(lock) && self.paths.is_one_place(*lock)
            })
            .collect();
        let Some(record) = self.record.as_mut().filter(|record| !held.is_empty() && record.pairs.len() < MOST_PAIRS)
        else {
            return;
        };
        let under = record.pairs_under.len();
        record.pairs_under.push(held.iter().map(|(lock, holding)| (*lock, holding.mode)).collect());
        let Wanted { lock, mode, recursive } = wanted;
        for (held, holding) in held {
            let roots = [held, lock].map(|path| self.paths.root_local(path).filter(|&root| self.is_parameter(root)));
            let of_two = roots[0].is_some() && roots[1].is_some() && roots[0] != roots[1];
            let of_two = of_two && !self.are_ordered(state, roots);
            self.push_pair(LockPair {
                of_two,
                held,
                held_mode: holding.mode,
                taken: holding.section,
                wanted: lock,
                wanted_mode: mode,
                recursive,
                site,
                by_callee,
                callee: self.callee.filter(|_| by_callee),
                guessed: self.guessing,
                within: None,
                under,
            });
        }
    }

    /// It was asked which of the two comes first, so that may be settled for all who come here.
    fn are_ordered(&self, state: &State, roots: [Option<Local>; 2]) -> bool {
        let of = |path: PathId| self.paths.root_local(path);
        let mut ordered = state.ordered.iter().map(|&(one, other)| [of(one), of(other)]);
        ordered.any(|[one, other]| [one, other] == roots || [other, one] == roots)
    }

    fn push_pair(&mut self, pair: LockPair) {
        let Some(record) = &mut self.record else { return };
        let number = record.pairs.len();
        record.pairs.push(pair);
        self.note_pair(pair, number);
    }

    /// A callee takes both: which locks they are is known here. What is run later takes them, too, and without those that are
    /// held now.
    fn callee_pairs(&mut self, state: &State, actuals: &Actuals<'_>, summary: &Summary, site: Site) {
        let Some(callee) = self.callee.filter(|_| self.record.is_some() && !self.elsewhere) else {
            return;
        };
        let is_now = !self.later;
        for PairWithin { held, wanted, recursive, number } in &summary.pairs {
            let locks = self.translate(state, actuals, held.lock).zip(self.translate(state, actuals, wanted.lock));
            let Some((held_lock, wanted_lock)) = locks.filter(|(one, other)| one != other) else { continue };
            if !self.paths.is_one_place(held_lock) || !self.paths.is_one_place(wanted_lock) {
                continue;
            }
            self.name_lock(held_lock, &held.lock_type);
            self.name_lock(wanted_lock, &wanted.lock_type);
            let Some(record) = self.record.as_mut().filter(|record| record.pairs.len() < MOST_PAIRS) else { return };
            let under = record.pairs_under.len();
            let gates = state.held.certain().filter(|_| is_now).map(|(lock, holding)| (lock, holding.mode));
            record.pairs_under.push(gates.collect());
            self.push_pair(LockPair {
                of_two: false,
                held: held_lock,
                held_mode: held.mode,
                taken: site,
                wanted: wanted_lock,
                wanted_mode: wanted.mode,
                recursive: *recursive,
                site,
                by_callee: true,
                callee: Some(callee),
                guessed: self.guessing,
                within: Some((callee, *number)),
                under,
            });
        }
    }

    /// The same for what a callee waits for.
    pub(super) fn callee_wants(&mut self, state: &State, actuals: &Actuals<'_>, summary: &Summary, site: Site) {
        self.callee_pairs(state, actuals, summary, site);
        for wanted in &summary.wants {
            if let Some(lock) = self.translate(state, actuals, wanted.lock) {
                self.name_lock(lock, &wanted.lock_type);
                // A function that gives the guard away takes the lock for its caller.
                let given = summary.guards.iter().any(|(section, _)| section.lock == wanted.lock);
                let calling = std::mem::replace(&mut self.calling, true);
                self.receiving = given;
                self.wants(state, Wanted { lock, mode: wanted.mode, recursive: wanted.recursive }, site);
                self.calling = calling;
                self.receiving = false;
            }
        }
    }
}
