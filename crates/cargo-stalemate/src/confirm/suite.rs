//! The user's own tests, built with the facade in the place of std, and found by their names. Doctests are not among them:
//! each is a program that rustdoc makes.

use super::bounded;
use super::building::{LIMIT, last_words, rendered};
use super::facade::Facade;
use super::tree::{self, Tests};
use cargo_metadata::Message;
use cargo_metadata::diagnostic::DiagnosticLevel;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may take to list its tests.
const LISTING: Duration = Duration::from_secs(20);

/// Where and how is built.
pub struct Rehearsal<'a> {
    pub facade: &'a Facade,
    pub root: &'a Path,
    pub tree: &'a Path,
    /// From the root of the workspace: of the package the user is in, or of the workspace.
    pub manifest: PathBuf,
    pub members: Vec<&'a str>,
    /// Features, packages and targets, as the user gave them.
    pub words: Vec<OsString>,
}

/// A test that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTest {
    /// As the harness knows it.
    pub name: String,
    pub executable: PathBuf,
    /// Of its package, in the copy: where cargo would start it.
    pub directory: PathBuf,
}

/// All there are. `broken` says why some targets may be missing.
#[derive(Debug, Default)]
pub struct Suite {
    pub tests: Vec<OwnTest>,
    pub broken: Option<String>,
}

impl Rehearsal<'_> {
    /// First everything with the facade, then the packages of the workspace alone.
    pub fn build(&self) -> io::Result<Suite> {
        tree::copy(self.root, self.tree, Tests::Kept)?;
        let suite = self.build_with(&["*"])?;
        if suite.broken.is_none() {
            return Ok(suite);
        }
        let other = self.build_with(&self.members)?;
        let is_better = other.broken.is_none() || other.tests.len() > suite.tests.len();
        Ok(if is_better { other } else { suite })
    }

    fn build_with(&self, packages: &[&str]) -> io::Result<Suite> {
        let mut cargo = self.facade.cargo(packages);
        cargo.args(["test", "--no-run", "--quiet", "--message-format=json"]).args(self.facade.target_arguments());
        cargo.arg("--manifest-path").arg(self.tree.join(&self.manifest)).args(&self.words);
        let said = bounded::run(&mut cargo, LIMIT)?;
        let mut suite = Suite::default();
        for message in Message::parse_stream(said.stdout.as_bytes()).map_while(Result::ok) {
            match message {
                Message::CompilerArtifact(artifact) if artifact.profile.test => {
                    let directory = artifact.manifest_path.parent().map(PathBuf::from);
                    let executable = artifact.executable.map(PathBuf::from);
                    if let Some((executable, directory)) = executable.zip(directory) {
                        suite.tests.extend(listed(&executable, &directory));
                    }
                }
                Message::CompilerMessage(message) if message.message.level == DiagnosticLevel::Error => {
                    suite.broken.get_or_insert_with(|| rendered(&message.message));
                }
                _ => {}
            }
        }
        if said.code != Some(0) {
            suite.broken.get_or_insert_with(|| last_words(&said.stderr));
        }
        Ok(suite)
    }
}

/// What a program has for tests. One with a harness of its own may have none to tell.
fn listed(executable: &Path, directory: &Path) -> Vec<OwnTest> {
    let mut list = Command::new(executable);
    let said = bounded::run(list.current_dir(directory).arg("--list"), LISTING);
    let text = said.map(|said| said.stdout).unwrap_or_default();
    let test =
        |name: &str| OwnTest { name: name.to_owned(), executable: executable.into(), directory: directory.into() };
    names(&text).map(test).collect()
}

/// `module::name: test`, a line each.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter_map(|line| line.strip_suffix(": test"))
}

impl Suite {
    /// Those of that very name, or else all that have it in theirs.
    pub fn named(&self, name: &str) -> Vec<&OwnTest> {
        let exact: Vec<&OwnTest> = self.tests.iter().filter(|test| test.name == name).collect();
        if exact.is_empty() { self.tests.iter().filter(|test| test.name.contains(name)).collect() } else { exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(names: &[&str]) -> Suite {
        let test = |name: &&str| OwnTest { name: (*name).into(), executable: "x".into(), directory: "d".into() };
        Suite { tests: names.iter().map(test).collect(), broken: None }
    }

    #[test]
    fn a_whole_name_is_meant_before_a_part() {
        let suite = suite(&["tests::sum", "tests::sum_of_two", "other"]);
        let found = |name| suite.named(name).iter().map(|test| test.name.as_str()).collect::<Vec<_>>();
        assert_eq!(found("tests::sum"), ["tests::sum"]);
        assert_eq!(found("sum"), ["tests::sum", "tests::sum_of_two"]);
        assert!(found("none").is_empty());
    }

    #[test]
    fn the_list_of_the_harness_is_read() {
        let list = "tests::a: test\nfast: benchmark\nb: test\n\n2 tests, 1 benchmark\n";
        assert_eq!(names(list).collect::<Vec<_>>(), ["tests::a", "b"]);
    }
}
