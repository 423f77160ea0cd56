//! Between the look of a waiter and its sleep there is room for the change that it waits for, and for the notification; and then
//! nobody wakes it.
//!
//! Either what a wait tests is an atomic, tested under the mutex that the wait lets go, and it is changed, and the waiter
//! notified, without that mutex. Or someone looks, leaves word where it can be woken (a `Waker` in a list, a `oneshot::Sender`
//! in a queue, the future of a `Notify`, a listener of an `Event`) only after that, and does not look again before it sleeps. Or the
//! notification comes first and the change after it: who is woken finds nothing new, and sleeps again. Or a request is sent
//! before the one who waits for its answer is registered: an answer that is quick finds nobody. Or a task waits for a notification
//! that is not kept, and looks at nothing that would tell whether it has come to that already.
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
//! ```rust
//! # use std::sync::Mutex;
//! # use std::sync::atomic::{AtomicBool, Ordering};
//! # use std::task::{Context, Poll, Waker};
//! struct Done { done: AtomicBool, wakers: Mutex<Vec<Waker>> }
//!
//! impl Done {
//!     fn poll_done(&self, cx: &mut Context<'_>) -> Poll<()> {
//!         if self.done.load(Ordering::Acquire) {
//!             return Poll::Ready(());
//!         }
//!         // `finish` may run here, from start to end, and find nobody
//!         self.wakers.lock().unwrap().push(cx.waker().clone());
//!         Poll::Pending
//!     }
//!
//!     fn finish(&self) {
//!         self.done.store(true, Ordering::Release);
//!         self.wakers.lock().unwrap().drain(..).for_each(Waker::wake);
//!     }
//! }
//! ```
//!
//! ## What to do
//!
//! Leave word first and look after that, or do both under the lock under which the change is made. For a `Notify` that is told
//! with `notify_waiters`, make the `notified()` future before the look; for an `Event`, call `listen()` before it.
//!
//! For a condition variable: hold the mutex while the value is changed, or take it once between the change and the
//! notification. To notify after it was let go is fine.
//!
//! For requests and answers: register first, then send, and take the entry out again if that fails.
//!
//! ## How it is decided
//!
//! For each wait, the atomics that the decision to wait rests on; for each function that stores to one of them and notifies the
//! same condition variable afterwards, whether it takes the mutex at all, or all its callers hold it.
//!
//! For each place where word is left because of a look in a section that is over: whether the same is looked at again before
//! the function returns, suspends or blocks; and whether another function changes what was seen and takes the words that were
//! left there, or notifies. A notification that is kept for who comes later (`notify_one`) is not lost.
//!
//! For each number that a function counts for itself and sends: whether something that wakes is put under it only after that, in a
//! place where another function takes such things out.
//!
//! For each task that waits for a notification where it makes the future, once, and because of nothing that others can change:
//! whether another function gives that notification, and all who do only wake those who are there (`notify_waiters`).
//!
//! For each change that comes after a notification on every way, under a lock that was not held then: whether somebody waits for
//! that notification because of what is changed, and none follows the change, here or in a function that is called. Where the same was
//! changed before the notification, that is what is told.
//!
//! ## What it can miss
//!
//! A change in one function and the notification in another; with a condition variable, what is tested that is no atomic; words
//! that are left behind a pointer; who is woken by a write to a pipe or a socket, and messages in channels. Requests that are
//! written to a socket, or whose numbers are not counted but drawn.
//!
//! ## What it may wrongly report
//!
//! A change that is made before any thread waits, or notifications that are repeated until somebody answers. A look that the
//! caller repeats after the function that leaves word has returned. A message that is not answered, or not before the next
//! step of the one who sent it. A notification that, by the order in which things are started, cannot come before the wait.

use crate::checks::terms::deadlock::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, ChangeAfter, Enlisting, LateWord, Notification, Sleep, Wait, Write};
use crate::domain::path::PathId;
use crate::events::Site;
use crate::summary::{Crate, LockKey, is_same_place};
use std::collections::{BTreeMap, BTreeSet};

