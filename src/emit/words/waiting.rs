//! What is said of waits that end too early, or never.

use super::Cast;
use crate::checks::terms::waiting::{Evidence, Shape};

pub(super) fn message(shape: Shape, Cast { thing, lock, .. }: &Cast) -> String {
    match shape {
        Shape::InIf => {
            format!("the wait may return early, and the condition is not tested again before {lock} is let go")
        }
        Shape::ForNothing => "this waits without testing anything: a notification that came before is lost, and the \
             wait may return without one"
            .to_owned(),
        Shape::OwnMutex => {
            format!(
                "this may wait for ever: nobody else has {lock}, and a notification that comes before the wait is lost"
            )
        }
        Shape::DecidedEarly => {
            format!(
                "this may wait for ever: {thing} was read before {lock} was taken, and may have been changed and notified since"
            )
        }
        Shape::TwoMutexes => "this condition variable is used with another mutex elsewhere".to_owned(),
    }
}

pub(super) fn help(shape: Shape, Cast { lock, .. }: &Cast) -> String {
    match shape {
        Shape::InIf | Shape::ForNothing => {
            "test the condition in a `while` loop around the wait, or use `wait_while`".to_owned()
        }
        Shape::OwnMutex => {
            "keep a flag in a mutex beside the condition variable: set it under that mutex before notifying, and test \
             it in a loop around the wait"
                .to_owned()
        }
        Shape::DecidedEarly => format!("take {lock} first, and test the condition in the loop around the wait"),
        Shape::TwoMutexes => "give each mutex a condition variable of its own".to_owned(),
    }
}

pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::NotTestedAgain => "a wait may return without a notification, and another thread may be faster",
        Evidence::NeverTested => "whether there is anything to wait for is not tested",
        Evidence::Timed => "it returns when time is up in any case",
        Evidence::TestedElsewhere => "on another way, or the next time round, it may be tested",
        Evidence::OwnMutex => {
            "whoever notifies cannot have the mutex, and so cannot know whether somebody waits already"
        }
        Evidence::ConditionReadEarly => "whether to wait is decided by what was read before the lock was taken",
        Evidence::TwoMutexes => "a wait with one mutex does not exclude who holds the other; `std` panics",
    }
}
