//! What the flow found in one body, as plain data for the checks: nothing is judged yet.

mod apart;
mod waiting;

pub use apart::{Apart, Counted, Expected, Followed, LastOwner};
pub use waiting::{ChangeAfter, Double, Enlisting, HeldAsleep, LateWord, LockPair, Notification, Polled, Sleep, Wait};

use crate::domain::mover::{Mover, Moves};
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, Paths};
use crate::events::{Beyond, DefinitionId, Identity, Local, LockKind, LockType, Mode, Order, Refusal, Site};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One body, walked.
#[derive(Debug)]
pub struct BodyFacts {
    pub id: DefinitionId,
    /// Path without the crate's name, as findings show it: `metrics::family::Family::get_or_create`. Most functions have
    /// no need of it.
    pub function: String,
    /// Every call of it stands in a body that was walked too. Known when all are.
    pub callers_known: bool,
    /// The types that it is given exclusive access to.
    pub exclusive_types: Vec<DefinitionId>,
    /// The type whose object it has to itself, as `&mut self` or `self`, if none can be cloned.
    pub driven_by: Option<DefinitionId>,
    /// `unsafe fn`: who calls it has promised something.
    pub promised: bool,
    /// Clippy was told that a lock is held where it sleeps.
    pub sleeps_knowingly: bool,
    /// The functions it calls, with the locks that it holds for sure meanwhile.
    pub calls: Vec<CallUnder>,
    /// What it runs on threads and tasks of their own.
    pub spawned: Vec<Spawned>,
    /// What it does to state that no lock is tied to.
    pub accesses: Vec<Access>,
    /// Atomics that it writes.
    pub stored: Vec<(PathId, Site)>,
    /// It is given something that proves that its caller may do this: a guard, a token.
    pub has_token: bool,
    /// It is run by whom it was given to.
    pub is_closure: bool,
    /// Other crates can call it. Known when all bodies are walked.
    pub exported: bool,
    /// Part of a library, and only that calls it.
    pub own: bool,
    /// The same, and every call of it was walked.
    pub internal: bool,
    pub is_main: bool,
    pub paths: Paths,
    /// Stale values that decide something.
    pub uses: Vec<Use>,
    /// Everything that changes what a lock protects.
    pub writes: Vec<Write>,
    /// Counts that are taken back.
    pub counted_back: Vec<CountedBack>,
    /// What belongs together, and is done in steps.
    pub apart: Apart,
    /// Every wait on a condition variable.
    pub waits: Vec<Wait>,
    pub notifications: Vec<Notification>,
    pub changes_after: Vec<ChangeAfter>,
    pub asleep: Vec<HeldAsleep>,
    pub sleeps: Vec<Sleep>,
    pub enlistings: Vec<Enlisting>,
    pub late_words: Vec<LateWord>,
    pub polled: Vec<Polled>,
    /// Locks that it waits for, or a function that it calls.
    pub wanted: BTreeSet<PathId>,
    /// The locks that it takes, itself or through what it calls.
    pub taken: Vec<(PathId, Mode)>,
    /// Variables read by the rule of 2002 though stale.
    pub stale_reads: Vec<StaleRead>,
    /// What is done without the lock that is said to be needed.
    pub lacking: Vec<Lacking>,
    /// Locks that are waited for though they are held.
    pub doubles: Vec<Double>,
    /// Locks that are waited for while others are held, and the lists of all that are held there.
    pub pairs: Vec<LockPair>,
    pub pairs_under: Vec<Vec<(PathId, Mode)>>,
    /// Where locks are held, if that was asked for.
    pub sections: Vec<SectionSpan>,
    /// The locks that it says its callers hold.
    pub requires: Vec<(PathId, Mode)>,
    /// It is meant to be atomic, and these steps, of which the last is too much, show that it is not.
    pub broken: Option<Vec<MoverStep>>,
    /// How atomic it is, if that was asked for.
    pub listed: Option<Box<Listed>>,
    /// How strictly the operations on atomics are ordered.
    pub orders: BTreeMap<Site, Order>,
    /// The type of each lock, as users write it.
    pub lock_types: Vec<(PathId, LockType)>,
    /// Locals made in this body that nothing outside it can reach.
    pub private: BTreeSet<Local>,
    /// Locals that are made in this body and given to its caller, where it takes one lock under another.
    pub made_for_caller: BTreeSet<Local>,
    pub names: Vec<Option<Rc<str>>>,
    /// Parameters and locals of type `&mut T`, and parameters that no two threads can have a reference to.
    pub exclusive: BTreeSet<Local>,
}

