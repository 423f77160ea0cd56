//! A thread waits on a condition variable, or for a `Notify`, and holds a lock beside the one that the wait lets go. Whoever
//! would notify it needs that lock first: nobody goes on.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::{Condvar, Mutex};
//! struct Queue { registry: Mutex<u32>, items: Mutex<Vec<u32>>, ready: Condvar }
//!
//! impl Queue {
//!     fn pop(&self) -> Option<u32> {
//!         let registry = self.registry.lock().unwrap();
//!         let mut items = self.items.lock().unwrap();
//!         while items.is_empty() {
//!             items = self.ready.wait(items).unwrap(); // `registry` stays locked
//!         }
//!         items.pop().map(|item| item + *registry)
//!     }
//!
//!     fn push(&self, item: u32) {
//!         *self.registry.lock().unwrap() += 1; // waits for `pop`, which waits for this
//!         self.items.lock().unwrap().push(item);
//!         self.ready.notify_one();
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Let the other lock go before the wait, and take it again after it.
//!
//! ## How it is decided
//!
//! At each wait the other locks are known that are held for sure, and at each notification of the same condition variable the
//! locks that its thread has taken on every way that leads there, or that all its callers hold. A lock that everyone who
//! notifies has to get by is reported. Readers do not stop readers.
//!
//! ## What it can miss
//!
//! Locks that the callers of the waiting function hold; locks that a notifier takes in its callers and lets go again.
//!
//! ## What it may wrongly report
//!
//! A wait that something else ends: a notification that comes from code that is not seen here.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Notification};
use crate::domain::path::PathId;
use crate::events::{Mode, Site};
use crate::summary::{Crate, LockKey};
use std::collections::BTreeMap;

/// The notifications of each condition.
type Notifiers<'f> = BTreeMap<LockKey, Vec<(usize, &'f Notification)>>;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut notifiers = Notifiers::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for notification in &facts.notifications {
            if let Some(key) = LockKey::of(&facts.paths, notification.condition) {
                notifiers.entry(key).or_default().push((body, notification));
            }
        }
    }
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for waiting in waiting(facts) {
            let Some(woken_by) = LockKey::of(&facts.paths, waiting.condition).and_then(|key| notifiers.get(&key))
            else {
                continue;
            };
            let stuck = waiting.held.iter().filter(|(lock, ..)| sharing::is_shared(facts, *lock));
            found.extend(stuck.filter_map(|&held| suspicion(all, body, &waiting, held, woken_by)));
        }
    }
    found
}

/// A thread or a task that waits to be notified.
struct Waiting<'f> {
    condition: PathId,
    site: Site,
    held: &'f [(PathId, Mode, Site)],
    timed: bool,
}

fn waiting(facts: &BodyFacts) -> impl Iterator<Item = Waiting<'_>> {
    let waits = facts.waits.iter().filter_map(|wait| {
        Some(Waiting { condition: wait.condition?, site: wait.site, held: &wait.held, timed: wait.how.timed })
    });
    let sleeps = facts.sleeps.iter();
    let sleeps = sleeps.map(|it| Waiting { condition: it.condition, site: it.site, held: &it.held, timed: false });
    waits.chain(sleeps)
}

fn suspicion(
    all: &Crate,
    body: usize,
    wait: &Waiting<'_>,
    (lock, mode, taken): (PathId, Mode, Site),
    notifiers: &[(usize, &Notification)],
) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let key = LockKey::of(&facts.paths, lock)?;
    let all_need = notifiers.iter().all(|&(by, notification)| needs(all, by, notification, &key, mode));
    let &(by, notification) = notifiers.first().filter(|_| all_need)?;
    let mut evidence = vec![Evidence::NotifiersNeedIt];
    evidence.extend(wait.timed.then_some(Evidence::TimedWait));
    Some(Suspicion {
        body,
        primary: wait.site,
        lock: Some(lock),
        subject: Subject::Place(lock),
        shape: checks::Shape::Deadlock(Shape::WaitsHolding),
        moments: vec![
            moment(Happening::Holds, taken),
            moment(Happening::WaitsHolding, wait.site),
            moment(Happening::NotifierNeeds { body: by }, notification.site),
        ],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    })
}

/// The notifier has to get by the lock, and cannot while it is held like this.
fn needs(all: &Crate, body: usize, notification: &Notification, key: &LockKey, held: Mode) -> bool {
    let facts: &BodyFacts = &all.bodies[body];
    let stops = |mode: Mode| mode.max(held) == Mode::Exclusive;
    let own = notification.under.iter().chain(&notification.entered);
    let mut own = own.filter(|(_, mode)| stops(*mode));
    own.any(|(lock, _)| LockKey::of(&facts.paths, *lock).as_ref() == Some(key))
        || all.writes.callers_hold_key(body, key).is_some_and(stops)
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Deadlock(happens), site }
}
