//! Measures the tool on code that nobody wrote for it: which known bugs it finds, whether it leaves the fixed versions
//! and correct code alone, what its other findings in real crates are worth, and what a run costs.
//!
//! Lints are made with the tests that one thinks of. Published crates say what those tests forgot, in numbers that can
//! be compared from one change to the next. In walking order:
//!
//! - [`args`] and [`mixed`]: what was asked for;
//! - [`input`] and [`failure`]: lists and remarks of people, and one clear error for a mistake in them;
//! - [`lab`]: gets a published crate, runs the tool on a copy, and keeps what it said;
//! - [`all`]: everything of the next two, compared with [`state`], what was said before; the tables of docs/field.md;
//! - [`known`]: bugs that maintainers have fixed, and code that only looks like one;
//! - [`crates`]: real crates as they are, with a verdict for each finding;
//! - [`shown`]: which findings count in both;
//! - [`confirm`]: which findings of both can be run, and show the bug;
//! - [`robust`]: whether anything in real crates makes it crash, with all their targets and features;
//! - [`bounded`]: a command that is ended when its time is over;
//! - [`bench`]: time and memory of a run, beside those of `cargo check`;
//! - [`growth`]: how the time grows with the code, on crates that are made for it;
//! - [`table`], [`words`] and [`marks`]: columns and lines for people, and pages that have them.

mod all;
mod args;
mod bench;
mod bounded;
mod confirm;
mod crates;
mod failure;
mod growth;
mod input;
mod known;
mod lab;
mod marks;
mod mixed;
mod robust;
#[cfg(test)]
mod samples;
mod shown;
mod state;
mod table;
mod words;

use args::{Args, Command};
use clap::Parser;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// What a run has to say on standard output, and whether all is as it should be.
pub struct Report {
    pub text: String,
    pub is_complete: bool,
}

fn main() -> ExitCode {
    let report = match Args::parse_from(mixed::ours_first(std::env::args_os())).command {
        Command::All(args) => all::run(&args),
        Command::Known(args) => known::run(&args),
        Command::Crates(args) => crates::run(&args),
        Command::Confirm(args) => confirm::run(&args),
        Command::Robust(args) => robust::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Growth(args) => growth::run(&args),
        Command::Measure(args) => bench::measure::run(&args),
    };
    report.and_then(print).unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::from(2)
    })
}

fn print(report: Report) -> Result<ExitCode, Failure> {
    let written = std::io::stdout().lock().write_all(report.text.as_bytes());
    written.map_err(|error| Failure::cannot("standard output", error))?;
    Ok(if report.is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
