//! What guards what, for `cargo stalemate guards`.

use crate::emit::{names, words};
use crate::events::Exposed;
use crate::mir::{Position, Site};
use crate::summary::{Crate, Guess, Guessed, LocationGuesses, LocationKey, LockKey, Refuted, guesses};
use finding::Place;
use finding::guards::{self, FunctionGuards, GuessKind, LocationGuards, LocationKind};

/// All locations, in the order of the source.
pub fn guards(all: &Crate, package: &str, position: impl Fn(Site) -> Position) -> Vec<LocationGuards> {
    let teller = Teller { all, position };
    let mut told: Vec<LocationGuards> = guesses(all).iter().filter_map(|one| teller.location(one, package)).collect();
    told.sort();
    told
}

struct Teller<'a, P> {
    all: &'a Crate,
    position: P,
}

impl<P: Fn(Site) -> Position> Teller<'_, P> {
    fn place(&self, site: Site) -> Place {
        let at = (self.position)(site);
        Place { file: at.file, line: at.line, column: at.column }
    }

    fn location(&self, one: &LocationGuesses, package: &str) -> Option<LocationGuards> {
        let exposure = self.all.shared.exposure(one.key)?;
        let name = |lock: &LockKey| self.lock_name(one.key, lock);
        let functions = one.functions.iter().map(|function| FunctionGuards {
            function: self.all.bodies[function.body].function.clone(),
            guesses: function.guesses.iter().map(|guess| self.guess(guess, true, name)).collect(),
        });
        let mut functions: Vec<FunctionGuards> = functions.filter(|one| !one.function.is_empty()).collect();
        functions.sort();
        functions.dedup_by(|one, other| one.function == other.function);
        Some(LocationGuards {
            place: self.place(exposure.declared),
            package: package.to_owned(),
            location: exposure.name.to_string(),
            kind: kind(exposure.kind),
            uses: one.uses,
            alone: one.alone,
            guesses: one.guesses.iter().map(|guess| self.guess(guess, false, name)).collect(),
            functions,
        })
    }

    fn guess(&self, guess: &Guess, requires: bool, name: impl Fn(&LockKey) -> String) -> guards::Guess {
        let lock = match &guess.guessed {
            Guessed::Lock(lock) => Some(name(lock)),
            Guessed::ThreadLocal | Guessed::ReadOnly | Guessed::MainThread => None,
        };
        let kind = match guess.guessed {
            Guessed::ThreadLocal => GuessKind::ThreadLocal,
            Guessed::ReadOnly => GuessKind::ReadOnly,
            Guessed::MainThread => GuessKind::MainThread,
            Guessed::Lock(_) if requires => GuessKind::Requires,
            Guessed::Lock(_) => GuessKind::GuardedBy,
        };
        let refuted_at = guess.refuted.and_then(site_of).map(|site| self.place(site));
        let why =
            guess.refuted.map(|refuted| words::refuted(kind, refuted, self.function(refuted), refuted_at.as_ref()));
        guards::Guess {
            guess: kind,
            holds: guess.refuted.is_none(),
            text: words::guess(kind, lock.as_deref().unwrap_or_default(), why.as_deref()),
            lock,
            refuted_at,
        }
    }

    /// The function that the place stands in.
    fn function(&self, refuted: Refuted) -> Option<&str> {
        let body = match refuted {
            Refuted::Used { body, .. } | Refuted::Called { body, .. } => body,
            Refuted::Promised(_) | Refuted::CalledByAnyone | Refuted::Begins(_) => return None,
        };
        Some(self.all.bodies[body].function.as_str()).filter(|name| !name.is_empty())
    }

    /// As the struct knows it, or else as some use does.
    fn lock_name(&self, key: LocationKey, lock: &LockKey) -> String {
        let beside = self.all.shared.exposure(key).into_iter().flat_map(|exposure| &exposure.locks);
        let mut beside = beside.filter(|known| lock.is_same_field(&LockKey::Fields(vec![known.field])));
        if let Some(known) = beside.next() {
            return format!("self.{}", known.name);
        }
        let spots = self.all.shared.locations.get(&key).into_iter().flatten();
        let mut known = spots.flat_map(|spot| {
            let facts = &self.all.bodies[spot.body];
            let held = spot.access(&self.all.bodies).under.iter().map(|(path, ..)| *path);
            held.filter(|&path| LockKey::of(&facts.paths, path).is_some_and(|held| held.is_same_field(lock)))
                .filter_map(|path| names::lock(facts, path))
        });
        known.next().unwrap_or_else(|| words::lock_of_caller().to_owned())
    }
}

fn site_of(refuted: Refuted) -> Option<Site> {
    match refuted {
        Refuted::Promised(site) | Refuted::Begins(site) | Refuted::Used { site, .. } | Refuted::Called { site, .. } => {
            Some(site)
        }
        Refuted::CalledByAnyone => None,
    }
}

fn kind(exposed: Exposed) -> LocationKind {
    match exposed {
        Exposed::Cell => LocationKind::Cell,
        Exposed::Pointer => LocationKind::Pointer,
        Exposed::Static => LocationKind::Static,
        Exposed::Atomic => LocationKind::Atomic,
    }
}