/// A wait that rests on an atomic.
#[derive(Clone, Copy)]
struct Waiter<'f> {
    body: usize,
    wait: &'f Wait,
}

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let waiters = waiters(all);
    let told = Told::of(all);
    let mut found = Vec::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for notification in &facts.notifications {
            let key = LockKey::of(&facts.paths, notification.condition);
            let waiting = key.and_then(|key| waiters.get(&key)).into_iter().flatten();
            found.extend(waiting.filter_map(|waiter| suspicion(all, body, notification, waiter)).next());
        }
        found.extend(once_each(&facts.changes_after, |it| it.notified, |change| told_early(all, body, change)));
        found.extend(once_each(&facts.late_words, |it| it.site, |one| answered_early(all, body, one)));
        found.extend(once_each(&facts.sleeps, |it| it.site, |one| unheard(all, &told, body, one)));
        found.extend(once_each(&facts.enlistings, |it| it.site, |one| enlisted_late(all, body, one)));
    }
    found
}

/// The first of each place that is suspect.
fn once_each<T>(all: &[T], place: fn(&T) -> Site, suspect: impl Fn(&T) -> Option<Suspicion>) -> Vec<Suspicion> {
    let mut found: Vec<(Site, Suspicion)> = Vec::new();
    for one in all {
        if found.iter().all(|(known, _)| *known != place(one)) {
            found.extend(suspect(one).map(|suspicion| (place(one), suspicion)));
        }
    }
    found.into_iter().map(|(_, suspicion)| suspicion).collect()
}

/// Who is woken looks for what is changed only after it was told, and nobody tells it again.
fn told_early(all: &Crate, body: usize, change: &ChangeAfter) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let key = LockKey::of(&facts.paths, change.condition)?;
    let lock = facts.paths.lock_above(change.target)?;
    // What was changed before is what is told.
    let same = |write: &Write| is_same_place((facts, write.target), (facts, change.target));
    let is_told = facts.writes.iter().any(|write| write.site < change.notified && same(write));
    if is_told || !sharing::is_shared(facts, lock) {
        return None;
    }
    let others = (0..all.bodies.len()).filter(|&other| other != body);
    let woken = others.filter_map(|other| Some((other, woken_in_vain(all, body, change, other, &key)?)));
    let (other, (asleep, timed)) = woken.min_by_key(|(other, (_, timed))| (*timed, *other))?;
    if is_told_later(all, body, &key, change.site) {
        return None;
    }
    let mut evidence = vec![Evidence::ToldEarly];
    evidence.extend(timed.then_some(Evidence::TimedWait));
    Some(Suspicion {
        body,
        primary: change.notified,
        lock: Some(lock),
        subject: if facts.is_atomic(lock) { Subject::Place(lock) } else { Subject::Path(change.target) },
        shape: checks::Shape::Deadlock(Shape::ToldEarly),
        moments: vec![
            moment(Happening::TellsEarly, change.notified),
            moment(Happening::WokenInVain { body: other }, asleep),
            moment(Happening::ChangesUntold, change.site),
        ],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    })
}

/// Where the other body sleeps until it is notified, if it is about what is changed, and whether time ends that, too. A task that
/// waits for a notification alone is about what it takes or changes.
fn woken_in_vain(all: &Crate, body: usize, change: &ChangeAfter, other: usize, key: &LockKey) -> Option<(Site, bool)> {
    let (facts, waiting) = (&all.bodies[body], &all.bodies[other]);
    let here = |path: PathId| is_same_place((waiting, path), (facts, change.target));
    let of_it = |condition: PathId| LockKey::of(&waiting.paths, condition).as_ref() == Some(key);
    let mut waits = waiting.waits.iter().filter(|wait| wait.condition.is_some_and(of_it));
    let wait = waits.find(|wait| wait.sees.iter().chain(&wait.tests).any(|&path| here(path)));
    let asleep = || waiting.sleeps.iter().find(|sleep| of_it(sleep.condition));
    let takes = || waiting.writes.iter().any(|write| here(write.target));
    let wait = wait.map(|wait| (wait.site, wait.how.timed));
    wait.or_else(|| asleep().filter(|_| takes()).map(|sleep| (sleep.site, false)))
}

