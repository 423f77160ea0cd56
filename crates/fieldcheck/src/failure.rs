//! What stops a run before it can say anything: a mistake in an argument or in a file that people write. Exit code 2.
//!
//! Trouble with one crate is no failure: the others are still worth checking. See [`crate::lab::Trouble`].

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum Failure {
    /// Something is wrong in a file. The place is line and column, from 1, where it is known.
    Mistake { file: PathBuf, place: Option<(usize, usize)>, why: String },
    /// A word of the command line that names nothing in the list.
    Unknown { what: &'static str, name: String, list: PathBuf },
    /// A program that the runs need is not there.
    NoProgram { path: PathBuf },
    /// A variable of the environment that makes no sense, or is needed and not there.
    Variable { name: &'static str, why: String },
    /// The system does not say what a command cost.
    #[cfg_attr(unix, expect(dead_code, reason = "Unix always says"))]
    NoMeasure,
    /// The system says no.
    Cannot { path: PathBuf, error: io::Error },
}

impl Failure {
    pub fn cannot(path: impl AsRef<Path>, error: io::Error) -> Failure {
        Failure::Cannot { path: path.as_ref().to_owned(), error }
    }

    pub fn mistake(file: &Path, why: impl Into<String>) -> Failure {
        Failure::Mistake { file: file.to_owned(), place: None, why: why.into() }
    }

    pub fn mistake_at(file: &Path, line: usize, column: usize, why: impl Into<String>) -> Failure {
        Failure::Mistake { file: file.to_owned(), place: Some((line, column)), why: why.into() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Mistake { file, place: Some((line, column)), why } => {
                write!(f, "{}:{line}:{column}: {why}", file.display())
            }
            Failure::Mistake { file, place: None, why } => write!(f, "{}: {why}", file.display()),
            Failure::Unknown { what, name, list } => write!(f, "no {what} `{name}` in {}", list.display()),
            Failure::NoProgram { path } => {
                let help = "`./x field` and `./x bench` build it, `--tool` names another";
                write!(f, "{} is not there; {help}", path.display())
            }
            Failure::Variable { name, why } => write!(f, "{name}: {why}"),
            Failure::NoMeasure => f.write_str("CPU time and memory of commands can be measured on Unix only"),
            Failure::Cannot { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}
