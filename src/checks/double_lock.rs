//! A lock that is taken while this very thread holds it: it waits for itself, and never goes on.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! struct Cache { entries: Mutex<Vec<u32>> }
//!
//! impl Cache {
//!     fn len(&self) -> usize { self.entries.lock().unwrap().len() }
//!
//!     fn push(&self, entry: u32) {
//!         let mut entries = self.entries.lock().unwrap();
//!         if self.len() < 10 { // takes `entries` again
//!             entries.push(entry);
//!         }
//!     }
//! }
//! ```
//!
//! A guard often lives longer than it seems: in the scrutinee of a `match` or `if let` it lives to the end of the whole
//! expression, and a temporary to the end of the statement.
//!
//! ## What to do
//!
//! Let the first guard go before (`drop(guard)`, a block around it, a variable for what was read), or give what it protects to
//! the function that needs it.
//!
//! ## Shapes
//!
//! - an exclusive lock taken again, or a read lock and then the write lock: a deadlock for sure;
//! - a read lock taken again: a deadlock if a writer waits in between, since new readers have to wait behind it; ranked low if
//!   no writer is seen, or if each object of the type has one thread by all that is done with its locks (see `check_then_act`);
//! - a closure of the caller's that is run under the lock and given what leads to it (the object itself, a copy that shares it):
//!   a deadlock if it calls what takes the lock, as another function that others can call does;
//! - a value sent into a `watch` channel while what `borrow` gave is alive: `tx.send(*tx.borrow() + 1)`;
//! - a future that is polled by hand under a lock which the crate's own wakers take (`Wake`, a table of functions): a deadlock if
//!   it wakes itself before it returns, as one does that gives way to others;
//! - an entry of a concurrent map asked for while another one is held, or while somebody goes through the map (`iter`): a
//!   deadlock if both are in one shard.
//!
//! Functions that are called count, to any depth, and so does the `Drop` of what is dropped, overwritten or sent to nobody under
//! the lock; a lock that this `Drop` leads back to from what was kept under the same field counts as the same. Silent for
//! locks that may be taken twice (`ReentrantMutex`, `read_recursive`), for `try_lock`, and where the guard was let go on some
//! way.
//!
//! ## What it can miss
//!
//! Guards that are held only on some ways; locks that have two names here; elements of arrays, since two of them may be two
//! locks; what closures do that are called elsewhere, and those of the callers of an `async` function.
//!
//! ## What it may wrongly report
//!
//! A guard that was given away in a manner the tool does not see. A `Drop` that has nothing left to do, or the last handle of
//! which is not dropped here, unless the object that the function works on is such a thing, or has a handle of one. A closure that
//! is said to leave the lock alone. A future that is given another waker than the crate's own, or never wakes itself. Ranked low: a guard in a poison error, since another thread has to panic with the lock first.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Double, Polled};
use crate::summary::{Crate, LockKey};
use std::collections::{BTreeMap, BTreeSet};

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found: Vec<Suspicion> = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for double in facts.doubles.iter().filter(|double| !double.by_closure) {
            let told = found.iter().any(|one| (one.body, one.primary) == (body, double.second));
            if !told {
                found.push(suspicion(body, double));
            }
        }
    }
    readers_alone(all, &mut found);
    found.extend(all.bodies.iter().enumerate().flat_map(|(body, facts)| by_closures(all, body, facts)));
    found.extend(by_wakers(all));
    found
}

/// Readers wait behind a writer: who reads twice waits for nobody if nobody writes.
fn readers_alone(all: &Crate, found: &mut [Suspicion]) {
    let is_read_twice = |one: &&mut Suspicion| one.shape == checks::Shape::Deadlock(Shape::ReadTwice);
    let mut read_twice = found.iter_mut().filter(is_read_twice).peekable();
    if read_twice.peek().is_none() {
        return;
    }
    let written = sharing::taken_to_write(all);
    for one in read_twice {
        let key = one.lock.and_then(|lock| all.aliases.key(&all.bodies[one.body], lock));
        if key.is_some_and(|key| !written.contains(&key)) {
            one.evidence.push(checks::Evidence::Deadlock(Evidence::NobodyWrites));
        }
    }
}