/// The same is notified after this, here or in a function that is called.
fn is_told_later(all: &Crate, body: usize, key: &LockKey, after: Site) -> bool {
    let facts = &all.bodies[body];
    let tells = |facts: &BodyFacts, one: &Notification| LockKey::of(&facts.paths, one.condition).as_ref() == Some(key);
    let later = facts.notifications.iter().any(|one| one.site > after && tells(facts, one));
    let called: BTreeSet<_> = facts.calls.iter().filter(|call| call.site >= after).map(|call| call.callee).collect();
    let tells_too = |other: usize| {
        let other_facts = &all.bodies[other];
        other_facts.notifications.iter().any(|one| tells(other_facts, one))
            && callers(all, other).iter().any(|&above| called.contains(&all.bodies[above].id))
    };
    later || (0..all.bodies.len()).any(tells_too)
}

/// Whoever brings the answer takes out what is kept for it.
fn answered_early(all: &Crate, body: usize, one: &LateWord) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let lock = facts.paths.lock_above(one.on).filter(|&lock| sharing::is_shared(facts, lock))?;
    let key = LockKey::of(&facts.paths, lock).filter(|_| facts.is_map(lock));
    // A map in a type of its own is known there by less than here.
    let same_map = |there: &BodyFacts, target: PathId| {
        let other = there.paths.lock_above(target).and_then(|lock| LockKey::of(&there.paths, lock));
        key.as_ref().zip(other).is_some_and(|(key, other)| key.is_same_field(&other))
    };
    let is_there =
        |there: &BodyFacts, target: PathId| is_same_place((facts, one.on), (there, target)) || same_map(there, target);
    let taken = |there: &BodyFacts| {
        there.writes.iter().find(|write| write.removes && is_there(there, write.target)).map(|write| write.site)
    };
    let mut others = all.bodies.iter().enumerate().filter(|(_, there)| there.function != facts.function);
    let (other, taken) = others.find_map(|(other, there)| Some((other, taken(there)?)))?;
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(lock),
        subject: Subject::Place(lock),
        shape: checks::Shape::Deadlock(Shape::AnsweredEarly),
        moments: vec![
            moment(Happening::Announces, one.sent),
            moment(Happening::FindsNobody { body: other }, taken),
            moment(Happening::Enlists, one.site),
        ],
        evidence: vec![checks::Evidence::Deadlock(Evidence::SentFirst)],
    })
}

/// All notifications, by what they are given with. A handle that a method has made of its object's own for a task has no other name
/// than that of the implementation.
#[derive(Default)]
struct Told<'c> {
    named: BTreeMap<LockKey, Vec<(usize, &'c Notification)>>,
    unnamed: BTreeMap<&'c str, Vec<(usize, &'c Notification)>>,
}

impl<'c> Told<'c> {
    fn of(all: &'c Crate) -> Told<'c> {
        let mut told = Told::default();
        for (body, facts) in all.bodies.iter().enumerate() {
            for one in &facts.notifications {
                match (LockKey::of(&facts.paths, one.condition), implementation(facts)) {
                    (Some(key), _) => told.named.entry(key).or_default().push((body, one)),
                    (None, Some(of)) => told.unnamed.entry(of).or_default().push((body, one)),
                    (None, None) => {}
                }
            }
        }
        told
    }
}

/// Whoever notifies wakes those who wait already, and leaves nothing for who comes later.
fn unheard(all: &Crate, told: &Told<'_>, body: usize, one: &Sleep) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    let key = LockKey::of(&facts.paths, one.condition).filter(|_| !one.knowingly && one.held.is_empty())?;
    let unnamed = implementation(facts).and_then(|of| told.unnamed.get(of));
    let given = || told.named.get(&key).into_iter().chain(unnamed).flatten();
    let other = given().find(|(other, _)| all.bodies[*other].function != facts.function);
    let &(other, notification) = other.filter(|_| !given().any(|(_, notification)| notification.kept))?;
    Some(Suspicion {
        body,
        primary: one.site,
        lock: None,
        subject: Subject::Place(one.condition),
        shape: checks::Shape::Deadlock(Shape::Unheard),
        moments: vec![
            moment(Happening::WakesWhoIsThere { body: other }, notification.site),
            moment(Happening::WaitsUnheard, one.site),
        ],
        evidence: vec![checks::Evidence::Deadlock(Evidence::LeavesNothing)],
    })
}

/// The `impl` that the function stands in, or its module.
fn implementation(facts: &BodyFacts) -> Option<&str> {
    facts.function.rsplit_once("::").map(|(of, _)| of)
}

/// Someone changes what was seen, and wakes all who are there by then.
fn enlisted_late(all: &Crate, body: usize, one: &Enlisting) -> Option<Suspicion> {
    let facts = &all.bodies[body];
    if !sharing::is_shared(facts, one.origin.lock) {
        return None;
    }
    // Whoever comes here tells of what is done here, too.
    let above = callers(all, body);
    let mut others = (0..all.bodies.len()).filter(|other| !above.contains(other));
    let (other, changed) = others.find_map(|other| Some((other, woken_by(all, body, one, other)?)))?;
    let mut evidence = vec![Evidence::LookedEarly];
    evidence.extend((!one.alone).then_some(Evidence::TimedWait));
    let atomic = facts.is_atomic(one.origin.lock);
    let look = if atomic { checks::Happening::Loads } else { checks::Happening::Look };
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(one.origin.lock),
        subject: if atomic { Subject::Place(one.origin.lock) } else { Subject::Path(one.origin.path) },
        shape: checks::Shape::Deadlock(Shape::EnlistedLate),
        moments: vec![
            Moment { happens: look, site: one.origin.read },
            Moment { happens: checks::Happening::Decided, site: one.decided },
            moment(Happening::ChangesAndWakes { body: other }, changed),
            moment(Happening::Enlists, one.site),
        ],
        evidence: evidence.into_iter().map(checks::Evidence::Deadlock).collect(),
    })
}

