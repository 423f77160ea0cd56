//! The command line.

use crate::known::Kind;
use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  everything ran, and each thing that needs a reason or a verdict has one
  1  something crashed, or a reason or verdict is missing
  2  bad arguments, or a mistake in a list";

const ALL_EXIT_CODES: &str = "\
Exit codes:
  0  everything is as it is written down, and each thing that needs a reason or a verdict has one
  1  something crashed, has changed, or lacks a reason or a verdict
  2  bad arguments, or a mistake in a list";

const BENCH_EXIT_CODES: &str = "\
Exit codes:
  0  everything was measured, and is within the limits if there are any
  1  a command failed, or a ratio is above its limit
  2  bad arguments, or a mistake in a list";

const GROWTH_EXIT_CODES: &str = "\
Exit codes:
  0  everything was measured, and grows no faster than it may
  1  a command failed, or something grows faster
  2  bad arguments";

const CONFIRM_EXIT_CODES: &str = "\
Exit codes:
  0  everything ran, and nothing is confirmed in a fixed version
  1  something crashed, or something is confirmed in a fixed version
  2  bad arguments, or a mistake in a list";

const ROBUST_EXIT_CODES: &str = "\
Exit codes:
  0  nothing crashed, and no body was given up
  1  something crashed, a body was given up, or a crate could not be tried
  2  bad arguments, or a mistake in a list";

/// Measures Stalemate on published crates
#[derive(Debug, Parser)]
#[command(name = "fieldcheck", version, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Real crates and known bugs: what is found, what is it worth, and what has changed since it was last written down?
    #[command(after_help = ALL_EXIT_CODES)]
    All(AllArgs),
    /// Known bugs: are they found, and are fixed versions and correct code left alone?
    #[command(after_help = EXIT_CODES)]
    Known(KnownArgs),
    /// Real crates: what is found in them, and what is it worth?
    #[command(after_help = EXIT_CODES)]
    Crates(CratesArgs),
    /// Known bugs and real crates: which findings does `cargo stalemate confirm` show by running them?
    #[command(after_help = CONFIRM_EXIT_CODES)]
    Confirm(ConfirmArgs),
    /// Real crates with all their targets and features: does anything in them make the tool crash, or give up?
    #[command(after_help = ROBUST_EXIT_CODES)]
    Robust(RobustArgs),
    /// Time and memory: what does a run cost beside `cargo check`?
    #[command(after_help = BENCH_EXIT_CODES)]
    Bench(BenchArgs),
    /// How the time of the analysis grows with the code, on crates that are made for it
    #[command(after_help = GROWTH_EXIT_CODES)]
    Growth(GrowthArgs),
    /// Runs one command and prints what it cost
    #[command(hide = true)]
    Measure(MeasureArgs),
}

#[derive(Debug, clap::Args)]
pub struct AllArgs {
    /// Only the known bugs with these ids, and the crates with these names: only they are compared
    #[arg(value_name = "ID|NAME")]
    pub names: Vec<String>,

    /// Only crates that came into the list this way
    #[arg(long, value_enum, value_name = "GROUP", conflicts_with = "names")]
    pub group: Option<Part>,

    /// Run nothing: take what is kept of earlier runs of the same tool, and leave out the rest
    #[arg(long)]
    pub kept: bool,

    /// Write down what is said now, in state.txt and docs/field.md; with names only what is said about these
    #[arg(long)]
    pub write: bool,

    /// What was said before [default: state.txt of this crate]
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// Where the tables are written, between marks [default: docs/field.md]
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// How many versions are checked at once [default: 2, on one core 1]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub lab: LabArgs,
}

/// A part of what can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The crates that rules were tried on
    WorkedWith,
    /// The crates of the list in versions that have the fix of a known bug
    Fixed,
    /// The crates that played no part in the making of the tool
    FirstSight,
    /// The known bugs: versions with them, and with their fixes
    Bugs,
}

#[derive(Debug, clap::Args)]
pub struct KnownArgs {
    /// Only the items with these ids
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,

    /// Only items of these kinds, such as `a,b`
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KINDS")]
    pub kinds: Vec<Kind>,

    /// The list of bugs [default: known/known-bugs.json of this crate]
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// Why the tool and the list disagree [default: misses.toml of this crate]
    #[arg(long, value_name = "FILE")]
    pub misses: Option<PathBuf>,

    /// Write the HTML reports of the versions with the bugs, too, below `pages` in the working directory
    #[arg(long)]
    pub pages: bool,

    /// How many versions are checked at once [default: 2, on one core 1]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct CratesArgs {
    /// Only the crates with these names
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// The list of crates [default: crates.txt of this crate]
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// What the findings are worth [default: verdicts.toml of this crate]
    #[arg(long, value_name = "FILE")]
    pub verdicts: Option<PathBuf>,

    /// Switch the lint `stale_use` on as well, and compare its findings with the others
    #[arg(long)]
    pub stale_use: bool,

    /// How many versions are checked at once [default: 2, on one core 1]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct ConfirmArgs {
    /// Only the known bugs with these ids, and the crates with these names; the tables are then printed and not written
    #[arg(value_name = "ID|NAME")]
    pub names: Vec<String>,

    /// How long one version of a crate may take; what is not finished then counts as that
    #[arg(long, value_name = "MINUTES", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,

    /// Leave what was built, below `confirm` in the working directory
    #[arg(long)]
    pub keep_builds: bool,

    /// Write the tables also if names are given: those that were not asked for lose their rows
    #[arg(long)]
    pub write: bool,

