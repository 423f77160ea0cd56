//! The guard of a blocking lock is alive at an `.await`. While the task sleeps, whoever wants the lock blocks its whole thread;
//! if that is the thread that would wake the task, nothing goes on.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! # async fn send(_: u32) { std::future::pending().await }
//! async fn flush(queue: &Mutex<Vec<u32>>) {
//!     let mut items = queue.lock().unwrap();
//!     while let Some(item) = items.pop() {
//!         send(item).await; // the queue stays locked
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Let the guard go before the `.await`: take what is needed out of it in a block of its own, or `drop` it. If the lock has to be
//! held, use one that is made for tasks (`tokio::sync::Mutex`).
//!
//! ## How it is decided
//!
//! By what is alive, not by scopes: a guard that was dropped or moved away before the `.await` is no finding, where clippy's
//! `await_holding_lock` may be one. Entries and iterators of concurrent maps are guards, too. Locks whose guards are made to be
//! kept are known from the models (`for_tasks`). What is awaited must be able to sleep: an `async fn` without an `.await` in it
//! is ready at once.
//!
//! Where four functions or more sleep with the same lock, that is one decision, and it is told once: at one of them, with some
//! of the others beside it.
//!
//! ## What it can miss
//!
//! Guards that are alive only on some ways; locks that the models do not know; a guard that the caller keeps.
//!
//! ## What it may wrongly report
//!
//! A lock that only one task ever takes. Ranked low where the code allows `clippy::await_holding_lock`, on the function or around
//! it: that is known then.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, HeldAsleep};
use crate::events::{Mode, Site};
use crate::summary::{Crate, LockKey};
use std::collections::{BTreeMap, BTreeSet};

/// So many functions do not make the same slip.
const MANY: usize = 4;

/// How many of the others are told of.
const SHOWN: usize = 3;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    let mut of_lock: BTreeMap<LockKey, Vec<Suspicion>> = BTreeMap::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for asleep in facts.asleep.iter().filter(|asleep| sharing::is_shared(facts, asleep.lock)) {
            let one = suspicion(all, body, facts, asleep);
            match all.aliases.key(facts, asleep.lock) {
                Some(key) => of_lock.entry(key).or_default().push(one),
                None => found.push(one),
            }
        }
    }
    found.extend(of_lock.into_values().flat_map(|alike| once_if_many(all, alike)));
    found
}

fn once_if_many(all: &Crate, mut alike: Vec<Suspicion>) -> Vec<Suspicion> {
    let function = |one: &Suspicion| all.bodies[one.body].function.as_str();
    let functions: BTreeSet<&str> = alike.iter().map(function).collect();
    if functions.len() < MANY {
        return alike;
    }
    let reads = |one: &Suspicion| one.evidence.contains(&checks::Evidence::Deadlock(Evidence::OnlyReads));
    alike.sort_by_key(|one| (reads(one), one.primary));
    let mut told = BTreeSet::from([function(&alike[0])]);
    let others = alike[1..].iter().filter(|one| told.insert(function(one))).take(SHOWN);
    let others: Vec<Moment> = others.map(|one| moment(Happening::SleepsToo { body: one.body }, one.primary)).collect();
    alike.truncate(1);
    alike[0].moments.extend(others);
    alike
}

fn suspicion(all: &Crate, body: usize, facts: &BodyFacts, asleep: &HeldAsleep) -> Suspicion {
    let key = LockKey::of(&facts.paths, asleep.lock);
    let takes = |other: &BodyFacts| other.taken.iter().any(|&(taken, _)| LockKey::of(&other.paths, taken) == key);
    let others = key.is_some() && all.bodies.iter().enumerate().any(|(other, facts)| other != body && takes(facts));
    let mut evidence = vec![Evidence::HeldAcrossAwait];
    evidence.extend(others.then_some(Evidence::OthersTakeIt));
    evidence.extend((asleep.mode == Mode::Shared).then_some(Evidence::OnlyReads));
    evidence.extend(facts.sleeps_knowingly.then_some(Evidence::KnownToAuthors));
    Suspicion {
        body,
        primary: asleep.taken,
        lock: Some(asleep.lock),
        subject: Subject::Place(asleep.lock),
        shape: checks::Shape::Deadlock(Shape::AcrossAwait),
        moments: vec![moment(Happening::Holds, asleep.taken), moment(Happening::SleepsHolding, asleep.site)],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    }
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Deadlock(happens), site }
}
