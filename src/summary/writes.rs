//! Interferers: who may write a path under a lock while another thread is between two sections of it.
//!
//! What nobody writes outside its construction is read-only (Houdini's word for it), and old looks at it are good.

use crate::domain::facts::{BodyFacts, Write};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths, Root, Step};
use crate::events::{DefinitionId, Site};
use std::collections::BTreeMap;

/// A lock as all threads know it: the fields that lead to it (or to the `Arc` of it) from the last pointer on, or its
/// static. A wrapper's field
/// alone would make all locks behind that wrapper one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKey {
    Fields(Vec<(DefinitionId, u32)>),
    Static(DefinitionId),
}

impl LockKey {
    /// `None` where only the body itself knows the lock: a parameter, a local.
    pub fn of(paths: &Paths, lock: PathId) -> Option<LockKey> {
        let fields: Vec<(DefinitionId, u32)> = paths
            .ancestry(lock)
            .skip_while(|&at| paths.step(at).is_some_and(Step::is_pointee))
            .map_while(|at| match paths.step(at) {
                Some(Step::Field(field)) => field.owner.map(|owner| (owner, field.index)),
                _ => None,
            })
            .collect();
        match paths.root_of(lock) {
            _ if !fields.is_empty() => Some(LockKey::Fields(fields)),
            Root::Static(id, _) => Some(LockKey::Static(*id)),
            Root::Local(_) => None,
        }
    }
}

/// One write under a lock, somewhere in the crate.
#[derive(Clone, Debug)]
struct Entry {
    body: usize,
    fields: Vec<(u32, u32)>,
    site: Site,
    under: Vec<LockKey>,
    gentle: bool,
}

/// Someone who may get in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interferer {
    pub body: usize,
    pub site: Site,
}

/// Every write under every lock that has a key.
#[derive(Debug, Default)]
pub struct Writes {
    by_lock: BTreeMap<LockKey, Vec<Entry>>,
}

impl Writes {
    pub(super) fn collect(bodies: &[BodyFacts]) -> Writes {
        let mut all = Writes::default();
        for (body, facts) in bodies.iter().enumerate() {
            for write in &facts.writes {
                let key = facts.paths.lock_above(write.target).and_then(|lock| LockKey::of(&facts.paths, lock));
                let Some(key) = key else { continue };
                let fields = fields_below(&facts.paths, write.target);
                let under = write.under.iter().filter_map(|&lock| LockKey::of(&facts.paths, lock)).collect();
                let entry = Entry { body, fields, site: write.site, under, gentle: write.gentle };
                all.by_lock.entry(key).or_default().push(entry);
            }
        }
        all
    }

    /// A write of what the origin looked at, or of something it is part of or that is part of it: first one of another
    /// function, then one of the same. Who needs the lock that covers the gap cannot get in.
    pub fn interferer(&self, bodies: &[BodyFacts], body: usize, origin: &Origin) -> Option<Interferer> {
        let facts = &bodies[body];
        let Some(entries) = LockKey::of(&facts.paths, origin.lock).and_then(|key| self.by_lock.get(&key)) else {
            return own_write(facts, body, origin);
        };
        let fields = fields_below(&facts.paths, origin.path);
        let cover = origin.cover.and_then(|cover| LockKey::of(&facts.paths, cover.lock));
        let kept_out = |entry: &Entry| cover.as_ref().is_some_and(|cover| entry.under.contains(cover));
        let hits = entries.iter().filter(|entry| is_prefix(&entry.fields, &fields) && !kept_out(entry));
        // The first of those that tell most: a write that replaces, in another function.
        let own = |entry: &Entry| bodies[entry.body].function == facts.function;
        let best = hits.min_by_key(|entry| (entry.gentle, own(entry)));
        best.map(|entry| Interferer { body: entry.body, site: entry.site })
    }
}

/// For a lock that only this body knows: two threads in it.
fn own_write(facts: &BodyFacts, body: usize, origin: &Origin) -> Option<Interferer> {
    let kept_out = |write: &Write| origin.cover.is_some_and(|cover| write.under.contains(&cover.lock));
    let hit = |write: &&Write| facts.paths.overlap(write.target, origin.path) && !kept_out(write);
    facts.writes.iter().find(hit).map(|write| Interferer { body, site: write.site })
}

/// The named way below the lock; elements and pointers on the way are alike across threads.
fn fields_below(paths: &Paths, path: PathId) -> Vec<(u32, u32)> {
    let steps = paths.steps_under_lock(path);
    steps
        .into_iter()
        .filter_map(|step| match step {
            Step::Field(field) => Some((field.variant, field.index)),
            Step::Pointee { .. } | Step::Element | Step::Data => None,
        })
        .collect()
}

/// One of the two leads to the other.
fn is_prefix(one: &[(u32, u32)], other: &[(u32, u32)]) -> bool {
    one.iter().zip(other).all(|(left, right)| left == right)
}