    /// Where the tables are written, between two marks [default: docs/confirm.md]
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct RobustArgs {
    /// Only the crates with these names
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Run nothing: take what is kept of earlier runs of the same tool, and leave out the rest
    #[arg(long)]
    pub kept: bool,

    /// How long one way to compile a crate may take; what is not finished then counts as that
    #[arg(long, value_name = "MINUTES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,

    /// Write down what came of them, in robust.jsonl and docs/field.md; of the others stays what is there
    #[arg(long)]
    pub write: bool,

    /// What was written down before [default: robust.jsonl of this crate]
    #[arg(long, value_name = "FILE")]
    pub written: Option<PathBuf>,

    /// Where the table is written, between two marks [default: docs/field.md]
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// How many crates are checked at once [default: 2, on one core 1]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// A crate as crates.io has it [default: those of bench.txt of this crate]
    #[arg(value_name = "NAME", requires = "version")]
    pub name: Option<String>,

    /// Its version, which has to be named with it
    #[arg(value_name = "VERSION", value_parser = version)]
    pub version: Option<String>,

    /// More words for cargo; they may be mixed with the options here, which are taken out up to a `--`
    #[arg(value_name = "CARGO_ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub cargo_args: Vec<String>,

    /// How often each situation is measured [default: 5, or RUNS of the environment]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: Option<u32>,

    /// Measure `cargo clippy` as well
    #[arg(long)]
    pub clippy: bool,

    /// Write all numbers to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Take the crates that an earlier run with the same tool and the same number of runs has measured
    #[arg(long)]
    pub resume: bool,

    /// Write the tables into this page, between two marks: docs/performance.md
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    /// How many times the CPU seconds of `cargo check` a run may take when everything is done anew
    #[arg(long, value_name = "RATIO", value_parser = ratio, allow_negative_numbers = true)]
    pub max_cold: Option<f64>,

    /// The same when src/lib.rs was touched
    #[arg(long, value_name = "RATIO", value_parser = ratio, allow_negative_numbers = true)]
    pub max_warm: Option<f64>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct GrowthArgs {
    /// Only these shapes of code
    #[arg(value_name = "SHAPE")]
    pub shapes: Vec<String>,

    /// How often each size is measured; the least disturbed run counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Write the table into this page, between two marks: docs/performance.md
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct MeasureArgs {
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}

#[derive(Clone, Debug, clap::Args)]
pub struct LabArgs {
    /// Patches and lock files for versions that need them [default: known/setup of this crate]
    #[arg(long, value_name = "DIR")]
    pub setup: Option<PathBuf>,

    /// The front-end to run, with its driver beside it [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    pub tool: Option<PathBuf>,

    /// Where sources, builds and results are kept [default: target/field, and target/bench for time and memory]
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
}

fn version(word: &str) -> Result<String, &'static str> {
    let is_one = word.starts_with(|c: char| c.is_ascii_digit());
    is_one.then(|| word.to_owned()).ok_or("a version begins with a digit")
}

fn ratio(word: &str) -> Result<f64, &'static str> {
    let ratio = word.parse().ok().filter(|ratio: &f64| ratio.is_finite() && *ratio > 0.0);
    ratio.ok_or("a ratio is a number above 0, such as 1.3")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, clap::Error> {
        Args::try_parse_from(line.split(' '))
    }

    #[test]
    fn kinds_are_a_list_and_ids_are_words() {
        let Command::Known(args) = parse("fieldcheck known --kinds a,benign A01 W02").unwrap().command else {
            panic!("another command");
        };
        assert_eq!(args.kinds, [Kind::A, Kind::Benign]);
        assert_eq!(args.ids, ["A01", "W02"]);
    }

    #[test]
    fn nonsense_is_refused_with_code_2() {
        for line in ["x", "x field", "x known --kinds f", "x crates --kinds a", "x known --stale-use", "x measure"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn nonsense_for_all_is_refused_with_code_2() {
        for words in ["--group other", "--jobs 0", "--group fixed tokio", "--stale-use"] {
            assert_eq!(parse(&format!("x all {words}")).unwrap_err().exit_code(), 2, "{words}");
        }
    }

    #[test]
    fn nonsense_for_confirm_is_refused_with_code_2() {
        for words in ["--limit 0", "--limit long", "--kinds a"] {
            assert_eq!(parse(&format!("x confirm {words}")).unwrap_err().exit_code(), 2, "{words}");
        }
    }

    #[test]
    fn nonsense_for_robust_is_refused_with_code_2() {
        for words in ["--limit 0", "--jobs none", "--group fixed"] {
            assert_eq!(parse(&format!("x robust {words}")).unwrap_err().exit_code(), 2, "{words}");
        }
    }

    #[test]
    fn nonsense_for_bench_is_refused_with_code_2() {
        for words in [
            "tokio",
            "tokio --lib",
            "tokio latest",
            "--lib",
            "--runs 0",
            "--runs many",
            "--max-cold 0",
            "--max-cold inf",
            "--max-warm NaN",
            "--max-warm fast",
            "--kinds a",
        ] {
            assert_eq!(parse(&format!("x bench {words}")).unwrap_err().exit_code(), 2, "{words}");
        }
    }

    #[test]
    fn a_bench_has_a_crate_or_none() {
        let bench = |words: &str| match parse(words).unwrap().command {
            Command::Bench(args) => args,
            _ => panic!("another command"),
        };
        let args = bench("x bench --runs 3 --max-cold 1.3 tokio 1.54.1 --lib --features full");
        assert_eq!((args.name.as_deref(), args.version.as_deref()), (Some("tokio"), Some("1.54.1")));
        assert_eq!(args.cargo_args, ["--lib", "--features", "full"]);
        assert_eq!((args.runs, args.max_cold, args.max_warm), (Some(3), Some(1.3), None));
        assert_eq!(bench("x bench --clippy").name, None);
    }
}
