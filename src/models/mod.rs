//! What foreign calls mean, as data. Each TOML file holds the rows of one crate; `mir` resolves their paths to
//! definitions, so a re-export, a renamed import or a type of the same name elsewhere cannot confuse them.

use serde::{Deserialize, Serialize};

/// The models that come with the tool, by the crate they speak of.
const SHIPPED: &[(&str, &str)] = &[
    ("std", include_str!("std.toml")),
    ("lock_api", include_str!("lock_api.toml")),
    ("parking_lot", include_str!("parking_lot.toml")),
    ("tokio", include_str!("tokio.toml")),
    ("async_lock", include_str!("async_lock.toml")),
    ("futures", include_str!("futures.toml")),
    ("spin", include_str!("spin.toml")),
    ("dashmap", include_str!("dashmap.toml")),
    ("scc", include_str!("scc.toml")),
    ("crossbeam_skiplist", include_str!("crossbeam_skiplist.toml")),
    ("crossbeam_utils", include_str!("crossbeam_utils.toml")),
    ("arc_swap", include_str!("arc_swap.toml")),
    ("event_listener", include_str!("event_listener.toml")),
    ("portable_atomic", include_str!("portable_atomic.toml")),
    ("rayon", include_str!("rayon.toml")),
    ("tracing_subscriber", include_str!("tracing_subscriber.toml")),
];

/// All rows, in the order of the files.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    #[serde(default, rename = "lock")]
    pub locks: Vec<LockRow>,
    #[serde(default, rename = "guard")]
    pub guards: Vec<TypeRow>,
    #[serde(default, rename = "waker")]
    pub wakers: Vec<TypeRow>,
    #[serde(default, rename = "call")]
    pub calls: Vec<CallRow>,
    #[serde(default, rename = "effect")]
    pub effects: Vec<EffectRow>,
    #[serde(default, rename = "touch")]
    pub touches: Vec<TouchRow>,
    #[serde(default)]
    pub atomic: Vec<FunctionRow>,
    #[serde(default)]
    pub requires: Vec<RequiresRow>,
    #[serde(default)]
    pub guarded_by: Vec<GuardRow>,
    #[serde(default)]
    pub benign: Vec<BenignRow>,
}

/// A function that reads or writes what one of its arguments points at, whatever the types say: `ptr::write`, `Cell::set`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TouchRow {
    #[serde(rename = "fn")]
    pub path: String,
    #[serde(default)]
    pub argument: usize,
    #[serde(default)]
    pub writes: bool,
}

/// `#[atomic]`, by the path of the function.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionRow {
    #[serde(rename = "fn")]
    pub path: String,
}

/// `#[requires(lock)]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequiresRow {
    #[serde(rename = "fn")]
    pub path: String,
    pub lock: String,
}

/// `#[guarded_by(lock)]`, by the path of the field: that of its type, and its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardRow {
    #[serde(rename = "field")]
    pub path: String,
    pub lock: String,
}

/// `#[benign(reason = "..")]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenignRow {
    #[serde(rename = "fn")]
    pub path: String,
    pub reason: String,
}

/// Functions that do something beyond the memory of the thread: all of a module, of a type or of a trait, or one alone.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectRow {
    pub path: String,
    pub does: Beyond,
}

/// What a call does beyond the memory of the thread. The order is that of how much time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Beyond {
    /// Runs something for its effects, whatever they are.
    Acts,
    /// Hands something to another thread.
    Sends,
    /// Starts a thread or a task.
    Spawns,
    /// Waits for another thread, or for a time.
    Blocks,
    /// Reads or writes a file, a socket, another process.
    Io,
}

/// A type of locks by its public path.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockRow {
    #[serde(rename = "type")]
    pub path: String,
    #[serde(default)]
    pub kind: LockKind,
    /// Who holds it may take it again.
    #[serde(default)]
    pub reentrant: bool,
    /// Who waits for it sleeps as a task, and lets the thread go on.
    #[serde(default)]
    pub for_tasks: bool,
    /// It is a handle: the lock is behind it, and others have handles of their own.
    #[serde(default)]
    pub behind: bool,
    /// How users look and change in one step.
    #[serde(default)]
    pub at_once: Option<String>,
}

/// How long a section of the lock lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LockKind {
    /// As long as its guard lives.
    #[default]
    Guarded,
    /// A concurrent map: each call is a section, and some give guards.
    Map,
    /// Each operation is a section, and there are no guards.
    Atomic,
}

