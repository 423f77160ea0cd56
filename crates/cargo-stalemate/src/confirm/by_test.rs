//! Findings, tried with tests that the user has: the tests are built once, run undisturbed, and then disturbed for one finding
//! after the other.

use super::facade::Facade;
use super::judging::{self, Steady};
use super::session::{Results, Session, tell_unfit};
use super::spots::spots;
use super::suite::{OwnTest, Rehearsal, Suite};
use crate::errors::{Failure, Request};
use crate::suggest;
use finding::document::ConfirmationStatus::{self, CannotBuild, Confirmed, Infeasible, NotReproduced};
use finding::facts::Recorded;
use finding::{Confirmation, Finding};
use std::env::current_dir;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// For one finding, over all tests.
const BUDGET: Duration = Duration::from_secs(20);

/// More tests than this are not tried at once.
const MOST: usize = 20;

/// How many names are offered for one that is unknown.
const OFFERED: usize = 3;

/// Options of cargo that decide which tests are built, beside those of [`Session`]; those with a value first.
const WITH_VALUE: &[&str] = &["-p", "--package", "--exclude", "--bin", "--test"];
const ALONE: &[&str] = &["--workspace", "--all", "--lib", "--bins", "--tests"];
/// Those that name targets.
const TARGETS: &[&str] = &["--lib", "--bins", "--bin", "--tests", "--test"];

impl Session<'_> {
    /// What the tests of that name say of the findings.
    pub fn run_test(&self, findings: &[Recorded], name: &str) -> Result<Results, Failure> {
        if findings.is_empty() {
            return Ok(Results::new());
        }
        let directory = self.project.target_directory.join("stalemate-confirm");
        let suite = self.suite(&directory).map_err(|error| Failure::CannotKeep { file: directory, error })?;
        let for_all = |status, why: String| {
            let one = |it: &Recorded| (it.finding.fingerprint.clone(), Confirmation::of(status, why.clone()));
            findings.iter().map(one).collect()
        };
        if suite.tests.is_empty() && suite.broken.is_some() {
            return Ok(for_all(CannotBuild, suite.broken.unwrap_or_default()));
        }
        let steady = match chosen(&suite, name)?.into_iter().map(judging::steady).collect::<Vec<_>>() {
            all if all.iter().any(Result::is_ok) => all.into_iter().filter_map(Result::ok).collect::<Vec<_>>(),
            all => {
                let why = all.into_iter().find_map(Result::err).unwrap_or_default();
                return Ok(for_all(Infeasible, why));
            }
        };
        let tried = findings.iter().map(|it| (it.finding.fingerprint.clone(), self.tried(&it.finding, &steady)));
        Ok(tried.collect())
    }

    fn suite(&self, directory: &Path) -> io::Result<Suite> {
        let tree = directory.join("tree-with-tests");
        super::tree::copy(&self.project.root, &tree, super::tree::Tests::Kept)?;
        let facade = match Facade::of_user(&tree, directory) {
            Ok(facade) => facade,
            Err(why) => return Ok(Suite { tests: Vec::new(), broken: Some(why.to_string()) }),
        };
        let members = self.project.members.values().map(String::as_str).collect();
        let mut words = self.words_among(WITH_VALUE, ALONE);
        if !words.iter().any(names_target) {
            // Neither examples nor benchmarks.
            words.push("--tests".into());
        }
        words.extend(self.words());
        let (root, manifest) = (&self.project.root, self.manifest());
        let suite = Rehearsal { facade: &facade, root, tree: &tree, manifest, members, words }.build();
        tell_unfit(&facade);
        suite
    }

    /// Of the package that cargo would take here, from the root of the workspace.
    fn manifest(&self) -> PathBuf {
        let here = self.args.manifest_path.as_ref().and_then(|path| path.parent().map(Path::to_owned));
        let here = here.filter(|path| !path.as_os_str().is_empty()).map_or_else(current_dir, Ok);
        let here = here.and_then(|path| path.canonicalize()).unwrap_or_default();
        let manifests = self.project.packages.iter().map(|package| package.manifest_path.as_std_path());
        let is_around =
            |path: &&Path| path.parent().and_then(|it| it.canonicalize().ok()).is_some_and(|it| here.starts_with(it));
        let nearest = manifests.filter(is_around).max_by_key(|path| path.components().count());
        let nearest = nearest.and_then(|path| path.strip_prefix(&self.project.root).ok());
        nearest.unwrap_or(Path::new("Cargo.toml")).to_owned()
    }

    /// The test that says most.
    fn tried(&self, finding: &Finding, tests: &[Steady<'_>]) -> Confirmation {
        let spots = spots(&self.project.root, finding);
        if spots.is_empty() {
            return Confirmation::of(
                Infeasible,
                "the finding names no gap that a thread of a test could be held up in",
            );
        }
        let end = Instant::now() + BUDGET;
        let mut best: Option<Confirmation> = None;
        for test in tests {
            let confirmation = judging::judge(test, &spots, end);
            if best.as_ref().is_none_or(|best| worth(confirmation.status) > worth(best.status)) {
                best = Some(confirmation);
            }
            if best.as_ref().is_some_and(|best| best.status == Confirmed) || Instant::now() >= end {
                break;
            }
        }
        let mut best = best.unwrap_or_else(|| Confirmation::of(Infeasible, "it was not run"));
        if tests.len() > 1 && best.status != Confirmed {
            best.reason.push_str(&format!("; of {} tests no other says more", tests.len()));
        }
        best
    }
}

fn worth(status: ConfirmationStatus) -> u8 {
    match status {
        Confirmed => 2,
        NotReproduced => 1,
        _ => 0,
    }
}

fn names_target(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    TARGETS.iter().any(|option| text == *option || text.starts_with(&format!("{option}=")))
}

fn chosen<'s>(suite: &'s Suite, name: &str) -> Result<Vec<&'s OwnTest>, Request> {
    let chosen = suite.named(name);
    if chosen.is_empty() {
        let names: Vec<&str> = suite.tests.iter().map(|test| test.name.as_str()).collect();
        let nearest = suggest::nearest_paths(name, &names, OFFERED).into_iter().map(str::to_owned).collect();
        return Err(Request::NoSuchTest { name: name.to_owned(), nearest, broken: suite.broken.clone() });
    }
    if chosen.len() > MOST {
        return Err(Request::ManyTests { name: name.to_owned(), tests: chosen.len(), most: MOST });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(count: usize) -> Suite {
        let test = |number| OwnTest {
            name: format!("bank::tests::sum_{number}"),
            executable: "x".into(),
            directory: "d".into(),
        };
        Suite { tests: (0..count).map(test).collect(), broken: None }
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let Err(Request::NoSuchTest { nearest, .. }) = chosen(&suite(3), "sun_1") else { panic!() };
        assert_eq!(nearest.first().map(String::as_str), Some("bank::tests::sum_1"));
        assert_eq!(chosen(&suite(3), "sum").unwrap().len(), 3);
        assert!(matches!(chosen(&suite(MOST + 1), "sum"), Err(Request::ManyTests { .. })));
    }

    #[test]
    fn words_that_name_targets_are_known() {
        let named: Vec<bool> = ["--lib", "--test=it", "-p", "--tests"].map(|word| names_target(&word.into())).to_vec();
        assert_eq!(named, [true, true, false, true]);
    }
}
