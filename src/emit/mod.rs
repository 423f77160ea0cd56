//! The only room with words. It tells each suspicion as a story of numbered steps ([`story`]), and hands the story on
//! in one of two ways: as a diagnostic of rustc ([`diagnostic`], for Dylint and the golden tests) or as a record for
//! the front-end ([`record`]). It decides nothing: both ways tell the same.

mod accepted;
mod atomicity;
mod claims;
mod diagnostic;
mod guards;
mod map;
mod names;
mod record;
mod story;
mod words;

pub use accepted::acceptances;
pub use atomicity::atomicity;
pub use claims::tell_unbounded;
pub use diagnostic::emit;
pub use guards::guards;
pub use map::map;
pub use record::{Heard, file_beside_output, heard, record};
pub use story::{Story, tell};

use crate::domain::facts::BodyFacts;
use crate::domain::path::PathId;
use crate::mir::WayMistake;
use finding::Skipped;

/// A lock by its name in the source.
pub fn lock_name(facts: &BodyFacts, lock: PathId) -> String {
    names::lock(facts, lock).unwrap_or_else(|| "_".to_owned())
}

/// Why a body is missing from a run, for `run.skipped`.
pub fn reason_unsettled() -> String {
    "the analysis did not settle within its bound".to_owned()
}

pub fn reason_too_large() -> String {
    "the function is too large to be looked at within the bound".to_owned()
}

/// What stands in the place of a function's name where all are meant.
const ALL: &str = "(all functions)";

pub fn check_failed(lint: &str, message: &str) -> Skipped {
    Skipped { function: ALL.to_owned(), reason: format!("the lint `{lint}` failed: {message}") }
}

pub fn ranking_failed(message: &str) -> Skipped {
    Skipped {
        function: ALL.to_owned(),
        reason: format!("the findings could not be weighed against each other: {message}"),
    }
}

pub fn crate_failed(message: &str) -> Skipped {
    Skipped { function: ALL.to_owned(), reason: format!("the analysis of the crate failed: {message}") }
}

pub fn reason_panicked(message: &str) -> String {
    format!("the analysis failed: {message}")
}

/// A mark in the code that names no lock.
pub fn wrong_way(mistake: &WayMistake) -> String {
    match mistake {
        WayMistake::Parameter(name) => format!(
            "the function has no parameter `{name}`: the way to the lock starts at one, or it is the path of a static \
             (`module::ORDER`)"
        ),
        WayMistake::Field { name, of } => format!(
            "there is no field `{name}` in `{of}`: the way to the lock goes from field to field, with dots between them"
        ),
        WayMistake::Static(path) => {
            format!("there is no static `{path}`: give the whole path of one (`module::ORDER`)")
        }
        WayMistake::OtherThanLock(of) => {
            format!("this leads to something of type `{of}`: a lock is expected, a `Mutex`, an `RwLock` or the like")
        }
    }
}

/// Said once to rustc when the configuration cannot be read.
pub fn bad_settings(why: &str) -> String {
    format!("stalemate cannot read its settings: {why}")
}
