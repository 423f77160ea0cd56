//! Interferers: who may write a path under a lock while another thread is between two sections of it.
//!
//! What nobody writes outside its construction is read-only (Houdini's word for it), and old looks at it are good.

use crate::domain::facts::{BodyFacts, CalledOn, CountedBack, LockPair, Write};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths, Step};
use crate::events::{Mode, Site};
use crate::mir::Position;
use crate::summary::callers::{self, Guards, HeldByCallers};
use crate::summary::keys::LockKey;
use crate::summary::store::ForeignWrite;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Behind `&mut`, with nothing on the way that others may share: nobody else is near the lock.
fn is_alone(facts: &BodyFacts, lock: PathId) -> bool {
    let shares = facts.paths.steps(lock).into_iter().any(|step| *step == Step::Pointee { shared: true });
    facts.paths.root_local(lock).is_some_and(|local| facts.exclusive.contains(&local)) && !shares
}

/// One write under a lock, somewhere in the crate.
#[derive(Clone, Debug)]
struct Entry {
    place: Interferer,
    fields: Vec<(u32, u32)>,
    /// Entries in entries.
    depth: usize,
    under: Rc<Guards>,
    gentle: bool,
    by_callee: bool,
    fills: bool,
    removes: bool,
    constant: Option<u64>,
}

impl Entry {
    /// Another function does it.
    fn is_of_another(&self, bodies: &[BodyFacts], facts: &BodyFacts) -> bool {
        match self.place {
            Interferer::Here { body, .. } => bodies[body].function != facts.function,
            Interferer::Elsewhere(_) => true,
        }
    }
}

/// Made in the body, and nobody else has it: what is done to it there is part of making it.
fn is_own(facts: &BodyFacts, lock: PathId) -> bool {
    let behind_pointer = facts.paths.steps(lock).into_iter().any(Step::is_pointee);
    facts.paths.root_local(lock).is_some_and(|local| facts.private.contains(&local)) && !behind_pointer
}

/// Someone who may get in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interferer {
    Here {
        body: usize,
        site: Site,
    },
    /// In another crate of the workspace: a number among the writes that are known from there.
    Elsewhere(usize),
}

/// Every write under every lock that has a key.
#[derive(Debug, Default)]
pub struct Writes {
    by_lock: BTreeMap<LockKey, Entries>,
    held: HeldByCallers,
    drivers: HeldByCallers,
}

/// The writes under one lock, in the order of the bodies.
#[derive(Debug, Default)]
struct Entries {
    all: Vec<Entry>,
    /// Their places in that order, by how much they tell: in a large crate there are thousands, and nearly always one of the
    /// first is wanted.
    alike: BTreeMap<(bool, bool), Vec<usize>>,
}

impl Entries {
    fn push(&mut self, entry: Entry) {
        self.alike.entry((entry.gentle, entry.by_callee)).or_default().push(self.all.len());
        self.all.push(entry);
    }

    /// Writes that replace before those that only adjust, and what a body does itself before what its callees do.
    fn telling_most(&self) -> impl Iterator<Item = &Vec<usize>> {
        self.alike.values()
    }
}

impl Writes {
    pub(super) fn collect(bodies: &[BodyFacts], held: HeldByCallers) -> Writes {
        let mut all = Writes { by_lock: BTreeMap::new(), held, drivers: HeldByCallers::of_drivers(bodies) };
        for (body, facts) in bodies.iter().enumerate() {
            // Of writes that are alike the first speaks for all: a function that calls many has hundreds of them.
            let mut known = HashSet::new();
            let mut guards: HashMap<&[(PathId, Mode)], Rc<Guards>> = HashMap::new();
            let own_calls: HashSet<Site> =
                facts.calls.iter().filter(|call| call.on == CalledOn::Own).map(|call| call.site).collect();
            for write in facts.writes.iter().filter(|write| !(write.by_callee && own_calls.contains(&write.site))) {
                if !known.insert((
                    write.target,
                    &write.under,
                    write.gentle,
                    write.by_callee,
                    (write.fills, write.removes),
                    write.constant,
                )) {
                    continue;
                }
                let is_ours = |lock: &PathId| is_own(facts, *lock) || is_alone(facts, *lock);
                let lock = facts.paths.lock_above(write.target).filter(|lock| !is_ours(lock));
                let Some(key) = lock.and_then(|lock| LockKey::of(&facts.paths, lock)) else { continue };
                let under = guards
                    .entry(&write.under)
                    .or_insert_with(|| callers::both(callers::keys(facts, &write.under), all.held.at(body)).into());
                let entry = Entry {
                    place: Interferer::Here { body, site: write.site },
                    fields: fields_below(&facts.paths, write.target),
                    depth: depth(&facts.paths, write.target),
                    under: under.clone(),
                    gentle: write.gentle,
                    by_callee: write.by_callee,
                    fills: write.fills,
                    removes: write.removes,
                    constant: write.constant,
                };
                all.by_lock.entry(key).or_default().push(entry);
            }
        }
        all
    }

