//! Where a published crate is brought, prepared and checked. Everything is kept, so that an interrupted run goes on where
//! it stopped, and a run with the same tool costs nothing.
//!
//! - [`registry`]: the crate as crates.io has it;
//! - [`setup`]: what an old version needs for a new compiler;
//! - [`copy`]: a copy of ours that stands alone, whole or not there;
//! - [`tool`]: the programs under test, and one run of them;
//! - [`pace`] and [`progress`]: several runs at once, and how far they are;
//! - [`kept`]: results of earlier runs.
//!
//! Below the working directory lie `src`, `build`, `out`, `pages`, `tool` and `scratch`; and what [`crate::confirm`] puts
//! there.

mod copy;
mod hash;
mod kept;
mod pace;
mod progress;
mod registry;
mod setup;
mod tool;

use crate::args::LabArgs;
use crate::failure::Failure;
use crate::input::shipped;
pub use copy::Wish;
use finding::Document;
use pace::Pace;
use progress::Progress;
use setup::Setup;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tool::Tool;
pub use tool::{DOES_NOT_COMPILE, REFUSED, document, failed};

/// One version of one crate, and how it is checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    pub name: String,
    pub version: String,
    /// More words for `cargo check`.
    pub args: Vec<String>,
}

impl Subject {
    pub fn new(name: &str, version: &str, args: &str) -> Subject {
        let args = args.split_whitespace().map(str::to_owned).collect();
        Subject { name: name.to_owned(), version: version.to_owned(), args }
    }

    /// As cargo names the folder of its sources.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// For people.
    pub fn title(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// Why one crate has no result: in a few words, and the last lines of what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub what: String,
    pub said: String,
}

const NOT_KEPT: &str = "result not kept";

/// The lines of an error that tell most: compilers and panics say it at the end.
const LAST_LINES: usize = 12;

impl Trouble {
    pub fn new(what: impl Into<String>, said: &str) -> Trouble {
        Trouble::with_last(LAST_LINES, what, said)
    }

    pub fn with_last(count: usize, what: impl Into<String>, said: &str) -> Trouble {
        let lines: Vec<_> = said.trim_end().lines().collect();
        Trouble { what: what.into(), said: lines[lines.len().saturating_sub(count)..].join("\n") }
    }

    pub fn io(what: &str, path: &Path, error: io::Error) -> Trouble {
        Trouble::new(what, &format!("{}: {error}", path.display()))
    }
}

pub type Outcome = Result<Document, Trouble>;

pub struct Lab {
    work: PathBuf,
    setups: PathBuf,
    tool: Tool,
    wish: Wish,
    /// Held as long as the lab is used.
    _lock: File,
}

impl Lab {
    /// The folder is the one beside the builds that is used if the arguments name none.
    pub fn new(args: &LabArgs, folder: &str, wish: Wish) -> Result<Lab, Failure> {
        let this = std::env::current_exe().map_err(|error| Failure::cannot("fieldcheck", error))?;
        let front_end = args.tool.clone().unwrap_or_else(|| this.with_file_name(tool::program("cargo-stalemate")));
        let work = args.work.clone().unwrap_or_else(|| this.with_file_name("..").join(folder));
        // Absolute and plain, because cargo is started in other directories and names files by it.
        let made = std::fs::create_dir_all(&work).and_then(|()| work.canonicalize());
        let work = made.map_err(|error| Failure::cannot(&work, error))?;
        let lock = alone(&work.join("lock")).map_err(|error| Failure::cannot(&work, error))?;
        let tool = Tool::install(&front_end, &work.join("tool"))?;
        let setups = args.setup.clone().unwrap_or_else(|| shipped("known/setup"));
        Ok(Lab { work, setups, tool, wish, _lock: lock })
    }

    pub fn work(&self) -> &Path {
        &self.work
    }

    pub fn front_end(&self) -> &Path {
        self.tool.front_end()
    }

    /// A copy of this program beside those under test, and for the same reason.
    pub fn copy_of_this(&self) -> Result<PathBuf, Failure> {
        let this = std::env::current_exe().map_err(|error| Failure::cannot("fieldcheck", error))?;
        let copy = self.tool.front_end().with_file_name(tool::program("fieldcheck"));
        tool::bring(&this, &copy)?;
        Ok(copy)
    }

    /// Where the copy of a crate is, made if need be.
    pub fn copy_of(&self, subject: &Subject) -> Result<PathBuf, Trouble> {
        let setup = Setup::read(&self.setups.join(subject.folder()))?;
        copy::prepared(&self.work, &self.label(subject), subject, &setup, self.wish)
    }

    /// Where a worker builds. Workers are numbered from 0.
    pub fn build_of(&self, worker: usize) -> PathBuf {
        self.work.join(if worker == 0 { "build".to_owned() } else { format!("build-{}", worker + 1) })
    }

