//! Who waits for what: for a notification, for a lock, and with which locks held.

use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::events::{DefinitionId, Mode, Site, Waiting};
use std::rc::Rc;

/// A wait on a condition variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    pub site: Site,
    pub lock: PathId,
    /// Where the section was opened in which the thread waits.
    pub section: Site,
    pub condition: Option<PathId>,
    pub how: Waiting,
    /// Whether it waits depends on something that was seen under a lock.
    pub decided: bool,
    /// What was seen, where the decision to wait rests on what was seen before the lock was taken.
    pub early: Vec<(Site, Origin)>,
    /// Where the lock was let go with nothing tested again.
    pub left_untested: Option<Site>,
    /// A loop leads back to it.
    pub in_loop: bool,
    /// On some way something was tested again.
    pub tested_somewhere: bool,
    /// The other locks that are held for sure, and where they were taken.
    pub held: Vec<(PathId, Mode, Site)>,
    /// Atomics that the decision to wait rests on.
    pub tests: Vec<PathId>,
    /// What it was seen to be under the lock, in this section, that the decision rests on.
    pub sees: Vec<PathId>,
}

/// A change that comes after a notification, on *every* way, and under a lock that was not held when it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeAfter {
    pub condition: PathId,
    pub notified: Site,
    pub target: PathId,
    pub site: Site,
}

/// Someone is woken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    pub condition: PathId,
    pub site: Site,
    /// The locks that are held for sure, and those that were taken on *every* way, though they may be free again.
    pub under: Vec<(PathId, Mode)>,
    pub entered: Vec<(PathId, Mode)>,
    /// If nobody waits yet, whoever comes first has it.
    pub kept: bool,
}

/// Leaves word where an answer can find it, under a number that was told to others before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateWord {
    pub site: Site,
    /// Where: a place under a lock.
    pub on: PathId,
    pub sent: Site,
}

/// Leaves word where it can be woken, because of a look from before, and sleeps without having looked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enlisting {
    pub site: Site,
    /// Where: a place under a lock, or, if by notice, what is notified.
    pub on: PathId,
    pub by_notice: bool,
    pub decided: Site,
    pub origin: Origin,
    /// Nothing else is waited for at the same time.
    pub alone: bool,
    /// Under a number that this thread has made: who takes out one entry looks for another one.
    pub under_own: bool,
    /// What else was tested in the section in which it enlists.
    pub tested: Vec<PathId>,
}

/// A task waits for a notification, with no lock that the wait lets go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleep {
    pub condition: PathId,
    pub site: Site,
    /// The locks that are held for sure, and where they were taken.
    pub held: Vec<(PathId, Mode, Site)>,
    /// Because of something that others can change, or over and over.
    pub knowingly: bool,
}

/// A blocking lock is held where the task may sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldAsleep {
    pub lock: PathId,
    pub mode: Mode,
    pub taken: Site,
    pub site: Site,
}

/// A lock is waited for though this thread holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Double {
    pub lock: PathId,
    /// Where it was taken, and where it is again.
    pub first: Site,
    pub second: Site,
    /// Both times for reading.
    pub shared: bool,
    /// The lock is a map of many, and the second may be another one.
    pub shards: bool,
    /// The second time in a function that is called.
    pub by_callee: bool,
    /// It is the `drop` of something.
    pub by_drop: bool,
    /// The second time is up to the caller's closure, which is given what leads to the lock.
    pub by_closure: bool,
    /// Only after another thread has panicked with the lock.
    pub if_poisoned: bool,
}

/// A lock is waited for while another one is held for sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockPair {
    /// They are of two objects, which were both given to the body.
    pub of_two: bool,
    pub held: PathId,
    pub held_mode: Mode,
    /// Where it was taken.
    pub taken: Site,
    pub wanted: PathId,
    pub wanted_mode: Mode,
    pub site: Site,
    /// Other readers do not hinder it, not even if a writer waits.
    pub recursive: bool,
    /// It is a function that is called here which waits for it, and which one, as far as that is known.
    pub by_callee: bool,
    pub callee: Option<DefinitionId>,
    /// Which function that is depends on the type of an object: it is one of several.
    pub guessed: bool,
    /// It is one that takes both, and this is the number of the pair among those of that function.
    pub within: Option<(DefinitionId, usize)>,
    /// The number of a list of all locks that are held.
    pub under: usize,
}

/// A future is polled by hand with a lock held: what it does then, and whom it wakes, nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    pub lock: PathId,
    pub mode: Mode,
    pub taken: Site,
    pub site: Site,
    /// The functions that tables of wakers name, beside those that implement a trait.
    pub wakers: Rc<[DefinitionId]>,
}
