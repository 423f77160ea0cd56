//! Two operations on one atomic that should be one: `load`, then `store`. Each is atomic, the two together are not, and what
//! another thread writes in between is lost or not seen.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::atomic::{AtomicBool, Ordering};
//! static REGISTERED: AtomicBool = AtomicBool::new(false);
//!
//! # fn register() {}
//! fn register_once() {
//!     if !REGISTERED.load(Ordering::Acquire) {
//!         register(); // two threads may both come here
//!         REGISTERED.store(true, Ordering::Release);
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Use the one operation that looks and writes: `swap`, `fetch_add` and its kin, `compare_exchange`, `fetch_update`. To run
//! something once, there is `Once`:
//!
//! ```rust
//! # use std::sync::atomic::{AtomicBool, Ordering};
//! static REGISTERED: AtomicBool = AtomicBool::new(false);
//!
//! # fn register() {}
//! fn register_once() {
//!     if !REGISTERED.swap(true, Ordering::AcqRel) {
//!         register();
//!     }
//! }
//! ```
//!
//! ## Shapes
//!
//! - the new value is computed from one that was loaded before (`n.store(n.load() + 1)`), or was loaded at the position that it
//!   says, as the head of a free list is;
//! - a flag or state is tested, and then set; a lock made of a flag is taken this way;
//! - a limit is tested with `load`, one too many is an error, and who is not turned away counts with `fetch_add`;
//! - an unsigned number is tested for 0 with `load`, and then counted down by one: two that come together take it below zero;
//! - a number that others count is loaded to be used, and then set back with `store`: what they count in between is in neither;
//! - a count is changed with `fetch_add` or `fetch_sub`, and because of what it was, overwritten with `store`;
//! - a count is changed, and because of what it was, something is removed under a lock that others change the count under: when
//!   the lock is taken, the count may be another one;
//! - a flag is tested, then the lock is taken that it is changed under, and nothing is looked at again: double-checked locking
//!   without the second check;
//! - a flag says that a value was set up; two threads find it unset, and the second one puts the start value over what others have
//!   counted since;
//! - `fetch_add` on trial, taken back by `fetch_sub` when it was too much, while someone else overwrites the count;
//! - `compare_exchange` that expects what `fetch_add` of the same thread has just changed;
//! - something is stored first, and the value from before is tested after that: `swap` does both;
//! - `compare_exchange` in a loop that expects what was loaded before the loop, for ever;
//! - `compare_exchange` of a new value whose failure nobody notices: one that the function was given, or that it returns;
//! - a number is set anew by a `compare_exchange` that nobody asks whether it was done, and then counted by another operation;
//! - a `drop` asks with `Arc::strong_count` or `Arc::try_unwrap` whether its handle is the last one, and cleans up only if so;
//! - something is put where others can take it, under a lock, and counted up only after that; who takes it counts it off;
//! - what was loaded is exchanged (`compare_exchange`, or a `fetch_update` that compares), nobody asks whether that was done, and
//!   what was computed from it is counted to something else.
//!
//! Silent where a lock covers both operations, where the function has the atomic to itself, where the flag is only ever set
//! and nothing else hangs on it, and where one thread alone writes, by the usual sign: loaded `Relaxed`, and then stored `Release` or
//! stronger, once or in the end.
//!
//! ## What it can miss
//!
//! Operations in two functions, unless a lock is taken in one of them, or both are methods of one type, one that loads and one that
//! stores, and nothing else is behind the new value. Words that are locks themselves, and bits in them.
//!
//! ## What it may wrongly report
//!
//! An atomic that only one thread ever writes, where nothing in the code shows it. A flag that says "closed", tested before the
//! lock, where nobody minds what comes late.
//!
//! Ranked lower: a word that a function loads, changes and stores which only the library itself calls, because mostly one
//! thread keeps it; load and store in two functions that are called; a file or a socket that is used in between, which one thread
//! at a time mostly has; a store of 0 after a test, also under a lock that is taken after it, which is right whatever was there;
//! a store that is for the one thread whose `compare_exchange` of another atomic was done, or that it takes two thousand million
//! rounds to come to; an object that is given to the function to keep (`self`), if nobody else writes this. Where many functions
//! do such things with many locks and atomics of one type (`check_then_act` says how many), its objects are taken to have one thread each.

