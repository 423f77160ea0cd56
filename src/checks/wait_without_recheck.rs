//! A wait on a condition variable whose condition is not tested again when it returns, or was tested before the lock was
//! taken, or that is used with more than one mutex.
//!
//! A wait may return without a notification, and between a notification and the return another thread may have had the
//! lock: that the wait returned says nothing about the condition.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::{Condvar, Mutex};
//! # struct Job { result: Mutex<Option<u32>>, done: Condvar }
//! impl Job {
//!     fn wait(&self) {
//!         let result = self.result.lock().unwrap();
//!         if result.is_none() {
//!             drop(self.done.wait(result).unwrap()); // may return though there is no result
//!         }
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Test the condition in a loop around the wait, under the lock, or let `wait_while` do it:
//!
//! ```rust
//! # use std::sync::{Condvar, Mutex};
//! # struct Job { result: Mutex<Option<u32>>, done: Condvar }
//! impl Job {
//!     fn wait(&self) {
//!         let result = self.result.lock().unwrap();
//!         drop(self.done.wait_while(result, |result| result.is_none()).unwrap());
//!     }
//! }
//! ```
//!
//! ## Shapes
//!
//! - the wait stands in an `if`, or under no condition at all, and nothing is tested before the lock is let go;
//! - whether to wait was decided by something read before the lock was taken: a notification in between is lost, and the
//!   thread sleeps for ever;
//! - one condition variable, two mutexes;
//! - the mutex was made for the wait, and nobody else has it: no notification can be given under it, and one that comes before the wait
//!   is lost.
//!
//! ## What it can miss
//!
//! Waits in a function that was given the guard in a struct of its own. A test of something else than the condition counts
//! as a test.
//!
//! ## What it may wrongly report
//!
//! A wait whose early return does no harm: one that only delays the thread. A timed wait under no condition is taken for
//! such a delay. Where the library wakes nobody without a notification (`parking_lot`), only a third thread that is faster can
//! make it wrong: this is ranked low where each notification is given under the lock, or where nothing of what was waited for is
//! taken after the wait.

use crate::checks::terms::alone::Evidence as Alone;
use crate::checks::terms::waiting::{Evidence as Term, Shape};
use crate::checks::{self, Evidence, Happening, Moment, Subject, Suspicion, score, sharing};
use crate::domain::facts::{BodyFacts, Notification, Wait, Write};
use crate::domain::path::{PathId, Step};
use crate::events::Site;
use crate::summary::{Crate, LockKey};
use std::collections::BTreeMap;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        found.extend(facts.waits.iter().filter_map(|wait| with_own_mutex(facts, body, wait)));
        let waits = facts.waits.iter().filter(|wait| !wait.how.tested && sharing::is_shared(facts, wait.lock));
        for wait in waits {
            let both = [not_tested_again(all, body, wait), decided_early(all, body, wait)];
            found.extend(both.into_iter().flatten().max_by_key(|one| score(&one.evidence)));
        }
    }
    found.extend(two_mutexes(all));
    let mut seen: Vec<(usize, Site)> = Vec::new();
    found.retain(|one| {
        let new = !seen.contains(&(one.body, one.primary));
        seen.push((one.body, one.primary));
        new
    });
    found
}

fn suspicion(body: usize, wait: &Wait, shape: Shape, moments: Vec<Moment>, evidence: Vec<Evidence>) -> Suspicion {
    let (lock, subject) = (Some(wait.lock), Subject::Path(wait.lock));
    let shape = checks::Shape::Waiting(shape);
    Suspicion { body, primary: wait.site, lock, subject, shape, moments, evidence }
}

/// The mutex was made here, and nobody else has it; the condition variable others have. Whoever notifies cannot see to it that the
/// thread is asleep already. A wait that ends by itself loses only time.
fn with_own_mutex(facts: &BodyFacts, body: usize, wait: &Wait) -> Option<Suspicion> {
    let behind_handle = |path: PathId| facts.paths.steps(path).into_iter().any(Step::is_pointee);
    let made_here = facts.paths.root_local(wait.lock).is_some_and(|local| facts.private.contains(&local));
    let own = made_here && !behind_handle(wait.lock);
    let theirs = wait.condition.is_some_and(behind_handle);
    let moments = vec![
        Moment { happens: Happening::Acquire, site: wait.section },
        Moment { happens: Happening::Waits, site: wait.site },
    ];
    let found = || suspicion(body, wait, Shape::OwnMutex, moments, vec![Evidence::Waiting(Term::OwnMutex)]);
    (own && theirs && !wait.how.timed).then(found)
}

