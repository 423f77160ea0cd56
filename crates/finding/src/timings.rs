//! How long the analysis of a unit took and how much it did, for `cargo stalemate --timings` and for whoever measures the
//! tool. It is told apart from the findings, which must be the same bytes for the same input: into the file that a
//! variable names, one line for each unit.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, read_to_string};
use std::io::{self, Write};
use std::path::Path;

/// Names the file. Cargo is not told of it: to measure a unit is no reason to check it again.
pub const VARIABLE: &str = "STALEMATE_TIMINGS";

/// What the time of a unit is spent on, in the order of the way through the lint library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Which bodies are to be read, and whether anything has changed since the last time.
    Choosing,
    /// MIR is asked for, and becomes events.
    Reading,
    /// Bodies are walked.
    Walking,
    /// The facts of all bodies are put together and judged.
    Checks,
    /// What was found is told and written.
    Emit,
}

impl Phase {
    pub const ALL: [Phase; 5] = [Phase::Choosing, Phase::Reading, Phase::Walking, Phase::Checks, Phase::Emit];

    pub fn word(self) -> &'static str {
        match self {
            Phase::Choosing => "choosing",
            Phase::Reading => "reading",
            Phase::Walking => "walking",
            Phase::Checks => "checks",
            Phase::Emit => "emit",
        }
    }
}

/// How much was done. The same input gives the same numbers, so growth can be told from them without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Bodies read, and walks through bodies. One that is met again after its callee has changed counts again.
    pub reads: u64,
    pub walks: u64,
    /// Events that a state was taken through.
    pub steps: u64,
    /// Entries of states that were taken from a block to the next one.
    pub carried: u64,
}

/// One unit that the driver was run on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitTimings {
    pub crate_name: String,
    pub test: bool,
    /// It was as it was the last time, and not looked at again.
    pub kept: bool,
    pub nanoseconds: BTreeMap<Phase, u64>,
    pub counts: Counts,
}

impl UnitTimings {
    pub fn total(&self) -> u64 {
        self.nanoseconds.values().sum()
    }

    /// Several drivers may do this at a time.
    pub fn append(&self, file: &Path) -> io::Result<()> {
        let line = format!("{}\n", serde_json::to_string(self)?);
        File::options().create(true).append(true).open(file)?.write_all(line.as_bytes())
    }

    /// Those of all units in the file. Without a file no driver was run.
    pub fn read(file: &Path) -> Vec<UnitTimings> {
        let text = read_to_string(file).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_one_after_the_other() {
        let file = std::env::temp_dir().join(format!("stalemate-timings-of-test-{}", std::process::id()));
        assert_eq!(UnitTimings::read(&file), []);
        let one = UnitTimings {
            crate_name: "pool".to_owned(),
            nanoseconds: [(Phase::Walking, 7), (Phase::Emit, 2)].into(),
            counts: Counts { steps: 3, ..Counts::default() },
            ..UnitTimings::default()
        };
        let other = UnitTimings { test: true, kept: true, ..one.clone() };
        one.append(&file).unwrap();
        other.append(&file).unwrap();
        assert_eq!(UnitTimings::read(&file), [one.clone(), other]);
        assert_eq!(one.total(), 9);
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn phases_stand_in_their_order() {
        assert!(Phase::ALL.is_sorted());
        assert!(Phase::ALL.iter().all(|phase| serde_json::to_value(phase).unwrap() == phase.word()));
    }
}
