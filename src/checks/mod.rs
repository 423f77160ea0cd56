//! The registry of lints, and what a check hands on. One file here is one lint; its `//!` text is the lint's page.
//!
//! Checks see facts and judge them: no MIR, no words. What they say is told by `emit`.

pub mod check_then_act;
pub mod double_lock;
mod evidence;
pub mod guard_across_await;
pub mod inconsistent_guard;
pub mod lock_order;
pub mod lost_wakeup;
pub mod not_atomic;
pub mod practice;
mod published;
pub mod racy_access;
mod sharing;
pub mod split_atomic;
pub mod stale_after_wait;
pub mod stale_use;
pub mod stale_value;
pub mod terms;
mod two_steps;
pub mod wait_holding_lock;
pub mod wait_without_recheck;

pub use evidence::{Evidence, score};

use crate::domain::facts::Performed;
use crate::domain::mover::Mover;
use crate::domain::path::PathId;
use crate::events::{Local, Site};
use crate::summary::{Crate, Interferer};
use rustc_lint_defs::{Lint, declare_lint};
use terms::{apart, deadlock, memory, waiting};

declare_lint! {
    /// A value from an earlier critical section decides what a later one writes.
    pub STALE_VALUE,
    Warn,
    "a value read in one critical section decides what a later section of the same lock writes"
}

declare_lint! {
    /// What an earlier critical section saw decides about a change in a later one.
    pub CHECK_THEN_ACT,
    Warn,
    "a branch on what one critical section saw leads to a change in a later section of the same lock"
}

declare_lint! {
    /// A value read before a wait is used after it.
    pub STALE_AFTER_WAIT,
    Warn,
    "a value read before `Condvar::wait` is used after it, though others had the lock meanwhile"
}

declare_lint! {
    /// The condition of a wait is not tested again.
    pub WAIT_WITHOUT_RECHECK,
    Warn,
    "a wait on a condition variable whose condition is not tested again, or was tested too early"
}

declare_lint! {
    /// Two operations on an atomic that should be one.
    pub SPLIT_ATOMIC,
    Warn,
    "a load and a store of one atomic where one operation is meant, or a `compare_exchange` that is not minded"
}

declare_lint! {
    /// Meant to be atomic, and not.
    pub NOT_ATOMIC,
    Warn,
    "a function that is declared atomic, and that other threads can come into"
}

declare_lint! {
    /// Mostly used under a lock, and here not.
    pub INCONSISTENT_GUARD,
    Warn,
    "state that no type ties to a lock is used under one nearly everywhere, and here without it"
}

declare_lint! {
    /// A data race.
    pub RACY_ACCESS,
    Warn,
    "two threads can use the same memory at once, one of them writing, and nothing keeps them apart"
}

declare_lint! {
    /// A lock taken by who holds it.
    pub DOUBLE_LOCK,
    Warn,
    "a lock is taken while this thread holds it: a deadlock"
}

declare_lint! {
    /// Locks taken in two orders.
    pub LOCK_ORDER,
    Warn,
    "two locks are taken in both orders, or more in a circle: a deadlock between threads"
}

declare_lint! {
    /// A wait with a lock held that the notifier needs.
    pub WAIT_HOLDING_LOCK,
    Warn,
    "a thread waits to be notified, and holds a lock that everyone who would notify it needs first"
}

declare_lint! {
    /// A notification that nobody hears.
    pub LOST_WAKEUP,
    Warn,
    "what a wait tests is changed, and notified, without the mutex that it is tested under"
}

declare_lint! {
    /// A blocking guard at an `.await`.
    pub GUARD_ACROSS_AWAIT,
    Warn,
    "a guard of a blocking lock is kept while the task sleeps"
}

declare_lint! {
    /// The rule of 2002.
    pub STALE_USE,
    Allow,
    "any read of a local that was set in a critical section, after a later section was entered"
}

/// What a check is: from the facts of a crate to what looks wrong in it.
type Check = fn(&Crate) -> Vec<Suspicion>;

/// Every lint, with its check.
pub static REGISTRY: &[(&Lint, Check)] = &[
    (STALE_VALUE, stale_value::check),
    (CHECK_THEN_ACT, check_then_act::check),
    (STALE_AFTER_WAIT, stale_after_wait::check),
    (WAIT_WITHOUT_RECHECK, wait_without_recheck::check),
    (SPLIT_ATOMIC, split_atomic::check),
    (NOT_ATOMIC, not_atomic::check),
    (INCONSISTENT_GUARD, inconsistent_guard::check),
    (RACY_ACCESS, racy_access::check),
    (DOUBLE_LOCK, double_lock::check),
    (LOCK_ORDER, lock_order::check),
    (WAIT_HOLDING_LOCK, wait_holding_lock::check),
    (LOST_WAKEUP, lost_wakeup::check),
    (GUARD_ACROSS_AWAIT, guard_across_await::check),
    (STALE_USE, stale_use::check),
];

