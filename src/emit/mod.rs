//! The only room with words. It tells each suspicion as a story of numbered steps ([`story`]), and hands the story on
//! in one of two ways: as a diagnostic of rustc ([`diagnostic`], for Dylint and the golden tests) or as a record for
//! the front-end ([`record`]). It decides nothing: both ways tell the same.

mod diagnostic;
mod names;
mod record;
mod story;
mod words;

pub use diagnostic::emit;
pub use record::{Heard, file_beside_output, heard, record};
pub use story::{Story, tell};

/// Why a body is missing from a run, for `run.skipped`.
pub fn reason_unsettled() -> String {
    "the analysis did not settle within its bound".to_owned()
}

pub fn reason_panicked(message: &str) -> String {
    format!("the analysis failed: {message}")
}

/// Said once to rustc when the configuration cannot be read.
pub fn bad_settings(why: &str) -> String {
    format!("stalemate cannot read its settings: {why}")
}
