//! Which variables carry guards, and so which locks are held. A lock is *maybe* held if some way leads here with its
//! guard alive, and *must* be held if every way does.

use crate::domain::origin::Cover;
use crate::domain::path::PathId;
use crate::events::{Local, Mode, Site};
use std::collections::BTreeMap;

/// Carriers from here on are no variables: they stand for what is held within a call.
pub const FIRST_HELPER: Local = Local::MAX - 16;

/// A guard in a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    pub section: Site,
    pub mode: Mode,
    /// The guard is there on every way.
    pub certain: bool,
    /// It went into a function, in something that can carry more than one, and came back in something else: the function may
    /// have let it go.
    pub went_through: bool,
}

impl Holding {
    pub fn new(section: Site, mode: Mode) -> Holding {
        Holding { section, mode, certain: true, went_through: false }
    }
}

/// Guards by the variable that carries them. A variable can carry several: a tuple, a `Vec` of guards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    carriers: BTreeMap<Local, BTreeMap<PathId, Holding>>,
}

impl Held {
    pub fn put(&mut self, carrier: Local, lock: PathId, holding: Holding) {
        self.carriers.entry(carrier).or_default().insert(lock, holding);
    }

    /// Takes the guard of one lock out of the variable.
    pub fn take(&mut self, carrier: Local, lock: PathId) -> Option<Holding> {
        let guards = self.carriers.get_mut(&carrier)?;
        let holding = guards.remove(&lock);
        if guards.is_empty() {
            self.carriers.remove(&carrier);
        }
        holding
    }

    /// What the variable carries went through a function.
    pub fn doubt(&mut self, carrier: Local) {
        for holding in self.carriers.get_mut(&carrier).into_iter().flat_map(BTreeMap::values_mut) {
            holding.went_through = true;
        }
    }

    pub fn carried_by(&self, carrier: Local) -> impl Iterator<Item = (PathId, Holding)> {
        self.carriers.get(&carrier).into_iter().flatten().map(|(&lock, &holding)| (lock, holding))
    }

    pub fn carries(&self, carrier: Local) -> bool {
        self.carriers.contains_key(&carrier)
    }

    /// Some guard of some lock may be alive.
    pub fn maybe_any(&self) -> bool {
        !self.carriers.is_empty()
    }

    pub fn maybe(&self, lock: PathId) -> Option<Holding> {
        self.carriers.values().find_map(|guards| guards.get(&lock)).copied()
    }

    pub fn must(&self, lock: PathId) -> bool {
        self.carriers.values().any(|guards| guards.get(&lock).is_some_and(|holding| holding.certain))
    }

    /// Held for sure, in this very section.
    pub fn must_in(&self, lock: PathId, section: Site) -> bool {
        self.certain().any(|(of, holding)| of == lock && holding.section == section)
    }

    /// Some other lock that a guard in a variable of the body holds for sure.
    pub fn cover_besides(&self, lock: PathId) -> Option<Cover> {
        let own = self.carriers.iter().filter(|(carrier, _)| **carrier < FIRST_HELPER).flat_map(|(_, guards)| guards);
        let other = own.filter(|(_, holding)| holding.certain).find(|(of, _)| **of != lock);
        other.map(|(&lock, holding)| Cover { lock, section: holding.section, mode: holding.mode })
    }

    /// The locks that may be held.
    pub fn possible(&self) -> impl Iterator<Item = PathId> {
        self.carriers.values().flat_map(BTreeMap::keys).copied()
    }

    /// The locks that are held for sure.
    pub fn certain(&self) -> impl Iterator<Item = (PathId, Holding)> {
        let all = self.carriers.values().flatten();
        all.filter(|(_, holding)| holding.certain).map(|(&lock, &holding)| (lock, holding))
    }

    /// Maybe held: on either way. Must be held: on both. Says whether anything changed.
    pub fn join(&mut self, other: &Held) -> bool {
        let mut changed = false;
        for (carrier, guards) in &mut self.carriers {
            let there = other.carriers.get(carrier);
            for (lock, holding) in guards.iter_mut().filter(|(_, holding)| holding.certain) {
                holding.certain = there.and_then(|guards| guards.get(lock)).is_some_and(|other| other.certain);
                changed |= !holding.certain;
            }
            for (lock, holding) in guards.iter_mut().filter(|(_, holding)| !holding.went_through) {
                holding.went_through =
                    there.and_then(|guards| guards.get(lock)).is_some_and(|other| other.went_through);
                changed |= holding.went_through;
            }
        }
        for (&carrier, guards) in &other.carriers {
            let here = self.carriers.entry(carrier).or_default();
            for (&lock, &holding) in guards {
                changed |= !here.contains_key(&lock);
                here.entry(lock).or_insert(Holding { certain: false, ..holding });
            }
        }
        changed
    }
}