impl BodyFacts {
    /// The type that the lock protects, if it is one of this crate.
    pub fn protected_by(&self, lock: PathId) -> Option<DefinitionId> {
        self.lock_types.iter().find(|(known, _)| *known == lock)?.1.protects
    }

    /// Nothing that a name would be needed for.
    pub fn says_nothing(&self) -> bool {
        let holds = self.calls.iter().any(CallUnder::says_something);
        !holds
            && self.accesses.is_empty()
            && self.notifications.is_empty()
            && self.asleep.is_empty()
            && self.sleeps.is_empty()
            && self.enlistings.is_empty()
            && self.late_words.is_empty()
            && self.polled.is_empty()
            && self.taken.is_empty()
            && self.spawned.is_empty()
            && self.broken.is_none()
            && self.apart.says_nothing()
            && self.listed.is_none()
            && self.lacking.is_empty()
            && self.doubles.is_empty()
            && self.pairs.is_empty()
            && self.sections.is_empty()
            && self.requires.is_empty()
            && self.uses.is_empty()
            && self.writes.is_empty()
            && self.waits.is_empty()
            && self.stale_reads.is_empty()
    }

    /// Most functions have nothing to say, and paths are most of what they would keep.
    pub fn forget_names(&mut self) {
        self.paths = Paths::default();
        self.stored.clear();
        self.wanted.clear();
        self.apart = Apart::default();
        self.lock_types.retain(|(_, lock_type)| lock_type.protects.is_some());
        (self.private, self.made_for_caller, self.names, self.exclusive) = Default::default();
    }

    /// It is held as long as its guard lives.
    pub fn has_guards(&self, lock: PathId) -> bool {
        self.lock_types.iter().any(|(known, lock_type)| *known == lock && lock_type.kind == LockKind::Guarded)
    }

    /// An atomic that is a word of memory; others, such as `ArcSwap`, keep whole states.
    pub fn is_word(&self, lock: PathId) -> bool {
        let name = self.lock_types.iter().find(|(known, _)| *known == lock).map(|(_, lock_type)| &*lock_type.name);
        name.and_then(|name| name.rsplit("::").next()).is_some_and(|it| it.starts_with("Atomic"))
    }

    /// One that cannot go below zero.
    pub fn is_unsigned(&self, lock: PathId) -> bool {
        self.lock_types.iter().any(|(known, lock_type)| *known == lock && lock_type.unsigned)
    }

    pub fn is_map(&self, lock: PathId) -> bool {
        self.lock_types.iter().any(|(known, lock_type)| *known == lock && lock_type.kind == LockKind::Map)
    }

    /// Each operation on it is a section: what two of them do to each other is another lint's business.
    pub fn is_atomic(&self, lock: PathId) -> bool {
        self.lock_types.iter().any(|(known, lock_type)| *known == lock && lock_type.kind == LockKind::Atomic)
    }
}

