//! What a wait tests is an atomic, tested under the mutex that the wait lets go; and it is changed, and the waiter notified,
//! without that mutex. Between the look and the sleep of the waiter there is room for both, and then nobody wakes it.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::{Condvar, Mutex};
//! # use std::sync::atomic::{AtomicBool, Ordering};
//! struct Gate { open: AtomicBool, lock: Mutex<()>, opened: Condvar }
//!
//! impl Gate {
//!     fn wait(&self) {
//!         let mut held = self.lock.lock().unwrap();
//!         while !self.open.load(Ordering::SeqCst) {
//!             held = self.opened.wait(held).unwrap();
//!         }
//!     }
//!
//!     fn open(&self) {
//!         self.open.store(true, Ordering::SeqCst); // after the load, before the wait:
//!         self.opened.notify_all(); // nobody hears it
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Hold the mutex while the value is changed, or take it once between the change and the notification. To notify after it was
//! let go is fine.
//!
//! ## How it is decided
//!
//! For each wait, the atomics that the decision to wait rests on; for each function that stores to one of them and notifies the
//! same condition variable afterwards, whether it takes the mutex at all, or all its callers hold it.
//!
//! ## What it can miss
//!
//! A change in one function and the notification in another; what is tested that is no atomic.
//!
//! ## What it may wrongly report
//!
//! A change that is made before any thread waits, or notifications that are repeated until somebody answers.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion};
use crate::domain::facts::{BodyFacts, Notification, Wait};
use crate::domain::path::PathId;
use crate::events::Site;
use crate::summary::{Crate, LockKey};
use std::collections::BTreeMap;

/// A wait that rests on an atomic.
#[derive(Clone, Copy)]
struct Waiter<'f> {
    body: usize,
    wait: &'f Wait,
}

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let waiters = waiters(all);
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for notification in &facts.notifications {
            let key = LockKey::of(&facts.paths, notification.condition);
            let waiting = key.and_then(|key| waiters.get(&key)).into_iter().flatten();
            found.extend(waiting.filter_map(|waiter| suspicion(all, body, notification, waiter)).next());
        }
    }
    found
}

fn waiters(all: &Crate) -> BTreeMap<LockKey, Vec<Waiter<'_>>> {
    let mut waiters: BTreeMap<LockKey, Vec<Waiter<'_>>> = BTreeMap::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        // What was read before the lock was taken is another mistake.
        for wait in facts.waits.iter().filter(|wait| !wait.tests.is_empty() && wait.early.is_empty()) {
            if let Some(key) = wait.condition.and_then(|condition| LockKey::of(&facts.paths, condition)) {
                waiters.entry(key).or_default().push(Waiter { body, wait });
            }
        }
    }
    waiters
}

fn suspicion(all: &Crate, body: usize, notification: &Notification, waiter: &Waiter<'_>) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let waiting = &all.bodies[waiter.body];
    let mutex = LockKey::of(&waiting.paths, waiter.wait.lock)?;
    if takes(facts, &mutex) || all.writes.callers_hold_key(body, &mutex).is_some() {
        return None;
    }
    let (changed, changed_at) = changed_before(facts, notification.site, waiting, waiter.wait)?;
    let lock = waiter.wait.lock;
    let mut evidence = vec![Evidence::ChangedUnlocked];
    evidence.extend(waiter.wait.how.timed.then_some(Evidence::TimedWait));
    Some(Suspicion {
        body,
        primary: notification.site,
        lock: None,
        subject: Subject::Place(changed),
        shape: checks::Shape::Deadlock(Shape::NotHeard),
        moments: vec![
            moment(Happening::TestsUnder { body: waiter.body, lock }, waiter.wait.site),
            moment(Happening::ChangesUnlocked { body, what: changed }, changed_at),
            moment(Happening::NotifiesUnlocked, notification.site),
        ],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    })
}

/// It takes the lock somewhere: then the waiter sleeps, or has not looked yet.
fn takes(facts: &BodyFacts, lock: &LockKey) -> bool {
    facts.taken.iter().any(|&(taken, _)| LockKey::of(&facts.paths, taken).as_ref() == Some(lock))
}

/// An atomic that the wait rests on, and where it is changed.
fn changed_before(facts: &BodyFacts, before: Site, waiting: &BodyFacts, wait: &Wait) -> Option<(PathId, Site)> {
    let tests: Vec<LockKey> = wait.tests.iter().filter_map(|&it| LockKey::of(&waiting.paths, it)).collect();
    let tested = |atomic: PathId| LockKey::of(&facts.paths, atomic).is_some_and(|key| tests.contains(&key));
    facts.stored.iter().copied().find(|&(atomic, site)| site < before && tested(atomic))
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Deadlock(happens), site }
}
