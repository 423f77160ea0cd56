//! State that nothing in the type system ties to a lock, and that is used under one lock nearly everywhere: the place without
//! it was forgotten, or knows something that the others do not.
//!
//! ## Example
//!
//! ```rust
//! # use std::cell::UnsafeCell;
//! # use std::sync::Mutex;
//! pub struct Device { lock: Mutex<()>, state: UnsafeCell<u32> }
//!
//! unsafe impl Sync for Device {}
//!
//! impl Device {
//!     pub fn start(&self) { let _held = self.lock.lock(); unsafe { *self.state.get() = 1 } }
//!     pub fn pause(&self) { let _held = self.lock.lock(); unsafe { *self.state.get() = 2 } }
//!     pub fn stop(&self) { let _held = self.lock.lock(); unsafe { *self.state.get() = 3 } }
//!     pub fn is_on(&self) -> bool { unsafe { *self.state.get() == 1 } } // without the lock
//! }
//! ```
//!
//! ## What to do
//!
//! Take the lock here too, or move the data into it (`Mutex<State>`), and the compiler sees to it.
//!
//! ## How it is decided
//!
//! For every field of cells and raw pointers in a type that is said to be `Sync`, every `static mut`, and every atomic in a
//! struct that has a lock, the uses are counted: with each lock held, by the function or by everyone who calls it, and without
//! it. Where most have it, the ones that do not are ranked as RacerX does: by how unlikely it is that the lock is held by chance
//! (a z-score), by whether the state is the only, first or last thing in its sections, by whether the use writes, and by its
//! width. Atomics count for their writes alone: to look at one without the lock is what they are for.
//!
//! `cargo stalemate guards` lists all guesses, and for each that is wrong the use that shows it.
//!
//! ## What it can miss
//!
//! State with few uses; locks that are held only on some ways; uses in `unsafe` functions.
//!
//! ## What it may wrongly report
//!
//! A place that is alone for another reason: before other threads are started, or after they have ended.

use crate::checks::terms::memory::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion};
use crate::domain::path::PathId;
use crate::events::Site;
use crate::summary::{Crate, LocationKey, LockKey, Spot, Stages};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer uses with the lock say nothing.
const FEWEST: usize = 3;

/// One use without it for so many with it.
const SHARE: usize = 3;

/// RacerX's bound for "not by chance".
const STRONG: f64 = 2.0;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let sections = Sections::of(all);
    all.shared.locations.keys().filter_map(|&key| one(all, &sections, key)).collect()
}

fn one(all: &Crate, sections: &Sections, key: LocationKey) -> Option<Suspicion> {
    let Forgotten { lock, at, with, without } = forgotten(all, key)?;
    suspicion(all, sections, key, lock, at, (&with, &without))
}

/// A lock that is nearly always held, the uses with it and without it, and the one of these that is told.
pub(super) struct Forgotten<'c> {
    lock: &'c LockKey,
    pub(super) at: &'c Spot,
    with: Vec<&'c Spot>,
    without: Vec<&'c Spot>,
}

/// The strongest lock of a location, if it is nearly always held.
pub(super) fn forgotten(all: &Crate, key: LocationKey) -> Option<Forgotten<'_>> {
    let atomic = all.shared.is_atomic(key);
    let spots: Vec<&Spot> = all.shared.locations[&key]
        .iter()
        .filter(|spot| spot.counts && (!atomic || spot.access(&all.bodies).write))
        .filter(|spot| all.shared.threads.reaches(spot.body))
        .collect();
    let locks: BTreeSet<&LockKey> = spots.iter().flat_map(|spot| spot.under.keys()).collect();
    let split = |lock: &LockKey| -> (Vec<&Spot>, Vec<&Spot>) {
        spots.iter().copied().partition(|spot| spot.under.keys().any(|held| held.is_same_field(lock)))
    };
    let split = locks.into_iter().filter(|lock| !matches!(lock, LockKey::Exclusive(_))).map(|lock| (lock, split(lock)));
    let (lock, (with, without)) = split.max_by_key(|(_, (with, _))| with.len())?;
    let few = with.len() >= FEWEST && !without.is_empty() && with.len() >= SHARE * without.len();
    let writes = |spot: &&&Spot| spot.access(&all.bodies).write;
    // What nobody writes needs no lock, and what is kept apart by an atomic has one.
    if !few || !spots.iter().any(|spot| writes(&spot)) || without.iter().all(|spot| !spot.claims.is_empty()) {
        return None;
    }
    let at = without.iter().find(writes).or_else(|| without.first()).copied()?;
    Some(Forgotten { lock, at, with, without })
}

