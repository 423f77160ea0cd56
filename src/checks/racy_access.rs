//! Two threads that use the same memory at the same time, one of them writing, with nothing between them: a data race, which
//! is undefined behaviour. Safe Rust rules it out; `unsafe impl Sync`, `UnsafeCell`, raw pointers and `static mut` take it back
//! into your hands.
//!
//! ## Example
//!
//! ```rust
//! # use std::cell::UnsafeCell;
//! pub struct Counter { count: UnsafeCell<u64> }
//!
//! unsafe impl Sync for Counter {}
//!
//! impl Counter {
//!     pub fn add(&self) {
//!         unsafe { *self.count.get() += 1 } // two threads in here, and one of the two is lost, or worse
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Take one lock around every use, use an atomic, or take `&mut self`. If the callers see to it that they are alone, make the
//! function `unsafe` and write down what they have to promise.
//!
//! ## How it is decided
//!
//! All uses of one field of a type that is said to be `Sync`, or of one `static mut`, are paired, and the pairs go through the
//! stages of Chord (`--stats` counts them): *original*, one of the two writes; *reachable*, two threads can be there at once,
//! each started by a spawn, by `main`, or by a caller of the library's safe functions; *aliasing*, both come to it through the
//! same type; *escaping*, neither has it alone (`&mut`, just made, a type that is not `Sync`); *unlocked*, they hold no lock in
//! common, and no atomic of the object stands between them: changed in one step with a look (`compare_exchange`, `swap`), or
//! stored to after the write and looked at before the read (which keeps no two writers apart). One finding for each field, with
//! the way from both roots; where a lock is forgotten that nearly all others hold, `inconsistent_guard` tells it instead.
//!
//! A generic type with `unsafe impl Send` or `unsafe impl Sync` that asks nothing of its type parameter is reported by itself: with
//! a `Cell` or an `Rc` in it, safe code has a data race. It counts if the type has something of the parameter inside, and a
//! safe function that others may call lets it in or out (for `Sync`: through a shared reference), and if other crates can fill
//! it: a type that only stands inside others counts if these go to other threads as well. `unsafe impl<T: Send> Sync` is
//! reported where `&self` gives a plain `&T` in a function that does not ask which thread runs it (a `thread_local!`, `thread::current`), and where code of `T` itself (`T: Clone`) runs under a lock that lets in several
//! readers: that needs `T: Sync`. So is `unsafe impl Send` for a type whose copies share an `Arc` of something that need not be
//! `Sync`: of a type parameter, or of a trait object that is made of something that is not.
//!
//! A pointer that is loaded from an atomic with `Relaxed` and followed is reported if another function puts one there with
//! `Release`, another follows it after an `Acquire`, and this one only reads, without a lock, a fence, or `&mut`.
//!
//! ## What it can miss
//!
//! Uses in `unsafe` functions and in closures that are handed to other functions; objects that are reached through different
//! types (an iterator and its list), through a raw pointer that the caller follows, or through a handle that is given beside
//! the object; everything that is given to a function of which nothing is known; other wrong orderings, and pointers from atomics of types that have no lock. An `Arc` that copies share, if
//! there is a lock beside it, or if what is in it was made elsewhere. A field that is used somewhere only after the thread was asked
//! for (`self.owner == thread::current().id()`) is the state of one thread, and its other uses are taken to be by that thread, too.
//!
//! ## What it may wrongly report
//!
//! Code that one thread runs for another reason: a number of its own instead of the thread's id, an order of start-up that the
//! types do not show.
//! A type parameter that only ever stands for types that may go to other threads, because a sealed trait or the only function
//! that makes one sees to it. Copies that all stay on one thread.

use crate::checks::terms::memory::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, inconsistent_guard, published};
use crate::events::{Asked, Claim, Site};
use crate::summary::{Crate, LocationKey, LockKey, Pair, RootKind, Spot, Stages};

/// Calls that are told on the way to a use.
const MOST_CALLS: usize = 3;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut stages = Stages::default();
    let plain = all.shared.locations.keys().filter(|key| !all.shared.is_atomic(**key));
    let races = plain.filter_map(|&key| worst(all, key, &mut stages));
    races.chain(published::check(all)).collect()
}

/// The sizes of all stages.
pub fn stages(all: &Crate) -> Stages {
    let mut stages = Stages { steps: all.shared.threads.steps, ..Stages::default() };
    for &key in all.shared.locations.keys().filter(|key| !all.shared.is_atomic(**key)) {
        all.shared.pairs(&all.bodies, key, &mut stages);
    }
    stages
}

/// A type that is said to go to other threads whatever is in it, and what that is worth.
pub struct Unbounded<'a> {
    pub claim: &'a Claim,
    pub evidence: Vec<checks::Evidence>,
}