    /// What other crates of the workspace do to their locks.
    pub(super) fn add_elsewhere(&mut self, writes: &[ForeignWrite]) {
        for (number, write) in writes.iter().enumerate() {
            let under = Rc::new(write.under.iter().cloned().collect());
            let entry = Entry {
                place: Interferer::Elsewhere(number),
                fields: write.fields.clone(),
                depth: usize::MAX,
                under,
                gentle: write.gentle,
                by_callee: false,
                fills: false,
                removes: false,
                constant: write.constant,
            };
            self.by_lock.entry(write.lock.clone()).or_default().push(entry);
        }
    }

    /// What dependants must know of the writes of this crate.
    pub fn for_dependants(&self, bodies: &[BodyFacts], position: impl Fn(Site) -> Position) -> Vec<ForeignWrite> {
        let mut all = Vec::new();
        for (lock, entries) in &self.by_lock {
            for entry in entries.all.iter().filter(|entry| !entry.by_callee) {
                let Interferer::Here { body, site } = entry.place else { continue };
                all.push(ForeignWrite {
                    lock: lock.clone(),
                    fields: entry.fields.clone(),
                    under: entry.under.iter().map(|(lock, &mode)| (lock.clone(), mode)).collect(),
                    gentle: entry.gentle,
                    constant: entry.constant,
                    function: bodies[body].function.clone(),
                    position: position(site),
                });
            }
        }
        all
    }

    /// Whoever writes it writes the same: a flag that is only ever set.
    pub fn is_latch(&self, facts: &BodyFacts, target: PathId) -> bool {
        let lock = facts.paths.lock_above(target);
        let Some(entries) =
            lock.and_then(|lock| LockKey::of(&facts.paths, lock)).and_then(|key| self.by_lock.get(&key))
        else {
            return false;
        };
        let fields = fields_below(&facts.paths, target);
        let mut written =
            entries.all.iter().filter(|entry| is_prefix(&entry.fields, &fields)).map(|entry| entry.constant);
        let first = written.next().flatten();
        first.is_some() && written.all(|other| other == first)
    }

    /// Who changes, in another function and under the lock, the atomic that the origin looked at.
    pub fn changed_under(
        &self,
        bodies: &[BodyFacts],
        body: usize,
        origin: &Origin,
        lock: PathId,
    ) -> Option<Interferer> {
        let facts = &bodies[body];
        let entries = self.by_lock.get(&LockKey::of(&facts.paths, origin.lock)?)?;
        let lock = LockKey::of(&facts.paths, lock)?;
        let hit =
            |entry: &&Entry| !entry.by_callee && entry.under.contains_key(&lock) && entry.is_of_another(bodies, facts);
        entries.all.iter().find(hit).map(|entry| entry.place)
    }

    /// The same, by someone who changes what the lock protects, too: the two belong together.
    pub fn changed_together(
        &self,
        bodies: &[BodyFacts],
        body: usize,
        origin: &Origin,
        lock: PathId,
    ) -> Option<Interferer> {
        let by = self.changed_under(bodies, body, origin, lock)?;
        let lock = LockKey::of(&bodies[body].paths, lock)?;
        let changes = |facts: &BodyFacts| {
            let locks = facts.writes.iter().filter_map(|write| facts.paths.lock_above(write.target));
            locks.into_iter().any(|written| LockKey::of(&facts.paths, written).as_ref() == Some(&lock))
        };
        match by {
            Interferer::Here { body: other, .. } => changes(&bodies[other]).then_some(by),
            Interferer::Elsewhere(_) => None,
        }
    }

    /// Another function writes it, and not the same each time.
    pub fn is_changed_elsewhere(&self, bodies: &[BodyFacts], facts: &BodyFacts, target: PathId) -> bool {
        let key = facts.paths.lock_above(target).and_then(|lock| LockKey::of(&facts.paths, lock));
        let entries = key.and_then(|key| self.by_lock.get(&key)).into_iter().flat_map(|entries| &entries.all);
        let changes = |entry: &Entry| entry.constant.is_none() && !entry.gentle;
        entries.into_iter().any(|entry| changes(entry) && entry.is_of_another(bodies, facts))
    }

