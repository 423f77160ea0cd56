//! Threads that wait for each other, for themselves, or for a notification that does not come.

use crate::domain::path::PathId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Taken by who holds it: for sure, if a writer waits, if two keys are in one shard.
    TakenTwice,
    ReadTwice,
    SameShard,
    /// Perhaps, by a closure of the caller's.
    InClosure,
    /// Perhaps, by a future that wakes itself.
    InWaker,
    /// Two locks in two orders.
    LockOrder,
    /// Who waits holds what the notifier needs.
    WaitsHolding,
    /// What is waited for is changed, and told, while the waiter is between its look and its sleep.
    NotHeard,
    /// Leaves word where it can be woken only after the look, and does not look again.
    EnlistedLate,
    /// Leaves word only after the message that the answer is to.
    AnsweredEarly,
    /// Told before there is something to be seen, and not again.
    ToldEarly,
    /// What is waited for leaves nothing to be seen.
    Unheard,
    /// A thread is blocked while a task sleeps.
    AcrossAwait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A lock that is taken, and taken again.
    Holds,
    TakesAgain,
    CalleeTakesAgain,
    DropTakesAgain,
    /// By what the closure can call.
    ClosureMayTakeAgain {
        body: usize,
    },
    /// By what a future calls to be polled again.
    WakerTakesAgain {
        body: usize,
    },
    /// A thread has a lock, and waits for another one; `other`: not the one that the finding is about.
    HasLock {
        body: usize,
        lock: PathId,
        other: bool,
    },
    WantsLock {
        body: usize,
        lock: PathId,
        other: bool,
    },
    /// The same in another crate: a number among what is known from there.
    HasLockElsewhere {
        number: usize,
    },
    WantsLockElsewhere {
        number: usize,
    },
    /// Waits to be notified, with a lock held.
    WaitsHolding,
    /// The one who would notify has to get by the lock first.
    NotifierNeeds {
        body: usize,
    },
    /// Looks, under the lock that it waits with.
    TestsUnder {
        body: usize,
        lock: PathId,
    },
    ChangesUnlocked {
        body: usize,
        what: PathId,
    },
    NotifiesUnlocked,
    /// The one who brings what is waited for, and wakes who is there.
    ChangesAndWakes {
        body: usize,
    },
    Enlists,
    /// A number goes to others, and the answer to it finds nobody.
    Announces,
    FindsNobody {
        body: usize,
    },
    /// Someone is woken, looks, and sleeps again; and what it looks for is changed only then.
    TellsEarly,
    WokenInVain {
        body: usize,
    },
    ChangesUntold,
    /// Someone wakes those who are there by then.
    WakesWhoIsThere {
        body: usize,
    },
    WaitsUnheard,
    /// A task sleeps, and keeps the guard.
    SleepsHolding,
    /// Another function does that with the same lock.
    SleepsToo {
        body: usize,
    },
}

impl Happening {
    /// Of the thread that the finding is not about.
    pub fn is_others(self) -> bool {
        match self {
            Happening::HasLock { other, .. } | Happening::WantsLock { other, .. } => other,
            Happening::HasLockElsewhere { .. }
            | Happening::WantsLockElsewhere { .. }
            | Happening::NotifierNeeds { .. }
            | Happening::ChangesAndWakes { .. }
            | Happening::FindsNobody { .. }
            | Happening::WokenInVain { .. }
            | Happening::TestsUnder { .. }
            | Happening::WakesWhoIsThere { .. }
            | Happening::SleepsToo { .. } => true,
            Happening::Holds
            | Happening::TakesAgain
            | Happening::CalleeTakesAgain
            | Happening::DropTakesAgain
            | Happening::ClosureMayTakeAgain { .. }
            | Happening::WakerTakesAgain { .. }
            | Happening::WaitsHolding
            | Happening::ChangesUnlocked { .. }
            | Happening::NotifiesUnlocked
            | Happening::Enlists
            | Happening::Announces
            | Happening::TellsEarly
            | Happening::ChangesUntold
            | Happening::WaitsUnheard
            | Happening::SleepsHolding => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It cannot be had twice.
    TakenTwice,
    ReadTwice,
    /// No writer is seen that it could wait behind.
    NobodyWrites,
    SameShard,
    /// A closure of the caller's can, and nothing says that it must not.
    InClosure,
    /// A future may wake itself while it is polled, as those do that give way to others.
    InWaker,
    /// By the `drop` of something, which may not always do it.
    InDrop,
    /// Only after another thread has panicked with the lock: the guard is in the poison error.
    AfterPanic,
    /// Each waits for what the other has.
    Circle,
    /// The same function, with its two arguments the other way round, waits for what this one has.
    Twins,
    /// Both read one of the locks, and a writer has to come in between.
    QueuedWriter,
    /// More than two have to come together.
    LongCircle,
    /// One of them is far down, in a function that only few call.
    InHelper,
    /// Which function takes it depends on an object whose type is not known.
    Guessed,
    /// One of the locks is in an object that is still being made.
    JustMade,
    /// Everyone who would notify needs the lock.
    NotifiersNeedIt,
    /// The waiter holds its mutex for nothing: what it tests is changed without.
    ChangedUnlocked,
    /// It was looked at before word was left, and not again.
    LookedEarly,
    /// The message that is answered goes out before.
    SentFirst,
    /// The notification comes before the change, and none after it.
    ToldEarly,
    /// Who comes too late for the notification cannot know that it was given.
    LeavesNothing,
    /// It wakes up by itself in the end.
    TimedWait,
    /// A blocking lock, and an `.await`.
    HeldAcrossAwait,
    /// Other functions take it, too.
    OthersTakeIt,
    /// It is held for reading.
    OnlyReads,
    /// Clippy, which warns of the same, is told that it is meant.
    KnownToAuthors,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::TakenTwice => 85,
            Evidence::ReadTwice => 55,
            Evidence::NobodyWrites => -30,
            Evidence::SameShard => 60,
            Evidence::InClosure => 50,
            Evidence::InWaker => 60,
            Evidence::InDrop => -25,
            Evidence::AfterPanic => -50,
            Evidence::Circle => 75,
            Evidence::Twins => 60,
            Evidence::QueuedWriter => -20,
            Evidence::LongCircle => -20,
            Evidence::InHelper => -35,
            Evidence::Guessed => -35,
            Evidence::JustMade => -40,
            Evidence::NotifiersNeedIt => 75,
            Evidence::ChangedUnlocked => 65,
            Evidence::LookedEarly => 65,
            Evidence::SentFirst => 65,
            Evidence::ToldEarly => 70,
            Evidence::LeavesNothing => 55,
            Evidence::TimedWait => -25,
            Evidence::HeldAcrossAwait => 60,
            Evidence::OthersTakeIt => 10,
            Evidence::OnlyReads => -10,
            Evidence::KnownToAuthors => -45,
        }
    }
}
