//! Why a finding may be none though all of it is as told.

use crate::checks::terms::alone::Evidence;

pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::CameBack => {
            "it has had the lock again since, and goes by the old value still, as someone does who is alone with it"
        }
        Evidence::InCallees | Evidence::InTwoCallees => "both happen in functions that are called here",
        Evidence::LooksItself => "the function that is called looks at what is there before it does this",
        Evidence::LocksItself => {
            "the function that is called looks at what is there, under the lock, before it does this"
        }
        Evidence::NewKey => "it was looked for under one key, and may be written under another",
        Evidence::ExclusiveOwner => {
            "the function has the object to itself, and others reach the lock only by another way"
        }
        Evidence::OneDriver => "whoever writes it works for an object that one thread at a time has",
        Evidence::OwnCallers => "only this crate calls the function, and may see to it that one thread at a time does",
        Evidence::OwnNumber => "only this crate calls the function, and may have one thread keep the number",
        Evidence::Steps => {
            "each way from the check writes the next state, as in a state machine that one thread drives"
        }
        Evidence::IoBetween => {
            "a file, a socket or another process is used in between, which one thread at a time mostly has"
        }
        Evidence::WokenByNotifyOnly => "this library wakes nobody without a notification",
        Evidence::NotifiedUnderLock => {
            "whoever notifies has the lock: what is waited for is so, unless another thread is faster"
        }
        Evidence::WonExchange => "it is for the one thread whose `compare_exchange` of another atomic was done",
        Evidence::EndOfNumbers => "it comes to that only when more than two thousand million have been counted",
        Evidence::Consumer => "the function is given the object to keep, and no other one writes this",
        Evidence::TakesNothing => {
            "nothing of what was waited for is taken, so that another one who was woken may have it, too"
        }
    }
}
