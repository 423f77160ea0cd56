//! All sides in all situations, again and again. Sides take turns, so that what else the machine does meets all alike.

use super::figures::{Figures, Run};
use super::measure;
use super::settings::Settings;
use super::side::Side;
use super::situation::Situation;
use super::source::Source;
use super::usage::Usage;
use crate::lab::{Lab, Subject, Trouble};
use finding::timings::{self, Phase, UnitTimings};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Each would put another program in the place of one that is compared.
const SUBSTITUTES: [&str; 4] = ["STALEMATE_DRIVER", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"];

pub struct Rounds<'a> {
    pub settings: &'a Settings,
    pub lab: &'a Lab,
    /// The program that measures one command.
    pub measurer: &'a Path,
}

/// A copy of a crate, and where it is built.
struct Site {
    copy: PathBuf,
    builds: PathBuf,
}

impl Site {
    /// What the driver tells of itself.
    fn timings(&self) -> PathBuf {
        self.builds.join("timings")
    }
}

/// Where runs are kept.
const KEPT: &str = "runs";

impl Rounds<'_> {
    /// Measured now, or by an earlier run if that is wanted.
    pub fn measure<'s>(&self, subject: &'s Subject) -> Result<Figures<'s>, Trouble> {
        let sides: Vec<&str> = self.settings.sides.iter().map(|side| side.folder()).collect();
        let Settings { runs, channel, resume, .. } = self.settings;
        let stamp = format!("{}\n{channel}, {runs} runs of {}", self.lab.stamp_of(subject)?, sides.join(" "));
        let kept = self.lab.kept(KEPT, subject, &stamp).filter(|_| *resume);
        if let Some(runs) = kept.and_then(|kept| serde_json::from_slice::<Vec<Run>>(&kept).ok()) {
            eprintln!("{}: kept", subject.title());
            return Ok(Figures::new(subject, &runs));
        }
        let runs = self.measure_anew(subject)?;
        self.lab.keep(KEPT, subject, &stamp, &serde_json::to_vec(&runs).expect("numbers can be written"))?;
        Ok(Figures::new(subject, &runs))
    }

    fn measure_anew(&self, subject: &Subject) -> Result<Vec<Run>, Trouble> {
        let copy = self.lab.copy_of(subject)?;
        let site = Site { copy, builds: self.lab.work().join(subject.folder()) };
        fs::create_dir_all(&site.builds).map_err(|error| Trouble::io("not prepared", &site.builds, error))?;
        let mut source = Source::open(site.copy.join("src/lib.rs"))?;
        self.fetch(&site)?;
        let mut measured = Vec::new();
        let runs = self.settings.runs;
        for run in 1..=runs {
            for situation in Situation::ALL {
                eprintln!("{}: run {run} of {runs}, {}", subject.title(), situation.word());
                for &side in &self.settings.sides {
                    situation.prepare(&site.builds.join(side.folder()), &mut source, run)?;
                    let _ = fs::remove_file(site.timings());
                    let usage = self.measure_one(subject, &site, side);
                    let usage = usage.map_err(|trouble| told(trouble, situation, side))?;
                    measured.push(Run { situation, side, usage, phases: phases(&site.timings()) });
                }
                source.restore()?;
            }
        }
        Ok(measured)
    }

    fn measure_one(&self, subject: &Subject, site: &Site, side: Side) -> Result<Usage, Trouble> {
        let target = site.builds.join(side.folder());
        let words = side.command(self.lab.front_end(), &site.copy.join("Cargo.toml"), &target, &subject.args);
        let mut measurer = self.command(self.measurer, site);
        // To write them takes about a thousandth of the time of the analysis; that is measured with it.
        measurer.env(timings::VARIABLE, site.timings());
        measurer.args(["measure", "--"]).args(words);
        measure::measured(measurer, &site.builds.join("log"), |code| side.is_done(code))
    }

    /// Downloads are not measured.
    fn fetch(&self, site: &Site) -> Result<(), Trouble> {
        let mut cargo = self.command(Path::new("cargo"), site);
        cargo.args(["fetch", "--quiet", "--manifest-path"]).arg(site.copy.join("Cargo.toml"));
        let answer = cargo.output().map_err(|error| Trouble::io("not fetched", Path::new("cargo"), error))?;
        match answer.status.success() {
            true => Ok(()),
            false => Err(Trouble::new("not fetched", &String::from_utf8_lossy(&answer.stderr))),
        }
    }

    /// Stands in the copy, so that no settings of the caller's directory count.
    fn command(&self, program: &Path, site: &Site) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&site.copy).env("RUSTUP_TOOLCHAIN", &self.settings.channel).stdin(Stdio::null());
        for name in SUBSTITUTES {
            command.env_remove(name);
        }
        command
    }
}

/// CPU seconds of all units that the driver was run on.
fn phases(file: &Path) -> BTreeMap<Phase, f64> {
    let mut all = BTreeMap::new();
    for unit in UnitTimings::read(file) {
        unit.nanoseconds.iter().for_each(|(phase, time)| *all.entry(*phase).or_default() += *time as f64 / 1e9);
    }
    all
}

fn told(trouble: Trouble, situation: Situation, side: Side) -> Trouble {
    Trouble { what: format!("{}, {}: {}", situation.word(), side.title(), trouble.what), ..trouble }
}
