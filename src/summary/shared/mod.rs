//! State that no lock is tied to: who uses it, on which threads, under which locks.
//!
//! Chord's four questions are asked in its order. Two uses of one field, one of them a write: are both on code that threads
//! run at the same time ([`threads`]), of the same object, of one that more than one thread has, with no lock and no atomic
//! between them ([`pairs`])? Houdini's guesses are made from the same table ([`guesses`]).

mod guesses;
mod pairs;
mod threads;

pub use guesses::{Guess, Guessed, LocationGuesses, Refuted, guesses};
pub use pairs::{Pair, Stages};
pub use threads::{RootKind, Threads};

use crate::domain::facts::{Access, BodyFacts, Write};
use crate::domain::path::{PathId, Paths, Root, Step};
use crate::events::{DefinitionId, Exposed, Exposure, Exposures, Mode};
use crate::summary::callers::{self, Guards, HeldByCallers};
use crate::summary::keys::LockKey;
use crate::summary::writes::Writes;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The field of a type, or a static.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocationKey {
    Field(DefinitionId, u32),
    Static(DefinitionId),
}

/// One use.
#[derive(Clone, Debug)]
pub struct Spot {
    pub body: usize,
    /// Among the accesses of the body.
    pub number: usize,
    /// The fields below the location.
    pub rest: Vec<(u32, u32)>,
    /// The type of the object by which the body came to it; `None` for a static.
    pub through: Option<DefinitionId>,
    /// What is held for sure, by the body or by whoever calls it.
    pub under: Rc<Guards>,
    /// Atomics that were changed in one step with a look before (exclusive), or that something else was done to (shared).
    pub claims: Rc<Guards>,
    /// Atomics that tell others afterwards.
    pub published: BTreeSet<LockKey>,
    /// Others may have the object, and nothing says that the caller has seen to it.
    pub counts: bool,
}

impl Spot {
    pub fn access<'f>(&self, bodies: &'f [BodyFacts]) -> &'f Access {
        &bodies[self.body].accesses[self.number]
    }

    /// Others are told of it by a flag. A number that is counted on tells which of many things it was, and of a ring each
    /// thread has its own.
    pub fn is_told_by_flag(&self, bodies: &[BodyFacts]) -> bool {
        let facts = &bodies[self.body];
        let published = &self.access(bodies).published;
        let is_told =
            |write: &&Write| facts.paths.lock_above(write.target).is_some_and(|atomic| published.contains(&atomic));
        let mut tells = facts.writes.iter().filter(is_told).peekable();
        tells.peek().is_some() && tells.all(|write| write.constant.is_some())
    }
}

#[derive(Debug, Default)]
pub struct Shared {
    pub exposures: Rc<Exposures>,
    pub locations: BTreeMap<LocationKey, Vec<Spot>>,
    pub threads: Threads,
    /// The locks that all callers of a body hold.
    held: Vec<Guards>,
}

impl Shared {
    pub(super) fn collect(bodies: &[BodyFacts], writes: &Writes, exposures: Rc<Exposures>) -> Shared {
        if exposures.is_empty() {
            return Shared { exposures, ..Shared::default() };
        }
        let threads = Threads::of(bodies);
        let run_here = run_here(bodies);
        let claims = HeldByCallers::infer(bodies, |facts, call| claim_keys(facts, &call.claimed, &call.operated));
        let mut locations: BTreeMap<LocationKey, Vec<Spot>> = BTreeMap::new();
        let mut of_one_thread = BTreeSet::new();
        for (body, facts) in bodies.iter().enumerate() {
            for (number, access) in facts.accesses.iter().enumerate() {
                let Some(key) = location_key(&facts.paths, access.location) else { continue };
                if access.by_its_thread {
                    of_one_thread.insert(key);
                }
                let own: Vec<(PathId, Mode)> = access.under.iter().map(|&(lock, mode, _)| (lock, mode)).collect();
                let under = callers::both(callers::keys(facts, &own), writes.held_by_callers(body));
                let claimed = claim_keys(facts, &access.claimed, &access.operated);
                let given = facts.is_closure && !threads.is_root(body) && !run_here.contains(&facts.id);
                locations.entry(key).or_default().push(Spot {
                    body,
                    number,
                    rest: fields_between(&facts.paths, access.location, access.path),
                    through: through(&facts.paths, access.location),
                    under: under.into(),
                    claims: callers::both(claimed, claims.at(body)).into(),
                    published: access.published.iter().filter_map(|&it| LockKey::of(&facts.paths, it)).collect(),
                    counts: access.shared && !facts.has_token && !facts.promised && !given,
                });
            }
        }
        // Where it is not asked, the thread is known in another way: who comes from elsewhere is sent away somewhere.
        locations.retain(|key, _| !of_one_thread.contains(key));
        let held = (0..bodies.len()).map(|body| writes.held_by_callers(body).clone()).collect();
        Shared { exposures, locations, threads, held }
    }

    pub fn exposure(&self, key: LocationKey) -> Option<&Exposure> {
        match key {
            LocationKey::Field(owner, index) => self.exposures.fields.get(&(owner, index)),
            LocationKey::Static(id) => self.exposures.statics.get(&id),
        }
    }

    pub fn is_atomic(&self, key: LocationKey) -> bool {
        self.exposure(key).is_some_and(|exposure| exposure.kind == Exposed::Atomic)
    }
}

/// Closures that only functions run of which it is known under which locks they do.
fn run_here(bodies: &[BodyFacts]) -> BTreeSet<DefinitionId> {
    let calls = || bodies.iter().flat_map(|facts| &facts.calls);
    let mut run: BTreeSet<DefinitionId> = calls().map(|call| call.callee).collect();
    for call in calls().filter(|call| call.by_others) {
        run.remove(&call.callee);
    }
    run
}

fn location_key(paths: &Paths, location: PathId) -> Option<LocationKey> {
    match (paths.step(location), paths.root_of(location)) {
        (Some(Step::Field(field)), _) => Some(LocationKey::Field(field.owner?, field.index)),
        (None, Root::Static(id, _)) => Some(LocationKey::Static(*id)),
        _ => None,
    }
}

fn claim_keys(facts: &BodyFacts, claimed: &[PathId], operated: &[PathId]) -> Guards {
    let keys = |paths: &[PathId], mode: Mode| -> Vec<(LockKey, Mode)> {
        paths.iter().filter_map(|&path| Some((LockKey::of(&facts.paths, path)?, mode))).collect()
    };
    keys(operated, Mode::Shared).into_iter().chain(keys(claimed, Mode::Exclusive)).collect()
}

/// The first type with a name on the way from the root.
fn through(paths: &Paths, location: PathId) -> Option<DefinitionId> {
    paths.root_local(location)?;
    paths.steps(location).into_iter().find_map(|step| match step {
        Step::Field(field) => field.owner,
        _ => None,
    })
}

fn fields_between(paths: &Paths, from: PathId, to: PathId) -> Vec<(u32, u32)> {
    let below = paths.ancestry(to).take_while(|&at| at != from);
    let mut fields: Vec<(u32, u32)> = below
        .filter_map(|at| match paths.step(at) {
            Some(Step::Field(field)) => Some((field.variant, field.index)),
            _ => None,
        })
        .collect();
    fields.reverse();
    fields
}