use crate::checks::terms::alone::Evidence as Alone;
use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion, sharing, two_steps};
use crate::domain::facts::{BodyFacts, CountedBack, Effect, Seldom, Use, UseKind, Written};
use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::events::{Beyond, Identity, Mode, Order, Refusal, Site};
use crate::summary::{Crate, Interferer, LockKey};
use std::collections::BTreeMap;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in &facts.uses {
            let atomic = one.origins.iter().filter(|origin| facts.is_atomic(origin.lock));
            found.extend(atomic.filter_map(|origin| judge(all, body, one, origin)));
            found.extend(lost_for_no_reason(all, body, one));
            found.extend(atomic_before_lock(all, body, one));
            found.extend(counted_on(all, body, one));
            found.extend(two_steps::credited(all, body, one));
        }
        found.extend(facts.counted_back.iter().flat_map(|count| blind_over_count(all, body, count)));
    }
    common_practice(all, &mut found);
    let mut found = sharing::strongest_per_atomic(found);
    let counters = two_steps::Counters::of(all);
    for (body, facts) in all.bodies.iter().enumerate() {
        found.extend(facts.apart.last_owners.iter().map(|one| two_steps::last_owner(body, one)));
        found.extend(facts.apart.counted.iter().filter_map(|one| two_steps::counted_late(all, &counters, body, one)));
    }
    found
}

/// So many functions are not wrong in the same way, unless anybody can call each of them: then nobody is there who could
/// make them take turns.
const MANY: usize = 3;

fn common_practice(all: &Crate, found: &mut [Suspicion]) {
    let key = |one: &Suspicion| LockKey::of(&all.bodies[one.body].paths, one.lock?);
    let updates = |one: &&Suspicion| one.shape == Shape::SplitUpdate;
    let mut functions: BTreeMap<LockKey, BTreeMap<&str, bool>> = BTreeMap::new();
    for (one, key) in found.iter().filter(updates).filter_map(|one| Some((one, key(one)?))) {
        let facts = &all.bodies[one.body];
        functions.entry(key).or_default().insert(&facts.function, facts.exported);
    }
    let practice = |functions: &BTreeMap<&str, bool>| functions.len() >= MANY && functions.values().any(|open| !open);
    for one in found.iter_mut().filter(|one| one.shape == Shape::SplitUpdate) {
        if key(one).and_then(|key| functions.get(&key)).is_some_and(practice) {
            one.evidence.push(Evidence::CommonPractice);
        }
    }
}

/// Where it goes wrong, and what speaks for it.
struct Fault {
    shape: Shape,
    /// The operation that the old look leads to.
    site: Site,
    happens: Happening,
    evidence: Vec<Evidence>,
}

