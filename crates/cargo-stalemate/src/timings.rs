//! Where the time of a run goes, for `--timings`: the driver tells of each unit in a file of its own, which cargo knows
//! nothing of. What is fresh is not checked again for it, and has nothing to tell.

use finding::timings::UnitTimings;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A run that is being measured.
pub struct Measured {
    file: PathBuf,
    start: Instant,
}

impl Measured {
    pub fn start() -> Measured {
        let file = std::env::temp_dir().join(format!("stalemate-timings-{}.jsonl", std::process::id()));
        // One that a killed run has left would be added to.
        let _ = std::fs::remove_file(&file);
        Measured { file, start: Instant::now() }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// In the order of their names.
    pub fn units(&self) -> Vec<UnitTimings> {
        let mut units = UnitTimings::read(&self.file);
        units.sort_by(|one, other| (&one.crate_name, one.test).cmp(&(&other.crate_name, other.test)));
        units
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_the_order_of_their_names_and_the_file_goes() {
        let measured = Measured::start();
        for (name, test) in [("b", true), ("a", false), ("b", false)] {
            let unit = UnitTimings { crate_name: name.to_owned(), test, ..UnitTimings::default() };
            unit.append(measured.file()).unwrap();
        }
        let units = measured.units();
        let names: Vec<_> = units.iter().map(|unit| (unit.crate_name.as_str(), unit.test)).collect();
        assert_eq!(names, [("a", false), ("b", false), ("b", true)]);
        let file = measured.file().to_owned();
        drop(measured);
        assert!(!file.exists());
    }
}
