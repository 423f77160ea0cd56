//! Houdini: every lock that could guard a location is guessed to do so, and so is that only one thread has it, that nobody
//! writes it, that only `main` uses it; for every function that leads there, that its callers hold those locks. What a use or
//! a call shows to be wrong is taken back, with the place that shows it. What is left is the largest set that holds.

use crate::domain::facts::BodyFacts;
use crate::events::{DefinitionId, Exposed, Site};
use crate::summary::Crate;
use crate::summary::callers;
use crate::summary::keys::LockKey;
use crate::summary::shared::{LocationKey, Shared, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// What could be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guessed {
    ThreadLocal,
    ReadOnly,
    MainThread,
    Lock(LockKey),
}

/// What shows that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refuted {
    /// Somebody says that threads may share it.
    Promised(Site),
    /// A use: the body, and whether it writes.
    Used { body: usize, site: Site, write: bool },
    /// A call without the lock.
    Called { body: usize, site: Site },
    /// It can be called by other crates, or nobody knows by whom.
    CalledByAnyone,
    /// Threads begin there.
    Begins(Site),
}

#[derive(Clone, Debug)]
pub struct Guess {
    pub guessed: Guessed,
    pub refuted: Option<Refuted>,
}

#[derive(Clone, Debug)]
pub struct LocationGuesses {
    pub key: LocationKey,
    pub guesses: Vec<Guess>,
    /// Uses in all, and those where nobody else can have it.
    pub uses: usize,
    pub alone: usize,
    pub functions: Vec<FunctionGuesses>,
}

/// What the callers of a function hold.
#[derive(Clone, Debug)]
pub struct FunctionGuesses {
    pub body: usize,
    pub guesses: Vec<Guess>,
}

/// For every location that is used or declared.
pub fn guesses(all: &Crate) -> Vec<LocationGuesses> {
    let exposures = &all.shared.exposures;
    let fields = exposures.fields.keys().map(|&(owner, index)| LocationKey::Field(owner, index));
    let statics = exposures.statics.keys().map(|&id| LocationKey::Static(id));
    let calls = Calls::of(&all.bodies);
    fields.chain(statics).map(|key| of_location(all, &calls, key)).collect()
}

fn of_location(all: &Crate, calls: &Calls<'_>, key: LocationKey) -> LocationGuesses {
    let shared = &all.shared;
    let spots = shared.locations.get(&key).map_or(&[][..], Vec::as_slice);
    let counting: Vec<&Spot> = spots.iter().filter(|spot| spot.access(&all.bodies).shared).collect();
    let locks = candidates(shared, key, &counting);
    let mut guesses = vec![
        Guess { guessed: Guessed::ThreadLocal, refuted: not_alone(shared, key, &all.bodies, &counting) },
        Guess { guessed: Guessed::ReadOnly, refuted: first_use(&all.bodies, &counting, |_, write| write) },
    ];
    if matches!(key, LocationKey::Static(_)) {
        let elsewhere = |spot: &Spot, _: bool| !shared.threads.only_main(spot.body);
        let refuted = first_use(&all.bodies, &counting, elsewhere);
        guesses.push(Guess { guessed: Guessed::MainThread, refuted });
    }
    for lock in &locks {
        let refuted = first_use(&all.bodies, &counting, |spot, _| !holds(spot, lock));
        guesses.push(Guess { guessed: Guessed::Lock(lock.clone()), refuted });
    }
    let users: BTreeSet<usize> = counting.iter().map(|spot| spot.body).collect();
    let leading = calls.leading_to(&users);
    let functions = leading.into_iter().map(|body| FunctionGuesses {
        body,
        guesses: locks.iter().map(|lock| required(all, calls, body, lock)).collect(),
    });
    let functions = functions.filter(|function: &FunctionGuesses| !function.guesses.is_empty()).collect();
    LocationGuesses { key, guesses, uses: spots.len(), alone: spots.len() - counting.len(), functions }
}

