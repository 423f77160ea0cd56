//! Every sentence that a user reads, and nothing else.

use crate::checks::{Evidence, Happening, Shape};

/// The names a story is told with.
pub(super) struct Cast {
    /// What went stale, in backticks or described: "`balance`", "`self.counter`", "what the lock protects".
    pub(super) thing: String,
    /// The lock, likewise: "`self.state`", "the lock".
    pub(super) lock: String,
    /// The function that interferes, by its name.
    pub(super) interferer: Option<String>,
}

pub(super) fn message(shape: Shape, cast: &Cast) -> String {
    let Cast { thing, lock, .. } = cast;
    match shape {
        Shape::LostUpdate => format!("this write may undo what another thread did to {thing} since it was read"),
        Shape::PutBack => format!("this drops whatever another thread put into {thing} since it was taken out"),
        Shape::OldValueStored => {
            format!("this value comes from {thing} as it was in an earlier critical section of {lock}")
        }
        Shape::OldValuePassed => {
            format!("this change relies on {thing} as it was in an earlier critical section of {lock}")
        }
        Shape::OldPosition => {
            format!("this position was computed from {thing} in an earlier critical section and may no longer fit")
        }
        Shape::AfterWait => format!("{thing} was read before the wait and may have changed when it is used here"),
        Shape::StaleRead => format!("{thing} was set in an earlier critical section and may be stale here"),
    }
}

pub(super) fn help(shape: Shape, cast: &Cast) -> String {
    let Cast { thing, lock, .. } = cast;
    match shape {
        Shape::LostUpdate => format!(
            "keep one guard of {lock} from the read to the write; if the lock cannot be kept, read {thing} again after \
             taking it and start over if it has changed"
        ),
        Shape::PutBack => format!(
            "keep one guard of {lock} until the value is back, or merge it into what is there now instead of replacing it"
        ),
        Shape::OldValueStored | Shape::OldValuePassed => {
            format!("read {thing} again under the second lock, or keep one guard of {lock} over both sections")
        }
        Shape::OldPosition => "find the position in the same critical section that uses it, or look the element up by \
             something that does not move"
            .to_owned(),
        Shape::AfterWait => format!("read {thing} after the wait, through the guard that the wait returns"),
        Shape::StaleRead => "read it again in the section that uses it".to_owned(),
    }
}

pub(super) fn step(happens: &Happening, cast: &Cast) -> String {
    let Cast { thing, lock, interferer } = cast;
    match happens {
        Happening::Acquire => format!("thread A locks {lock}"),
        Happening::Read => format!("thread A reads {thing} under the lock"),
        Happening::TakeOut => format!("thread A takes out what is in {thing}"),
        Happening::Release => "thread A unlocks".to_owned(),
        Happening::Interfere { same_function: true, .. } => {
            format!("meanwhile thread B may run this same function and write {thing} here")
        }
        Happening::Interfere { same_function: false, .. } => match interferer {
            Some(function) => format!("meanwhile thread B may write {thing} here, in `{function}`"),
            None => format!("meanwhile thread B may write {thing} here"),
        },
        Happening::AcquireAgain => format!("thread A locks {lock} again"),
        Happening::WaitReturns => "thread A waits here: the lock is free until the wait returns".to_owned(),
        Happening::Write => "and writes what it computed from the old value".to_owned(),
        Happening::PutBack => "and puts it back over what is there now".to_owned(),
        Happening::PassedOn => "and passes on what it computed from the old value".to_owned(),
        Happening::UsedAsPosition => "and uses the old position or length here".to_owned(),
        Happening::UsedAsContainer => "then uses the old one here".to_owned(),
        Happening::Decides => "then decides by the old value".to_owned(),
        Happening::VariableSet => format!("{thing} is set inside a critical section"),
        Happening::SectionEntered => "a later critical section is entered".to_owned(),
        Happening::VariableRead => format!("{thing} still has the value from before"),
        Happening::VariableReadAgain => "and here".to_owned(),
    }
}

/// Completes "reported because ..".
pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::DataDependence => "what is written is computed from the old value",
        Evidence::Overwrites => "the write replaces what is there without looking at it",
        Evidence::ThroughCall => "the call that gets the old value may look at the present one",
        Evidence::Adjusts => "the present value is part of what is written",
        Evidence::SamePlace => "it goes back to the place it came from",
        Evidence::OtherPlace => "it goes to another place than it came from",
        Evidence::MovedOut => "the place was left empty for others to fill",
        Evidence::OldPosition => "a position or length of the old content is used on the present one",
        Evidence::OldContainer => "what was read before is used as if it were the present one",
        Evidence::OldDecision => "a decision under the lock depends on the old value",
        Evidence::AcrossWait => "the wait lets others have the lock in between",
        Evidence::WrittenElsewhere => "another function writes it under the same lock",
        Evidence::WrittenHere => "this function writes it, and two threads may run it",
        Evidence::Older => "more than one critical section has passed since",
        Evidence::InCallees => "both happen in functions that are called here",
        Evidence::Unclear => "it is not clear what the called function does with it",
        Evidence::OrderOnly => "a critical section was entered between the write of the variable and this read",
    }
}