fn judge(all: &Crate, body: usize, one: &Use, origin: &Origin) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let covered =
        origin.cover.is_some_and(|cover| cover.mode == Mode::Exclusive) || all.writes.is_called_under_lock(body);
    let own = sharing::owner(facts, origin.lock).is_some();
    // A lock that was held over the look alone is for `check_then_act` to tell of.
    let for_others = covered || origin.seen_under.is_some();
    let late = locked_late(facts, one, origin);
    // Both in one call: that is for the function to answer for.
    let theirs = one.by_callee && origin.by_callee && one.site == origin.read;
    // Who is given a guard or a token acts for its caller, who keeps others out.
    if for_others
        || own
        || theirs
        || facts.has_token
        || !is_near(facts, one, origin, late)
        || !sharing::is_shared(facts, origin.lock)
    {
        return None;
    }
    let fault = fault(all, facts, one, origin, late)?;
    let (interference, who) = sharing::interference(all, body, sharing::interferer(all, body, origin)?, origin.read);
    let mut evidence = fault.evidence;
    evidence.push(who);
    evidence.extend(sharing::driver(all, body, origin).or_else(|| sharing::consumer(facts, origin.lock, who)));
    evidence.extend(sharing::gap(one, origin));
    evidence.extend(sharing::distance(one, origin));
    evidence.extend(facts.promised.then_some(Evidence::Promised));
    let keeps = fault.shape == Shape::SplitUpdate && facts.internal && facts.is_word(origin.lock);
    evidence.extend(keeps.then_some(Evidence::Alone(Alone::OwnNumber)));
    let counted = fault.shape == Shape::ExpectsBefore;
    let looks = if counted { Happening::Counts } else { Happening::Loads };
    let mut moments = vec![
        Moment { happens: looks, site: origin.read },
        interference,
        Moment { happens: fault.happens, site: fault.site },
    ];
    if let UseKind::LateTest { .. } = one.kind {
        moments.push(Moment { happens: Happening::Decides, site: one.site });
    }
    let mut found = suspicion(body, fault.site, origin.lock, fault.shape, moments, evidence);
    if let (Shape::CountThenLock, Some(lock)) = (fault.shape, late) {
        (found.lock, found.subject) = (Some(lock), Subject::Place(origin.lock));
    }
    Some(found)
}

fn fault(all: &Crate, facts: &BodyFacts, one: &Use, origin: &Origin, late: Option<PathId>) -> Option<Fault> {
    Some(match one.kind {
        UseKind::Write { target, effect, .. } => written(facts, one, origin, target, effect)?,
        UseKind::Act { target, effect, written, refuses, rides, at_once, resets, seldom, below, .. } => {
            let rides = rides.filter(|_| at_once);
            let act = Act { target, effect, written, refuses, rides, resets, seldom, below, late };
            acted(all, facts, one, origin, &act)?
        }
        UseKind::Reset { target } => reset(all, facts, one, origin, target)?,
        UseKind::LateTest { stored } => Fault {
            shape: Shape::TestAfterStore,
            site: stored,
            happens: Happening::StoresBlindly,
            evidence: vec![Evidence::TestedLate],
        },
        UseKind::Exchange { around: true, .. } => Fault {
            shape: Shape::ExpectsTheOld,
            site: one.site,
            happens: Happening::ExpectsTheOld,
            evidence: vec![Evidence::NeverLoadedAgain],
        },
        UseKind::Exchange { outdated: true, .. } => Fault {
            shape: Shape::ExpectsBefore,
            site: one.site,
            happens: Happening::ExpectsBefore,
            evidence: vec![Evidence::CountedItself],
        },
        UseKind::Exchange { ignored: true, own, .. } => Fault {
            shape: Shape::ExchangeIgnored,
            site: one.site,
            happens: Happening::GivesUp,
            evidence: [Evidence::AnswerIgnored].into_iter().chain((!own).then_some(Evidence::OthersDidIt)).collect(),
        },
        UseKind::Exchange { .. }
        | UseKind::CountedOn { .. }
        | UseKind::Credited { .. }
        | UseKind::Position { .. }
        | UseKind::NewKey { .. }
        | UseKind::Branch
        | UseKind::Beside { .. }
        | UseKind::Late { .. }
        | UseKind::Untested { .. } => return None,
    })
}

/// What callees do counts where a lock shows that they belong together, or where nothing else is behind the new value. Who
/// runs a closure may hold something meanwhile.
fn is_near(facts: &BodyFacts, one: &Use, origin: &Origin, late: Option<PathId>) -> bool {
    let far = one.by_callee || origin.by_callee;
    if far && facts.is_closure {
        return false;
    }
    !far || late.is_some() || (one.among == 1 && matches!(one.kind, UseKind::Write { .. }))
}

