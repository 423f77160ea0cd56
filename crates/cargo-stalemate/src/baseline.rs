//! The baseline: findings that a team has accepted for now, in a file beside the code, so that only new ones fail a build.
//!
//! An entry goes by the finding's fingerprint, in which there are no lines, and if no finding has it by its kin, the
//! same without modules: so an entry outlives edits above it, rustfmt, and a move to another file. An entry that
//! matches nothing is told, and kept until somebody asks for it to go. A file that cannot be read is never written over.

use crate::errors::{Failure, Request};
use crate::remarks;
use finding::facts::Recorded;
use finding::{Finding, Suppressed, SuppressedBy};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Where it is unless somebody says otherwise, at the root of the workspace.
pub const FILE: &str = "stalemate-baseline.json";

/// Raised when an older tool could misread the file.
const SCHEMA: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    pub findings: Vec<Entry>,
}

/// One accepted finding. What is not needed to know it again is there for whoever reads the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub package: String,
    pub lint: String,
    pub function: String,
    pub fingerprint: String,
    pub kin: String,
    pub message: String,
    /// Why it is accepted; empty if nobody said.
    pub reason: String,
}

/// Why a file is no baseline, and where.
#[derive(Debug)]
pub enum Unreadable {
    Missing,
    Io(io::Error),
    Damaged { line: usize, column: usize, why: String },
    Newer { schema: u32 },
}

impl Default for Baseline {
    fn default() -> Baseline {
        Baseline { schema: SCHEMA, findings: Vec::new() }
    }
}

impl Entry {
    pub fn of(recorded: &Recorded, reason: &str) -> Entry {
        let Finding { package, lint, function, fingerprint, message, .. } = &recorded.finding;
        Entry {
            package: package.clone(),
            lint: lint.clone(),
            function: function.clone(),
            fingerprint: fingerprint.clone(),
            kin: recorded.kin.clone(),
            message: message.clone(),
            reason: reason.to_owned(),
        }
    }
}

impl Baseline {
    pub fn read(path: &Path) -> Result<Baseline, Unreadable> {
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Unreadable::Missing,
            _ => Unreadable::Io(error),
        })?;
        let damaged = |error: serde_json::Error| {
            let why = error.to_string();
            let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why).to_owned();
            Unreadable::Damaged { line: error.line(), column: error.column(), why }
        };
        let Header { schema } = serde_json::from_str(&text).map_err(damaged)?;
        if schema != SCHEMA {
            return Err(Unreadable::Newer { schema });
        }
        let mut baseline: Baseline = serde_json::from_str(&text).map_err(damaged)?;
        // Two branches may have accepted the same.
        baseline.tidy();
        Ok(baseline)
    }

    /// Writes it in one step, and not at all if nothing changes. Says whether it was written.
    pub fn write(&self, path: &Path) -> io::Result<bool> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
            return Ok(false);
        }
        let temporary = path.with_extension(format!("json.{}", std::process::id()));
        std::fs::write(&temporary, text)?;
        std::fs::rename(&temporary, path).inspect_err(|_| drop(std::fs::remove_file(&temporary)))?;
        Ok(true)
    }

    /// Each finding once, always in the same order. Of two entries the one that gives a reason stays.
    fn tidy(&mut self) {
        fn order(entry: &Entry) -> (&str, &str, &str, &str, bool) {
            (&entry.package, &entry.lint, &entry.function, &entry.fingerprint, entry.reason.is_empty())
        }
        self.findings.sort_by(|a, b| order(a).cmp(&order(b)));
        self.findings.dedup_by(|later, first| later.fingerprint == first.fingerprint && later.lint == first.lint);
    }

    pub fn add(&mut self, entry: Entry) {
        self.findings.push(entry);
        self.tidy();
    }

    /// Accepts what is in it, and gives the entries of the checked packages that match nothing.
    pub fn accept(&self, findings: &mut [Recorded], packages: &[String]) -> Vec<&Entry> {
        let matches = pair_up(&self.findings, findings);
        for (recorded, number) in findings.iter_mut().zip(&matches) {
            if let (Some(number), None) = (number, &recorded.finding.suppressed) {
                let reason = self.findings[*number].reason.clone();
                recorded.finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason });
            }
        }
        let is_gone =
            |(number, entry): &(usize, &Entry)| packages.contains(&entry.package) && !matches.contains(&Some(*number));
        self.findings.iter().enumerate().filter(is_gone).map(|(_, entry)| entry).collect()
    }

    pub fn remove(&mut self, gone: &[Entry]) {
        self.findings.retain(|entry| !gone.contains(entry));
    }
}