fn not_tested_again(all: &Crate, body: usize, wait: &Wait) -> Option<Suspicion> {
    let left = wait.left_untested?;
    let (shape, mut evidence) = match (wait.decided, wait.how.timed) {
        (true, _) => (Shape::InIf, vec![Evidence::Waiting(Term::NotTestedAgain)]),
        (false, false) => (Shape::ForNothing, vec![Evidence::Waiting(Term::NeverTested)]),
        (false, true) => return None,
    };
    evidence.extend(wait.how.timed.then_some(Evidence::Waiting(Term::Timed)));
    evidence.extend((wait.tested_somewhere || wait.in_loop).then_some(Evidence::Waiting(Term::TestedElsewhere)));
    let for_all = wait.decided && wait.how.exact && !takes(&all.bodies[body], wait, left);
    let only_notified = for_all || (wait.decided && wait.how.exact && !wait.how.timed);
    evidence.extend(only_notified.then_some(Evidence::Alone(Alone::WokenByNotifyOnly)));
    let under_lock = only_notified && all_notify_under_lock(all, body, wait);
    evidence.extend(under_lock.then_some(Evidence::Alone(Alone::NotifiedUnderLock)));
    evidence.extend(for_all.then_some(Evidence::Alone(Alone::TakesNothing)));
    let moments = vec![
        Moment { happens: Happening::Acquire, site: wait.section },
        Moment { happens: Happening::Waits, site: wait.site },
        Moment { happens: Happening::LeftUntested, site: left },
    ];
    Some(suspicion(body, wait, shape, moments, evidence))
}

/// What was waited for is changed after the wait, before the lock is let go, as whoever takes an item does.
fn takes(facts: &BodyFacts, wait: &Wait, left: Site) -> bool {
    let waited_for = |target: PathId| wait.sees.iter().any(|&seen| facts.paths.overlap(seen, target));
    let locked = |write: &Write| write.under.iter().any(|(lock, _)| *lock == wait.lock);
    let meanwhile = |write: &Write| wait.site < write.site && write.site <= left;
    facts.writes.iter().any(|write| meanwhile(write) && locked(write) && waited_for(write.target))
}

/// Everybody who notifies holds the lock that the wait lets go.
fn all_notify_under_lock(all: &Crate, body: usize, wait: &Wait) -> bool {
    let Some((condition, lock)) = keys(&all.bodies[body], wait) else { return false };
    let notified = all.bodies.iter().flat_map(|facts| facts.notifications.iter().map(move |one| (facts, one)));
    let of_this =
        |facts: &BodyFacts, one: &Notification| LockKey::of(&facts.paths, one.condition).as_ref() == Some(&condition);
    let mut known = notified.filter(|(facts, one)| of_this(facts, one)).peekable();
    let holds = |facts: &BodyFacts, one: &Notification| {
        one.under.iter().any(|(held, _)| LockKey::of(&facts.paths, *held).as_ref() == Some(&lock))
    };
    known.peek().is_some() && known.all(|(facts, one)| holds(facts, one))
}

/// The condition was read before the lock was taken, and someone changes it. Who looks every now and then anyway loses
/// only time.
fn decided_early(all: &Crate, body: usize, wait: &Wait) -> Option<Suspicion> {
    if wait.how.timed && wait.in_loop {
        return None;
    }
    wait.early.iter().find_map(|(decided, origin)| {
        let facts = &all.bodies[body];
        if !sharing::is_shared(facts, origin.lock) {
            return None;
        }
        let (interference, who) =
            sharing::interference(all, body, sharing::interferer(all, body, origin)?, origin.read);
        let mut evidence = vec![Evidence::Waiting(Term::ConditionReadEarly), who];
        evidence.extend(wait.how.timed.then_some(Evidence::Waiting(Term::Timed)));
        let moments = vec![
            Moment { happens: Happening::ReadsCondition, site: origin.read },
            interference,
            Moment { happens: Happening::Acquire, site: wait.section },
            Moment { happens: Happening::Decided, site: *decided },
            Moment { happens: Happening::Sleeps, site: wait.site },
        ];
        let mut found = suspicion(body, wait, Shape::DecidedEarly, moments, evidence);
        found.subject = Subject::Path(origin.lock);
        Some(found)
    })
}

/// Every condition variable by its key, with the waits on it.
fn two_mutexes(all: &Crate) -> Vec<Suspicion> {
    let mut by_condition: BTreeMap<LockKey, Vec<(usize, &Wait, LockKey)>> = BTreeMap::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for wait in &facts.waits {
            if let Some((condition, lock)) = keys(facts, wait) {
                by_condition.entry(condition).or_default().push((body, wait, lock));
            }
        }
    }
    let mut found = Vec::new();
    for waits in by_condition.values() {
        let Some((first_body, first, lock)) = waits.first() else { continue };
        for (body, wait, _) in waits.iter().filter(|(_, _, other)| other != lock) {
            let same_function = all.bodies[*body].function == all.bodies[*first_body].function;
            let by = crate::summary::Interferer::Here { body: *first_body, site: first.site };
            let moments = vec![
                Moment { happens: Happening::OtherWait { by, same_function }, site: first.site },
                Moment { happens: Happening::Waits, site: wait.site },
            ];
            found.push(suspicion(*body, wait, Shape::TwoMutexes, moments, vec![Evidence::Waiting(Term::TwoMutexes)]));
        }
    }
    found
}

fn keys(facts: &BodyFacts, wait: &Wait) -> Option<(LockKey, LockKey)> {
    let condition = LockKey::of(&facts.paths, wait.condition?)?;
    Some((condition, LockKey::of(&facts.paths, wait.lock)?))
}