    /// Where a constant is put over the count, by someone who needs no lock that is held while it is counted.
    pub fn overwritten_beside(&self, facts: &BodyFacts, count: &CountedBack) -> Vec<(usize, Site)> {
        let entries = LockKey::of(&facts.paths, count.lock).and_then(|key| self.by_lock.get(&key));
        let entries = entries.into_iter().flat_map(|entries| &entries.all);
        let counting = facts.writes.iter().find(|write| write.site == count.counted);
        let held = counting.map(|write| callers::keys(facts, &write.under)).unwrap_or_default();
        let own = LockKey::of(&facts.paths, count.lock);
        let kept_out =
            |entry: &Entry| held.iter().any(|cover| Some(cover.0) != own.as_ref() && excludes(cover, &entry.under));
        let blind = entries.filter(|entry| entry.constant.is_some() && !entry.by_callee && !kept_out(entry));
        blind
            .filter_map(|entry| match entry.place {
                Interferer::Here { body, site } => Some((body, site)),
                Interferer::Elsewhere(_) => None,
            })
            .collect()
    }

    /// The other locks that are held where the pair is taken, by the body or by whoever calls it.
    pub fn held_besides(&self, facts: &BodyFacts, body: usize, pair: &LockPair) -> Guards {
        let own = facts.pairs_under.get(pair.under).into_iter().flatten();
        let own: Vec<(PathId, Mode)> = own.copied().filter(|(lock, _)| *lock != pair.held).collect();
        let mut above = self.held.at(body).clone();
        // Locks that several objects share are not let in one by one by what holds for one of the objects.
        if facts.paths.is_handed_round(pair.held) && facts.paths.is_handed_round(pair.wanted) {
            above.retain(|lock, _| matches!(lock, LockKey::Static(_)));
        }
        let all = callers::both(callers::keys(facts, &own), &above);
        let ends = [pair.held, pair.wanted].map(|lock| LockKey::of(&facts.paths, lock));
        all.into_iter().filter(|(lock, _)| !ends.contains(&Some(lock.clone()))).collect()
    }

    /// The locks that whoever calls the body holds.
    pub(super) fn held_by_callers(&self, body: usize) -> &Guards {
        self.held.at(body)
    }

    /// Whoever calls the body holds a lock.
    pub fn is_called_under_lock(&self, body: usize) -> bool {
        self.held.at(body).values().any(|mode| *mode == Mode::Exclusive)
    }

    /// How they hold this one, if they do.
    pub fn callers_hold_key(&self, body: usize, lock: &LockKey) -> Option<Mode> {
        self.held.at(body).get(lock).copied()
    }

    /// They hold this one.
    pub fn callers_hold(&self, facts: &BodyFacts, body: usize, lock: PathId) -> bool {
        LockKey::of(&facts.paths, lock).is_some_and(|key| self.held.at(body).contains_key(&key))
    }

    /// Somebody may take away what the origin saw. Who puts just that there, or changes a part of it, leaves something; and what
    /// is done in a function that is called is known from there.
    pub fn may_be_gone(&self, facts: &BodyFacts, origin: &Origin) -> bool {
        let entries = LockKey::of(&facts.paths, origin.lock).and_then(|key| self.by_lock.get(&key));
        let fields = fields_below(&facts.paths, origin.path);
        let takes_away = |entry: &Entry| {
            let all_of_it = entry.fields.len() <= fields.len() && is_prefix(&entry.fields, &fields);
            let leaves = (entry.gentle && !entry.removes) || (entry.fills && entry.fields.len() == fields.len());
            let known_there = entry.by_callee && matches!(entry.place, Interferer::Here { .. });
            all_of_it && !leaves && !known_there
        };
        entries.is_none_or(|entries| entries.all.iter().any(takes_away))
    }

    /// Who takes away what is at the place of the look.
    pub fn taken_away_by(&self, bodies: &[BodyFacts], facts: &BodyFacts, look: &Origin) -> Option<Interferer> {
        let entries = LockKey::of(&facts.paths, look.lock).and_then(|key| self.by_lock.get(&key))?;
        let fields = fields_below(&facts.paths, look.path);
        let takes = |entry: &&Entry| {
            let all_of_it = entry.fields.len() <= fields.len() && is_prefix(&entry.fields, &fields);
            all_of_it && entry.removes && entry.is_of_another(bodies, facts)
        };
        entries.all.iter().find(takes).map(|entry| entry.place)
    }