/// A type by its public path.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeRow {
    #[serde(rename = "type")]
    pub path: String,
}

/// A function, method or trait method by its public path, and what a call of it means.
#[derive(Clone, Debug, Deserialize)]
pub struct CallRow {
    #[serde(rename = "fn")]
    pub path: String,
    /// For a trait's method: only where this type implements it.
    #[serde(default)]
    pub on: Option<String>,
    /// The first argument is a lock that is held for this call alone: a concurrent map, an atomic. What the meaning
    /// says of the first argument holds of what that lock protects.
    #[serde(default)]
    pub section: Option<Mode>,
    /// The first argument is the guard of a lock that protects one thing of each type. What the meaning says of the first
    /// argument holds of the one whose type the function is called for.
    #[serde(default)]
    pub by_type: bool,
    #[serde(flatten)]
    pub meaning: Meaning,
}

/// What makes a wait end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Nothing is left to be tested after it: it has a test of its own (`wait_while`), or waits for nothing (`bump`).
    #[serde(default)]
    pub tested: bool,
    /// It also returns when time is up.
    #[serde(default)]
    pub timed: bool,
    /// The library promises that nothing but a notification ends it, or the time. Another thread may still have the lock
    /// first.
    #[serde(default)]
    pub exact: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "means", rename_all = "lowercase")]
pub enum Meaning {
    /// Takes the lock that the first argument points at; the result carries the guard.
    Acquire {
        mode: Mode,
        /// The lock is held only if a guard is found in the result: `try_lock`.
        #[serde(default)]
        fallible: bool,
        /// The result is a future that gives the guard.
        #[serde(default, rename = "async")]
        later: bool,
        /// Whether there is a guard tells something of what is protected: the entry of a concurrent map.
        #[serde(default)]
        looks: bool,
        /// Who reads may read again, though a writer waits.
        #[serde(default)]
        recursive: bool,
    },
    /// Gives up the lock of the guard in this argument and takes it again; the result carries the guard, unless it was
    /// only lent.
    Wait {
        guard: usize,
        #[serde(flatten)]
        how: Waiting,
    },
    /// The result points at what the first argument points at.
    Alias,
    /// The same, and whether anything is there can be seen from the result: `Option::as_ref`.
    Peek {
        /// What is there is a pointer, and the result points where it does: `Option::as_deref`.
        #[serde(default)]
        through: bool,
    },
    /// The result is what is in the first argument, which is given away: `unwrap_or`.
    Pass,
    /// The same, and the thread panics if nothing is in it: `unwrap`.
    Demand,
    /// The same, for the operator `?`.
    Try,
    /// The result is a part of what the guard in the first argument protects, if it has that part: `try_map`.
    Part,
    /// The result is made of what the first argument points at: `contains_key`.
    Look,
    /// Runs the future that the first argument points at; the result is what it has come to, if it has.
    Poll,
    /// The result is one more owner of what the first argument owns: `Arc::clone`.
    Handle,
    /// The result points into the first argument, at the position in the second.
    Index,
    /// Changes what the first argument points at, at the position in the given argument.
    Update { position: usize },
    /// Puts the given argument into what the first argument points at, over what is there: `HashMap::insert`.
    Put { value: usize },
    /// Puts the third argument into what the first argument points at if the second is there: `compare_exchange`.
    Exchange {
        /// It may leave things as they are for no reason.
        #[serde(default)]
        weak: bool,
    },
    /// Puts something into what the first argument points at only after looking at what is there: `or_insert_with`.
    Merge,
    /// Takes something away from what the first argument points at only after looking at it: `retain`.
    Sift,
    /// Computes what the first argument points at anew from what is there: `fetch_or`.
    Adjust {
        /// It adds or subtracts, so that twice is not the same as once: `fetch_add`.
        #[serde(default)]
        counts: Option<Counts>,
    },
    /// Puts something into the set that the first argument points at: `HashSet::insert`.
    Add,
    /// Takes something away from what the first argument points at, if it is there: `HashMap::remove`.
    Remove,
    /// Moves out what the first argument points at.
    Take {
        /// Something is there afterwards, too: `Option::replace`.
        #[serde(default)]
        fills: bool,
    },
    /// Exchanges what the first two arguments point at.
    Swap,
    /// Looks at both arguments and says how they compare.
    Compare,
    /// The same, and says which of them comes first.
    Order,
    /// Wakes who waits on the condition variable that the first argument points at.
    Notify {
        /// If nobody waits yet, whoever comes first has it: `Notify::notify_one`.
        #[serde(default)]
        kept: bool,
    },
    /// Whoever notifies what the first argument points at wakes the task from here on: `AtomicWaker::register`.
    Enlist,
    /// Gives a future that ends when someone notifies what the first argument points at.
    Sleep,
    /// The arguments are advice: nothing depends on them.
    Hint,
    /// Makes something that nobody else knows yet.
    New,
    /// How many own what the first argument owns, or whether it is the last: `Arc::strong_count`.
    Owners,
}

