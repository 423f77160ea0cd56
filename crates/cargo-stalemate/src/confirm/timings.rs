//! How long it took, for whoever measures this command: `timings.json`, beside the copy of the workspace. It is about the
//! last run alone, and nothing here reads it.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// By the fingerprints of those that there is a witness of.
#[derive(Debug, Default, Serialize)]
pub struct Timings(BTreeMap<String, Timing>);

/// Written in seconds.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// Of all witnesses of the same target together, with whatever else cargo had to build for them.
    #[serde(serialize_with = "seconds")]
    pub build: Duration,
    /// Of building and running it with Miri, if Miri was asked.
    #[serde(serialize_with = "maybe_seconds")]
    pub miri: Option<Duration>,
    /// Of running it with the facade, in all the ways that were tried; none if it was not built, or Miri had shown it.
    #[serde(serialize_with = "maybe_seconds")]
    pub run: Option<Duration>,
}

fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    time.as_secs_f64().serialize(serializer)
}

fn maybe_seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

impl Timings {
    pub fn add(&mut self, fingerprint: &str, timing: Timing) {
        self.0.insert(fingerprint.to_owned(), timing);
    }

    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::write(directory.join("timings.json"), serde_json::to_vec_pretty(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn building_and_running_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let mut timings = Timings::default();
        let of = |build, miri: Option<u64>, run: Option<u64>| Timing {
            build: Duration::from_millis(build),
            miri: miri.map(Duration::from_millis),
            run: run.map(Duration::from_millis),
        };
        timings.add("a1", of(2500, None, Some(500)));
        timings.add("b2", of(2500, Some(1500), None));
        timings.write(directory.path()).unwrap();
        let text = fs::read_to_string(directory.path().join("timings.json")).unwrap();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json::json!({ "a1": { "build": 2.5, "miri": null, "run": 0.5 },
                                           "b2": { "build": 2.5, "miri": 1.5, "run": null } });
        assert_eq!(read, expected);
    }
}
