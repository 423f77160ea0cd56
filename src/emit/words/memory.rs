//! What is said of state that no lock is tied to.

use super::{Cast, in_function};
use crate::checks::terms::memory::{Evidence, Happening, Shape};
use crate::events::{Asked, Claim};

pub(super) fn message(shape: Shape, Cast { thing, lock, .. }: &Cast) -> String {
    match shape {
        Shape::MostlyGuarded { with, without } => {
            let all = with + without;
            format!("{thing} is used with {lock} held in {with} of {all} places, and here without it")
        }
        Shape::Race => {
            format!("two threads may use {thing} at the same time here, and one of them writes: a data race")
        }
        Shape::Unordered => {
            format!(
                "this follows a pointer that was loaded from {thing} with `Relaxed`: a data race with the thread that made what it leads to"
            )
        }
    }
}

pub(super) fn help(shape: Shape, Cast { lock, thing, .. }: &Cast) -> String {
    match shape {
        Shape::MostlyGuarded { .. } => {
            format!("take {lock} here too, or move the data into the lock, where the compiler sees to it")
        }
        Shape::Unordered => {
            format!(
                "load {thing} with `Ordering::Acquire`, which goes with the `Release` of who puts the pointer there"
            )
        }
        Shape::Race => {
            "hold one lock around every use, use an atomic, or take `&mut self`; if callers have to see to it, \
                        make the function `unsafe` and say what they must promise"
                .to_owned()
        }
    }
}

pub(super) fn step(happens: Happening, Cast { thing, lock, interferer }: &Cast) -> String {
    match happens {
        Happening::UsesGuarded { write, first, .. } => {
            let too = if first { "" } else { ", too" };
            format!("{thing} is {} here with {lock} held{too}", used(write))
        }
        Happening::UsesWithout { write } => format!("and here {thing} is {} without it", used(write)),
        Happening::Starts { other, .. } => format!("thread {} is started here", thread(other)),
        Happening::CallsOn { other, .. } => {
            format!("thread {} comes by this call{}", thread(other), in_function(interferer.as_deref()))
        }
        Happening::Publishes { .. } => {
            format!(
                "thread B writes something, and puts a pointer to it into {thing} here{}",
                in_function(interferer.as_deref())
            )
        }
        Happening::LoadsRelaxed => "thread A loads the pointer, and nothing of what was written before".to_owned(),
        Happening::Follows => "and uses what it leads to".to_owned(),
        Happening::UsesRacily { write, other: false, .. } => format!("thread A {} {thing}", uses(write)),
        Happening::UsesRacily { write, other: true, .. } => {
            format!("while thread B {} {thing}{}", uses(write), in_function(interferer.as_deref()))
        }
    }
}

pub(super) fn reason(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::MostlyGuarded => "nearly everywhere else the lock is held",
        Evidence::AtomicMostlyGuarded => "nearly everywhere else it is written with the lock held",
        Evidence::NotByChance => "that is too often to be chance (z > 2)",
        Evidence::OnlyInSections => "there are critical sections that are there for it alone",
        Evidence::AtEndsOfSections => "it is what critical sections begin or end with",
        Evidence::WritesWithout => "the use without the lock writes",
        Evidence::Wide => "it is more than the machine reads or writes at once",
        Evidence::RacesToo => "two threads can be there at the same time",
        Evidence::OneStep => "it is changed in one step with a look, which may be enough",
        Evidence::Race => "nothing keeps the two threads apart",
        Evidence::BothWrite => "both write",
        Evidence::ReadAndWrite => "one reads and one writes",
        Evidence::RealThread => "the program starts the thread itself",
        Evidence::TwoCallers => "safe code may call this from two threads",
        Evidence::OtherLock => "one of the two holds a lock that the other does not",
        Evidence::FlagInTwoSteps => "an atomic is to keep others out, and is tested and set in two steps",
        Evidence::FlagAsked => "an atomic of the same object is asked before, and may say who is alone",
        Evidence::SharedWhateverItIs => {
            "it is said to be `Sync` for every type, and a shared reference lets it in or out"
        }
        Evidence::SentWhateverItIs => {
            "it is said to be `Send` for every type, and one that may not leave its thread goes with it"
        }
        Evidence::SharedThoughOnlySend => {
            "a shared reference gives another to what is inside, to several threads at once"
        }
        Evidence::ReadThoughOnlySend => "several readers of one lock use it at once, by code of its own",
        Evidence::SharedByCopies => "copies of it share what nobody has promised to be `Sync`, and go to other threads",
        Evidence::LoadedRelaxed => "a `Relaxed` load does not show what was written before the pointer was put there",
        Evidence::OthersAcquire => "other functions that follow it load it with `Acquire`",
        Evidence::AnybodyNamesIt => "other crates can put any type into it",
        Evidence::OnlyNamedHere => "only this crate can name it, and may have nothing in it that matters",
    }
}

