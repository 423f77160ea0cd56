//! The command line.

use crate::known::Kind;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0  everything ran, and each thing that needs a reason or a verdict has one
  1  something crashed, or a reason or verdict is missing
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
    /// Known bugs: are they found, and are fixed versions and correct code left alone?
    #[command(after_help = EXIT_CODES)]
    Known(KnownArgs),
    /// Real crates: what is found in them, and what is it worth?
    #[command(after_help = EXIT_CODES)]
    Crates(CratesArgs),
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

    #[command(flatten)]
    pub lab: LabArgs,
}

#[derive(Debug, clap::Args)]
pub struct LabArgs {
    /// Patches and lock files for versions that need them [default: known/setup of this crate]
    #[arg(long, value_name = "DIR")]
    pub setup: Option<PathBuf>,

    /// The front-end to run, with its driver beside it [default: the one beside this program]
    #[arg(long, value_name = "PATH")]
    pub tool: Option<PathBuf>,

    /// Where sources, builds and results are kept [default: target/field]
    #[arg(long, value_name = "DIR")]
    pub work: Option<PathBuf>,
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
        for line in ["x", "x field", "x known --kinds f", "x crates --kinds a", "x known --stale-use"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
