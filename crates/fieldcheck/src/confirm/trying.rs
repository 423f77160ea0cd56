//! Versions, one after the other: each of their findings is run, and one of them once more for the time. A result is kept
//! for as long as nothing that it depends on changes; what was built for it is removed.

use super::Records;
use super::asked::Wanted;
use super::command::{Confirm, TOOLCHAIN};
use super::record::{Again, Record, Status, Tried};
use crate::lab::{Lab, Subject, Trouble};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::{Duration, Instant};

/// How many findings one run of the command is given. It tells nothing before its end, so with few of them little is lost
/// when the time is over; each further run builds the crate again, but not what it depends on.
const BATCH: usize = 12;

/// Where results are kept, in the working directory.
const OUT: &str = "out/confirm";

pub struct Trying<'a> {
    pub lab: &'a Lab,
    /// For one version.
    pub limit: Duration,
    pub keep_builds: bool,
}

impl Trying<'_> {
    pub fn all(&self, wanted: &Wanted) -> Records {
        let count = wanted.len();
        let tried = (1..).zip(wanted).map(|(at, (subject, fingerprints))| {
            let record = self.one(subject, fingerprints, count - at);
            if let Err(trouble) = &record {
                eprintln!("        {}: {}", subject.title(), trouble.what);
            }
            (subject.clone(), record)
        });
        tried.collect()
    }

    fn one(&self, subject: &Subject, fingerprints: &BTreeSet<String>, left: usize) -> Result<Record, Trouble> {
        let stamp = self.stamp(subject, fingerprints)?;
        let kept = self.lab.kept(OUT, subject, &stamp);
        if let Some(record) = kept.and_then(|kept| serde_json::from_slice(&kept).ok()) {
            eprintln!("   kept {} ({left} left)", subject.title());
            return Ok(record);
        }
        eprintln!("running {}: {} to confirm ({left} left)", subject.title(), fingerprints.len());
        let confirm = Confirm::new(self.lab, subject)?;
        let record = self.record(&confirm, fingerprints);
        if !self.keep_builds {
            let removed = fs::remove_dir_all(confirm.target());
            removed.map_err(|error| Trouble::io("builds not removed", confirm.target(), error))?;
        }
        let record = record?;
        let bytes = serde_json::to_vec_pretty(&record).unwrap_or_default();
        self.lab.keep(OUT, subject, &stamp, &bytes)?;
        Ok(record)
    }

    /// The limit counts, because with more time more may be finished.
    fn stamp(&self, subject: &Subject, fingerprints: &BTreeSet<String>) -> Result<String, Trouble> {
        let findings: Vec<_> = fingerprints.iter().map(String::as_str).collect();
        let toolchain = std::env::var(TOOLCHAIN).unwrap_or_default();
        let stamp = self.lab.stamp_of(subject)?;
        let seconds = self.limit.as_secs();
        Ok(format!("{stamp}limit {seconds}\ntoolchain {toolchain}\nfindings {}\n", findings.join(" ")))
    }

    fn record(&self, confirm: &Confirm<'_>, fingerprints: &BTreeSet<String>) -> Result<Record, Trouble> {
        let end = Instant::now() + self.limit;
        let left = || end.saturating_duration_since(Instant::now());
        let all: Vec<_> = fingerprints.iter().cloned().collect();
        let mut tried: BTreeMap<String, Tried> = BTreeMap::new();
        for batch in all.chunks(BATCH) {
            let ran = if left().is_zero() { None } else { confirm.run(batch, left())? };
            let of_batch = ran.map(|ran| ran.tried).unwrap_or_default();
            // Whatever is not there was not run, for want of time.
            let of = |one: &String| of_batch.get(one).cloned().unwrap_or_else(Tried::not_finished);
            tried.extend(batch.iter().map(|one| (one.clone(), of(one))));
            let is_finished = |tried: &&Tried| tried.status != Status::NotFinished;
            let finished = tried.values().filter(is_finished).count();
            eprintln!("        {finished} of {} finished, {} seconds left", all.len(), left().as_secs());
        }
        let again = match quickest(&tried) {
            Some(fingerprint) if !left().is_zero() => again(confirm, fingerprint, left())?,
            _ => None,
        };
        Ok(Record { tried, again })
    }
}

/// Any finding would do for the time around a witness, so it is the one that takes least by itself.
fn quickest(tried: &BTreeMap<String, Tried>) -> Option<&String> {
    let ran = tried.iter().filter_map(|(fingerprint, tried)| Some((fingerprint, tried.seconds?)));
    ran.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(fingerprint, _)| fingerprint)
}

fn again(confirm: &Confirm<'_>, fingerprint: &String, limit: Duration) -> Result<Option<Again>, Trouble> {
    let Some(ran) = confirm.run(std::slice::from_ref(fingerprint), limit)? else { return Ok(None) };
    Ok(ran.build.map(|build| Again { build, around: ran.around }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_ran_can_be_run_again() {
        let tried = |seconds| Tried { status: Status::NotReproduced, said: String::new(), seconds };
        let of = |all: &[(&str, Option<f64>)]| -> Option<String> {
            let all = all.iter().map(|(name, seconds)| (name.to_string(), tried(*seconds))).collect();
            quickest(&all).cloned()
        };
        assert_eq!(of(&[("a", None), ("b", Some(7.0)), ("c", Some(0.5))]).as_deref(), Some("c"));
        assert_eq!(of(&[("a", None)]), None);
    }
}
