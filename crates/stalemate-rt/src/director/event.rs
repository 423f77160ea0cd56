//! What a thread does that others can see.

use std::panic::Location;

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Read,
    /// Reads beside readers, and may become the writer: one at a time.
    Upgrade,
    Write,
}

impl Mode {
    /// Whether nobody can hold a lock like this while another holds it like that.
    pub(super) fn excludes(self, other: Mode) -> bool {
        self == Mode::Write || other == Mode::Write || self == Mode::Upgrade && other == Mode::Upgrade
    }
}

/// What a thread's own hold of a lock means when it asks for that lock again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// It is in its own way.
    Blocks,
    /// What it holds for reading becomes a hold for writing.
    Upgrades,
    /// It may have it as often as it likes.
    Nests,
}

/// Who keeps what is taken, until it lets it go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeper {
    /// The thread: the guard cannot be sent.
    Thread,
    /// The future that the thread runs to its end, as long as it does not send the guard to somebody else.
    Future,
    /// A task, or whoever has the guard by then.
    Unknown,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// Reads and writes in one step.
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// About to take a lock.
    Acquire,
    Acquired,
    Released,
    /// About to wait on a condition variable, with the mutex still held.
    Wait,
    /// The wait has let the mutex go.
    Waiting,
    Notify,
    /// About to touch an atomic.
    Touch(Access),
    Touched(Access),
}

impl Kind {
    /// A thread can be held up here for the sake of others: it is about to look at, or to change, what they see.
    pub fn is_point(self) -> bool {
        matches!(self, Kind::Acquire | Kind::Wait | Kind::Waiting | Kind::Touch(_))
    }

    /// A step that others may have waited for is done.
    pub fn is_done(self) -> bool {
        matches!(self, Kind::Released | Kind::Touched(_))
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Acquire => "acquire",
            Kind::Acquired => "acquired",
            Kind::Released => "release",
            Kind::Wait => "wait",
            Kind::Waiting => "waiting",
            Kind::Notify => "notify",
            Kind::Touch(_) => "atomic",
            Kind::Touched(_) => "atomic done",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub thread: u32,
    pub kind: Kind,
    /// Where the lock, the condition variable or the atomic lies.
    pub object: usize,
    /// Where the call is. For a release, where the lock was taken.
    pub site: &'static Location<'static>,
}
