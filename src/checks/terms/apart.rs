//! What belongs together, and is done in two steps.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Whether a handle is the last one is asked before it is given up.
    LastOwner,
    /// What was put there is expected to be there still.
    PutThenDemand,
    /// Counted for others to see after it was put where they can take it.
    CountedLate,
    /// Counted because of an exchange that may have failed.
    Credited,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    AsksForOwners,
    /// So does another thread, which drops the last but one.
    OtherAsks,
    NobodyActs,
    Puts,
    Sends,
    /// Another thread takes out what was put there, and counts it off.
    CountsOff {
        body: usize,
    },
    CountsLate,
    GoesOnAnyway,
    Credits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The handle is given up later, in a `drop` that many objects have.
    GivenUpLater,
    /// It was put there by the same thread, in an earlier section.
    PutEarlier,
    /// Whoever is faster counts it off before it was counted.
    CountedLate,
    /// No branch anywhere is decided by the count.
    OnlyTold,
    /// Both threads count what they have loaded, and one of them has exchanged it.
    CreditedTwice,
    /// The function that is called says that it must hold.
    Asserted,
    /// It is an atomic, which nobody needs the lock of the map for.
    ChangedByHandle,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::GivenUpLater => 60,
            Evidence::PutEarlier => 35,
            Evidence::CountedLate => 50,
            Evidence::OnlyTold => -25,
            Evidence::CreditedTwice => 20,
            Evidence::Asserted => 15,
            Evidence::ChangedByHandle => 10,
        }
    }
}