/// The lock that a flag is written under, which is taken only after the look.
fn locked_late(facts: &BodyFacts, one: &Use, origin: &Origin) -> Option<PathId> {
    let UseKind::Act { target, written: Written::Constant(_), .. } = one.kind else { return None };
    let write = facts.writes.iter().find(|write| write.site == one.site && write.target == target)?;
    let guards = |lock: PathId| facts.has_guards(lock) && lock != origin.lock;
    let mut held = write.under.iter().filter(|(lock, mode)| *mode == Mode::Exclusive && guards(*lock));
    held.next().map(|(lock, _)| *lock)
}

fn suspicion(
    body: usize,
    primary: Site,
    lock: PathId,
    shape: Shape,
    moments: Vec<Moment>,
    evidence: Vec<Evidence>,
) -> Suspicion {
    Suspicion { body, primary, lock: Some(lock), subject: Subject::Path(lock), shape, moments, evidence }
}

fn is_same(facts: &BodyFacts, origin: &Origin, target: PathId) -> bool {
    facts.paths.lock_above(target) == Some(origin.lock)
}

/// Who alone writes an atomic needs no order to read it back, and gives one to those who only read.
fn by_its_only_writer(facts: &BodyFacts, origin: &Origin, stored: Site) -> bool {
    let order = |site: Site| facts.orders.get(&site).copied();
    let here = |&(atomic, site): &(PathId, Site)| (atomic == origin.lock && site > origin.read).then_some(site);
    let mut stores = facts.stored.iter().filter_map(here).chain([stored]);
    let tells = stores.any(|site| matches!(order(site), Some(Order::Release | Order::AcqRel | Order::SeqCst)));
    origin.shared && order(origin.read) == Some(Order::Relaxed) && tells
}

fn written(facts: &BodyFacts, one: &Use, origin: &Origin, target: PathId, effect: Effect) -> Option<Fault> {
    let split = is_same(facts, origin, target) && effect == Effect::Overwrites && origin.shared && !origin.implicit;
    if !split || by_its_only_writer(facts, origin, one.site) {
        return None;
    }
    let evidence = vec![Evidence::DataDependence, Evidence::Overwrites, Evidence::SamePlace];
    Some(Fault { shape: Shape::SplitUpdate, site: one.site, happens: Happening::Write, evidence })
}

/// Others bring something to it, and each time something else: what they bring between the two is gone, and nobody has seen it.
fn reset(all: &Crate, facts: &BodyFacts, one: &Use, origin: &Origin, target: PathId) -> Option<Fault> {
    let fed = is_same(facts, origin, target) && all.writes.is_changed_elsewhere(&all.bodies, facts, target);
    // A flag or a state is saved and restored; a number is counted.
    if !fed || !facts.is_unsigned(origin.lock) || one.by_callee || by_its_only_writer(facts, origin, one.site) {
        return None;
    }
    let evidence = vec![Evidence::GoneUnseen, Evidence::Overwrites];
    Some(Fault { shape: Shape::LoadThenReset, site: one.site, happens: Happening::Resets, evidence })
}

struct Act {
    target: PathId,
    effect: Effect,
    written: Written,
    refuses: Option<Refusal>,
    rides: Option<Beyond>,
    resets: Option<PathId>,
    seldom: Option<Seldom>,
    below: bool,
    late: Option<PathId>,
}

