//! What is known at one point of a body. States join where ways meet; what is *maybe* so is joined by union, what
//! *must* be so by intersection.

use crate::domain::held::Held;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths};
use crate::domain::snapshot::Snapshot;
use crate::domain::value::Value;
use crate::events::{Local, Mode, Site};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What references and guards point at. Absent: not a pointer, or never set.
    pub pointers: BTreeMap<PathId, Target>,
    /// What values *may* have been computed from. A path without an entry shares the one of its nearest parent.
    pub values: BTreeMap<PathId, Value>,
    pub held: Held,
    /// Results of `try_lock` in which nobody has looked for the guard yet.
    pub pending: BTreeMap<Local, Pending>,
    /// Paths under a held lock that were looked at again in its present section, on *every* way.
    pub rechecked: BTreeSet<(PathId, PathId)>,
    /// (section, path) counted up in that section.
    pub reserved: BTreeSet<(Site, PathId)>,
    /// The ghost variables of the 2002 rule.
    pub snapshots: BTreeMap<Local, Snapshot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Known(PathId),
    /// Different things on different ways.
    Several,
}

/// A lock that is held only if its guard turns up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub lock: PathId,
    pub site: Site,
    pub mode: Mode,
}

impl State {
    /// What the slot, or the nearest thing it is part of, points at.
    pub fn pointer(&self, paths: &Paths, slot: PathId) -> Option<PathId> {
        match paths.ancestry(slot).find_map(|at| self.pointers.get(&at))? {
            Target::Known(target) => Some(*target),
            Target::Several => None,
        }
    }

    /// What is stored in the slot itself, in what it is part of, and in its parts.
    pub fn stored(&self, paths: &Paths, slot: PathId) -> Value {
        let mut found = self.nearest(paths, slot).cloned().unwrap_or_default();
        for (&path, value) in &self.values {
            if path != slot && paths.is_within(path, slot) {
                found.add(value);
            }
        }
        found
    }

    /// What is stored in the slot or in the nearest thing it is part of.
    pub fn nearest(&self, paths: &Paths, slot: PathId) -> Option<&Value> {
        paths.ancestry(slot).find_map(|at| self.values.get(&at))
    }

    /// Forgets what was known of the slot and its parts.
    pub fn clear(&mut self, paths: &Paths, slot: PathId) {
        self.values.retain(|&path, _| !paths.is_within(path, slot));
        self.pointers.retain(|&path, _| !paths.is_within(path, slot));
    }

    /// Joins another state into this one; says whether anything changed.
    pub fn join(&mut self, other: &State, paths: &Paths) -> bool {
        let before = self.clone();
        for (&slot, &target) in &other.pointers {
            let here = self.pointers.entry(slot).or_insert(target);
            if *here != target {
                *here = Target::Several;
            }
        }
        self.join_values(&before, other, paths);
        self.held.join(&other.held);
        for (&local, &pending) in &other.pending {
            self.pending.entry(local).or_insert(pending);
        }
        self.rechecked.retain(|look| other.rechecked.contains(look));
        self.reserved.extend(&other.reserved);
        for (&local, &snapshot) in &other.snapshots {
            self.snapshots.entry(local).or_insert(snapshot).join(snapshot);
        }
        *self != before
    }

    /// A slot known on one side only has, on the other, what its nearest parent has there.
    fn join_values(&mut self, before: &State, other: &State, paths: &Paths) {
        let slots: BTreeSet<PathId> = before.values.keys().chain(other.values.keys()).copied().collect();
        for slot in slots {
            let sides = [before.nearest(paths, slot), other.nearest(paths, slot)];
            self.values.insert(slot, Value::union(sides.into_iter().flatten()));
        }
    }

    /// Changes every look in every value.
    pub fn map_looks(&mut self, change: impl Fn(Origin) -> Origin) {
        for value in self.values.values_mut() {
            *value = std::mem::take(value).map_looks(&change);
        }
    }
}
