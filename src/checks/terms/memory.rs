//! State that no lock is tied to.

use crate::domain::path::PathId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Used under a lock so often, and without it so often.
    MostlyGuarded { with: u32, without: u32 },
    /// Two threads at one place of the memory.
    Race,
    /// What a pointer leads to is used without an order that shows it.
    Unordered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A use with the lock, and one without it.
    UsesGuarded {
        body: usize,
        what: PathId,
        lock: PathId,
        write: bool,
        first: bool,
    },
    UsesWithout {
        write: bool,
    },
    /// A thread begins, calls a function on the way, and is there.
    Starts {
        body: usize,
        other: bool,
    },
    CallsOn {
        body: usize,
        other: bool,
    },
    UsesRacily {
        body: usize,
        what: PathId,
        write: bool,
        other: bool,
    },
    /// Another thread puts a pointer there.
    Publishes {
        body: usize,
    },
    LoadsRelaxed,
    Follows,
}

impl Happening {
    /// The body that it happens in, if that has to be told.
    pub fn told_body(self) -> Option<usize> {
        match self {
            Happening::CallsOn { body, .. } | Happening::UsesRacily { body, .. } => Some(body),
            Happening::UsesGuarded { .. }
            | Happening::UsesWithout { .. }
            | Happening::Starts { .. }
            | Happening::Publishes { .. }
            | Happening::LoadsRelaxed
            | Happening::Follows => None,
        }
    }

    /// What is used, as the body knows it.
    pub fn used(self) -> Option<(usize, PathId)> {
        match self {
            Happening::UsesGuarded { body, what, .. } | Happening::UsesRacily { body, what, .. } => Some((body, what)),
            Happening::UsesWithout { .. }
            | Happening::Starts { .. }
            | Happening::CallsOn { .. }
            | Happening::Publishes { .. }
            | Happening::LoadsRelaxed
            | Happening::Follows => None,
        }
    }

    /// Of the thread that the finding is not about.
    pub fn is_others(self) -> bool {
        match self {
            Happening::Starts { other, .. }
            | Happening::CallsOn { other, .. }
            | Happening::UsesRacily { other, .. } => other,
            Happening::Publishes { .. } => true,
            Happening::UsesGuarded { .. }
            | Happening::UsesWithout { .. }
            | Happening::LoadsRelaxed
            | Happening::Follows => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nearly everywhere else the lock is held.
    MostlyGuarded,
    AtomicMostlyGuarded,
    /// So often that it is no accident.
    NotByChance,
    /// The sections are there for it.
    OnlyInSections,
    AtEndsOfSections,
    WritesWithout,
    /// Read or written in several steps.
    Wide,
    /// Another thread can be there meanwhile.
    RacesToo,
    /// An atomic is changed in one step with a look: that may be enough.
    OneStep,
    /// Two threads at one place of the memory.
    Race,
    BothWrite,
    ReadAndWrite,
    /// The program starts the thread itself.
    RealThread,
    /// Whoever uses the library may call it from two threads.
    TwoCallers,
    /// One of them holds a lock that the other does not.
    OtherLock,
    /// A flag is to keep others out, and is tested and set in two steps.
    FlagInTwoSteps,
    /// An atomic is asked before: what that means is not known.
    FlagAsked,
    /// `unsafe impl` without a word about the parameter.
    SharedWhateverItIs,
    SentWhateverItIs,
    /// Several threads have a reference to it at once, though it may only go from one to the next.
    SharedThoughOnlySend,
    /// The same for several readers of one lock.
    ReadThoughOnlySend,
    /// Copies share what two threads must not use at once.
    SharedByCopies,
    /// The load does not acquire what the store releases.
    LoadedRelaxed,
    /// Others who follow it load it with more care.
    OthersAcquire,
    /// Other crates can put anything into it, or only this one.
    AnybodyNamesIt,
    OnlyNamedHere,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::MostlyGuarded => 40,
            Evidence::AtomicMostlyGuarded => 10,
            Evidence::NotByChance => 15,
            Evidence::OnlyInSections => 10,
            Evidence::AtEndsOfSections => 3,
            Evidence::WritesWithout => 10,
            Evidence::Wide => 5,
            Evidence::RacesToo => 20,
            Evidence::OneStep => -15,
            Evidence::Race => 55,
            Evidence::BothWrite => 10,
            Evidence::ReadAndWrite => 5,
            Evidence::RealThread => 10,
            Evidence::TwoCallers => 5,
            Evidence::OtherLock => 5,
            Evidence::FlagInTwoSteps => -5,
            Evidence::FlagAsked => -35,
            Evidence::SharedWhateverItIs => 60,
            Evidence::SentWhateverItIs => 60,
            Evidence::SharedThoughOnlySend => 60,
            Evidence::ReadThoughOnlySend => 50,
            Evidence::SharedByCopies => 55,
            Evidence::LoadedRelaxed => 45,
            Evidence::OthersAcquire => 15,
            Evidence::AnybodyNamesIt => 15,
            Evidence::OnlyNamedHere => -35,
        }
    }
}