/// The locks of the same struct, and whatever is held at some use.
fn candidates(shared: &Shared, key: LocationKey, spots: &[&Spot]) -> Vec<LockKey> {
    let beside = shared.exposure(key).into_iter().flat_map(|exposure| &exposure.locks);
    let mut all: Vec<LockKey> = beside.map(|lock| LockKey::Fields(vec![lock.field])).collect();
    let held: BTreeSet<&LockKey> = spots.iter().flat_map(|spot| spot.under.keys()).collect();
    for lock in held.into_iter().filter(|lock| !matches!(lock, LockKey::Exclusive(_))) {
        if !all.iter().any(|known| known.is_same_field(lock)) {
            all.push(lock.clone());
        }
    }
    all
}

fn holds(spot: &Spot, lock: &LockKey) -> bool {
    spot.under.keys().any(|held| held.is_same_field(lock))
}

fn first_use(bodies: &[BodyFacts], spots: &[&Spot], refutes: impl Fn(&Spot, bool) -> bool) -> Option<Refuted> {
    // A write shows it best.
    let used = |spot: &&&Spot| refutes(spot, spot.access(bodies).write);
    let found = spots.iter().filter(used).min_by_key(|spot| (!spot.access(bodies).write, spot.access(bodies).site));
    found.map(|spot| {
        let access = spot.access(bodies);
        Refuted::Used { body: spot.body, site: access.site, write: access.write }
    })
}

/// More than one thread has it: so it is said, or so it is with every static.
fn not_alone(shared: &Shared, key: LocationKey, bodies: &[BodyFacts], spots: &[&Spot]) -> Option<Refuted> {
    let exposure = shared.exposure(key)?;
    match (exposure.promise, exposure.kind) {
        (Some(promise), _) => Some(Refuted::Promised(promise)),
        (None, Exposed::Atomic) => first_use(bodies, spots, |_, _| true),
        (None, _) => Some(Refuted::Promised(exposure.declared)),
    }
}

fn required(all: &Crate, calls: &Calls<'_>, body: usize, lock: &LockKey) -> Guess {
    let facts = &all.bodies[body];
    let guessed = Guessed::Lock(lock.clone());
    if all.shared.held[body].keys().any(|held| held.is_same_field(lock)) {
        return Guess { guessed, refuted: None };
    }
    let without = calls.of.get(&facts.id).into_iter().flatten().find(|(caller, call)| {
        let own = callers::keys(&all.bodies[*caller], &call.under);
        let above = &all.shared.held[*caller];
        !own.keys().chain(above.keys()).any(|held| held.is_same_field(lock))
    });
    let begins = all.shared.threads.begins(body);
    let refuted = match (without, begins) {
        (Some((caller, call)), _) => Refuted::Called { body: *caller, site: call.site },
        (None, Some(site)) => Refuted::Begins(site),
        (None, None) => Refuted::CalledByAnyone,
    };
    Guess { guessed, refuted: Some(refuted) }
}

/// Who calls whom.
struct Calls<'f> {
    of: BTreeMap<DefinitionId, Vec<(usize, &'f crate::domain::facts::CallUnder)>>,
    ids: Vec<DefinitionId>,
}

impl<'f> Calls<'f> {
    fn of(bodies: &'f [BodyFacts]) -> Calls<'f> {
        let mut of: BTreeMap<DefinitionId, Vec<_>> = BTreeMap::new();
        for (caller, facts) in bodies.iter().enumerate() {
            for call in &facts.calls {
                of.entry(call.callee).or_default().push((caller, call));
            }
        }
        Calls { of, ids: bodies.iter().map(|facts| facts.id).collect() }
    }

    /// The bodies, and those that call them, a few levels up.
    fn leading_to(&self, bodies: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = bodies.clone();
        let mut level: Vec<usize> = bodies.iter().copied().collect();
        for _ in 0..LEVELS {
            let callers = level.drain(..).filter_map(|body| self.of.get(&self.ids[body])).flatten();
            let new: Vec<usize> = callers.map(|(caller, _)| *caller).filter(|&caller| all.insert(caller)).collect();
            level = new;
        }
        all
    }
}

/// How far up functions are listed.
const LEVELS: usize = 2;