fn suspicion(
    all: &Crate,
    sections: &Sections,
    key: LocationKey,
    lock: &LockKey,
    at: &Spot,
    (with, without): (&[&Spot], &[&Spot]),
) -> Option<Suspicion> {
    let examples = with.iter().filter_map(|spot| Some((*spot, held_as(all, spot, lock)?)));
    // One that writes and one that reads, if there are both.
    let mut examples: Vec<(&Spot, PathId)> = examples.collect();
    examples.sort_by_key(|(spot, _)| !spot.access(&all.bodies).write);
    let last = examples.len().checked_sub(1)?;
    let told = [examples[0], examples[last]];
    let mut moments = Vec::new();
    for (number, (spot, path)) in told.into_iter().enumerate().filter(|(number, _)| *number == 0 || last > 0) {
        let access = spot.access(&all.bodies);
        let (what, write, first) = (access.path, access.write, number == 0);
        let happens = Happening::UsesGuarded { body: spot.body, what, lock: path, write, first };
        moments.push(moment(happens, access.site));
    }
    let access = at.access(&all.bodies);
    moments.push(moment(Happening::UsesWithout { write: access.write }, access.site));
    let counts = [with.len(), without.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    Some(Suspicion {
        body: at.body,
        primary: access.site,
        lock: None,
        subject: Subject::Memory(access.path),
        shape: checks::Shape::Memory(Shape::MostlyGuarded { with: counts[0], without: counts[1] }),
        moments,
        evidence: evidence(all, sections, key, at, (with, without)).into_iter().map(checks::Evidence::Memory).collect(),
    })
}

/// The lock as the body of the use knows it.
fn held_as(all: &Crate, spot: &Spot, lock: &LockKey) -> Option<PathId> {
    let facts = &all.bodies[spot.body];
    let own = spot.access(&all.bodies).under.iter().map(|(path, ..)| *path);
    let mut own = own.filter(|&path| LockKey::of(&facts.paths, path).is_some_and(|held| held.is_same_field(lock)));
    own.next()
}

fn evidence(
    all: &Crate,
    sections: &Sections,
    key: LocationKey,
    at: &Spot,
    (with, without): (&[&Spot], &[&Spot]),
) -> Vec<Evidence> {
    let atomic = all.shared.is_atomic(key);
    let mut evidence = vec![if atomic { Evidence::AtomicMostlyGuarded } else { Evidence::MostlyGuarded }];
    evidence.extend((z_score(with.len(), without.len()) > STRONG).then_some(Evidence::NotByChance));
    let place = sections.place_of(key);
    evidence.extend((place.only > 0).then_some(Evidence::OnlyInSections));
    evidence.extend((place.only == 0 && place.at_ends > 0).then_some(Evidence::AtEndsOfSections));
    let access = at.access(&all.bodies);
    evidence.extend(access.write.then_some(Evidence::WritesWithout));
    evidence.extend((access.wide && !atomic).then_some(Evidence::Wide));
    evidence.extend((atomic && access.wide).then_some(Evidence::OneStep));
    let races = || all.shared.pairs(&all.bodies, key, &mut Stages::default()).iter().any(|pair| pair.has(at));
    evidence.extend((!atomic && races()).then_some(Evidence::RacesToo));
    evidence
}

/// How far from a coin that decides whether the lock is held.
fn z_score(with: usize, without: usize) -> f64 {
    let all = (with + without) as f64;
    (with as f64 / all - 0.5) / (0.25 / all).sqrt()
}

/// Where in its critical sections a location stands.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    only: usize,
    at_ends: usize,
}

/// What stands in which critical section.
struct Sections {
    standing: BTreeMap<LocationKey, Standing>,
}

impl Sections {
    fn of(all: &Crate) -> Sections {
        let mut inside: BTreeMap<(usize, Site), Vec<(Site, LocationKey)>> = BTreeMap::new();
        for (&key, spots) in &all.shared.locations {
            for spot in spots {
                let access = spot.access(&all.bodies);
                for &(_, _, section) in &access.under {
                    inside.entry((spot.body, section)).or_default().push((access.site, key));
                }
            }
        }
        let mut standing: BTreeMap<LocationKey, Standing> = BTreeMap::new();
        for uses in inside.values_mut() {
            uses.sort_unstable();
            let different: BTreeSet<LocationKey> = uses.iter().map(|(_, key)| *key).collect();
            let ends = [uses.first(), uses.last()];
            for key in &different {
                let standing = standing.entry(*key).or_default();
                standing.only += usize::from(different.len() == 1);
                standing.at_ends += usize::from(ends.iter().flatten().any(|(_, end)| end == key));
            }
        }
        Sections { standing }
    }

    fn place_of(&self, key: LocationKey) -> Standing {
        self.standing.get(&key).copied().unwrap_or_default()
    }
}

fn moment(happens: Happening, site: Site) -> Moment {
    Moment { happens: checks::Happening::Memory(happens), site }
}

#[cfg(test)]
mod tests {
    use super::z_score;

    #[test]
    fn a_lock_that_is_nearly_always_held_is_not_held_by_chance() {
        assert!(z_score(8, 1) > 2.0);
        assert!(z_score(3, 1) < 2.0);
        assert!(z_score(1, 1).abs() < f64::EPSILON);
        assert!(z_score(1, 8) < -2.0);
    }
}