fn acted(all: &Crate, facts: &BodyFacts, one: &Use, origin: &Origin, act: &Act) -> Option<Fault> {
    let Act { target, effect, written, rides, late, .. } = *act;
    if !is_same(facts, origin, target) || by_its_only_writer(facts, origin, one.site) {
        return None;
    }
    let mut evidence = vec![Evidence::LoadedEarlier, Evidence::CheckedPlace];
    let admits = act.refuses == Some(Refusal::Error) && origin.shared;
    let wraps = act.below && origin.shared && facts.is_unsigned(origin.lock);
    match effect {
        Effect::Overwrites => evidence.push(Evidence::Overwrites),
        // How far a limit may be overshot is often known and meant, unless one too many is an error. Who counts first has no need
        // of a second look.
        Effect::Adjusts if admits => evidence.extend([Evidence::Counts, Evidence::TurnsAway]),
        Effect::Adjusts if wraps => evidence.extend([Evidence::Counts, Evidence::WrapsAround]),
        Effect::Adjusts => evidence.extend([Evidence::Counts, Evidence::Approximate]),
        Effect::Calls | Effect::Removes | Effect::Adds | Effect::Demands => return None,
    }
    match written {
        _ if effect == Effect::Adjusts && (admits || wraps) => {}
        // To set it twice does no harm by itself.
        Written::Constant(_) if all.writes.is_latch(facts, target) => {
            let resets = act.resets.filter(|&other| all.writes.is_changed_elsewhere(&all.bodies, facts, other));
            if rides.is_none() && resets.is_none() && !does_more(facts, origin, late) {
                return None;
            }
            evidence.push(Evidence::Constant);
            evidence.extend(resets.map(|_| Evidence::ResetsOther));
        }
        Written::Constant(Some(0)) if origin.shared && rides.is_none() => evidence.push(Evidence::SetBack),
        Written::Constant(Some(_)) => {}
        Written::Constant(None) | Written::Derived(Identity::None) | Written::Given(Identity::None) => {
            evidence.push(Evidence::Idempotent)
        }
        Written::Derived(_) | Written::Given(_) => {}
    }
    evidence.extend(rides.map(|_| Evidence::RidesAlong));
    evidence.extend(act.seldom.and_then(|why| seldom(why, origin)));
    evidence.extend(late.map(|_| Evidence::LockedLate));
    // Where test, lock and store all stand in functions that are called, the test is mostly a way out before the work.
    let is_theirs = late.is_some() && sharing::is_far(one, origin);
    evidence
        .extend([Evidence::ThroughCall, Evidence::Unclear, Evidence::OthersDidIt].into_iter().filter(|_| is_theirs));
    let shape = match late {
        Some(_) => Shape::CountThenLock,
        None if effect == Effect::Adjusts => Shape::TestThenCount,
        None if origin.shared => Shape::TestThenStore,
        None => Shape::CountThenStore,
    };
    let happens = if late.is_some() { Happening::ActsLate } else { Happening::Acts };
    Some(Fault { shape, site: one.site, happens, evidence })
}

/// One thread alone comes to it, or none.
fn seldom(why: Seldom, origin: &Origin) -> Option<Evidence> {
    match why {
        Seldom::Won => Some(Evidence::Alone(Alone::WonExchange)),
        // A limit that is only tested may be a value that stands for nothing.
        Seldom::AtTheEnd => (!origin.shared).then_some(Evidence::Alone(Alone::EndOfNumbers)),
    }
}

/// Something is changed under that lock, too, because of the same load.
fn does_more(facts: &BodyFacts, origin: &Origin, late: Option<PathId>) -> bool {
    let same_load = |one: &Use| one.origins.iter().any(|other| (other.lock, other.read) == (origin.lock, origin.read));
    let untested = |one: &Use| matches!(one.kind, UseKind::Untested { lock } if Some(lock) == late);
    facts.uses.iter().any(|one| untested(one) && same_load(one))
}

