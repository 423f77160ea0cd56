//! What belongs together, and is done in two steps: parts of `split_atomic` and `check_then_act`.

use crate::checks::terms::apart::{Evidence as Term, Happening as Step, Shape as Kind};
use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Counted, Expected, LastOwner, Use, UseKind, Write};
use crate::domain::path::PathId;
use crate::events::{Counts, Mode, Site};
use crate::summary::{Crate, Interferer, LockKey, is_same_place};
use std::collections::{BTreeMap, BTreeSet};

fn moment(happens: Step, site: Site) -> Moment {
    Moment { happens: Happening::Apart(happens), site }
}

/// Of two that drop the last two handles, each may still find the other.
pub(super) fn last_owner(body: usize, one: &LastOwner) -> Suspicion {
    Suspicion {
        body,
        primary: one.asked,
        lock: None,
        subject: one.of.map_or(Subject::Function, Subject::Path),
        shape: Shape::Apart(Kind::LastOwner),
        moments: vec![
            moment(Step::AsksForOwners, one.asked),
            moment(Step::OtherAsks, one.asked),
            moment(Step::NobodyActs, one.acts),
        ],
        evidence: vec![Evidence::Apart(Term::GivenUpLater)],
    }
}

/// Somebody takes away what was put there, before it is asked for.
pub(super) fn expected(all: &Crate, body: usize, one: &Expected) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let look = &one.look;
    let kept_out = all.writes.is_called_under_lock(body) || facts.has_token;
    if kept_out || !sharing::is_shared(facts, look.lock) || !all.writes.may_be_gone(facts, look) {
        return None;
    }
    let by = all.writes.taken_away_by(&all.bodies, facts, look)?;
    let (interference, who) = sharing::interference(all, body, by, one.put);
    let mut evidence = vec![Evidence::Apart(Term::PutEarlier), Evidence::Panics, who];
    evidence.extend(sharing::owner(facts, look.lock).or_else(|| sharing::driver(all, body, look)));
    evidence.extend(sharing::callers(facts));
    Some(Suspicion {
        body,
        primary: one.demanded,
        lock: Some(look.lock),
        subject: Subject::Path(look.path),
        shape: Shape::Apart(Kind::PutThenDemand),
        moments: vec![
            moment(Step::Puts, one.put),
            interference,
            Moment { happens: Happening::Demands, site: one.demanded },
        ],
        evidence,
    })
}

/// Where atomics are counted down, and which of them branches are decided by.
#[derive(Default)]
pub(super) struct Counters {
    down: BTreeMap<LockKey, Vec<(usize, Site)>>,
    asked: BTreeSet<LockKey>,
    /// How many handles there are: a clone is counted before anybody has it.
    handles: BTreeSet<LockKey>,
}

impl Counters {
    pub(super) fn of(all: &Crate) -> Counters {
        let mut counters = Counters::default();
        for (body, facts) in all.bodies.iter().enumerate() {
            let downs = facts.apart.counted.iter().filter(|one| one.counts == Counts::Down && !one.by_callee);
            for (key, one) in downs.filter_map(|one| Some((field_of(facts, one.lock)?, one))) {
                counters.down.entry(key).or_default().push((body, one.site));
            }
            if is_clone(facts) {
                let ups = facts.apart.counted.iter().filter(|one| one.counts == Counts::Up && !one.by_callee);
                counters.handles.extend(ups.filter_map(|one| field_of(facts, one.lock)));
            }
            counters.asked.extend(facts.apart.asked.iter().filter_map(|&lock| field_of(facts, lock)));
        }
        counters
    }
}

fn is_clone(facts: &BodyFacts) -> bool {
    facts.function.ends_with(" as Clone>::clone")
}

fn field_of(facts: &BodyFacts, lock: PathId) -> Option<LockKey> {
    LockKey::of(&facts.paths, lock).map(|key| key.field())
}

/// Put where others can take it, or sent to them, and counted only after that.
pub(super) fn counted_late(all: &Crate, counters: &Counters, body: usize, one: &Counted) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    if one.counts != Counts::Up || all.writes.is_called_under_lock(body) {
        return None;
    }
    let key = field_of(facts, one.lock)?;
    let downs = counters.down.get(&key).filter(|_| !counters.handles.contains(&key))?;
    let (first, by, off) = put_and_taken(all, body, one, downs).or_else(|| sent_and_done(all, body, one, downs))?;
    let mut evidence = vec![Evidence::Apart(Term::CountedLate)];
    evidence.extend(facts.is_unsigned(one.lock).then_some(Evidence::WrapsAround));
    evidence.extend((!counters.asked.contains(&key)).then_some(Evidence::Apart(Term::OnlyTold)));
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(one.lock),
        subject: Subject::Path(one.lock),
        shape: Shape::Apart(Kind::CountedLate),
        moments: vec![first, moment(Step::CountsOff { body: by }, off), moment(Step::CountsLate, one.site)],
        evidence,
    })
}

