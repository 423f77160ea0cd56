//! A pointer that a thread loads and follows without the order that would show it what it leads to: a part of `racy_access`.

use crate::checks::terms::memory::{Evidence, Happening, Shape};
use crate::checks::{self, Moment, Subject, Suspicion, sharing};
use crate::domain::facts::{BodyFacts, Followed};
use crate::events::{Order, Site};
use crate::summary::{Crate, LockKey};
use std::collections::BTreeMap;

/// Who puts a pointer there for others to follow, and who follows it with care.
#[derive(Default)]
struct Published {
    by: Vec<(usize, Site)>,
    acquired: bool,
}

pub(super) fn check(all: &Crate) -> Vec<Suspicion> {
    if all.bodies.iter().all(|facts| facts.apart.followed.is_empty()) {
        return Vec::new();
    }
    let mut published: BTreeMap<LockKey, Published> = BTreeMap::new();
    for (body, facts) in all.bodies.iter().enumerate() {
        for one in facts.apart.followed.iter().filter(|one| one.acquires && sharing::is_shared(facts, one.atomic)) {
            if let Some(key) = LockKey::of(&facts.paths, one.atomic) {
                published.entry(key).or_default().acquired = true;
            }
        }
        for (key, site) in releases(facts) {
            published.entry(key).or_default().by.push((body, site));
        }
    }
    // One for each body.
    let first = |(body, facts): (usize, &BodyFacts)| {
        facts.apart.followed.iter().find_map(|one| judge(&published, body, facts, one))
    };
    all.bodies.iter().enumerate().filter_map(first).collect()
}

/// Stores and exchanges that show others what was written before.
fn releases(facts: &BodyFacts) -> Vec<(LockKey, Site)> {
    let strong = |site: Site| matches!(facts.orders.get(&site), Some(Order::Release | Order::AcqRel | Order::SeqCst));
    let writes = facts.writes.iter().filter(|write| !write.by_callee && strong(write.site));
    let atomics = writes.filter_map(|write| Some((facts.paths.lock_above(write.target)?, write.site)));
    let atomics = atomics.filter(|(lock, _)| facts.is_atomic(*lock));
    atomics.filter_map(|(lock, site)| Some((LockKey::of(&facts.paths, lock)?, site))).collect()
}

/// Who writes it, too, may be the only one who does.
fn judge(
    published: &BTreeMap<LockKey, Published>,
    body: usize,
    facts: &BodyFacts,
    one: &Followed,
) -> Option<Suspicion> {
    let key =
        LockKey::of(&facts.paths, one.atomic).filter(|_| !one.acquires && sharing::is_shared(facts, one.atomic))?;
    let known = published.get(&key).filter(|known| known.acquired)?;
    let writes = |lock| LockKey::of(&facts.paths, lock).as_ref() == Some(&key);
    if facts.writes.iter().filter_map(|write| facts.paths.lock_above(write.target)).any(writes) {
        return None;
    }
    let &(by, at) = known.by.iter().find(|(by, _)| *by != body)?;
    let moment = |happens, site| Moment { happens: checks::Happening::Memory(happens), site };
    Some(Suspicion {
        body,
        primary: one.site,
        lock: Some(one.atomic),
        subject: Subject::Place(one.atomic),
        shape: checks::Shape::Memory(Shape::Unordered),
        moments: vec![
            moment(Happening::Publishes { body: by }, at),
            moment(Happening::LoadsRelaxed, one.loaded),
            moment(Happening::Follows, one.site),
        ],
        evidence: [Evidence::LoadedRelaxed, Evidence::OthersAcquire].map(checks::Evidence::Memory).to_vec(),
    })
}
