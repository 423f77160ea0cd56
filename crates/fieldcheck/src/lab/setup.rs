//! What some versions need before they compile: a patch for a newer compiler, and the lock file they compiled with.
//! A version that has a setup gets it in every run, so that all runs of one version see the same code.

use super::Trouble;
use super::hash::hash;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const UNPREPARED: &str = "not prepared";

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Setup {
    patch: Option<Vec<u8>>,
    lock: Option<Vec<u8>>,
}

impl Setup {
    /// A version without a folder, or without one of the files, needs none.
    pub fn read(folder: &Path) -> Result<Setup, Trouble> {
        let file = |name: &str| match fs::read(folder.join(name)) {
            Ok(bytes) => Ok(Some(bytes).filter(|bytes| !bytes.is_empty())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Trouble::io(UNPREPARED, &folder.join(name), error)),
        };
        Ok(Setup { patch: file("changes.patch")?, lock: file("Cargo.lock")? })
    }

    pub fn hash(&self) -> String {
        let part = |file: &Option<Vec<u8>>| file.clone().unwrap_or_default();
        hash(&[&part(&self.patch), &part(&self.lock)])
    }

    pub fn apply(&self, copy: &Path) -> Result<(), Trouble> {
        if let Some(changes) = &self.patch {
            patch(copy, changes)?;
        }
        match &self.lock {
            Some(lock) => fs::write(copy.join("Cargo.lock"), lock)
                .map_err(|error| Trouble::io(UNPREPARED, &copy.join("Cargo.lock"), error)),
            None => Ok(()),
        }
    }
}

fn patch(copy: &Path, changes: &[u8]) -> Result<(), Trouble> {
    let answer = run_patch(copy, changes).map_err(|error| Trouble::io(UNPREPARED, Path::new("patch"), error))?;
    if answer.status.success() {
        return Ok(());
    }
    let said = [answer.stdout, answer.stderr].concat();
    Err(Trouble::new(UNPREPARED, &String::from_utf8_lossy(&said)))
}

/// Never asks anything, and never takes a patch back out that is in already.
fn run_patch(copy: &Path, changes: &[u8]) -> io::Result<std::process::Output> {
    let mut child = Command::new("patch")
        .args(["-p1", "--batch", "--forward"])
        .current_dir(copy)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(changes)?;
    }
    child.wait_with_output()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(patch: &str, lock: &str) -> Setup {
        let bytes = |text: &str| Some(text.as_bytes().to_vec()).filter(|bytes| !bytes.is_empty());
        Setup { patch: bytes(patch), lock: bytes(lock) }
    }

    #[test]
    fn every_change_of_a_setup_shows_in_its_hash() {
        let hashes = [setup("a", "b"), setup("b", "a"), setup("", "ab"), Setup::default()].map(|setup| setup.hash());
        for (at, hash) in hashes.iter().enumerate() {
            assert!(!hashes[at + 1..].contains(hash), "{hashes:?}");
        }
    }

    #[test]
    fn no_folder_is_no_setup() {
        assert_eq!(Setup::read(Path::new("no/such/folder")), Ok(Setup::default()));
    }

    #[test]
    fn a_shipped_setup_has_both_files() {
        let folder = crate::input::shipped("known/setup/lasso-0.4.1");
        let setup = Setup::read(&folder).unwrap();
        assert!(setup.patch.is_some() && setup.lock.is_some());
    }
}
