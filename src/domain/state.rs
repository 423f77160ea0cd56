//! What is known at one point of a body. States join where ways meet; what is *maybe* so is joined by union, what
//! *must* be so by intersection.

use crate::domain::facts::MoverStep;
use crate::domain::held::Held;
use crate::domain::mover::Moves;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths};
use crate::domain::snapshot::Snapshot;
use crate::domain::value::Value;
use crate::events::{BlockId, Local, Mode, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What references and guards point at. Absent: not a pointer, or never set.
    pub pointers: BTreeMap<PathId, Target>,
    /// What values *may* have been computed from. A path without an entry shares the one of its nearest parent.
    pub values: BTreeMap<PathId, Rc<Value>>,
    pub held: Held,
    /// Results of `try_lock` in which nobody has looked for the guard yet.
    pub pending: BTreeMap<Local, Pending>,
    /// Paths under a held lock that were looked at again in its present section, on *every* way.
    pub rechecked: BTreeSet<(PathId, PathId)>,
    /// What the caller gave, or has under its locks, and was tested here, on *every* way.
    pub tested: BTreeSet<PathId>,
    /// (lock, section): something seen in that section was compared with how it is in the present one, on *every* way. A
    /// generation that is still the same says that nothing else has changed either.
    pub compared: BTreeSet<(PathId, Site)>,
    /// Two things of the caller's that were compared with each other, on *every* way.
    pub pairs: BTreeSet<(PathId, PathId)>,
    /// (section, path) counted up in that section.
    pub reserved: BTreeSet<(Site, PathId)>,
    /// What was changed on some way: under a lock in the present section, or what the caller gave.
    pub changed: BTreeSet<PathId>,
    /// Branches that *may* have led here and are still in force: some way past them does not come here.
    pub decisions: BTreeMap<BlockId, Decision>,
    /// The key that entries are asked for with in a section; `None` if there are several.
    pub keys: BTreeMap<Site, Option<PathId>>,
    /// Waits from which some way leads here on which nothing was tested again.
    pub untested: BTreeMap<PathId, Site>,
    /// What was done so far, on some way.
    pub moves: Moves,
    /// The steps that count, on one of the worst ways; kept only where they may have to be told.
    pub trail: Vec<MoverStep>,
    /// The ghost variables of the 2002 rule.
    pub snapshots: BTreeMap<Local, Snapshot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Known(PathId),
    /// Different things on different ways.
    Several,
}

/// What a branch was decided by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub site: Site,
    /// What was asked for was not there, on *every* way.
    pub gone: bool,
    pub value: Rc<Value>,
}