    /// Whoever writes what the origin looked at only takes it away: nothing new comes to where it was.
    pub fn is_only_removed(&self, facts: &BodyFacts, origin: &Origin) -> bool {
        let key = LockKey::of(&facts.paths, origin.lock);
        let Some(entries) = key.and_then(|key| self.by_lock.get(&key)) else {
            let mut writes = facts.writes.iter().filter(|write| facts.paths.overlap(write.target, origin.path));
            return writes.all(|write| write.removes);
        };
        let fields = fields_below(&facts.paths, origin.path);
        entries.all.iter().filter(|entry| is_prefix(&entry.fields, &fields)).all(|entry| entry.removes)
    }

    /// It has entries, and whatever changes one does so as a whole: they are put there and taken away.
    pub fn stays_as_put(&self, facts: &BodyFacts, container: PathId) -> bool {
        let lock = facts.paths.lock_above(container).and_then(|lock| LockKey::of(&facts.paths, lock));
        let Some(known) = lock.and_then(|key| self.by_lock.get(&key)) else { return false };
        let fields = fields_below(&facts.paths, container);
        let deep = depth(&facts.paths, container) + usize::from(!facts.paths.is_entry(container));
        let concerns = |entry: &&Entry| {
            let known_there = entry.by_callee && matches!(entry.place, Interferer::Here { .. });
            is_prefix(&entry.fields, &fields) && !known_there
        };
        let puts = |entry: &Entry| entry.depth == deep && entry.fills && !entry.gentle;
        let leaves_it = |entry: &Entry| {
            // Who asks for an entry, and makes it if it is not there, has something to do in it.
            let at_once = (entry.fills || entry.removes) && !entry.gentle;
            entry.fields.len() <= fields.len() && entry.depth <= deep && at_once
        };
        known.all.iter().any(puts) && known.all.iter().filter(concerns).all(leaves_it)
    }

    /// Another function changes what is in such an entry, and leaves the entry where it is.
    pub fn is_changed_in_place(&self, bodies: &[BodyFacts], facts: &BodyFacts, target: PathId) -> bool {
        let lock = facts.paths.lock_above(target).and_then(|lock| LockKey::of(&facts.paths, lock));
        let Some(known) = lock.and_then(|key| self.by_lock.get(&key)) else { return false };
        let (fields, deep) = (fields_below(&facts.paths, target), depth(&facts.paths, target));
        let within = |entry: &Entry| {
            let part = entry.fields.len() > fields.len() || !(entry.fills || entry.removes);
            entry.fields.starts_with(&fields) && entry.depth >= deep && entry.depth != usize::MAX && part
        };
        let changes = |entry: &Entry| entry.constant.is_none() && !entry.gentle && !entry.by_callee;
        known.all.iter().any(|entry| changes(entry) && within(entry) && entry.is_of_another(bodies, facts))
    }

    /// The body, and whoever else writes what the origin looked at, has an object of one type to itself, or is called by who has: as
    /// long as there is one such object, they come one after the other.
    pub fn has_one_driver(&self, bodies: &[BodyFacts], body: usize, origin: &Origin) -> bool {
        let facts = &bodies[body];
        let drivers = self.drivers.at(body);
        let entries = LockKey::of(&facts.paths, origin.lock).and_then(|key| self.by_lock.get(&key));
        let Some(entries) = entries.filter(|_| !drivers.is_empty()) else { return false };
        let fields = fields_below(&facts.paths, origin.path);
        let is_driven = |entry: &Entry| match entry.place {
            Interferer::Here { body: other, .. } => drivers.keys().any(|by| self.drivers.at(other).contains_key(by)),
            Interferer::Elsewhere(_) => false,
        };
        entries.all.iter().filter(|entry| is_prefix(&entry.fields, &fields)).all(is_driven)
    }