/// How far up callers are followed.
const LEVELS: usize = 6;

/// The bodies from which this one is reached.
fn callers(all: &Crate, body: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([body]);
    for _ in 0..LEVELS {
        let ids: BTreeSet<_> = found.iter().map(|&body| all.bodies[body].id).collect();
        let calls = |other: &usize| all.bodies[*other].calls.iter().any(|call| ids.contains(&call.callee));
        let more: Vec<usize> = (0..all.bodies.len()).filter(|it| !found.contains(it)).filter(calls).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    found
}

/// Where the other body changes what was seen, if it wakes who is there.
fn woken_by(all: &Crate, body: usize, one: &Enlisting, other: usize) -> Option<Site> {
    let (facts, waking) = (&all.bodies[body], &all.bodies[other]);
    if waking.function == facts.function {
        return None;
    }
    let writes = |path: PathId| {
        let shared =
            |write: &&Write| waking.paths.lock_above(write.target).is_some_and(|lock| sharing::is_shared(waking, lock));
        let writes = waking.writes.iter().filter(shared);
        writes.filter(move |write| is_same_place((facts, path), (waking, write.target)))
    };
    let changed = writes(one.origin.path).find(|write| !is_kept_out(all, body, one, waking, write))?.site;
    let notifies = |notification: &Notification| {
        // Both without a name, at least: handles that were taken out of what the lock protects.
        let same = LockKey::of(&facts.paths, one.on) == LockKey::of(&waking.paths, notification.condition);
        same && !notification.kept && notification.site >= changed
    };
    let other_lock = facts.paths.lock_above(one.on).filter(|&lock| lock != one.origin.lock);
    let key = other_lock.and_then(|lock| LockKey::of(&facts.paths, lock));
    let wakes = if one.by_notice {
        waking.notifications.iter().any(notifies)
    } else if one.under_own {
        writes(one.on).any(|write| write.removes && !write.of_many)
    } else {
        key.is_some_and(|key| takes(waking, &key)) || writes(one.on).next().is_some()
    };
    // Whoever brings it leaves a sign beside the list, and that was looked at.
    let leaves_sign = one.tested.iter().any(|&tested| writes(tested).next().is_some());
    (wakes && !leaves_sign).then_some(changed)
}

/// A lock is held from the look on that the change needs, too.
fn is_kept_out(all: &Crate, body: usize, one: &Enlisting, waking: &BodyFacts, write: &Write) -> bool {
    let cover = one.origin.cover.and_then(|cover| LockKey::of(&all.bodies[body].paths, cover.lock));
    let mut under = write.under.iter().filter_map(|&(lock, _)| LockKey::of(&waking.paths, lock));
    under.any(|lock| Some(&lock) == cover.as_ref() || all.writes.callers_hold_key(body, &lock).is_some())
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
