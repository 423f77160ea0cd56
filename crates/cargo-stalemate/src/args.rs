//! The command line. Cargo calls `cargo-stalemate stalemate ..`, people may call `cargo-stalemate ..`: both work.

use crate::config::{CONFIDENCES, confidence};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use finding::Confidence;
use std::ffi::OsString;
use std::path::PathBuf;

const MORE: &str = "\
Commands: explain, accept, confirm, guards, atomicity, doctor, setup (each has `COMMAND --help`).
Settings: stalemate.toml, or [workspace.metadata.stalemate] of Cargo.toml.
Exit codes: 0 clean, 1 findings, 2 bad input, 3 does not compile, 4 not set up, 70 internal error.";

const GUARDS: &str = "\
Of every guess that is wrong the place is told that shows it.
Where two threads can be at once, or the lock is forgotten, is reported by `cargo stalemate`.";

const CONFIRM: &str = "\
The project is copied, compiled and run; it is not written to. What is found out stays in the reports of
`cargo stalemate` until the code changes. Exit code 1: at least one finding is confirmed.";

const ATOMICITY: &str = "\
`self.order ? mover : error` is a mover for a caller that holds `self.order`, and an error for others.
What is declared atomic, and is not, is reported by `cargo stalemate`.";

/// Finds code that acts on what it learnt under a lock after letting the lock go
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate", version, after_help = MORE)]
pub struct Args {
    /// The report: text, json, html, sarif, github or cargo
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    pub format: Format,

    /// The directory that html goes to: new, or with an earlier report
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Hide findings below this: low, medium or high [default: medium]
    #[arg(long, value_name = "LEVEL", value_parser = confidences(), hide_possible_values = true)]
    pub min_confidence: Option<Confidence>,

    /// Look into the dependencies too, for locks inside them
    #[arg(long)]
    pub with_dependencies: bool,

    /// Say how many pairs each stage of the search for races has left
    #[arg(long, hide = true)]
    pub stats: bool,

    /// Say on standard error where the time went
    #[arg(long)]
    pub timings: bool,

    /// Only what is not in this file [default: stalemate-baseline.json]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub baseline: Option<Option<PathBuf>>,

    /// Add all that is found to the baseline, and make one if there is none
    #[arg(long, conflicts_with_all = ["since", "prune_baseline"])]
    pub write_baseline: bool,

    /// Take out of the baseline what is found no more
    #[arg(long, conflicts_with = "since")]
    pub prune_baseline: bool,

    /// Only findings that were not there at this commit of git
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,

    #[command(flatten)]
    pub project: ProjectArgs,
}

/// What is looked at.
#[derive(Debug, clap::Args)]
pub struct ProjectArgs {
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub manifest_path: Option<PathBuf>,

    /// Passed on to `cargo check`, such as `-- --workspace --all-targets`
    #[arg(last = true, value_name = "CARGO CHECK ARGS")]
    pub cargo: Vec<OsString>,
}

/// Says of every function how atomic it is: const, mover, atomic, compound, and what it is for a caller that holds its locks
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate atomicity", after_help = ATOMICITY)]
pub struct AtomicityArgs {
    #[command(flatten)]
    pub list: ListArgs,
}

/// Says of every cell, raw pointer, `static mut` and atomic beside a lock what guards it, and why other guesses are wrong
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate guards", after_help = GUARDS)]
pub struct GuardsArgs {
    #[command(flatten)]
    pub list: ListArgs,
}

/// What is listed.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Only what is in this module, type or file: `pool::Pool`, `src/pool.rs`
    #[arg(value_name = "PATH")]
    pub path: Option<String>,

    /// The list: text for people, json for tools
    #[arg(long, value_enum, default_value_t = ListFormat::Text, hide_possible_values = true)]
    pub format: ListFormat,

    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Runs what was found: each finding becomes a program that shows the bug, or says why it cannot
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate confirm", after_help = CONFIRM)]
pub struct ConfirmArgs {
    /// Fingerprints of findings, or their first digits [default: all that are shown]
    #[arg(value_name = "FINGERPRINT")]
    pub fingerprints: Vec<String>,

    /// Leave the witnesses that show a bug in this directory: new, or with earlier ones
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// A witness that was written by hand from the template, for one finding
    #[arg(long, value_name = "FILE")]
    pub fixture: Option<PathBuf>,

    /// Run a test of your own instead, disturbed where the findings are: its name, or a part of it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["fixture", "keep"], value_parser = NonEmptyStringValueParser::new())]
    pub test: Option<String>,

    /// The report: text for people, json for tools
    #[arg(long, value_enum, default_value_t = ListFormat::Text, hide_possible_values = true)]
    pub format: ListFormat,

    /// Leave out findings below this: low, medium or high [default: medium]
    #[arg(long, value_name = "LEVEL", value_parser = confidences(), hide_possible_values = true)]
    pub min_confidence: Option<Confidence>,

    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Adds findings to the baseline, with the reason why they are accepted
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate accept")]
pub struct AcceptArgs {
    /// Fingerprints of findings, or their first digits
    #[arg(value_name = "FINGERPRINT", required = true, num_args = 1..)]
    pub fingerprints: Vec<String>,

