//! One run of `cargo stalemate confirm` on the copy of a crate, and what it left.

use super::record::Tried;
use crate::bounded;
use crate::lab::{self, Lab, Subject, Trouble};
use finding::Document;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// How the toolchain is called that witnesses are built with. `./x` says which: the one that the setups were made for.
pub const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// Findings of one version, to be run.
pub struct Confirm<'a> {
    lab: &'a Lab,
    subject: &'a Subject,
    manifest: PathBuf,
    /// What is built goes there; nobody else uses it.
    target: PathBuf,
}

/// One run that came to its end.
pub struct Ran {
    /// By fingerprint.
    pub tried: BTreeMap<String, Tried>,
    /// Seconds of building the witnesses, if there are any.
    pub build: Option<f64>,
    /// Seconds of the whole command, without those of running witnesses and of Miri.
    pub around: f64,
}

/// As the front-end writes it.
#[derive(Debug, Deserialize)]
struct Timing {
    build: f64,
    miri: Option<f64>,
    run: Option<f64>,
}

impl Timing {
    fn of_witness(&self) -> f64 {
        self.miri.unwrap_or_default() + self.run.unwrap_or_default()
    }
}

type Timings = BTreeMap<String, Timing>;

impl<'a> Confirm<'a> {
    pub fn new(lab: &'a Lab, subject: &'a Subject) -> Result<Confirm<'a>, Trouble> {
        let manifest = lab.copy_of(subject)?.join("Cargo.toml");
        let target = lab.work().join("confirm").join(subject.folder());
        fs::create_dir_all(&target).map_err(|error| Trouble::io("not started", &target, error))?;
        Ok(Confirm { lab, subject, manifest, target })
    }

    /// `None` if its time was over.
    pub fn run(&self, fingerprints: &[String], limit: Duration) -> Result<Option<Ran>, Trouble> {
        let start = Instant::now();
        let ended = self.run_bounded(fingerprints, limit);
        let ended = ended.map_err(|error| Trouble::io("not started", self.lab.front_end(), error))?;
        let elapsed = start.elapsed();
        let Some(status) = ended else { return Ok(None) };
        let said = |name: &str| fs::read(self.target.join(name)).unwrap_or_default();
        if !matches!(status.code(), Some(0 | 1)) {
            let words = String::from_utf8_lossy(&said(WORDS)).into_owned();
            return Err(Trouble::new(format!("crashed ({status})"), &words));
        }
        let document = lab::document(&said(DOCUMENT))?;
        let timings: Timings =
            serde_json::from_slice(&fs::read(self.timings()).unwrap_or_default()).unwrap_or_default();
        let build = timings.values().map(|timing| timing.build).reduce(f64::max);
        let around = elapsed.as_secs_f64() - timings.values().map(Timing::of_witness).sum::<f64>();
        Ok(Some(Ran { tried: tried(&document, &timings), build, around }))
    }

    /// What it says goes to files, so that nobody has to read while it runs.
    fn run_bounded(&self, fingerprints: &[String], limit: Duration) -> io::Result<Option<std::process::ExitStatus>> {
        // Where nothing is built the front-end leaves those of the run before.
        let _ = fs::remove_file(self.timings());
        let mut command = Command::new(self.lab.front_end());
        command.args(["stalemate", "confirm", "--format", "json"]).args(fingerprints);
        command.arg("--manifest-path").arg(&self.manifest);
        // The check finds what earlier ones of the lab have built.
        command.args(["--", "--lib", "--target-dir"]).arg(self.lab.work().join("build")).args(&self.subject.args);
        command.env("CARGO_TARGET_DIR", &self.target).env_remove("STALEMATE_DRIVER");
        command.stdout(File::create(self.target.join(DOCUMENT))?).stderr(File::create(self.target.join(WORDS))?);
        bounded::run(&mut command, limit)
    }

    fn timings(&self) -> PathBuf {
        self.target.join("stalemate-confirm").join("timings.json")
    }

    pub fn target(&self) -> &Path {
        &self.target
    }
}

const DOCUMENT: &str = "said.json";
const WORDS: &str = "said.txt";

fn tried(document: &Document, timings: &Timings) -> BTreeMap<String, Tried> {
    let findings = document.findings.iter().filter_map(|finding| {
        let seconds = timings.get(&finding.fingerprint).and_then(|timing| timing.run);
        Some((finding.fingerprint.clone(), Tried::new(finding.confirmation.as_ref()?, seconds)))
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::Status;
    use super::*;
    use crate::samples::{document, finding, place};
    use finding::document::ConfirmationStatus;
    use finding::{Confidence, Confirmation, Finding};

    #[test]
    fn each_finding_gets_its_own_time() {
        let found = |fingerprint: &str, status| Finding {
            fingerprint: fingerprint.to_owned(),
            confirmation: Some(Confirmation::of(status, "")),
            ..finding("stale_value", Confidence::High, "get", place("src/lib.rs", 1))
        };
        let findings = vec![
            found("a", ConfirmationStatus::Confirmed),
            found("b", ConfirmationStatus::CannotBuild),
            found("c", ConfirmationStatus::NeedsFixture),
        ];
        let written =
            r#"{"a": {"build": 3.0, "miri": null, "run": 0.5}, "b": {"build": 3.0, "miri": 2.0, "run": null}}"#;
        let timings: Timings = serde_json::from_str(written).unwrap();
        assert_eq!(timings.values().map(Timing::of_witness).collect::<Vec<_>>(), [0.5, 2.0]);
        let tried = tried(&document(1, findings), &timings);
        let told: Vec<_> = tried.values().map(|tried| (tried.status, tried.seconds)).collect();
        let expected = [(Status::Confirmed, Some(0.5)), (Status::CannotBuild, None), (Status::NeedsFixture, None)];
        assert_eq!(told, expected);
    }
}