/// Which way something is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    Up,
    Down,
}

/// How a lock is held. The order is that of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    Shared,
    Exclusive,
}

impl Models {
    /// The rows that come with the tool, and those of the user.
    pub fn with(user: Models) -> Models {
        let mut all = Models::shipped();
        all.add(user);
        all
    }

    fn add(&mut self, more: Models) {
        self.locks.extend(more.locks);
        self.guards.extend(more.guards);
        self.wakers.extend(more.wakers);
        self.calls.extend(more.calls);
        self.effects.extend(more.effects);
        self.touches.extend(more.touches);
        self.atomic.extend(more.atomic);
        self.requires.extend(more.requires);
        self.guarded_by.extend(more.guarded_by);
        self.benign.extend(more.benign);
    }

    /// Every path that the rows name.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let locks = self.locks.iter().map(|row| &row.path);
        let types = locks.chain(self.guards.iter().chain(&self.wakers).map(|row| &row.path));
        let calls = self.calls.iter().map(|row| &row.path).chain(self.effects.iter().map(|row| &row.path));
        let calls = calls.chain(self.touches.iter().map(|row| &row.path));
        let atomic = self.atomic.iter().map(|row| &row.path);
        let held = self.requires.iter().map(|row| &row.path).chain(self.guarded_by.iter().map(|row| &row.path));
        let declared = atomic.chain(held).chain(self.benign.iter().map(|row| &row.path));
        types.chain(calls).chain(declared).map(String::as_str)
    }

    /// The rows that come with the tool. They are part of the build, so a fault in them is ours.
    pub fn shipped() -> Models {
        SHIPPED.iter().fold(Models::default(), |mut all, (name, text)| {
            let one: Models = toml::from_str(text).unwrap_or_else(|error| panic!("models/{name}.toml: {error}"));
            all.add(one);
            all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_rows_parse() {
        let models = Models::shipped();
        assert!(models.calls.iter().any(|row| row.path == "std::sync::Condvar::wait"));
        assert!(models.locks.iter().any(|row| row.kind == LockKind::Map));
    }

    /// The front-end refuses what is not in its lists, so they must be whole.
    #[test]
    fn the_front_end_knows_every_meaning() {
        for meaning in finding::models::MEANINGS {
            let mut row = serde_json::json!({ "means": meaning });
            for key in finding::models::needed(meaning) {
                row[key] = if *key == "mode" { "shared".into() } else { 1.into() };
            }
            assert!(serde_json::from_value::<Meaning>(row).is_ok(), "{meaning}");
        }
        let unknown = serde_json::from_value::<Meaning>(serde_json::json!({ "means": "?" })).unwrap_err().to_string();
        let known = unknown.split("expected one of ").nth(1).unwrap().split(" at ").next().unwrap();
        assert_eq!(known.split(", ").count(), finding::models::MEANINGS.len(), "{unknown}");
    }

    #[test]
    fn the_front_end_knows_every_effect() {
        for effect in finding::models::EFFECTS {
            assert!(serde_json::from_value::<Beyond>((*effect).into()).is_ok(), "{effect}");
        }
        let unknown = serde_json::from_value::<Beyond>("?".into()).unwrap_err().to_string();
        assert_eq!(unknown.matches('`').count() / 2, finding::models::EFFECTS.len() + 1, "{unknown}");
    }

    #[test]
    fn no_row_is_given_twice() {
        let models = Models::shipped();
        let mut seen = std::collections::BTreeSet::new();
        for row in &models.calls {
            assert!(seen.insert((&row.path, &row.on)), "{} is given twice", row.path);
        }
    }
}
