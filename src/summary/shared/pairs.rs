//! Pairs of uses, one of them a write, stage by stage. Uses that are alike are counted together, so that the stages cost as
//! much as there are kinds of use, and not as much as there are pairs.

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, Mode};
use crate::summary::callers::Guards;
use crate::summary::keys::LockKey;
use crate::summary::shared::{LocationKey, Shared, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds of use of one location that are told apart. Beyond that they are counted and not compared.
const MOST_KINDS: usize = 128;

/// How many pairs are left after each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    pub original: u64,
    pub reachable: u64,
    pub aliasing: u64,
    pub escaping: u64,
    pub unlocked: u64,
    /// What was done to count them.
    pub steps: u64,
}

/// Two uses that may happen at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'s> {
    pub first: &'s Spot,
    pub second: &'s Spot,
    /// Where the two threads begin.
    pub roots: (usize, usize),
}

impl Pair<'_> {
    /// It is one of the two.
    pub fn has(&self, spot: &Spot) -> bool {
        [self.first, self.second].iter().any(|one| std::ptr::eq(*one, spot))
    }
}

/// What makes uses alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind<'s> {
    rest: &'s [(u32, u32)],
    through: Option<DefinitionId>,
    roots: Vec<Option<usize>>,
    counts: bool,
    under: &'s Guards,
    claims: &'s Guards,
    published: &'s BTreeSet<LockKey>,
}

/// Uses that are alike.
#[derive(Default)]
struct Group<'s> {
    reads: Vec<&'s Spot>,
    writes: Vec<&'s Spot>,
}

impl Shared {
    /// The pairs of one location that are left at the end, one for each two kinds of use, and how many fell at each stage.
    pub fn pairs(&self, bodies: &[BodyFacts], key: LocationKey, stages: &mut Stages) -> Vec<Pair<'_>> {
        let spots = self.locations.get(&key).map_or(&[][..], Vec::as_slice);
        let mut groups: BTreeMap<Kind<'_>, Group<'_>> = BTreeMap::new();
        for spot in spots {
            let group = groups.entry(self.kind(spot)).or_default();
            let of = if spot.access(bodies).write { &mut group.writes } else { &mut group.reads };
            of.push(spot);
        }
        for group in groups.values_mut() {
            group.writes.sort_by_key(|spot| spot.access(bodies).site);
        }
        let writes = spots.iter().filter(|spot| spot.access(bodies).write).count() as u64;
        let reads = spots.len() as u64 - writes;
        stages.original += writes * (writes + 1) / 2 + writes * reads;
        stages.steps += spots.len() as u64;
        let groups: Vec<(Kind<'_>, Group<'_>)> = groups.into_iter().take(MOST_KINDS).collect();
        let mut found = Vec::new();
        for (at, (kind, group)) in groups.iter().enumerate() {
            for (other_kind, other) in &groups[at..] {
                stages.steps += 1;
                let size = if kind == other_kind { within(group) } else { between(group, other) };
                let pair = candidate(group, other, kind == other_kind);
                if let Some((first, second)) = pair.filter(|_| size > 0) {
                    let both_write =
                        [first, second].iter().all(|spot| spot.access(bodies).write && spot.is_told_by_flag(bodies));
                    found.extend(self.through_stages((kind, first), (other_kind, second), both_write, size, stages));
                }
            }
        }
        found
    }

    fn kind<'s>(&self, spot: &'s Spot) -> Kind<'s> {
        Kind {
            rest: &spot.rest,
            through: spot.through,
            roots: self.threads.signature(spot.body),
            counts: spot.counts,
            under: &spot.under,
            claims: &spot.claims,
            published: &spot.published,
        }
    }

    fn through_stages<'s>(
        &'s self,
        (one, first): (&Kind<'s>, &'s Spot),
        (other, second): (&Kind<'s>, &'s Spot),
        both_write: bool,
        size: u64,
        stages: &mut Stages,
    ) -> Option<Pair<'s>> {
        let roots = self.threads.apart(first.body, second.body)?;
        stages.reachable += size;
        if one.through != other.through || !overlap(one.rest, other.rest) {
            return None;
        }
        stages.aliasing += size;
        if !one.counts || !other.counts {
            return None;
        }
        stages.escaping += size;
        let is_told = !both_write && (tells(one, other) || tells(other, one));
        if excludes(one.under, other.under) || excludes(one.claims, other.claims) || is_told {
            return None;
        }
        stages.unlocked += size;
        Some(Pair { first, second, roots })
    }
}

/// Pairs within one group, each use with itself included: two threads in one place.
fn within(group: &Group<'_>) -> u64 {
    let (writes, reads) = (group.writes.len() as u64, group.reads.len() as u64);
    writes * (writes + 1) / 2 + writes * reads
}

fn between(one: &Group<'_>, other: &Group<'_>) -> u64 {
    let count = |spots: &[&Spot]| spots.len() as u64;
    count(&one.writes) * (count(&other.writes) + count(&other.reads)) + count(&one.reads) * count(&other.writes)
}

/// One that speaks for the others: a write first.
fn candidate<'s>(one: &Group<'s>, other: &Group<'s>, same: bool) -> Option<(&'s Spot, &'s Spot)> {
    let first = |spots: &[&'s Spot]| spots.first().copied();
    if same {
        let write = first(&one.writes)?;
        return Some((write, one.writes.get(1).copied().unwrap_or(write)));
    }
    let both = first(&one.writes).zip(first(&other.writes));
    let second_reads = || first(&one.writes).zip(first(&other.reads));
    let first_reads = || first(&other.writes).zip(first(&one.reads)).map(|(write, read)| (read, write));
    both.or_else(second_reads).or_else(first_reads)
}

/// One of the two leads to the other.
fn overlap(one: &[(u32, u32)], other: &[(u32, u32)]) -> bool {
    one.iter().zip(other).all(|(left, right)| left == right)
}

/// A lock that both hold, and not both for reading.
fn excludes(one: &Guards, other: &Guards) -> bool {
    one.iter().any(|(lock, mode)| other.get(lock).is_some_and(|there| mode.max(there) == &Mode::Exclusive))
}

/// One tells by an atomic, when it is done, what the other asks for before it begins. That keeps a reader from a writer, and not
/// two writers from each other: both may have asked before either has told.
fn tells(one: &Kind<'_>, other: &Kind<'_>) -> bool {
    one.published.iter().any(|atomic| other.claims.contains_key(atomic))
}