    /// Why they are accepted
    #[arg(long, value_name = "TEXT")]
    pub reason: String,

    /// The file [default: that of the settings, or stalemate-baseline.json]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Tells all about a lint, or the story of one finding: both threads side by side, in the order of time
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate explain")]
pub struct ExplainArgs {
    /// The name of a lint; or the fingerprint of a finding, or its first digits
    #[arg(value_name = "LINT|FINGERPRINT")]
    pub what: String,

    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Says which of the things that a check needs are there, and which command gets the others
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate doctor")]
pub struct DoctorArgs {
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Installs the pinned toolchain and builds the driver, as the first check would
#[derive(Debug, Parser)]
#[command(name = "cargo-stalemate", bin_name = "cargo stalemate setup")]
pub struct SetupArgs {}

/// What is asked for.
#[derive(Debug)]
pub enum Asked {
    Check(Box<Args>),
    Accept(AcceptArgs),
    Confirm(ConfirmArgs),
    Explain(ExplainArgs),
    Doctor(ProjectArgs),
    Setup,
    Atomicity(ListArgs),
    Guards(ListArgs),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Html,
    Sarif,
    Github,
    Cargo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    Text,
    Json,
}

impl Asked {
    /// Gives clap's own error for a bad command line, for `--help` and for `--version`.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Asked, clap::Error> {
        let mut words: Vec<OsString> = words.into_iter().collect();
        // The word that cargo puts in front.
        drop_word(&mut words, "stalemate");
        if drop_word(&mut words, "atomicity") {
            AtomicityArgs::try_parse_from(words).map(|args| Asked::Atomicity(args.list))
        } else if drop_word(&mut words, "accept") {
            AcceptArgs::try_parse_from(words).map(Asked::Accept)
        } else if drop_word(&mut words, "confirm") {
            ConfirmArgs::try_parse_from(words).map(Asked::Confirm)
        } else if drop_word(&mut words, "explain") {
            ExplainArgs::try_parse_from(words).map(Asked::Explain)
        } else if drop_word(&mut words, "doctor") {
            DoctorArgs::try_parse_from(words).map(|args| Asked::Doctor(args.project))
        } else if drop_word(&mut words, "setup") {
            SetupArgs::try_parse_from(words).map(|_| Asked::Setup)
        } else if drop_word(&mut words, "guards") {
            GuardsArgs::try_parse_from(words).map(|args| Asked::Guards(args.list))
        } else {
            Args::try_parse_from(words).map(|args| Asked::Check(Box::new(args)))
        }
    }
}

fn drop_word(words: &mut Vec<OsString>, word: &str) -> bool {
    let is_there = words.get(1).is_some_and(|first| first == word);
    if is_there {
        words.remove(1);
    }
    is_there
}

fn confidences() -> impl TypedValueParser<Value = Confidence> {
    PossibleValuesParser::new(CONFIDENCES).try_map(|word| confidence(&word).ok_or("not a confidence"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn asked(line: &str) -> Result<Asked, clap::Error> {
        Asked::parse(line.split(' ').map(OsString::from))
    }

    fn parse(line: &str) -> Result<Args, clap::Error> {
        asked(line).map(|asked| match asked {
            Asked::Check(args) => *args,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn the_list_has_arguments_of_its_own() {
        for line in ["x stalemate atomicity src/pool.rs --format json", "x guards --format json src/pool.rs"] {
            let (Asked::Atomicity(args) | Asked::Guards(args)) = asked(line).unwrap() else { panic!("{line}") };
            assert_eq!((args.path.as_deref(), args.format), (Some("src/pool.rs"), ListFormat::Json));
        }
        for line in
            ["x atomicity a b", "x atomicity --min-confidence low", "x guards --stats", "x guards --format sarif"]
        {
            assert_eq!(asked(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn works_with_and_without_the_word_from_cargo() {
        for line in ["cargo-stalemate stalemate --format json", "cargo-stalemate --format json"] {
            assert_eq!(parse(line).unwrap().format, Format::Json);
        }
    }

    #[test]
    fn cargo_arguments_are_kept_as_they_are() {
        let args = parse("cargo-stalemate --min-confidence low -- --workspace --format x").unwrap();
        assert_eq!(args.min_confidence, Some(Confidence::Low));
        assert_eq!(args.project.cargo, ["--workspace", "--format", "x"]);
    }

    #[test]
    fn unknown_words_are_refused_with_code_2() {
        for line in ["x --workspace", "x stalemate -p foo", "x foo", "x --format xml", "x --min-confidence none"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn a_test_is_run_instead_of_a_witness() {
        let Asked::Confirm(args) = asked("x confirm 3917 --test sum -- --lib").unwrap() else { panic!() };
        assert_eq!((args.test.as_deref(), args.fingerprints), (Some("sum"), vec!["3917".to_owned()]));
        for line in ["x confirm --test sum --keep d", "x confirm --fixture f --test sum", "x confirm --test"] {
            assert_eq!(asked(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn help_and_version_are_no_errors() {
        for line in ["x --help", "x -h", "x --version"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 0, "{line}");
        }
    }

    #[test]
    fn help_fits_one_screen() {
        let help = Args::command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    }
}