/// The entry of each finding, if there is one: by its name, or else by its kin. An entry serves one finding.
pub fn pair_up(entries: &[Entry], findings: &[Recorded]) -> Vec<Option<usize>> {
    let mut free: Vec<bool> = vec![true; entries.len()];
    let mut found: Vec<Option<usize>> = vec![None; findings.len()];
    type Same = fn(&Entry, &Recorded) -> bool;
    let by_name: Same = |entry, recorded| entry.fingerprint == recorded.finding.fingerprint;
    let by_kin: Same = |entry, recorded| entry.kin == recorded.kin && entry.package == recorded.finding.package;
    for is_same in [by_name, by_kin] {
        for (recorded, found) in findings.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let fits = |(number, entry): &(usize, &Entry)| {
                free[*number] && entry.lint == recorded.finding.lint && is_same(entry, recorded)
            };
            *found = entries.iter().enumerate().find(fits).map(|(number, _)| number);
            if let Some(number) = *found {
                free[number] = false;
            }
        }
    }
    found
}

/// A baseline and where it is kept.
#[derive(Debug)]
pub struct BaselineFile {
    pub path: PathBuf,
    pub baseline: Baseline,
}

impl BaselineFile {
    /// `or_new`: one that is not there yet is an empty one.
    pub fn open(path: PathBuf, or_new: bool) -> Result<BaselineFile, Failure> {
        match Baseline::read(&path) {
            Ok(baseline) => Ok(BaselineFile { path, baseline }),
            Err(Unreadable::Missing) if or_new => Ok(BaselineFile { path, baseline: Baseline::default() }),
            Err(why) => Err(Request::Baseline { file: path, why }.into()),
        }
    }

    /// Those that nobody has accepted yet are accepted from now on.
    pub fn take_in(&mut self, findings: &mut [Recorded], reason: &str) {
        for recorded in findings.iter_mut().filter(|recorded| recorded.finding.suppressed.is_none()) {
            self.baseline.add(Entry::of(recorded, reason));
            let reason = reason.to_owned();
            recorded.finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason });
        }
    }

    pub fn save(&self) -> Result<(), Failure> {
        let written = self.baseline.write(&self.path);
        let written = written.map_err(|error| Failure::CannotKeep { file: self.path.clone(), error })?;
        remarks::written(&self.path, written, self.baseline.findings.len());
        Ok(())
    }
}

/// The part that every schema shares.
#[derive(Deserialize)]
struct Header {
    schema: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;

    fn finding(fingerprint: &str, kin: &str) -> Recorded {
        let mut recorded = recorded("src/a.rs", 1);
        recorded.finding.fingerprint = fingerprint.into();
        recorded.kin = kin.into();
        recorded
    }

    fn baseline(entries: &[(&str, &str)]) -> Baseline {
        let mut baseline = Baseline::default();
        entries.iter().for_each(|(name, kin)| baseline.add(Entry::of(&finding(name, kin), "known")));
        baseline
    }

    fn accepted(baseline: &Baseline, findings: &mut [Recorded]) -> (Vec<bool>, usize) {
        let gone = baseline.accept(findings, &["bank".to_owned()]).len();
        (findings.iter().map(|it| it.finding.suppressed.is_some()).collect(), gone)
    }

    #[test]
    fn a_name_goes_before_kin_and_an_entry_serves_once() {
        let known = baseline(&[("a", "k"), ("b", "k")]);
        let mut findings = [finding("c", "k"), finding("b", "k"), finding("d", "k")];
        assert_eq!(accepted(&known, &mut findings), (vec![true, true, false], 0));
    }

    #[test]
    fn entries_that_match_nothing_are_gone_unless_their_package_was_not_checked() {
        let known = baseline(&[("a", "k"), ("b", "l")]);
        assert_eq!(accepted(&known, &mut [finding("a", "k")]), (vec![true], 1));
        assert!(known.accept(&mut [], &["other".to_owned()]).is_empty());
    }

    #[test]
    fn another_lint_is_another_finding() {
        let mut other = finding("a", "k");
        other.finding.lint = "check_then_act".into();
        assert_eq!(accepted(&baseline(&[("a", "k")]), &mut [other]), (vec![false], 1));
    }

    #[test]
    fn what_is_written_is_read_again_and_not_written_twice() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        assert!(matches!(Baseline::read(&path), Err(Unreadable::Missing)));
        let known = baseline(&[("b", "l"), ("a", "k"), ("a", "k")]);
        assert!(known.write(&path).unwrap());
        assert_eq!(Baseline::read(&path).unwrap(), known);
        assert_eq!(known.findings.len(), 2);
        assert!(!known.write(&path).unwrap());
    }

    #[test]
    fn damage_is_told_with_its_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        std::fs::write(&path, "{\n  \"schema\": 1,\n<<<<<<< HEAD\n").unwrap();
        assert!(matches!(Baseline::read(&path), Err(Unreadable::Damaged { line: 3, .. })));
        std::fs::write(&path, "{ \"schema\": 9, \"other\": 1 }").unwrap();
        assert!(matches!(Baseline::read(&path), Err(Unreadable::Newer { schema: 9 })));
        std::fs::write(&path, "{ \"schema\": 1, \"findings\": [{}] }").unwrap();
        assert!(matches!(Baseline::read(&path), Err(Unreadable::Damaged { line: 1, .. })));
    }
}