    /// A write of what the origin looked at, or of something it is part of or that is part of it: first one of another
    /// function, then one of the same. Who needs the lock that covers the gap cannot get in.
    pub fn interferer(&self, bodies: &[BodyFacts], body: usize, origin: &Origin) -> Option<Interferer> {
        let facts = &bodies[body];
        let Some(entries) = LockKey::of(&facts.paths, origin.lock).and_then(|key| self.by_lock.get(&key)) else {
            return own_write(facts, body, origin);
        };
        let fields = fields_below(&facts.paths, origin.path);
        let covers =
            callers::keys(facts, &origin.cover.map(|cover| (cover.lock, cover.mode)).into_iter().collect::<Vec<_>>());
        let own = LockKey::of(&facts.paths, origin.lock);
        let kept_out = |entry: &Entry| {
            let all = covers.iter().chain(self.held.at(body));
            all.filter(|(lock, _)| Some(*lock) != own.as_ref()).any(|cover| excludes(cover, &entry.under))
        };
        let is_hit = |entry: &&Entry| is_prefix(&entry.fields, &fields) && !kept_out(entry);
        // The first of those that tell most: a write that replaces, in another function, of just that.
        let own = |entry: &Entry| match entry.place {
            Interferer::Here { body: other, .. } => {
                let through_this = || bodies[other].calls.iter().any(|call| call.callee == facts.id);
                bodies[other].function == facts.function || (entry.by_callee && through_this())
            }
            Interferer::Elsewhere(_) => false,
        };
        let off = |entry: &Entry| entry.fields.len().abs_diff(fields.len());
        let best = entries.telling_most().find_map(|alike| {
            let hits = alike.iter().map(|&at| &entries.all[at]).filter(&is_hit);
            least(hits, |entry| (own(entry), off(entry)))
        });
        best.map(|entry| entry.place)
    }
}

/// The first of those with the least rank; nothing has less than one of another function that is of just that.
fn least<'e>(entries: impl Iterator<Item = &'e Entry>, rank: impl Fn(&Entry) -> (bool, usize)) -> Option<&'e Entry> {
    let mut best: Option<((bool, usize), &Entry)> = None;
    for entry in entries {
        let new = rank(entry);
        if best.is_none_or(|(known, _)| new < known) {
            best = Some((new, entry));
        }
        if new == (false, 0) {
            break;
        }
    }
    best.map(|(_, entry)| entry)
}

/// Who holds the lock keeps out whoever needs it too, unless both only read.
fn excludes((lock, mode): (&LockKey, &Mode), under: &Guards) -> bool {
    under.get(lock).is_some_and(|other| mode.max(other) == &Mode::Exclusive)
}

/// For a lock that only this body knows: two threads in it.
fn own_write(facts: &BodyFacts, body: usize, origin: &Origin) -> Option<Interferer> {
    let kept_out = |write: &Write| {
        let cover =
            origin.cover.and_then(|cover| Some((cover, write.under.iter().find(|(lock, _)| *lock == cover.lock)?)));
        cover.is_some_and(|(cover, (_, mode))| Mode::Exclusive == cover.mode.max(*mode))
    };
    let hit = |write: &&Write| facts.paths.overlap(write.target, origin.path) && !kept_out(write);
    facts.writes.iter().find(hit).map(|write| Interferer::Here { body, site: write.site })
}

/// Two bodies speak of the same thing under a lock, as far as names tell: the lock has the same key, or, where only one of them
/// knows its way to it, protects the same type.
pub fn is_same_place((facts, one): (&BodyFacts, PathId), (others, other): (&BodyFacts, PathId)) -> bool {
    let (Some(lock), Some(others_lock)) = (facts.paths.lock_above(one), others.paths.lock_above(other)) else {
        return false;
    };
    let same_lock = match (LockKey::of(&facts.paths, lock), LockKey::of(&others.paths, others_lock)) {
        (Some(one), Some(other)) => one == other,
        _ => facts.protected_by(lock).is_some_and(|it| others.protected_by(others_lock) == Some(it)),
    };
    same_lock && is_prefix(&fields_below(&facts.paths, one), &fields_below(&others.paths, other))
}

/// The named way below the lock; elements and pointers on the way are alike across threads.
fn fields_below(paths: &Paths, path: PathId) -> Vec<(u32, u32)> {
    let steps = paths.steps_under_lock(path);
    steps
        .into_iter()
        .filter_map(|step| match step {
            Step::Field(field) => Some((field.variant, field.index)),
            Step::Pointee { .. } | Step::Element | Step::At(_) | Step::Chosen { .. } | Step::Data => None,
        })
        .collect()
}

/// How many elements are on that way.
fn depth(paths: &Paths, path: PathId) -> usize {
    paths.steps_under_lock(path).into_iter().filter(|step| matches!(step, Step::Element | Step::At(_))).count()
}

/// One of the two leads to the other.
fn is_prefix(one: &[(u32, u32)], other: &[(u32, u32)]) -> bool {
    one.iter().zip(other).all(|(left, right)| left == right)
}
