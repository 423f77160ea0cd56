//! What belongs together, and is done in two steps: parts of `split_atomic` and `check_then_act`.

use crate::checks::terms::apart::{Evidence as Term, Happening as Step, Shape as Kind};
use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Counted, Expected, LastOwner, Use, UseKind, Write};
use crate::domain::path::PathId;
use crate::events::{Counts, Mode, Site};
use crate::summary::{Crate, Interferer, LockKey, is_same_place};

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

/// Put where others can take it, and counted only after the lock was let go.
pub(super) fn counted_late(all: &Crate, body: usize, one: &Counted) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    if one.counts != Counts::Up || !sharing::is_shared(facts, one.lock) || all.writes.is_called_under_lock(body) {
        return None;
    }
    let beside = |lock: PathId| facts.has_guards(lock) && facts.paths.parent(lock) == facts.paths.parent(one.lock);
    let guard_of = |write: &Write| facts.paths.lock_above(write.target).filter(|&lock| beside(lock));
    let puts = |write: &&Write| write.fills && !write.by_callee && write.site < one.site && guard_of(write).is_some();
    let put = facts.writes.iter().rev().find(puts)?;
    let lock = guard_of(put)?;
    let held = |of: &BodyFacts, lock: PathId, at: Site| {
        let here = of.writes.iter().filter(|write| write.site == at);
        here.flat_map(|write| &write.under).any(|(held, mode)| *held == lock && *mode == Mode::Exclusive)
    };
    // Before it was put there, too: then it is another one that is counted here.
    let counted_before = facts.counted.iter().any(|other| other.lock == one.lock && other.site < put.site);
    if held(facts, lock, one.site) || counted_before {
        return None;
    }
    let key = LockKey::of(&facts.paths, one.lock)?;
    let (other, off) = all.bodies.iter().enumerate().find_map(|(other, there)| {
        let takes = |write: &&Write| {
            let taken = write.removes && !write.by_callee;
            taken && is_same_place((facts, lock_data(facts, put)), (there, lock_data(there, write)))
        };
        let taken = there.writes.iter().find(takes)?;
        let down = |count: &&Counted| {
            let same = LockKey::of(&there.paths, count.lock).as_ref() == Some(&key);
            same && count.counts == Counts::Down && count.site >= taken.site
        };
        Some((other, there.counted.iter().find(down)?.site))
    })?;
    let mut evidence = vec![Evidence::Apart(Term::CountedLate)];
    evidence.extend(facts.is_unsigned(one.lock).then_some(Evidence::WrapsAround));
    let asks =
        |there: &BodyFacts| there.asked.iter().any(|&lock| LockKey::of(&there.paths, lock).as_ref() == Some(&key));
    evidence.extend((!all.bodies.iter().any(asks)).then_some(Evidence::Apart(Term::OnlyTold)));
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(one.lock),
        subject: Subject::Path(one.lock),
        shape: Shape::Apart(Kind::CountedLate),
        moments: vec![
            moment(Step::Puts, put.site),
            moment(Step::CountsOff { body: other }, off),
            moment(Step::CountsLate, one.site),
        ],
        evidence,
    })
}

/// All that the lock protects which the write is under.
fn lock_data(facts: &BodyFacts, write: &Write) -> PathId {
    facts.paths.lock_above(write.target).unwrap_or(write.target)
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
