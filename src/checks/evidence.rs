//! Evidence and its weight (the idea of RacerX: rank by how sure, and say why). The words for it are in `emit`.

use crate::checks::terms::{alone, apart, deadlock, memory, waiting};

/// One reason for or against a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The written value is computed from the old look.
    DataDependence,
    /// It replaces what is there without a look.
    Overwrites,
    /// It goes through a call that could look for itself.
    ThroughCall,
    /// The present value is part of the new one.
    Adjusts,
    /// Read and write are of the same thing.
    SamePlace,
    OtherPlace,
    /// The original was moved out meanwhile.
    MovedOut,
    /// It was an entry of a container, and goes back under a key: another one loses only if it came under the same.
    OwnEntry,
    OldPosition,
    /// Nobody else was to have the key.
    OldKey,
    OldContainer,
    /// The way forks on the old value.
    OldDecision,
    AcrossWait,
    /// Another function writes it.
    WrittenElsewhere,
    /// The function itself writes it: two threads in it are enough.
    WrittenHere,
    /// More than one section has passed.
    Older,
    /// A callee looked, in an earlier round of a loop.
    LastRound,
    /// What decides depends on much else.
    AmongMuch,
    /// What a callee does with the old value is not known well.
    Unclear,
    /// An earlier section decided that this is done.
    CheckedEarlier,
    /// What is done is done to what was checked.
    CheckedPlace,
    OtherPlaceChecked,
    /// Something is counted up or down that was checked.
    Counts,
    /// Putting into a set what is there already does no harm.
    AddedAnyway,
    /// Taking away what is gone does no harm.
    RemovedAnyway,
    /// What has come into it since goes with it.
    RemovedWithNews,
    /// Nobody changes an entry that is there: only another one under the same key can make a difference.
    StaysAsPut,
    /// Others change entries in their place: with what is put over an entry that is lost, plain as it is.
    ChangedInPlace,
    /// It panics if the check no longer holds.
    Panics,
    /// What is written is the same each time: whoever was faster has written it already.
    Constant,
    /// Plain data, made from what is known anyway: written twice it is the same.
    Idempotent,
    /// Nobody keeps a part of what was there, so that only the last one counts: at worst the work is done twice.
    PlainValue,
    /// A function keeps what it makes, and is the only one to write it: at worst the work is done twice.
    Remembers,
    /// Who finds it done already is turned away: that two are let in is no matter of work done twice.
    TurnsAway,
    /// It can be told from its equal.
    HasIdentity,
    /// Checked under the read lock, done under the write lock.
    ReadThenWrite,
    /// An `.await` stands in between.
    Slept,
    /// The thread waits in between.
    BlocksBetween,
    /// Another thread or task is started, or given something, in between.
    WakesOthers,
    /// The same decision has effects that nobody takes back.
    RidesAlong,
    /// The variable only tells what was seen.
    Implicit,
    /// Old and present state go the same way.
    BesidePresent,
    /// The check was made under a lock that is no longer held.
    CheckedUnderLock,
    /// It is a flag that is set here and there and never cleared.
    OnlySet,
    /// An earlier operation on an atomic decided that this is done.
    LoadedEarlier,
    /// Others change it under the lock that is taken only after it was tested.
    ChangedUnderLock,
    /// The lock for it is taken, but after the test.
    LockedLate,
    /// What is initialised is overwritten, though others have changed it since.
    ResetsOther,
    /// Others count first, and take it back when it was too much.
    CountedOnTrial,
    /// It has changed it itself.
    CountedItself,
    /// Other functions do the same to it: someone must be seeing to it that they take turns.
    CommonPractice,
    /// Several functions do it in two sections, with several locks of the type.
    PracticeOfType,
    /// It is set back to nothing, as its owner does at the end.
    SetBack,
    /// Who calls it has promised something, and may have promised to be alone.
    Promised,
    /// It is done twice at worst, and how far a limit is overshot may be meant.
    Approximate,
    /// What others brought between the load and the store is in neither.
    GoneUnseen,
    /// One too many, and it is no longer nothing, but the largest number there is.
    WrapsAround,
    /// What was there is asked for after it was overwritten.
    TestedLate,
    /// Once it fails it fails for ever.
    NeverLoadedAgain,
    /// Nobody asks whether it was done.
    AnswerIgnored,
    FailsForNoReason,
    /// Whoever was faster has put the same there.
    OthersDidIt,
    /// The code says that it is.
    MeantToBeAtomic,
    /// So does it here.
    SaidToBeGuarded,
    Alone(alone::Evidence),
    Apart(apart::Evidence),
    Memory(memory::Evidence),
    Deadlock(deadlock::Evidence),
    Waiting(waiting::Evidence),
    /// The rule of 2002 asks for no more than an order of events.
    OrderOnly,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::DataDependence => 40,
            Evidence::Overwrites => 15,
            Evidence::ThroughCall => -5,
            Evidence::Adjusts => -30,
            Evidence::SamePlace => 15,
            Evidence::OtherPlace => -25,
            Evidence::MovedOut => 5,
            Evidence::OwnEntry => -35,
            Evidence::OldPosition => 60,
            Evidence::OldKey => 60,
            Evidence::OldContainer => 50,
            Evidence::OldDecision => 30,
            Evidence::AcrossWait => 10,
            Evidence::WrittenElsewhere => 10,
            Evidence::WrittenHere => 5,
            Evidence::Older => 5,
            Evidence::LastRound => -15,
            Evidence::AmongMuch => -20,
            Evidence::Unclear => -20,
            Evidence::CheckedEarlier => 30,
            Evidence::CheckedPlace => 20,
            Evidence::OtherPlaceChecked => -25,
            Evidence::Counts => 10,
            Evidence::AddedAnyway => -30,
            Evidence::RemovedAnyway => -35,
            Evidence::RemovedWithNews => 5,
            Evidence::StaysAsPut => -25,
            Evidence::ChangedInPlace => 20,
            Evidence::Panics => 15,
            Evidence::Constant => -20,
            Evidence::Idempotent => -45,
            Evidence::PlainValue => -20,
            Evidence::Remembers => -25,
            Evidence::TurnsAway => 5,
            Evidence::HasIdentity => 15,
            Evidence::ReadThenWrite => 5,
            Evidence::Slept => 5,
            Evidence::BlocksBetween => 5,
            Evidence::WakesOthers => 3,
            Evidence::RidesAlong => 5,
            Evidence::Implicit => -5,
            Evidence::BesidePresent => 45,
            Evidence::CheckedUnderLock => 5,
            Evidence::OnlySet => -40,
            Evidence::LoadedEarlier => 30,
            Evidence::ChangedUnderLock => 25,
            Evidence::LockedLate => 5,
            Evidence::ResetsOther => 10,
            Evidence::CountedOnTrial => 45,
            Evidence::CountedItself => 65,
            Evidence::CommonPractice => -40,
            Evidence::PracticeOfType => -60,
            Evidence::SetBack => -40,
            Evidence::Promised => -45,
            Evidence::Approximate => -30,
            Evidence::WrapsAround => 5,
            Evidence::GoneUnseen => 30,
            Evidence::TestedLate => 55,
            Evidence::NeverLoadedAgain => 65,
            Evidence::AnswerIgnored => 45,
            Evidence::FailsForNoReason => 5,
            Evidence::OthersDidIt => -20,
            Evidence::MeantToBeAtomic => 80,
            Evidence::SaidToBeGuarded => 80,
            Evidence::Alone(of) => of.points(),
            Evidence::Apart(of) => of.points(),
            Evidence::Memory(of) => of.points(),
            Evidence::Deadlock(of) => of.points(),
            Evidence::Waiting(of) => of.points(),
            Evidence::OrderOnly => 45,
        }
    }
}

pub fn score(evidence: &[Evidence]) -> i32 {
    evidence.iter().map(|one| one.points()).sum()
}
