//! All sides in all situations, again and again. Sides take turns, so that what else the machine does meets all alike.

use super::figures::{Figures, Usages};
use super::measure;
use super::settings::Settings;
use super::side::Side;
use super::situation::Situation;
use super::source::Source;
use super::usage::Usage;
use crate::lab::{Lab, Subject, Trouble};
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

impl Rounds<'_> {
    pub fn measure<'s>(&self, subject: &'s Subject) -> Result<Figures<'s>, Trouble> {
        let copy = self.lab.copy_of(subject)?;
        let site = Site { copy, builds: self.lab.work().join(subject.folder()) };
        fs::create_dir_all(&site.builds).map_err(|error| Trouble::io("not prepared", &site.builds, error))?;
        let mut source = Source::open(site.copy.join("src/lib.rs"))?;
        self.fetch(&site)?;
        let mut usages = Usages::new();
        let runs = self.settings.runs;
        for run in 1..=runs {
            for situation in Situation::ALL {
                eprintln!("{}: run {run} of {runs}, {}", subject.title(), situation.word());
                for &side in &self.settings.sides {
                    situation.prepare(&site.builds.join(side.folder()), &mut source, run)?;
                    let usage = self.measure_one(subject, &site, side);
                    let usage = usage.map_err(|trouble| told(trouble, situation, side))?;
                    usages.entry((situation, side)).or_default().push(usage);
                }
                source.restore()?;
            }
        }
        Ok(Figures::new(subject, &usages))
    }

    fn measure_one(&self, subject: &Subject, site: &Site, side: Side) -> Result<Usage, Trouble> {
        let target = site.builds.join(side.folder());
        let words = side.command(self.lab.front_end(), &site.copy.join("Cargo.toml"), &target, &subject.args);
        let mut measurer = self.command(self.measurer, site);
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

fn told(trouble: Trouble, situation: Situation, side: Side) -> Trouble {
    Trouble { what: format!("{}, {}: {}", situation.word(), side.title(), trouble.what), ..trouble }
}