/// An atomic decides about what a lock protects, others change it under that lock, and it was counted or tested before the
/// lock was taken: when it is, it may have changed.
fn atomic_before_lock(all: &Crate, body: usize, one: &Use) -> Option<Suspicion> {
    let (lock, counted) = match one.kind {
        UseKind::Late { lock } => (lock, true),
        UseKind::Untested { lock } => (lock, false),
        _ => return None,
    };
    let facts = &all.bodies[body];
    if !counted && (facts.has_token || facts.promised || all.writes.is_called_under_lock(body)) {
        return None;
    }
    one.origins.iter().filter(|origin| sharing::is_shared(facts, origin.lock)).find_map(|origin| {
        let by = match counted {
            true => all.writes.changed_under(&all.bodies, body, origin, lock)?,
            false => all.writes.changed_together(&all.bodies, body, origin, lock)?,
        };
        let (interference, who) = sharing::interference(all, body, by, origin.read);
        let looks = if counted { Happening::Counts } else { Happening::Loads };
        let moments = vec![
            Moment { happens: looks, site: origin.read },
            interference,
            Moment { happens: Happening::ActsLate, site: one.site },
        ];
        let mut evidence = vec![Evidence::LoadedEarlier];
        // In a function of its own the test is mostly a way out that costs nothing, and may come late.
        evidence.extend((counted || !facts.internal).then_some(Evidence::ChangedUnderLock));
        evidence.push(who);
        evidence.extend(sharing::distance(one, origin));
        // The lock of something that the function uses may be there for another reason.
        let is_theirs = !counted && one.by_callee;
        evidence.extend([Evidence::ThroughCall, Evidence::Unclear].into_iter().filter(|_| is_theirs));
        evidence.extend(sharing::owner(facts, origin.lock));
        let mut found = suspicion(body, one.site, lock, Shape::CountThenLock, moments, evidence);
        found.subject = Subject::Place(origin.lock);
        Some(found)
    })
}

/// Counted on trial, and counted back when it was too much: who overwrites the count in between makes it wrong for good.
fn blind_over_count(all: &Crate, body: usize, count: &CountedBack) -> Vec<Suspicion> {
    let facts = &all.bodies[body];
    if !sharing::is_shared(facts, count.lock) || all.writes.is_called_under_lock(body) {
        return Vec::new();
    }
    let stores = all.writes.overwritten_beside(facts, count);
    let told = stores.into_iter().filter_map(|(other, site)| {
        let there = &all.bodies[other];
        let target = there.writes.iter().find(|write| write.site == site)?.target;
        let lock = there.paths.lock_above(target).filter(|&lock| sharing::is_shared(there, lock))?;
        let by = Interferer::Here { body, site: count.counted };
        let happens = Happening::Interfere { by, same_function: there.function == facts.function };
        let moments = vec![Moment { happens, site: count.counted }, Moment { happens: Happening::StoresBlindly, site }];
        let evidence = vec![Evidence::CountedOnTrial, Evidence::WrittenElsewhere];
        Some(suspicion(other, site, lock, Shape::StoreOverCount, moments, evidence))
    });
    told.collect()
}

/// The number is set anew where it has come to its end, and then counted: whoever counts in between is the one who gets what was
/// set, or takes the last, and this thread counts past the end.
fn counted_on(all: &Crate, body: usize, one: &Use) -> Option<Suspicion> {
    let UseKind::CountedOn { target, exchanged } = one.kind else { return None };
    let facts = &all.bodies[body];
    let own = sharing::owner(facts, target).is_some();
    if own || facts.has_token || all.writes.is_called_under_lock(body) || !sharing::is_shared(facts, target) {
        return None;
    }
    let happens = Happening::Interfere { by: Interferer::Here { body, site: one.site }, same_function: true };
    let moments = vec![
        Moment { happens: Happening::MakesFit, site: exchanged },
        Moment { happens, site: one.site },
        Moment { happens: Happening::CountsOn, site: one.site },
    ];
    let mut evidence = vec![Evidence::AnswerIgnored, Evidence::WrittenHere];
    evidence.extend(facts.promised.then_some(Evidence::Promised));
    Some(suspicion(body, one.site, target, Shape::ExchangeThenCount, moments, evidence))
}

/// `compare_exchange_weak` may fail though nobody interferes.
fn lost_for_no_reason(all: &Crate, body: usize, one: &Use) -> Option<Suspicion> {
    let UseKind::Exchange { target, ignored: true, weak: true, .. } = one.kind else { return None };
    let facts = &all.bodies[body];
    if !sharing::is_shared(facts, target) || !one.origins.is_empty() {
        return None;
    }
    let moments = vec![Moment { happens: Happening::GivesUp, site: one.site }];
    let evidence = vec![Evidence::AnswerIgnored, Evidence::FailsForNoReason];
    Some(suspicion(body, one.site, target, Shape::ExchangeIgnored, moments, evidence))
}
