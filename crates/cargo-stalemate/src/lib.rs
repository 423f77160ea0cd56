//! `cargo stalemate`: the front-end people run.
//!
//! It compiles nothing and analyses nothing. It starts `cargo check` with the driver in the compiler's place, collects
//! the facts files the driver leaves beside the build output, and turns them into one report. In walking order:
//!
//! - [`args`] and [`cargo_args`]: what was asked for;
//! - [`toolchain`], [`driver`] and [`setup`]: the programs needed for it; [`doctor`] says which are missing;
//! - [`project`], [`settings_file`] and [`config`]: what is checked, and how;
//! - [`check`], [`wrapper`], [`messages`] and [`facts`]: the run of cargo, and what it left behind;
//! - [`merge`] and [`select`]: one list of findings out of many units;
//! - [`accepting`], [`paths`] and [`baseline`]: what a team has accepted;
//! - [`since`]: what was there before a change;
//! - [`report`]: the report in all its formats, pages included; [`explain`]: the pages of the lints;
//! - [`guarding`]: what guards what, for `cargo stalemate guards`;
//! - [`listing`]: how atomic each function is, for `cargo stalemate atomicity`;
//! - [`confirm`]: the user's code compiled with the facade in the place of std;
//! - [`timings`]: where the time of a run goes, for `--timings`;
//! - [`errors`] and [`remarks`]: every other word a user sees, and the exit codes.
//!
//! [`run`] is the only module that walks the whole way.

mod accepting;
mod args;
mod baseline;
mod cargo_args;
mod check;
mod colour;
mod config;
pub mod confirm;
mod doctor;
mod driver;
mod errors;
mod explain;
mod facts;
mod guarding;
mod listing;
mod merge;
mod messages;
mod model_rows;
mod paths;
mod project;
mod remarks;
pub mod report;
mod run;
mod select;
mod settings_file;
mod setup;
mod since;
mod suggest;
mod timings;
mod toolchain;
mod wrapper;

use errors::Failure;
use std::panic::catch_unwind;
use std::process::ExitCode;

/// The version of the whole workspace: front-end, driver and lint library are released together.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The whole program. Called by cargo as the compiler's wrapper it is another one.
pub fn main() -> ExitCode {
    if let Some(exit) = confirm::wrapper::run(std::env::args_os()) {
        return exit;
    }
    let exit =
        catch_unwind(|| run::run(std::env::args_os())).unwrap_or(Err(Failure::Panicked)).unwrap_or_else(|failure| {
            errors::print(&failure);
            failure.exit()
        });
    ExitCode::from(exit as u8)
}