    /// The HTML report of a crate, and where it is.
    pub fn pages_of(&self, subject: &Subject) -> Result<PathBuf, Trouble> {
        let pages = self.work.join("pages").join(subject.folder());
        let manifest = self.copy_of(subject)?.join("Cargo.toml");
        let parent = pages.parent().unwrap_or(&pages);
        std::fs::create_dir_all(parent).map_err(|error| Trouble::io("no pages", parent, error))?;
        self.tool.pages(&manifest, &self.build_of(0), &subject.args, &pages)?;
        Ok(pages.join("index.html"))
    }

    /// What a result about a crate depends on, whatever is done with it.
    pub fn stamp_of(&self, subject: &Subject) -> Result<String, Trouble> {
        let setup = Setup::read(&self.setups.join(subject.folder()))?;
        Ok(kept::stamp(&self.tool, subject, &copy::recipe(&setup, self.wish)))
    }

    /// A result of another kind than those of checks, from a folder of its own.
    pub fn kept(&self, folder: &str, subject: &Subject, stamp: &str) -> Option<Vec<u8>> {
        kept::read(&self.work.join(folder), &subject.folder(), stamp)
    }

    pub fn keep(&self, folder: &str, subject: &Subject, stamp: &str, result: &[u8]) -> Result<(), Trouble> {
        let out = self.work.join(folder);
        kept::write(&out, &subject.folder(), stamp, result).map_err(|error| Trouble::io(NOT_KEPT, &out, error))
    }

    /// Checks each of them once, however often it is named.
    pub fn check_all<'s>(
        &self,
        subjects: impl IntoIterator<Item = &'s Subject>,
        jobs: Option<u32>,
    ) -> BTreeMap<Subject, Outcome> {
        let mut named = BTreeSet::new();
        let subjects: Vec<_> = subjects.into_iter().filter(|subject| named.insert(*subject)).collect();
        let mut outcomes = self.kept_all(subjects.iter().copied());
        let waiting: Vec<_> = subjects.into_iter().filter(|subject| !outcomes.contains_key(subject)).collect();
        let check = |subject: &Subject, worker| self.check(subject, worker);
        let trouble = |outcome: &Outcome| outcome.as_ref().err().map(|trouble| trouble.what.clone());
        let checked = each(outcomes.len(), &waiting, jobs, check, trouble);
        outcomes.extend(waiting.into_iter().cloned().zip(checked));
        outcomes
    }

    /// What is known of them without a run.
    pub fn kept_all<'s>(&self, subjects: impl IntoIterator<Item = &'s Subject>) -> BTreeMap<Subject, Outcome> {
        let kept = subjects.into_iter().filter_map(|subject| Some((subject.clone(), Ok(self.kept_outcome(subject)?))));
        kept.collect()
    }

    fn label(&self, subject: &Subject) -> String {
        format!("{}{}", subject.folder(), self.wish.suffix())
    }

    /// Half a document is none.
    fn kept_outcome(&self, subject: &Subject) -> Option<Document> {
        let stamp = self.stamp_of(subject).ok()?;
        let said = kept::read(&self.work.join("out"), &self.label(subject), &stamp)?;
        document(&said).ok()
    }

    fn check(&self, subject: &Subject, worker: usize) -> Outcome {
        let (label, stamp) = (self.label(subject), self.stamp_of(subject)?);
        let copy = self.copy_of(subject)?;
        let said = self.tool.run(&copy.join("Cargo.toml"), &self.build_of(worker), &subject.args)?;
        let out = self.work.join("out");
        kept::write(&out, &label, &stamp, &said).map_err(|error| Trouble::io(NOT_KEPT, &out, error))?;
        document(&said)
    }
}

/// Several at once, in this order, with a word about how far it is. Beside these there are some whose results were kept.
pub fn each<R: Send>(
    kept: usize,
    waiting: &[&Subject],
    jobs: Option<u32>,
    work: impl Fn(&Subject, usize) -> R + Sync,
    trouble: impl Fn(&R) -> Option<String> + Sync,
) -> Vec<R> {
    let progress = Progress::new(kept, waiting.len());
    Pace::new(jobs).each(waiting, |worker, subject| {
        progress.begin(subject.title());
        let start = Instant::now();
        let result = work(subject, worker);
        progress.end(subject.title(), trouble(&result).as_deref(), start.elapsed());
        result
    })
}

/// Two runs in one directory would exchange each other's tool, so the second waits for the first.
fn alone(lock: &Path) -> io::Result<File> {
    let file = File::create(lock)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        eprintln!("waiting for another run in {}", lock.parent().unwrap_or(lock).display());
        file.lock()?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_told() {
        let said: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        let trouble = Trouble::new("crashed", &said);
        assert_eq!(trouble.said.lines().count(), LAST_LINES);
        assert!(trouble.said.starts_with("line 9\n") && trouble.said.ends_with("line 20"), "{}", trouble.said);
        assert_eq!(Trouble::new("crashed", "short\n").said, "short");
    }

    #[test]
    fn arguments_are_words() {
        let subject = Subject::new("moka", "0.12.16", " --features  sync,future ");
        assert_eq!(subject.args, ["--features", "sync,future"]);
        assert_eq!(subject.folder(), "moka-0.12.16");
    }
}