/// A place where a value with stale origins decides something.
#[derive(Clone, Debug)]
pub struct Use {
    pub site: Site,
    pub kind: UseKind,
    /// It happens in a function that is called here.
    pub by_callee: bool,
    /// How many locks what decides was seen under.
    pub among: usize,
    /// Stale, and not looked at again since.
    pub origins: Vec<Origin>,
    /// Looks of callees that come here from an earlier round of a loop.
    pub around_loop: Vec<Site>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseKind {
    /// It is stored under a lock that is held now.
    Write { target: PathId, effect: Effect, key: Option<PathId> },
    /// It is a position in this container, or the container itself is the old one.
    Position {
        container: PathId,
        /// What is there is changed, and not only read.
        changes: bool,
    },
    /// Something is put into this container under a key that was computed from it.
    NewKey { container: PathId },
    /// This is set back, and what was loaded of it before is still to be used.
    Reset { target: PathId },
    /// The way forks on it while the lock it came from is held again.
    Branch,
    /// Something is done under the lock because of a branch that was decided by it.
    Act {
        target: PathId,
        effect: Effect,
        decided: Site,
        written: Written,
        key: Option<PathId>,
        /// What is returned tells the caller how the branch was decided.
        told: bool,
        /// What was seen is what is returned on another way: it is looked up, or made and kept.
        handed_out: bool,
        /// Who goes another way from the branch is turned away.
        refuses: Option<Refusal>,
        /// A function that is called does it, and goes by something that it has seen under the lock.
        after_look: bool,
        /// No other branch stands between that one and this.
        at_once: bool,
        /// What else is done beyond the memory of the thread because of the branch.
        rides: Option<Beyond>,
        /// Another atomic that is overwritten because of it.
        resets: Option<PathId>,
        /// On another way from the branch the same is overwritten, too: each writes the state that comes next.
        is_step: bool,
        seldom: Option<Seldom>,
        /// It is counted down because something was left.
        below: bool,
    },
    /// `compare_exchange` of an atomic.
    Exchange {
        target: PathId,
        /// A loop comes here again with what was seen before the loop.
        around: bool,
        /// Nobody asks whether it was done.
        ignored: bool,
        weak: bool,
        /// The new value has something of the caller's in it, or is what the function returns: nobody else would put the same
        /// there.
        own: bool,
        /// It expects what was there before this thread counted.
        outdated: bool,
    },
    /// Something made of what an exchange expected is counted to this, done or not.
    Credited { target: PathId, exchanged: Site },
    /// An atomic is counted, by an operation of its own, after an exchange that should have made it fit, and nobody has asked
    /// whether it was done.
    CountedOn { target: PathId, exchanged: Site },
    /// Done under this lock, because of what an operation on an atomic gave before the lock was taken.
    Late { lock: PathId },
    /// The same because of a load, and nothing was looked at under the lock.
    Untested { lock: PathId },
    /// The way forks on what was there before this thread wrote over it, in another operation.
    LateTest { stored: Site },
    /// It goes to the same place as what is read there now.
    Beside { fresh: Site },
}

/// Why few threads come to an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seldom {
    /// It is for the one whose exchange of another atomic was done.
    Won,
    /// It is for the one who has counted beyond what is ever counted.
    AtTheEnd,
}

/// An atomic is counted one way, and counted back because of what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedBack {
    pub lock: PathId,
    pub counted: Site,
    pub back: Site,
}

/// What kind of thing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Written {
    /// The same each time: this number, if it is one.
    Constant(Option<u64>),
    /// Made from what is known anyway: the object itself, the key.
    Derived(Identity),
    /// What the caller gave is part of it.
    Given(Identity),
}

/// What a write does to what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Replaces it without a look.
    Overwrites,
    /// Computes the new value from the present one and the old look.
    Adjusts,
    /// A call that can see the present value: `insert`, `push`, a method of the user's.
    Calls,
    /// Takes something away, if it is there.
    Removes,
    /// Puts something into a set, where it may be already.
    Adds,
    /// Changes nothing, and panics if what was seen before is no longer so: `unwrap`.
    Demands,
}

/// A change of what a lock protects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub target: PathId,
    pub site: Site,
    /// The locks that are held for sure.
    pub under: Vec<(PathId, Mode)>,
    /// Only if nothing is there yet: `or_insert`.
    pub gentle: bool,
    /// Something is taken out.
    pub removes: bool,
    /// One of many, asked for by its key.
    pub of_many: bool,
    /// Something is there afterwards for sure: `Some(..)`, an entry.
    pub fills: bool,
    /// Something is put in beside what is there: `push`.
    pub adds: bool,
    /// In a function that is called here, which tells of it too, by the name that it has for the lock.
    pub by_callee: bool,
    /// This number, each time.
    pub constant: Option<u64>,
}

/// A function is called, and these locks are held for sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallUnder {
    pub callee: DefinitionId,
    pub site: Site,
    pub under: Vec<(PathId, Mode)>,
    pub on: CalledOn,
    /// Somebody calls it of whom nothing is known, or does not.
    pub by_others: bool,
    /// A loop leads back here.
    pub repeatedly: bool,
    /// Atomics as in [`Access`].
    pub claimed: Vec<PathId>,
    pub operated: Vec<PathId>,
}

