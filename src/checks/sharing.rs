//! Whether another thread can have the lock at all, and the parts of a story that several lints tell.

use crate::checks::terms::alone::Evidence as Alone;
use crate::checks::{Evidence, Happening, Moment, Suspicion};
use crate::domain::facts::{BodyFacts, Use, UseKind};
use crate::domain::origin::{Age, How, Origin};
use crate::domain::path::{PathId, Root, Step};
use crate::events::{Beyond, Mode, Site};
use crate::summary::{Crate, Interferer, LockKey};
use std::collections::BTreeSet;

/// Not shared: behind `&mut` or owned all the way from the variable, or made here and never handed on.
pub(super) fn is_shared(facts: &BodyFacts, lock: PathId) -> bool {
    if facts.paths.is_ambiguous(lock) {
        return false;
    }
    let Root::Local(local) = facts.paths.root_of(lock) else { return true };
    if facts.private.contains(local) {
        return false;
    }
    facts.paths.is_behind_shared_pointer(lock, |local| facts.exclusive.contains(&local))
}

/// The locks that somebody takes for writing, of those that another thread can have.
pub(super) fn taken_to_write(all: &Crate) -> BTreeSet<LockKey> {
    let of_body = |facts: &BodyFacts| -> Vec<LockKey> {
        let taken = facts.taken.iter().filter(|(lock, mode)| *mode == Mode::Exclusive && is_shared(facts, *lock));
        taken.filter_map(|(lock, _)| all.aliases.key(facts, *lock)).collect()
    };
    all.bodies.iter().flat_map(of_body).collect()
}

/// Whether the use is of what the origin looked at. Where a callee looked, or uses it, the use must be of all that was
/// looked at: a look at a whole struct says little about each of its parts.
pub(super) fn same_place(facts: &BodyFacts, one: &Use, origin: &Origin, target: PathId) -> bool {
    if other_key(facts, one, origin) {
        return false;
    }
    if one.by_callee || origin.by_callee {
        facts.paths.fields_within(origin.path, target)
    } else {
        facts.paths.overlap(origin.path, target)
    }
}

/// Nobody else calls the function, so that its callers may take turns.
pub(super) fn callers(facts: &BodyFacts) -> Option<Evidence> {
    facts.own.then_some(Evidence::Alone(Alone::OwnCallers))
}

/// The use rests on the same look.
pub(super) fn has_look(one: &Use, origin: &Origin) -> bool {
    let look = |origin: &Origin| (origin.lock, origin.path, origin.section);
    one.origins.iter().any(|other| look(other) == look(origin))
}

/// Look and use are of two entries: their keys were given by the caller as two things.
fn other_key(facts: &BodyFacts, one: &Use, origin: &Origin) -> bool {
    let (UseKind::Write { key, .. } | UseKind::Act { key, .. }) = one.kind else { return false };
    key.zip(origin.key).is_some_and(|(used, seen)| !facts.paths.overlap(used, seen))
}

/// The entry was looked for under a key of the caller's, and what is written goes under something else: one that was made
/// for it, as far as can be seen.
fn under_a_new_key(one: &Use, origin: &Origin) -> bool {
    let (UseKind::Write { key, .. } | UseKind::Act { key, .. }) = one.kind else { return false };
    origin.key.is_some() && key.is_none()
}

/// Who may write what the origin looked at.
pub(super) fn interferer(all: &Crate, body: usize, origin: &Origin) -> Option<Interferer> {
    all.writes.interferer(&all.bodies, body, origin)
}

/// `here` stands in for a place in another crate.
pub(super) fn interference(all: &Crate, body: usize, by: Interferer, here: Site) -> (Moment, Evidence) {
    let (same_function, site) = match by {
        Interferer::Here { body: other, site } => {
            let through_this = all.bodies[other].calls.iter().any(|call| call.callee == all.bodies[body].id);
            (through_this || all.bodies[other].function == all.bodies[body].function, site)
        }
        Interferer::Elsewhere(_) => (false, here),
    };
    let moment = Moment { happens: Happening::Interfere { by, same_function }, site };
    (moment, if same_function { Evidence::WrittenHere } else { Evidence::WrittenElsewhere })
}

/// From the first section to the second: taken, read, let go.
pub(super) fn first_section(origin: &Origin) -> Vec<Moment> {
    let happens = if origin.how == How::Taken { Happening::TakeOut } else { Happening::Read };
    let mut moments =
        vec![Moment { happens: Happening::Acquire, site: origin.section }, Moment { happens, site: origin.read }];
    if let (Some(left), false) = (origin.left.filter(|&left| left != origin.read), origin.waited()) {
        moments.push(Moment { happens: Happening::Release, site: left });
    }
    moments
}

/// More locks than this behind one value say that it depends a little on much.
const FEW: usize = 2;

/// Both happen in functions that are called.
pub(super) fn is_far(one: &Use, origin: &Origin) -> bool {
    one.by_callee && origin.by_callee
}

