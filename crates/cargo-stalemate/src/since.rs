//! `--since REV`: only what a change has brought. The code as it was is checked, too, and a finding that was there is not
//! new, wherever its lines have gone. Lines tell nothing: a change in one function can make another one wrong.
//!
//! What was there is what was open at the commit from which the change set out (the merge base with `HEAD`): a finding
//! whose acceptance the change takes away is new. The old code is laid out below our own part of the target directory,
//! through an index of its own, so the user's tree, index and stash are not touched. What it came to is kept, and asked
//! for once for each commit.

use crate::VERSION;
use crate::baseline::{Entry, pair_up};
use crate::cargo_args::CargoArgs;
use crate::check::Check;
use crate::errors::{Complaint, Failure, Request};
use crate::facts;
use crate::project::Project;
use crate::run::{Ran, merge_checked};
use finding::facts::Recorded;
use finding::settings::Settings;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Below the target directory.
const FOLDER: &str = "stalemate-since";

/// Leaves what is new, and says how many were not. What is accepted stays, for the counts.
pub fn leave_new(findings: &mut Vec<Recorded>, revision: &str, ran: &mut Ran) -> Result<usize, Failure> {
    let before = findings_before(revision, ran)?;
    let is_old = was_there(findings, &before);
    let count = findings.len();
    let mut old = is_old.iter();
    findings.retain(|_| !old.next().copied().unwrap_or_default());
    Ok(count - findings.len())
}

/// Each of the old ones stands for one of now. What somebody has accepted stays.
fn was_there(findings: &[Recorded], before: &[Entry]) -> Vec<bool> {
    let old = pair_up(before, findings);
    let open = findings.iter().map(|recorded| recorded.finding.suppressed.is_none());
    old.iter().zip(open).map(|(old, open)| old.is_some() && open).collect()
}

fn findings_before(revision: &str, ran: &Ran) -> Result<Vec<Entry>, Failure> {
    let root = &ran.project.root;
    let top = git(root, &["rev-parse", "--show-toplevel"]).map_err(|git_says| Request::NoRepository { git_says })?;
    let unknown = |git_says| Request::NoSuchRevision { revision: revision.to_owned(), git_says };
    let commit = git(root, &["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")]);
    let commit = git(root, &["merge-base", &commit.map_err(unknown)?, "HEAD"]).map_err(unknown)?;
    let folder = ran.project.target_directory.join(FOLDER);
    let kept = folder.join(format!("{commit}-{:016x}.json", circumstances(ran)));
    if let Some(known) = std::fs::read(&kept).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        return Ok(known);
    }
    let short = commit.get(..12).unwrap_or(&commit);
    Complaint::remark(&format!("checking the code as it was at {short}")).print();
    let before = check_before(ran, Path::new(&top), &commit, &folder);
    let before = before.map_err(|failure| in_the_past(revision, failure))?;
    // Without it the next run asks again.
    let _ = serde_json::to_vec(&before).map(|bytes| std::fs::write(&kept, bytes));
    Ok(before)
}

fn in_the_past(revision: &str, failure: Failure) -> Failure {
    Failure::BeforeFails { revision: revision.to_owned(), failure: Box::new(failure) }
}

/// Whatever else decides what was found: the tool, the settings, what cargo is asked for.
fn circumstances(ran: &Ran) -> u64 {
    let driver = ran.ready.driver.metadata();
    let mut hasher = DefaultHasher::new();
    (VERSION, &ran.ready.driver, ran.config.settings.to_variable(), &ran.args.words).hash(&mut hasher);
    driver.and_then(|driver| Ok((driver.len(), driver.modified()?))).ok().hash(&mut hasher);
    hasher.finish()
}

fn check_before(ran: &Ran, top: &Path, commit: &str, folder: &Path) -> Result<Vec<Entry>, Failure> {
    let tree = folder.join("tree");
    let cannot = |error| Failure::CannotKeep { file: tree.clone(), error };
    lay_out(top, commit, &tree).map_err(cannot)?;
    let inside = relative(&ran.project.root, top);
    let root = tree.join(inside);
    take_lock_file(&ran.project.root, &root);
    let args = elsewhere(&ran.args, &root);
    let mut project = Project::load(&ran.ready.toolchain, &args)?;
    project.target_directory = folder.join("build");
    project.build_directory = None;
    let settings = Settings { guards: false, map: false, recipes: false, ..ran.config.settings.clone() };
    let check = Check::new(&ran.ready, &project, &settings, &args);
    let findings = merge_checked(&facts::collect(&check)?)?.findings;
    let open = findings.into_iter().filter(|recorded| recorded.finding.suppressed.is_none());
    Ok(open.map(|recorded| Entry::of(&recorded, "")).collect())
}

/// The way from the top of the repository to the workspace. Both may be written with links in them.
fn relative(root: &Path, top: &Path) -> PathBuf {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(root).strip_prefix(real(top)).map(Path::to_owned).unwrap_or_default()
}

/// Writes the files of the commit into an empty directory.
fn lay_out(top: &Path, commit: &str, tree: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(tree) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => std::fs::create_dir_all(tree)?,
    }
    let index = tree.with_extension("index");
    let _ = std::fs::remove_file(&index);
    let prefix = format!("--prefix={}/", tree.display());
    for words in [&["read-tree", commit][..], &["checkout-index", "--all", "--force", &prefix]] {
        let mut git = Command::new("git");
        let said = git.arg("-C").arg(top).args(words).env("GIT_INDEX_FILE", &index).output()?;
        if !said.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&said.stderr).trim().to_owned()));
        }
    }
    std::fs::remove_file(&index)
}

/// A lock file that nobody keeps in the repository is the one of now: otherwise other dependencies would be compared.
fn take_lock_file(from: &Path, to: &Path) {
    if !to.join("Cargo.lock").exists() {
        let _ = std::fs::copy(from.join("Cargo.lock"), to.join("Cargo.lock"));
    }
}

/// The same arguments for the workspace in another place.
fn elsewhere(args: &CargoArgs, root: &Path) -> CargoArgs {
    let manifest = root.join("Cargo.toml");
    let mut words = args.words_without(&["--manifest-path", "--target-dir"]);
    words.extend(["--manifest-path".into(), manifest.clone().into()]);
    CargoArgs { words, manifest_path: Some(manifest), own_target_dir: false, config: args.config.clone() }
}

/// What git answers, or what it says is wrong.
fn git(directory: &Path, words: &[&str]) -> Result<String, String> {
    match Command::new("git").arg("-C").arg(directory).args(words).output() {
        Ok(said) if said.status.success() => Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned()),
        Ok(said) => Err(String::from_utf8_lossy(&said.stderr).into_owned()),
        Err(error) => Err(format!("git does not run: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;

    fn before(fingerprint: &str, kin: &str) -> Entry {
        Entry::of(&now(fingerprint, kin), "")
    }

    fn now(fingerprint: &str, kin: &str) -> Recorded {
        let mut recorded = recorded("src/a.rs", 1);
        (recorded.finding.fingerprint, recorded.kin) = (fingerprint.into(), kin.into());
        recorded
    }

    #[test]
    fn one_that_was_there_stands_for_one() {
        let findings = [now("a", "k"), now("b", "k"), now("c", "l")];
        assert_eq!(was_there(&findings, &[before("b", "k")]), [false, true, false]);
        assert_eq!(was_there(&findings, &[before("z", "k"), before("c", "l")]), [true, false, true]);
    }
}
