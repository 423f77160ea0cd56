//! What runs have shown, kept for later reports. It holds as long as neither the finding nor the files that it is about have
//! changed.

use finding::document::ConfirmationStatus;
use finding::facts::Recorded;
use finding::{Confirmation, Finding, Reason, rank};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a run that shows it adds to the score.
const POINTS: i32 = 15;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    version: String,
    findings: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Of the finding and its files.
    of: String,
    confirmation: Confirmation,
}

fn path(target_directory: &Path) -> PathBuf {
    target_directory.join("stalemate").join("confirmed.json")
}

impl Remembered {
    /// A file that is missing, damaged or of another version holds nothing.
    pub fn read(target_directory: &Path) -> Remembered {
        let bytes = fs::read(path(target_directory)).unwrap_or_default();
        let read: Remembered = serde_json::from_slice(&bytes).unwrap_or_default();
        if read.version == crate::VERSION { read } else { Remembered::default() }
    }

    pub fn add(&mut self, root: &Path, finding: &Finding, confirmation: &Confirmation) {
        self.version = crate::VERSION.to_owned();
        let entry = Entry { of: circumstances(root, finding), confirmation: confirmation.clone() };
        self.findings.insert(finding.fingerprint.clone(), entry);
    }

    /// Whether it was shown before, and nothing has changed since.
    pub fn is_confirmed(&self, root: &Path, finding: &Finding) -> bool {
        let entry = self.findings.get(&finding.fingerprint);
        let entry = entry.filter(|entry| entry.of == circumstances(root, finding));
        entry.is_some_and(|entry| entry.confirmation.status == ConfirmationStatus::Confirmed)
    }

    pub fn write(&self, target_directory: &Path) -> io::Result<()> {
        let path = path(target_directory);
        fs::create_dir_all(path.parent().unwrap_or(target_directory))?;
        fs::write(path, serde_json::to_vec_pretty(self)?)
    }

    /// Tells the findings what is known of them.
    pub fn tell(&self, root: &Path, findings: &mut [Recorded]) {
        for Recorded { finding, .. } in findings {
            let entry = self.findings.get(&finding.fingerprint);
            if let Some(entry) = entry.filter(|entry| entry.of == circumstances(root, finding)) {
                give(finding, entry.confirmation.clone());
            }
        }
    }
}

/// The finding with what its runs have shown. It never falls in rank.
pub fn give(finding: &mut Finding, confirmation: Confirmation) {
    if confirmation.status == ConfirmationStatus::Confirmed {
        let text = "the interleaving was run, and gave what no serial order gives".to_owned();
        finding.reasons.push(Reason { points: POINTS, text });
        finding.score = finding.score.max(rank::score(&finding.reasons));
        finding.confidence = finding.confidence.max(rank::confidence(finding.score));
    }
    finding.confirmation = Some(confirmation);
}

fn circumstances(root: &Path, finding: &Finding) -> String {
    let bare = Finding { confirmation: None, suppressed: None, ..finding.clone() };
    let mut hash = Sha256::new();
    hash.update(serde_json::to_vec(&bare).unwrap_or_default());
    let files: BTreeSet<&str> =
        finding.trace.iter().map(|step| step.place.file.as_str()).chain([finding.primary.file.as_str()]).collect();
    for file in files {
        hash.update(fs::read(root.join(file)).unwrap_or_default());
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;

    #[test]
    fn it_holds_until_the_file_changes() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::write(root.join("a.rs"), "fn a() {}").unwrap();
        let mut known = Remembered::read(root);
        known.add(root, &recorded("a.rs", 1).finding, &Confirmation::of(ConfirmationStatus::Confirmed, "seen"));
        known.write(root).unwrap();
        let told = || {
            let mut findings = [recorded("a.rs", 1)];
            Remembered::read(root).tell(root, &mut findings);
            findings[0].finding.clone()
        };
        let before = recorded("a.rs", 1).finding;
        assert_eq!(told().confirmation.unwrap().reason, "seen");
        assert!(Remembered::read(root).is_confirmed(root, &before));
        assert!(told().score >= before.score && told().reasons.len() == before.reasons.len() + 1);
        fs::write(root.join("a.rs"), "fn b() {}").unwrap();
        assert_eq!(told().confirmation, None);
        assert!(!Remembered::read(root).is_confirmed(root, &before));
    }

    #[test]
    fn a_damaged_file_holds_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let file = path(directory.path());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "{").unwrap();
        assert_eq!(Remembered::read(directory.path()), Remembered::default());
    }
}