fn suspicion(body: usize, double: &Double) -> Suspicion {
    let (shape, evidence) = match (double.shards, double.shared) {
        (true, _) => (Shape::SameShard, Evidence::SameShard),
        (false, true) => (Shape::ReadTwice, Evidence::ReadTwice),
        (false, false) => (Shape::TakenTwice, Evidence::TakenTwice),
    };
    let again = match (double.by_drop, double.by_callee) {
        (true, _) => Happening::DropTakesAgain,
        (false, true) => Happening::CalleeTakesAgain,
        (false, false) => Happening::TakesAgain,
    };
    let mut evidence = vec![evidence];
    evidence.extend(double.by_drop.then_some(Evidence::InDrop));
    evidence.extend(double.if_poisoned.then_some(Evidence::AfterPanic));
    Suspicion {
        body,
        primary: double.second,
        lock: Some(double.lock),
        subject: Subject::Place(double.lock),
        shape: checks::Shape::Deadlock(shape),
        moments: vec![moment(Happening::Holds, double.first), moment(again, double.second)],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    }
}

/// One for each lock, in functions that others can call: who calls one in here is known, and so are the closures.
fn by_closures(all: &Crate, body: usize, facts: &BodyFacts) -> Vec<Suspicion> {
    let mut told = BTreeSet::new();
    let doubles = facts.doubles.iter().filter(|double| double.by_closure && facts.exported);
    let keyed = doubles.filter_map(|double| Some((double, LockKey::of(&facts.paths, double.lock)?)));
    let first = keyed.filter(|(_, key)| told.insert(key.clone()));
    first.filter_map(|(double, key)| by_closure(all, body, double, &key)).collect()
}

/// Others can also call another function that takes the lock; the one that comes to it on the shortest way is told.
fn by_closure(all: &Crate, body: usize, double: &Double, key: &LockKey) -> Option<Suspicion> {
    let others = all.bodies.iter().enumerate().filter(|(other, facts)| *other != body && facts.exported);
    let way = |facts: &BodyFacts| {
        let taken = facts.taken.iter().filter(|(taken, _)| LockKey::of(&facts.paths, *taken).as_ref() == Some(key));
        taken.map(|(taken, _)| facts.paths.length(*taken)).min()
    };
    let (_, taker) = others.filter_map(|(other, facts)| Some((way(facts)?, other))).min()?;
    let moments = vec![
        moment(Happening::Holds, double.first),
        moment(Happening::ClosureMayTakeAgain { body: taker }, double.second),
    ];
    Some(Suspicion {
        shape: checks::Shape::Deadlock(Shape::InClosure),
        moments,
        evidence: vec![checks::Evidence::Deadlock(Evidence::InClosure)],
        ..suspicion(body, double)
    })
}

/// One for each lock and body.
fn by_wakers(all: &Crate) -> Vec<Suspicion> {
    if all.bodies.iter().all(|facts| facts.polled.is_empty()) {
        return Vec::new();
    }
    let mut wanting: BTreeMap<LockKey, Vec<usize>> = BTreeMap::new();
    for (body, facts) in all.bodies.iter().enumerate().filter(|(_, facts)| !facts.says_nothing()) {
        for key in facts.wanted.iter().filter_map(|&lock| LockKey::of(&facts.paths, lock)) {
            wanting.entry(key).or_default().push(body);
        }
    }
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for polled in &facts.polled {
            let Some(key) = LockKey::of(&facts.paths, polled.lock) else { continue };
            let wakes = |other: &&usize| {
                implements_waker(&all.bodies[**other]) || polled.wakers.contains(&all.bodies[**other].id)
            };
            let waker = wanting.get(&key).and_then(|bodies| bodies.iter().find(wakes));
            if let Some(&waker) = waker.filter(|_| told.insert((body, key.clone()))) {
                found.push(by_waker(body, polled, waker));
            }
        }
    }
    found
}

fn by_waker(body: usize, polled: &Polled, waker: usize) -> Suspicion {
    Suspicion {
        body,
        primary: polled.site,
        lock: Some(polled.lock),
        subject: Subject::Place(polled.lock),
        shape: checks::Shape::Deadlock(Shape::InWaker),
        moments: vec![
            moment(Happening::Holds, polled.taken),
            moment(Happening::WakerTakesAgain { body: waker }, polled.site),
        ],
        evidence: vec![checks::Evidence::Deadlock(Evidence::InWaker)],
    }
}

/// `Wake` of the standard library, and those of others.
fn implements_waker(facts: &BodyFacts) -> bool {
    let name = facts.function.strip_prefix('<').and_then(|name| name.rsplit_once(">::"));
    name.is_some_and(|(of, name)| of.contains(" as ") && matches!(name, "wake" | "wake_by_ref"))
}

fn moment(happens: Happening, site: crate::events::Site) -> Moment {
    Moment { happens: checks::Happening::Deadlock(happens), site }
}
