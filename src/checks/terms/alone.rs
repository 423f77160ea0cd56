//! What speaks against a finding though all of it is as told: signs that one thread at a time comes here, or that the two
//! steps have less to do with each other than it seems. What a sign is worth was taken from findings in real crates that
//! people have read.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It has been under the lock again since, and still goes by the old value: mostly someone who has it to himself, a
    /// transaction or a step of one.
    CameBack,
    /// The look and the use stand in functions that are called. Each of them is whole in itself, and what the second one makes
    /// of what it is given is known only roughly.
    InCallees,
    /// The same, where nothing else is behind the value.
    InTwoCallees,
    /// The second one goes by something that it sees under the lock, if not by what was looked at before.
    LooksItself,
    /// It takes the lock for that, too: it is whole in itself, and mostly means to bear that others were faster.
    LocksItself,
    /// And the key is not the one that was looked for.
    NewKey,
    /// The object that leads to the lock is held by `&mut`: whoever drives it is mostly the only one.
    ExclusiveOwner,
    /// Whoever writes it has one object to itself, or is called by who has: a worker, and what it does.
    OneDriver,
    /// It is given to the function to keep, and nobody else writes what the lock protects.
    Consumer,
    /// Only the library itself calls the function, and may see to it that its callers take turns. Whoever offers a function to
    /// others cannot.
    OwnCallers,
    /// The same for a number that is loaded and stored: mostly one thread keeps it.
    OwnNumber,
    /// Each way from the branch writes what comes next: a state machine, which one thread drives.
    Steps,
    /// A file, a socket or another process is used in between: there one thread at a time is mostly seen to.
    IoBetween,
    /// The library promises that it does not wake up without a notification: then only another thread that is faster can make
    /// it untrue.
    WokenByNotifyOnly,
    /// And each notification is given under the lock, where what is waited for was just made so.
    NotifiedUnderLock,
    /// And what was waited for is left as it is, so that another one who was woken has not taken it away.
    TakesNothing,
    /// It is for the thread whose exchange of another atomic was done: the next one comes when that has been set back.
    WonExchange,
    /// It is for the thread that has counted to the end of the numbers, which nobody does.
    EndOfNumbers,
}

impl Evidence {
    pub fn points(self) -> i32 {
        match self {
            Evidence::CameBack => -45,
            Evidence::InCallees => -40,
            Evidence::InTwoCallees => -25,
            Evidence::LooksItself => -15,
            Evidence::LocksItself => -35,
            Evidence::NewKey => -25,
            Evidence::ExclusiveOwner => -35,
            Evidence::OneDriver => -40,
            Evidence::Consumer => -45,
            Evidence::OwnCallers => -20,
            Evidence::OwnNumber => -40,
            Evidence::Steps => -60,
            Evidence::IoBetween => -40,
            Evidence::WokenByNotifyOnly => -30,
            Evidence::NotifiedUnderLock => -10,
            Evidence::TakesNothing => -10,
            Evidence::WonExchange => -40,
            Evidence::EndOfNumbers => -50,
        }
    }
}