pub fn unbounded(claim: &Claim) -> String {
    let (own, parameter) = (&claim.type_name, &claim.parameter);
    let of_trait = trait_of(claim);
    match claim.asked {
        Asked::Nothing => format!(
            "`{own}<{parameter}>` is said to be `{of_trait}` whatever `{parameter}` is: with a `Cell` or an `Rc` in it, safe code can race"
        ),
        Asked::OnlySend | Asked::OnlySendForReaders => format!(
            "`{own}<{parameter}>` is said to be `{of_trait}` though `{parameter}` need not be: with a `Cell` in it, safe code can race"
        ),
        Asked::SharedByCopies { .. } => format!(
            "`{own}` is said to be `{of_trait}`, but its copies share `{parameter}`, which need not be `Sync`: two threads can use it at once"
        ),
    }
}

pub fn unbounded_help(claim: &Claim) -> String {
    let parameter = &claim.parameter;
    match (claim.is_sync, claim.asked) {
        (true, Asked::Nothing) => format!(
            "ask for `{parameter}: Send` if one thread at a time gets at it, and for `{parameter}: Send + Sync` if several do"
        ),
        (_, Asked::OnlySendForReaders) => {
            format!("ask for `{parameter}: Send + Sync`, or take a lock that lets in one at a time")
        }
        (_, Asked::SharedByCopies { .. }) => {
            format!("ask for `Send + Sync` of what is in `{parameter}`, or give each copy one of its own")
        }
        (true, Asked::OnlySend) => format!("ask for `{parameter}: Send + Sync`"),
        (false, _) => {
            format!("ask for `{parameter}: Send`; for `{parameter}: Send + Sync` if copies of it share what is inside")
        }
    }
}

/// What is asked, and what a function does with it all the same.
pub fn unbounded_steps(claim: &Claim) -> (String, String) {
    let (function, parameter) = (&claim.function, &claim.parameter);
    let only_send = || format!("`{parameter}` is asked to be `Send`, and nothing else");
    match claim.asked {
        Asked::Nothing => {
            (format!("nothing is asked of `{parameter}`"), format!("`{function}` lets a `{parameter}` in or out"))
        }
        Asked::OnlySend => {
            (only_send(), format!("`{function}` gives `&{parameter}` to whoever has a shared reference"))
        }
        Asked::OnlySendForReaders => {
            (only_send(), format!("`{function}` runs code of `{parameter}` under a lock that lets in several readers"))
        }
        Asked::SharedByCopies { .. } => (
            "a value of it may go to any thread".to_owned(),
            format!("`{function}` makes another that has the same `{parameter}`"),
        ),
    }
}

/// What is put into a field.
pub fn unshared(claim: &Claim) -> String {
    format!("what is put into `{}` here is not `Sync`", claim.parameter)
}

pub fn trait_of(claim: &Claim) -> &'static str {
    if claim.is_sync { "Sync" } else { "Send" }
}

fn used(write: bool) -> &'static str {
    if write { "written" } else { "read" }
}

fn uses(write: bool) -> &'static str {
    if write { "writes" } else { "reads" }
}

fn thread(other: bool) -> &'static str {
    if other { "B" } else { "A" }
}