pub fn unbounded(all: &Crate) -> Vec<Unbounded<'_>> {
    let judged = all.shared.exposures.claims.iter().map(|claim| {
        let shown = match (claim.is_sync, claim.asked) {
            (true, Asked::Nothing) => Evidence::SharedWhateverItIs,
            (true, Asked::OnlySend) => Evidence::SharedThoughOnlySend,
            (_, Asked::OnlySendForReaders) => Evidence::ReadThoughOnlySend,
            (_, Asked::SharedByCopies { .. }) => Evidence::SharedByCopies,
            (false, _) => Evidence::SentWhateverItIs,
        };
        // What is put into a field is seen where it happens, whoever can name the type.
        let is_seen = matches!(claim.asked, Asked::SharedByCopies { filled_at: Some(_) });
        let named = match claim.exported {
            true => Some(Evidence::AnybodyNamesIt),
            false => (!is_seen).then_some(Evidence::OnlyNamedHere),
        };
        Unbounded { claim, evidence: [shown].into_iter().chain(named).map(checks::Evidence::Memory).collect() }
    });
    judged.collect()
}

fn worst(all: &Crate, key: LocationKey, stages: &mut Stages) -> Option<Suspicion> {
    let pairs = all.shared.pairs(&all.bodies, key, stages);
    // A lock that is forgotten is told by the lint that knows the lock.
    let forgotten = inconsistent_guard::forgotten(all, key).map(|it| it.at);
    let own = pairs.iter().filter(|pair| !forgotten.is_some_and(|at| pair.has(at)));
    let told = own.map(|pair| suspicion(all, pair));
    // The first of the strongest.
    told.reduce(|best, next| if super::score(&next.evidence) > super::score(&best.evidence) { next } else { best })
}

fn suspicion(all: &Crate, pair: &Pair<'_>) -> Suspicion {
    // The finding stands where the lock is forgotten, if the other has one, and at a write otherwise.
    let writes = |spot: &Spot| spot.access(&all.bodies).write;
    let has_lock = |spot: &Spot| !spot.under.is_empty();
    let in_order = match (has_lock(pair.first), has_lock(pair.second)) {
        (false, true) => true,
        (true, false) => false,
        _ => writes(pair.first),
    };
    let (first, second, roots) = if in_order {
        (pair.first, pair.second, pair.roots)
    } else {
        (pair.second, pair.first, (pair.roots.1, pair.roots.0))
    };
    let mut moments = way(all, first, roots.0, false);
    moments.extend(way(all, second, roots.1, true));
    let access = first.access(&all.bodies);
    Suspicion {
        body: first.body,
        primary: access.site,
        lock: None,
        subject: Subject::Memory(access.path),
        shape: checks::Shape::Memory(Shape::Race),
        moments,
        evidence: evidence(all, first, second, roots).into_iter().map(checks::Evidence::Memory).collect(),
    }
}

/// From where the thread begins to the use.
fn way(all: &Crate, spot: &Spot, root: usize, other: bool) -> Vec<Moment> {
    let mut moments = Vec::new();
    if let RootKind::Spawned { by, site, .. } = all.shared.threads.roots[root].kind {
        moments.push(moment(Happening::Starts { body: by, other }, site));
    }
    let calls = all.shared.threads.way(root, spot.body);
    let skipped = calls.len().saturating_sub(MOST_CALLS);
    for (number, &(body, site)) in calls.iter().enumerate() {
        if number == 0 || number > skipped {
            moments.push(moment(Happening::CallsOn { body, other }, site));
        }
    }
    let access = spot.access(&all.bodies);
    let happens = Happening::UsesRacily { body: spot.body, what: access.path, write: access.write, other };
    moments.push(moment(happens, access.site));
    moments
}

fn evidence(all: &Crate, first: &Spot, second: &Spot, roots: (usize, usize)) -> Vec<Evidence> {
    let mut evidence = vec![Evidence::Race];
    let both_write = first.access(&all.bodies).write && second.access(&all.bodies).write;
    evidence.push(if both_write { Evidence::BothWrite } else { Evidence::ReadAndWrite });
    let kinds = [roots.0, roots.1].map(|root| all.shared.threads.roots[root].kind);
    let spawned = kinds.iter().any(|kind| matches!(kind, RootKind::Spawned { .. }));
    evidence.push(if spawned { Evidence::RealThread } else { Evidence::TwoCallers });
    let locked = |spot: &Spot| !spot.under.is_empty();
    evidence.extend((locked(first) || locked(second)).then_some(Evidence::OtherLock));
    // An atomic is asked before, and set in another step: it was meant to keep others out.
    let asked = |spot: &Spot| !spot.claims.is_empty();
    let split = |spot: &Spot| spot.access(&all.bodies).write && spot.claims.keys().any(|flag| sets(all, spot, flag));
    if split(first) || split(second) {
        evidence.push(Evidence::FlagInTwoSteps);
    } else if asked(first) || asked(second) {
        evidence.push(Evidence::FlagAsked);
    }
    evidence
}

/// The body of the use stores to the atomic, before the use or after it.
fn sets(all: &Crate, spot: &Spot, flag: &LockKey) -> bool {
    let facts = &all.bodies[spot.body];
    facts.stored.iter().any(|&(atomic, _)| LockKey::of(&facts.paths, atomic).as_ref() == Some(flag))
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Memory(happens), site }
}
