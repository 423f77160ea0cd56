//! What a check with the tool costs over a plain `cargo check`, in CPU seconds and in memory. Both are measured side by
//! side in one run, because machines differ and so does what else they do.
//!
//! - [`settings`]: arguments and environment, as one;
//! - [`side`]: the commands that are compared;
//! - [`situation`]: what there is to do for them: everything, the crate alone, an edit;
//! - [`source`]: the file that is touched and edited, and is put right again;
//! - [`measure`] and [`usage`]: one command in a process of its own, and what the system counted for it;
//! - [`rounds`]: all of them in turn, again and again;
//! - [`figures`]: medians, minima and ratios;
//! - [`limits`]: which ratios are too high;
//! - [`report`]: tables for people, a document for machines;
//! - [`page`]: the same for the documentation, with what is aimed at.
//!
//! Copies and builds are kept apart from those of the other commands, because here they are edited and removed.

mod figures;
mod limits;
pub mod measure;
mod page;
mod report;
mod rounds;
mod settings;
mod side;
mod situation;
mod source;
mod usage;

use crate::Report;
use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::lab::{Lab, Wish};
use crate::marks::{Mark, Page};
pub use figures::median;
use rounds::Rounds;
use settings::Settings;
use std::fs::File;

/// The part of docs/performance.md that a run writes.
const SPEED: Mark = "<!-- crates: made by ./x bench -->";

pub fn run(args: &BenchArgs) -> Result<Report, Failure> {
    // What cannot work is said now, and not after an hour of measuring.
    usage::of_children()?;
    let settings = Settings::new(args, &|name| std::env::var(name).ok())?;
    let json = match &args.json {
        Some(path) => Some((path, File::create(path).map_err(|error| Failure::cannot(path, error))?)),
        None => None,
    };
    let page = args.page.clone().map(|file| Page::open(file, &[SPEED])).transpose()?;
    let lab = Lab::new(&settings.lab, "bench", Wish::Usual)?;
    let rounds = Rounds { settings: &settings, lab: &lab, measurer: &lab.copy_of_this()? };
    let mut measured = Vec::new();
    for subject in &settings.subjects {
        match rounds.measure(subject) {
            Ok(figures) => measured.push(figures),
            Err(trouble) => return Ok(report::stopped(&settings, &measured, subject, &trouble)),
        }
    }
    if let Some(page) = page {
        page.write(&[(SPEED, page::section(&settings, &measured))])?;
    }
    let over = settings.limits.exceeded(&measured);
    if let Some((path, file)) = json {
        report::write(file, &settings, &measured, &over).map_err(|error| Failure::cannot(path, error))?;
    }
    Ok(report::report(&settings, &measured, &over))
}