/// Whose the object is that a call works on: what its first argument points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalledOn {
    /// Somebody's.
    Anything,
    /// Made in this body, and nobody else has it.
    Own,
    /// The same, given as a copy of a handle that the body keeps.
    Copy,
    /// What a raw pointer leads to: the body has promised to know whose it is.
    Vouched,
}

impl CallUnder {
    /// There are paths in it.
    fn says_something(&self) -> bool {
        !self.under.is_empty() || !self.claimed.is_empty() || !self.operated.is_empty()
    }
}

/// A closure or future is given to someone who runs it on a thread of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spawned {
    pub body: DefinitionId,
    pub site: Site,
    /// A loop leads back here: there may be many.
    pub repeatedly: bool,
    /// What it has was made here: another call of this body gives it something else.
    pub of_own: bool,
}

/// State that no lock is tied to is read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The field or static, and the part of it.
    pub location: PathId,
    pub path: PathId,
    pub site: Site,
    pub write: bool,
    /// More than the machine reads or writes at once; of an atomic: in one step with a look.
    pub wide: bool,
    /// Someone else may have the object.
    pub shared: bool,
    /// It was asked before which thread this is.
    pub by_its_thread: bool,
    /// The locks that are held for sure, and where they were taken.
    pub under: Vec<(PathId, Mode, Site)>,
    /// On *every* way that leads here, these atomics of the object were changed in one step with a look; and these parts
    /// of it given to functions of which nothing is known.
    pub claimed: Vec<PathId>,
    /// Something was done to these.
    pub operated: Vec<PathId>,
    /// And something is stored into these afterwards.
    pub published: Vec<PathId>,
}

impl Access {
    /// Done by the same statement, to the same thing.
    pub fn is_same(&self, other: &Access) -> bool {
        (self.path, self.site, self.write) == (other.path, other.site, other.write)
    }
}

/// A critical section, from where the lock is taken to the places where it is let go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSpan {
    pub lock: PathId,
    pub mode: Mode,
    pub taken: Site,
    pub left: Vec<Site>,
}

/// Something is done, and the lock that is said to be needed for it is not held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    pub site: Site,
    pub what: Lack,
    pub lock: PathId,
    /// The locks that are held for sure, and where they were taken.
    pub held: Vec<(PathId, Site)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// A field is used that the lock guards.
    Field(PathId),
    /// A function is called that requires it.
    Call,
}

/// How atomic a body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub moves: Moves,
    /// The locks of the caller's that it depends on.
    pub locks: Vec<PathId>,
    /// Nothing that others see is changed, and nothing read that they change.
    pub idle: bool,
    /// It is meant to be atomic.
    pub declared: bool,
    pub steps: Vec<MoverStep>,
}

/// One step of a body that is meant to be atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoverStep {
    pub what: Performed,
    pub mover: Mover,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Performed {
    Acquires(PathId),
    Releases(PathId),
    /// On an atomic or a concurrent map.
    Operates(PathId),
    /// The function, where it has a name.
    Calls(Option<DefinitionId>),
    /// The same, without a lock that is said to be needed there.
    CallsUnguarded(Option<DefinitionId>),
    /// Nothing is known of the function.
    CallsUnknown,
    ReachesOut,
    /// A field, without the lock that guards it.
    Touches(PathId),
}

impl Performed {
    pub fn lock(self) -> Option<PathId> {
        match self {
            Performed::Acquires(lock)
            | Performed::Releases(lock)
            | Performed::Operates(lock)
            | Performed::Touches(lock) => Some(lock),
            Performed::Calls(_) | Performed::CallsUnguarded(_) | Performed::CallsUnknown | Performed::ReachesOut => {
                None
            }
        }
    }
}

/// A read that the paper's assertion would fail at, and the reads after it that it speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleRead {
    pub variable: Local,
    pub written: Site,
    pub entered: Site,
    pub age: u8,
    pub read: Site,
    pub echoes: Vec<Site>,
}
