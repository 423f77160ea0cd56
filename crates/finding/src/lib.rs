//! The wire format: what a run of Stalemate says, and what a driver leaves on disk for the front-end.
//!
//! Three parties meet here and nowhere else: the lint library on the pinned nightly, the front-end on stable Rust,
//! and whoever reads `--format json`. So this crate knows serde and nothing of the compiler.
//!
//! - [`document`]: the one JSON document of a run;
//! - [`atomicity`]: the one of `cargo stalemate atomicity`;
//! - [`guards`]: the one of `cargo stalemate guards`;
//! - [`acceptance`]: what in the code says that findings are accepted;
//! - [`facts`]: what one compiled unit left behind, from which the front-end makes the document;
//! - [`map`]: where locks are held and in which order, for pictures;
//! - [`recipe`]: how a finding can be run;
//! - [`models`]: rows of models as users write them;
//! - [`settings`]: what the front-end tells the driver;
//! - [`timings`]: how long the analysis of a unit took;
//! - [`fingerprint`]: names for findings that survive edits;
//! - [`rank`]: from evidence in points to a confidence.

pub mod acceptance;
pub mod atomicity;
pub mod document;
pub mod facts;
pub mod fingerprint;
pub mod guards;
pub mod lints;
pub mod map;
pub mod models;
pub mod rank;
pub mod recipe;
pub mod settings;
pub mod timings;

pub use document::{
    Confidence, Confirmation, Document, Finding, Lock, Place, Reason, RunInfo, Skipped, Step, StepKind, Suppressed,
    SuppressedBy, Thread, Tool,
};