type Off = (usize, Site);

fn put_and_taken(all: &Crate, body: usize, one: &Counted, downs: &[Off]) -> Option<(Moment, usize, Site)> {
    let facts = &all.bodies[body];
    let put = put_before(facts, one).filter(|_| sharing::is_shared(facts, one.lock))?;
    let (by, off) = downs.iter().copied().find(|&(other, site)| {
        let there = &all.bodies[other];
        let same = |write: &Write| is_same_place((facts, put.target), (there, write.target));
        // Who is sure to find something has a permit for it, which was given after it was counted.
        let sure = |write: &Write| there.apart.sure_takes.contains(&write.site);
        let takes = |write: &&Write| write.removes && !write.by_callee && write.site <= site && !sure(write);
        there.writes.iter().filter(takes).any(same)
    })?;
    Some((moment(Step::Puts, put.site), by, off))
}

/// Whoever is done with what was sent counts it off.
fn sent_and_done(all: &Crate, body: usize, one: &Counted, downs: &[Off]) -> Option<(Moment, usize, Site)> {
    let facts = &all.bodies[body];
    // Which of several it is does not matter here: each is behind an `Arc`, or a reference.
    let root = facts.paths.root_local(one.lock);
    let own = root.is_some_and(|local| facts.private.contains(&local));
    let shared = facts.paths.is_behind_shared_pointer(one.lock, |local| facts.exclusive.contains(&local));
    let sent = one.sent.filter(|_| shared && !own)?;
    let here = |other: &Counted| other.lock == one.lock && (other.site < sent || other.counts == Counts::Down);
    let (by, off) = downs.iter().copied().find(|&(other, _)| all.bodies[other].function != facts.function)?;
    (!facts.apart.counted.iter().any(here)).then_some((moment(Step::Sends, sent), by, off))
}

/// What was put under a lock that belongs to the same object as the count, and was let go since.
fn put_before<'f>(facts: &'f BodyFacts, one: &Counted) -> Option<&'f Write> {
    let beside = |lock: PathId| facts.has_guards(lock) && facts.paths.parent(lock) == facts.paths.parent(one.lock);
    let guard_of = |write: &Write| facts.paths.lock_above(write.target).filter(|&lock| beside(lock));
    let puts = |write: &&Write| (write.fills || write.adds) && !write.by_callee && write.site < one.site;
    let put = facts.writes.iter().rev().filter(puts).find(|write| guard_of(write).is_some())?;
    let lock = guard_of(put)?;
    let here = facts.writes.iter().filter(|write| write.site == one.site);
    let held = here.flat_map(|write| &write.under).any(|(held, mode)| *held == lock && *mode == Mode::Exclusive);
    // Before it was put there, too: then it is another one that is counted here.
    let counted_before = facts.apart.counted.iter().any(|other| other.lock == one.lock && other.site < put.site);
    (!held && !counted_before).then_some(put)
}

/// Two threads load the same, one of them exchanges it, and both count what they have made of it.
pub(super) fn credited(all: &Crate, body: usize, one: &Use) -> Option<Suspicion> {
    let UseKind::Credited { exchanged, target } = one.kind else { return None };
    let facts = &all.bodies[body];
    let origin = one.origins.first()?;
    let own = sharing::owner(facts, origin.lock).is_some();
    let shared = sharing::is_shared(facts, origin.lock) && sharing::is_shared(facts, target);
    if own || facts.has_token || all.writes.is_called_under_lock(body) || !shared {
        return None;
    }
    let happens = Happening::Interfere { by: Interferer::Here { body, site: exchanged }, same_function: true };
    let mut evidence = vec![Evidence::AnswerIgnored, Evidence::Apart(Term::CreditedTwice), Evidence::WrittenHere];
    evidence.extend(facts.promised.then_some(Evidence::Promised));
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(origin.lock),
        subject: Subject::Path(origin.lock),
        shape: Shape::Apart(Kind::Credited),
        moments: vec![
            Moment { happens: Happening::Loads, site: origin.read },
            Moment { happens, site: exchanged },
            moment(Step::GoesOnAnyway, exchanged),
            moment(Step::Credits, one.site),
        ],
        evidence,
    })
}