/// Something that looks wrong.
#[derive(Clone, Debug)]
pub struct Suspicion {
    /// Index of the body in the crate.
    pub body: usize,
    pub primary: Site,
    pub lock: Option<PathId>,
    pub subject: Subject,
    pub shape: Shape,
    /// In the order in which things happen.
    pub moments: Vec<Moment>,
    pub evidence: Vec<Evidence>,
}

/// What went stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Something under a lock.
    Path(PathId),
    /// The same with the whole way to it.
    Place(PathId),
    /// The same, down to the numbered fields of a tuple struct.
    Memory(PathId),
    /// A variable of the source.
    Variable(Local),
    /// Nothing in particular.
    Function,
}

/// What kind of mistake it is; message and remedy follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The new value is computed from the old one: changes in between are lost.
    LostUpdate,
    /// Moved out, changed, put back: what came in between is dropped.
    PutBack,
    /// The old value goes elsewhere under the same lock.
    OldValueStored,
    /// The old value goes into a call that changes what the lock protects.
    OldValuePassed,
    /// A position or length that may no longer fit.
    OldPosition,
    OldKey,
    /// The old value goes where the present state goes.
    OldBesidePresent,
    /// Done because of an old look.
    CheckThenWrite,
    CheckThenInsert,
    /// The same, and who finds it there is turned away.
    CheckThenAdmit,
    CheckThenCount,
    CheckThenDemand,
    /// Checked under a lock, done without it.
    CheckThenUncovered,
    /// Used after a wait.
    AfterWait,
    /// A load and a store of one atomic.
    SplitUpdate,
    TestThenStore,
    /// A limit is tested, then counted.
    TestThenCount,
    /// `fetch_add`, then a store.
    CountThenStore,
    /// Counted or tested, then the lock taken that others change it under.
    CountThenLock,
    /// A store over what others count on trial.
    StoreOverCount,
    /// Loaded to be used, and set back after that.
    LoadThenReset,
    /// A store, then a test of what was there before.
    TestAfterStore,
    /// `compare_exchange` expects what was there before the loop.
    ExpectsTheOld,
    /// It expects what was there before the thread counted.
    ExpectsBefore,
    ExchangeIgnored,
    /// An exchange, done or not, then a count.
    ExchangeThenCount,
    /// Declared atomic.
    NotAtomic,
    /// Used without the lock that is said to guard it.
    Unguarded,
    /// Called without the lock that it is said to require.
    RequiresUnmet,
    Apart(apart::Shape),
    Memory(memory::Shape),
    Deadlock(deadlock::Shape),
    Waiting(waiting::Shape),
    /// Read by the rule of 2002.
    StaleRead,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub happens: Happening,
    pub site: Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    Acquire,
    Read,
    TakeOut,
    Release,
    /// Another thread writes. Its site lies in the interferer's body.
    Interfere {
        by: Interferer,
        same_function: bool,
    },
    AcquireAgain,
    /// What is looked at decides something.
    Look,
    Decided,
    Acts,
    Demands,
    Waits,
    LeftUntested,
    ReadsCondition,
    Sleeps,
    /// Another wait on the same condition variable.
    OtherWait {
        by: Interferer,
        same_function: bool,
    },
    /// What is there now goes the same way.
    PresentBeside,
    WaitReturns,
    Write,
    PutBack,
    PassedOn,
    UsedAsPosition,
    UsedAsKey,
    UsedAsContainer,
    Decides,
    /// Of atomics.
    Loads,
    StoresBlindly,
    Resets,
    Counts,
    ActsLate,
    ExpectsTheOld,
    ExpectsBefore,
    GivesUp,
    MakesFit,
    CountsOn,
    /// A step of a function that is meant to be atomic, and the one that is too much.
    Performs(Performed, Mover),
    Breaks(Performed, Mover),
    /// A lock that is held, and is not the one that is needed.
    HeldInstead(PathId),
    UsesUnguarded,
    CallsUnguarded,
    Apart(apart::Happening),
    Memory(memory::Happening),
    Deadlock(deadlock::Happening),
    /// Of the 2002 rule: the variable is set, a section is entered, the variable is read, and read again.
    VariableSet,
    SectionEntered,
    VariableRead,
    VariableReadAgain,
}

#[cfg(test)]
mod tests {
    use super::REGISTRY;

    #[test]
    fn the_registry_and_the_front_end_know_the_same_lints() {
        let registered: Vec<String> = REGISTRY.iter().map(|(lint, _)| lint.name_lower()).collect();
        assert_eq!(registered, finding::lints::NAMES);
    }
}
