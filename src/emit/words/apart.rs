//! What is said of things that belong together and are done in two steps.

use super::{Cast, in_function};
use crate::checks::terms::apart::{Evidence, Happening, Shape};

pub(super) fn message(shape: Shape, Cast { thing, .. }: &Cast) -> String {
    match shape {
        Shape::LastOwner => {
            "whether this is the last owner is asked before the handle is given up: of two threads that drop \
             the last two, none may find that it is the last"
                .to_owned()
        }
        Shape::PutThenDemand => {
            format!("this panics if another thread has taken away what was put into {thing} before")
        }
        Shape::CountedLate => {
            format!("this counts what others can take already: {thing} may be counted down before it is counted up")
        }
        Shape::Credited => {
            format!(
                "this is counted though another thread may have changed {thing} since it was loaded, and have counted it, too"
            )
        }
    }
}

pub(super) fn help(shape: Shape, Cast { thing, .. }: &Cast) -> String {
    match shape {
        Shape::LastOwner => {
            "use `Arc::into_inner`, which gives the value to exactly one of those who drop it, or do this in \
             the `drop` of what the `Arc` owns"
                .to_owned()
        }
        Shape::PutThenDemand => {
            "keep the guard or the entry that it was put in with (`entry(..).or_insert(..)` gives it), or \
             be ready to find nothing"
                .to_owned()
        }
        Shape::CountedLate => format!("count {thing} before it is put there, or under the same lock"),
        Shape::Credited => "go on only if the exchange was done (`is_ok()`), and load anew if it was not".to_owned(),
    }
}

pub(super) fn step(happens: Happening, Cast { thing, interferer, .. }: &Cast) -> String {
    match happens {
        Happening::AsksForOwners => "thread A asks here, and finds that there is another owner".to_owned(),
        Happening::OtherAsks => "thread B, which drops that one, asks here too, and finds A".to_owned(),
        Happening::NobodyActs => "so that neither does this, though both are gone then".to_owned(),
        Happening::Puts => "thread A puts it there, and lets the lock go".to_owned(),
        Happening::Sends => "thread A sends it".to_owned(),
        Happening::CountsOff { .. } => {
            format!("thread B takes it out and counts {thing} down{}", in_function(interferer.as_deref()))
        }
        Happening::CountsLate => "and only then thread A counts it up".to_owned(),
        Happening::GoesOnAnyway => "thread A may come too late here, and does not ask".to_owned(),
        Happening::Credits => "and counts what B has counted already".to_owned(),
    }
}

pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::GivenUpLater => {
            "the count goes down only after it was asked for, and objects of this type can be cloned"
        }
        Evidence::PutEarlier => "it was put there in a critical section that is over, and others take such things away",
        Evidence::CountedLate => "it is put there first, and whoever takes it counts it off",
        Evidence::OnlyTold => "no branch is decided by the number, as far as can be seen",
        Evidence::Asserted => "the function that is called asserts it",
        Evidence::ChangedByHandle => "what was tested is an atomic, which others change without the lock of the map",
        Evidence::CreditedTwice => "what is counted was computed from the same load as the exchange",
    }
}
