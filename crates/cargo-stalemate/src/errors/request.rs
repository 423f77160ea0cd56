//! What was asked for cannot be done as it was asked: something that is named is not there, or cannot be read.

use super::{Complaint, choices};
use crate::baseline::Unreadable;
use finding::lints::NAMES;
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub enum Request {
    NoSuchFunction { path: String, nearest: Option<String> },
    NoSuchLocation { path: String, nearest: Option<String> },
    NotToml { file: PathBuf, line: usize, column: usize, why: String },
    TwoSettings { file: PathBuf, key: String },
    Baseline { file: PathBuf, why: Unreadable },
    NoSuchFinding { fingerprint: String },
    SeveralFindings { fingerprint: String, such_as: [String; 2] },
    NoSuchTopic { what: String },
    NoRepository { git_says: String },
    NoSuchRevision { revision: String, git_says: String },
    CannotRead { file: PathBuf, error: io::Error },
    KeepElsewhere { directory: PathBuf },
    FixtureForMany { findings: usize },
    NoSuchTest { name: String, nearest: Vec<String>, broken: Option<String> },
    ManyTests { name: String, tests: usize, most: usize },
}

impl From<Request> for super::Failure {
    fn from(request: Request) -> super::Failure {
        super::Failure::Request(request)
    }
}

impl Request {
    pub fn complaint(&self) -> Complaint {
        use Request::*;
        match self {
            NoSuchFunction { path, nearest } => {
                let guess = nearest.as_ref().map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
                Complaint::error(format!("no function is below `{path}`")).help(format!(
                    "{guess}Give a module, a type or a function as it is called in the crate (`pool::Pool::get`), or a file \
                     (`src/pool.rs`)"
                ))
            }
            NoSuchLocation { path, nearest } => {
                let guess = nearest.as_ref().map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
                Complaint::error(format!("nothing below `{path}` would need a guard")).help(format!(
                    "{guess}Give a module or a type as it is called in the crate (`pool::Pool`), or a file (`src/pool.rs`). \
                     Listed are cells and raw pointers in types with an `unsafe impl Sync`, `static mut`, and atomics in \
                     structs that have a lock"
                ))
            }
            NotToml { file, line, column, why } => {
                Complaint::error(format!("{}:{line}:{column}: {why}", file.display()))
            }
            TwoSettings { file, key } => {
                Complaint::error(format!("there are settings in {} and in `{key}` of the manifest", file.display()))
                    .help("keep one of the two")
            }
            Baseline { file, why } => unreadable_baseline(&file.display().to_string(), why),
            NoSuchFinding { fingerprint } => {
                Complaint::error(format!("nothing is found that goes by the fingerprint `{fingerprint}`"))
                    .help("`cargo stalemate --format json` has the fingerprints; the first digits will do")
            }
            SeveralFindings { fingerprint, such_as: [one, other] } => {
                Complaint::error(format!("several findings begin with `{fingerprint}`, such as {one} and {other}"))
                    .help("give more digits")
            }
            NoSuchTopic { what } => Complaint::error(format!("`{what}` is no lint, and no fingerprint of a finding"))
                .help(choices("lints", what, NAMES)),
            NoRepository { git_says } => {
                Complaint::error(format!("`--since` needs a repository of git: {}", git_says.trim()))
            }
            NoSuchRevision { revision, git_says } => Complaint::error(format!(
                "git does not know `{revision}`, or what it has in common with this: {}",
                git_says.trim()
            ))
            .help("a shallow clone may lack the commit: `git fetch --unshallow`, or `fetch-depth: 0` in CI"),
            KeepElsewhere { directory } => {
                Complaint::error(format!("{} is not empty, and not made by this command", directory.display()))
                    .help("give a new directory to `--keep`")
            }
            FixtureForMany { findings } => Complaint::error(format!("one witness is given for {findings} findings"))
                .help("give the fingerprint of the one that it is for"),
            NoSuchTest { name, nearest, broken } => no_such_test(name, nearest, broken.as_deref()),
            ManyTests { name, tests, most } => Complaint::error(format!(
                "`{name}` is in the names of {tests} tests, and at most {most} are run at once"
            ))
            .help("give more of the name"),
            CannotRead { file, error } => Complaint::error(format!("cannot read {}: {error}", file.display())),
        }
    }
}

fn no_such_test(name: &str, nearest: &[String], broken: Option<&str>) -> Complaint {
    let quoted: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    let guess = if quoted.is_empty() { String::new() } else { format!("Did you mean {}? ", quoted.join(" or ")) };
    let broken = broken.map(|why| format!(". Not all tests could be built: {why}")).unwrap_or_default();
    Complaint::error(format!("there is no test with `{name}` in its name")).help(format!(
        "{guess}Give the name as `cargo test` shows it; doctests are not run, and `-- -p PACKAGE` or `-- --workspace` chooses \
         other packages{broken}"
    ))
}

fn unreadable_baseline(file: &str, why: &Unreadable) -> Complaint {
    match why {
        Unreadable::Missing => Complaint::error(format!("there is no baseline {file}"))
            .help("`cargo stalemate --write-baseline` makes one of what is found now"),
        Unreadable::Io(error) => Complaint::error(format!("cannot read the baseline {file}: {error}")),
        Unreadable::Damaged { line, column, why } => {
            Complaint::error(format!("{file}:{line}:{column}: this is no baseline: {why}"))
                .help("nothing was written; take the file back from version control, or remove it and write it anew")
        }
        Unreadable::Newer { schema } => {
            Complaint::error(format!("the baseline {file} has schema {schema}, which this version does not know"))
                .help("it is of a newer version of the tool; nothing was written")
        }
    }
}