/// How sure it is that the look has to do with the use: summaries tell of both, or the value depends on much else.
pub(super) fn distance(one: &Use, origin: &Origin) -> Vec<Evidence> {
    let in_callees =
        if one.among > 1 { Evidence::Alone(Alone::InCallees) } else { Evidence::Alone(Alone::InTwoCallees) };
    let last_round = one.around_loop.contains(&origin.read);
    let reasons = [
        is_far(one, origin).then_some(in_callees),
        (is_far(one, origin) && under_a_new_key(one, origin)).then_some(Evidence::Alone(Alone::NewKey)),
        last_round.then_some(Evidence::LastRound),
        (one.among > FEW).then_some(Evidence::AmongMuch),
    ];
    reasons.into_iter().flatten().collect()
}

/// The function has the object that leads to the lock to itself; others reach the lock by another way.
pub(super) fn owner(facts: &BodyFacts, lock: PathId) -> Option<Evidence> {
    let local = facts.paths.root_local(lock)?;
    // What an `async` body or a closure has captured is a field of nobody's.
    let of_nobody = |step: &Step| matches!(step, Step::Field(field) if field.owner.is_none());
    let captured = facts.paths.steps(lock).into_iter().skip_while(|step| !of_nobody(step));
    let mut captured = captured.take_while(|step| !matches!(step, Step::Pointee { shared: true } | Step::Data));
    let through_captured = captured.any(|step| *step == Step::Pointee { shared: false });
    (facts.exclusive.contains(&local) || through_captured).then_some(Evidence::Alone(Alone::ExclusiveOwner))
}

/// All who write it, this function among them, are driven by one object.
pub(super) fn driver(all: &Crate, body: usize, origin: &Origin) -> Option<Evidence> {
    all.writes.has_one_driver(&all.bodies, body, origin).then_some(Evidence::Alone(Alone::OneDriver))
}

/// The function is given the object that leads to the lock to keep, and nobody else writes what is there: two threads would need
/// one such object each, with the same lock in it.
pub(super) fn consumer(facts: &BodyFacts, lock: PathId, who: Evidence) -> Option<Evidence> {
    (who == Evidence::WrittenHere && is_in_own_object(facts, lock)).then_some(Evidence::Alone(Alone::Consumer))
}

/// The object that leads to the lock is the function's own: it was given as a value, or made here.
pub(super) fn is_in_own_object(facts: &BodyFacts, lock: PathId) -> bool {
    let of_nobody = |step: &Step| matches!(step, Step::Field(field) if field.owner.is_none());
    let steps = facts.paths.steps(lock);
    let captured = steps.iter().position(|step| of_nobody(step)).map_or(0, |at| at + 1);
    matches!(steps.get(captured), Some(Step::Field(field)) if field.owner.is_some())
}

pub(super) fn age(origin: &Origin) -> Option<Evidence> {
    matches!(origin.age, Age::Stale { sections: 2.., .. }).then_some(Evidence::Alone(Alone::CameBack))
}

/// What makes the gap long, or gives others their turn. Between two functions that are called anything may stand.
pub(super) fn gap(one: &Use, origin: &Origin) -> Option<Evidence> {
    if is_far(one, origin) {
        return None;
    }
    if origin.slept {
        return Some(Evidence::Slept);
    }
    // One way may be without, as where what is read is kept.
    let same_look = |other: &&Origin| (other.lock, other.read) == (origin.lock, origin.read);
    let reads_or_writes = |other: &Origin| other.meanwhile == Some(Beyond::Io);
    if one.origins.iter().filter(same_look).any(reads_or_writes) {
        return Some(Evidence::Alone(Alone::IoBetween));
    }
    origin.meanwhile.and_then(|did| match did {
        Beyond::Acts | Beyond::Io => None,
        Beyond::Blocks => Some(Evidence::BlocksBetween),
        Beyond::Spawns | Beyond::Sends => Some(Evidence::WakesOthers),
    })
}

/// One finding for each lock of a function: what is mended at one place is mended at all, and the strongest shows it best.
pub(super) fn strongest_per_lock(found: Vec<(Origin, Suspicion)>) -> Vec<Suspicion> {
    strongest(found, |(known, _), (origin, _)| known.lock == origin.lock)
}

/// The same for atomics.
pub(super) fn strongest_per_atomic(found: Vec<Suspicion>) -> Vec<Suspicion> {
    let found = found.into_iter().map(|one| (one.lock, one)).collect();
    strongest(found, |(known, _), (lock, _)| known == lock)
}

/// One finding for each gap, and one for each place.
pub(super) fn strongest_per_gap(found: Vec<(Origin, Suspicion)>) -> Vec<Suspicion> {
    let gap = |origin: &Origin| (origin.lock, origin.section, origin.entered());
    strongest(found, |(known, told), (origin, new)| told.primary == new.primary || gap(known) == gap(origin))
}

/// Of those in one body that belong together the strongest, and of equals the first in the source.
fn strongest<About>(
    found: Vec<(About, Suspicion)>,
    together: impl Fn(&(About, Suspicion), &(About, Suspicion)) -> bool,
) -> Vec<Suspicion> {
    let mut best: Vec<(About, Suspicion)> = Vec::new();
    for new in found {
        match best.iter_mut().find(|known| known.1.body == new.1.body && together(known, &new)) {
            Some(known) if super::score(&new.1.evidence) > super::score(&known.1.evidence) => *known = new,
            Some(_) => {}
            None => best.push(new),
        }
    }
    best.into_iter().map(|(_, suspicion)| suspicion).collect()
}
