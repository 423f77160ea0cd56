//! What is known at one point of a body. States join where ways meet; what is *maybe* so is joined by union, what
//! *must* be so by intersection.

use crate::domain::facts::MoverStep;
use crate::domain::held::Held;
use crate::domain::map::Map;
use crate::domain::mover::Moves;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths};
use crate::domain::set::Set;
use crate::domain::snapshot::Snapshot;
use crate::domain::value::{Input, Value};
use crate::events::{BlockId, Local, Mode, Site};
use std::rc::Rc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What references and guards point at. Absent: not a pointer, or never set.
    pub pointers: Map<PathId, Target>,
    /// What values *may* have been computed from. A path without an entry shares the one of its nearest parent.
    pub values: Map<PathId, Rc<Value>>,
    pub held: Held,
    /// Results of `try_lock` in which nobody has looked for the guard yet.
    pub pending: Map<Local, Pending>,
    /// Paths under a held lock that were looked at again in its present section, on *every* way.
    pub rechecked: Set<(PathId, PathId)>,
    /// What the caller gave, or has under its locks, and was tested here, on *every* way.
    pub tested: Set<PathId>,
    /// (lock, section): something seen in that section was compared with how it is in the present one, on *every* way. A
    /// generation that is still the same says that nothing else has changed either.
    pub compared: Set<(PathId, Site)>,
    /// Two things of the caller's that were compared with each other, on *every* way.
    pub pairs: Set<(PathId, PathId)>,
    /// The same, and which of them comes first was asked.
    pub ordered: Set<(PathId, PathId)>,
    /// (section, path) counted up in that section.
    pub reserved: Set<(Site, PathId)>,
    /// A flag of the caller's was tested and set, on *every* way: whoever finds it set does not come here.
    pub alone: bool,
    /// What was changed on some way: under a lock in the present section, or what the caller gave.
    pub changed: Set<PathId>,
    /// Branches that *may* have led here and are still in force: some way past them does not come here.
    pub decisions: Map<BlockId, Decision>,
    /// The key that entries are asked for with in a section; `None` if there are several.
    pub keys: Map<Site, Option<PathId>>,
    /// Waits from which some way leads here on which nothing was tested again.
    pub untested: Map<PathId, Site>,
    /// (lock, where) someone enlisted to be woken, because of what was seen under the lock, on some way on which nobody has
    /// looked again since.
    pub enlisted: Set<(PathId, Site)>,
    /// (where it was counted, where it was sent) numbers of this thread's own that were told to others, on some way.
    pub announced: Set<(Site, Site)>,
    /// Atomics that something was done to, on *every* way; and those that were changed in one step with a look, with what
    /// was given to functions of which nothing is known.
    pub operated: Set<PathId>,
    pub claimed: Set<PathId>,
    /// What was notified, and where, on *every* way.
    pub notified: Set<(PathId, Site)>,
    /// Locks that were taken, on *every* way.
    pub entered: Set<(PathId, Mode)>,
    /// What was done so far, on some way.
    pub moves: Moves,
    /// The steps that count, on one of the worst ways; kept only where they may have to be told.
    pub trail: Vec<MoverStep>,
    /// The ghost variables of the 2002 rule.
    pub snapshots: Map<Local, Snapshot>,
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
    /// All other ways panic: whatever comes after it relies on it.
    pub asserted: bool,
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
    /// How much there is to look through at each step: the entries of its larger parts.
    pub fn size(&self) -> usize {
        self.pointers.len() + self.values.len() + self.decisions.len() + self.changed.len()
    }

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
        for (&path, value) in self.values.iter() {
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
        let counted = self.reserved.len() + self.changed.len() + self.enlisted.len() + self.announced.len();
        self.reserved.add(&other.reserved);
        self.changed.add(&other.changed);
        self.enlisted.add(&other.enlisted);
        self.announced.add(&other.announced);
        changed |= counted != self.reserved.len() + self.changed.len() + self.enlisted.len() + self.announced.len();
        changed |= self.pending.add_missing(&other.pending);
        changed |= self.join_decisions(other);
        changed |= self.untested.add_missing(&other.untested);
        changed |= self.join_keys(other);
        changed |= self.rechecked.keep_common(&other.rechecked);
        changed |= self.compared.keep_common(&other.compared);
        changed |= self.tested.keep_common(&other.tested);
        changed |= self.alone && !other.alone;
        self.alone &= other.alone;
        changed |= self.pairs.keep_common(&other.pairs);
        changed |= self.ordered.keep_common(&other.ordered);
        changed |= self.operated.keep_common(&other.operated);
        changed |= self.claimed.keep_common(&other.claimed);
        changed |= self.entered.keep_common(&other.entered);
        changed |= self.notified.keep_common(&other.notified);
        for (&local, &snapshot) in other.snapshots.iter() {
            let known = self.snapshots.get(&local).copied();
            let joined = self.snapshots.or_insert(local, snapshot);
            joined.join(snapshot);
            changed |= known != Some(*joined);
        }
        changed
    }

    fn join_keys(&mut self, other: &State) -> bool {
        let mut changed = false;
        if self.keys.shares(&other.keys) {
            return changed;
        }
        for (&section, &key) in other.keys.iter() {
            let known = self.keys.or_insert(section, key);
            if *known != key && known.is_some() {
                *known = None;
                changed = true;
            }
        }
        changed
    }

    fn join_decisions(&mut self, other: &State) -> bool {
        let mut changed = false;
        if self.decisions.shares(&other.decisions) {
            return changed;
        }
        for (&block, decision) in other.decisions.iter() {
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
        if self.pointers.shares(&other.pointers) {
            return changed;
        }
        for (&slot, &target) in other.pointers.iter() {
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
        if self.values.shares(&other.values) {
            return false;
        }
        for (&slot, value) in other.values.iter() {
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
        Rc::make_mut(self.values.or_insert(slot, Rc::default())).add(value);
    }

    /// A section of the lock begins or ends: nothing was looked at again in it yet, or any more.
    pub fn forget_rechecks(&mut self, lock: PathId) {
        self.rechecked.retain(|&(of, _)| of != lock);
        self.compared.retain(|&(of, _)| of != lock);
    }

    /// Drops looks from every value.
    pub fn forget_looks(&mut self, is_over: impl Fn(&Origin) -> bool) {
        self.change_values(|value| value.looks.iter().any(&is_over), |value| value.looks.retain(|one| !is_over(one)));
    }

    /// Changes every look in every value.
    pub fn map_looks(&mut self, change: impl Fn(Origin) -> Origin) {
        let concerns = |value: &Value| value.looks.iter().any(|&origin| change(origin) != origin);
        self.change_values(concerns, |value| value.looks = std::mem::take(&mut value.looks).map(&change));
    }

    /// Whatever was looked at so far is this thread's own from here on.
    pub fn keep_others_out(&mut self) {
        self.alone = true;
        let concerns = |value: &Value| value.inputs.iter().any(|input| !input.alone);
        let keep = |value: &mut Value| {
            value.inputs = std::mem::take(&mut value.inputs).map(|input| Input { alone: true, ..input });
        };
        self.change_values(concerns, keep);
    }

    fn change_values(&mut self, wanted: impl Fn(&Value) -> bool, change: impl Fn(&mut Value)) {
        self.values.change_where(|value| wanted(value), |value| change(Rc::make_mut(value)));
        self.decisions
            .change_where(|decision| wanted(&decision.value), |decision| change(Rc::make_mut(&mut decision.value)));
    }
}