/// A lock that is held only if its guard turns up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub lock: PathId,
    pub site: Site,
    pub mode: Mode,
    /// Still a future: the guard comes when it is polled.
    pub later: bool,
    /// Whether there is a guard was seen when it was asked for: the section began there.
    pub looked: bool,
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
        if !paths.has_parts(slot) {
            return found;
        }
        for (&path, value) in &self.values {
            if path != slot && paths.is_within(path, slot) {
                found.add(value);
            }
        }
        found
    }

    /// What is stored in the slot or in the nearest thing it is part of.
    pub fn nearest(&self, paths: &Paths, slot: PathId) -> Option<&Value> {
        paths.ancestry(slot).find_map(|at| self.values.get(&at)).map(|value| &**value)
    }

    /// Forgets what was known of the slot and its parts.
    pub fn clear(&mut self, paths: &Paths, slot: PathId) {
        if !paths.has_parts(slot) {
            self.values.remove(&slot);
            self.pointers.remove(&slot);
            return;
        }
        self.values.retain(|&path, _| !paths.is_within(path, slot));
        self.pointers.retain(|&path, _| !paths.is_within(path, slot));
    }

    /// Joins another state into this one; says whether anything changed.
    pub fn join(&mut self, other: &State, paths: &Paths) -> bool {
        let mut changed = self.join_pointers(other);
        let moves = self.moves.or(other.moves);
        if moves.alone != self.moves.alone {
            self.trail.clone_from(&other.trail);
        }
        changed |= moves != self.moves;
        self.moves = moves;
        changed |= self.join_values(other, paths);
        changed |= self.held.join(&other.held);
        let counted = self.pending.len() + self.reserved.len() + self.changed.len();
        for (&local, &pending) in &other.pending {
            self.pending.entry(local).or_insert(pending);
        }
        self.reserved.extend(&other.reserved);
        self.changed.extend(&other.changed);
        changed |= counted != self.pending.len() + self.reserved.len() + self.changed.len();
        changed |= self.join_decisions(other);
        for (&lock, &wait) in &other.untested {
            changed |= !self.untested.contains_key(&lock);
            self.untested.entry(lock).or_insert(wait);
        }
        for (&section, &key) in &other.keys {
            let known = self.keys.entry(section).or_insert(key);
            if *known != key && known.is_some() {
                *known = None;
                changed = true;
            }
        }
        changed |= keep_common(&mut self.rechecked, &other.rechecked);
        changed |= keep_common(&mut self.compared, &other.compared);
        changed |= keep_common(&mut self.tested, &other.tested);
        changed |= keep_common(&mut self.pairs, &other.pairs);
        for (&local, &snapshot) in &other.snapshots {
            let known = self.snapshots.get(&local).copied();
            let joined = self.snapshots.entry(local).or_insert(snapshot);
            joined.join(snapshot);
            changed |= known != Some(*joined);
        }
        changed
    }

    fn join_decisions(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (&block, decision) in &other.decisions {
            match self.decisions.get_mut(&block) {
                Some(known) => {
                    if !known.value.covers(&decision.value) {
                        known.value = Rc::new(Value::union([&*known.value, &*decision.value]));
                        changed = true;
                    }
                    changed |= known.gone && !decision.gone;
                    known.gone &= decision.gone;
                }
                None => {
                    self.decisions.insert(block, decision.clone());
                    changed = true;
                }
            }
        }
        changed
    }

    fn join_pointers(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (&slot, &target) in &other.pointers {
            let known = self.pointers.get(&slot).copied();
            let joined = match known {
                Some(known) if known != target => Target::Several,
                _ => target,
            };
            if known != Some(joined) {
                self.pointers.insert(slot, joined);
                changed = true;
            }
        }
        changed
    }

    /// A slot known on one side only has, on the other, what its nearest parent has there.
    fn join_values(&mut self, other: &State, paths: &Paths) -> bool {
        let mut news: Vec<(PathId, Rc<Value>)> = Vec::new();
        for (&slot, value) in &other.values {
            match self.values.get(&slot) {
                Some(mine) if Rc::ptr_eq(mine, value) || mine.covers(value) => {}
                Some(mine) => news.push((slot, Rc::new(Value::union([&**mine, &**value])))),
                None => match self.nearest(paths, slot) {
                    Some(parent) => news.push((slot, Rc::new(Value::union([parent, &**value])))),
                    None => news.push((slot, value.clone())),
                },
            }
        }
        for (&slot, mine) in self.values.iter().filter(|(slot, _)| !other.values.contains_key(slot)) {
            if let Some(parent) = other.nearest(paths, slot).filter(|parent| !mine.covers(parent)) {
                news.push((slot, Rc::new(Value::union([&**mine, parent]))));
            }
        }
        let changed = news.iter().any(|(slot, value)| self.values.get(slot) != Some(value));
        self.values.extend(news);
        changed
    }

    /// Leaves a value in a slot of which nothing is known any more. That nothing is in it goes without saying, unless a
    /// parent has something, or the caller.
    pub fn set(&mut self, paths: &Paths, slot: PathId, value: Value, is_input: bool) {
        if !value.is_empty() || is_input || self.nearest(paths, slot).is_some() {
            self.values.insert(slot, Rc::new(value));
        }
    }

    pub fn add(&mut self, slot: PathId, value: &Value) {
        Rc::make_mut(self.values.entry(slot).or_default()).add(value);
    }

    /// A section of the lock begins or ends: nothing was looked at again in it yet, or any more.
    pub fn forget_rechecks(&mut self, lock: PathId) {
        self.rechecked.retain(|&(of, _)| of != lock);
        self.compared.retain(|&(of, _)| of != lock);
    }

    /// Drops looks from every value.
    pub fn forget_looks(&mut self, is_over: impl Fn(&Origin) -> bool) {
        let decided = self.decisions.values_mut().map(|decision| &mut decision.value);
        for value in self.values.values_mut().chain(decided) {
            if value.looks.iter().any(&is_over) {
                Rc::make_mut(value).looks.retain(|origin| !is_over(origin));
            }
        }
    }

    /// Changes every look in every value.
    pub fn map_looks(&mut self, change: impl Fn(Origin) -> Origin) {
        let decided = self.decisions.values_mut().map(|decision| &mut decision.value);
        for value in self.values.values_mut().chain(decided) {
            if value.looks.iter().any(|&origin| change(origin) != origin) {
                *value = Rc::new(Value::clone(value).map_looks(&change));
            }
        }
    }
}

/// What is so on every way is so on both; says whether anything was lost.
fn keep_common<T: Ord>(mine: &mut BTreeSet<T>, other: &BTreeSet<T>) -> bool {
    let before = mine.len();
    mine.retain(|one| other.contains(one));
    before != mine.len()
}
