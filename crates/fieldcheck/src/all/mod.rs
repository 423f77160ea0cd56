//! Everything at once: the real crates and both lists of known bugs, compared with what was written down before, and the
//! numbers of docs/field.md. They are made of the state alone, never of a run, so that the page and the state cannot say
//! two things.
//!
//! - [`asked`]: which versions;
//! - [`field`]: all that the numbers are made of;
//! - [`lints`]: what each lint is worth;
//! - [`recall`]: what became of the known bugs;
//! - [`open`]: findings that nobody has read yet;
//! - [`page`]: the tables in their place.

mod asked;
mod field;
mod lints;
mod open;
mod page;
mod recall;

use crate::Report;
use crate::args::AllArgs;
use crate::failure::Failure;
use crate::input::{self, shipped};
use crate::known::{self, Item, Judged};
use crate::lab::{Lab, Outcome, Subject};
use crate::state::{Diff, State};
use asked::Asked;
use field::Field;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

pub fn run(args: &AllArgs) -> Result<Report, Failure> {
    let field = Field::shipped()?;
    let asked = Asked::new(&field, &args.names, args.group)?;
    let file = args.state.clone().unwrap_or_else(|| shipped("state.txt"));
    // What cannot work is said now, and not after hours of building.
    let page = page::open(args.page.clone().unwrap_or_else(page::shipped_page))?;
    let before = read(&file)?;
    let lab = Lab::new(&args.lab, "field", false)?;
    let outcomes = lab.check_all(asked.subjects(), args.jobs);
    let judged: Vec<_> = asked.items.iter().map(|item| Judged::new(item, &outcomes)).collect();
    let now = State::of(&outcomes, &judged);
    let mut report = told(&field, &asked, &judged, &outcomes, &before, &now);
    if args.write {
        let all = if asked.is_everything { now } else { before.updated(now) };
        fs::write(&file, all.text()).map_err(|error| Failure::cannot(&file, error))?;
        page.write(&page::parts(&field, &all))?;
        let _ = writeln!(report.text, "\nWritten: {}", file.display());
    }
    Ok(report)
}

/// Read again for the writing would be safer, but a run holds the lock of its directory for as long.
fn read(file: &Path) -> Result<State, Failure> {
    State::parse(file, &input::text(file)?)
}

fn told(
    field: &Field,
    asked: &Asked,
    judged: &[Judged<'_>],
    outcomes: &BTreeMap<Subject, Outcome>,
    before: &State,
    now: &State,
) -> Report {
    let diff = Diff::new(before, now);
    let mut report = known::report(judged, &field.misses, outcomes);
    let open = open::open(field, outcomes, now);
    let shown: Vec<_> = asked.crates.iter().map(|(_, subject)| subject).collect();
    let _ = write!(report.text, "\n{}", lints::crates(field, now, &shown));
    let _ = write!(report.text, "\n{}", lints::table(field, now, &shown));
    if !open.is_empty() {
        // Without indentation, so that it can be pasted.
        let _ = write!(report.text, "\nNo verdict yet:\n\n{}", open.join("\n"));
    }
    let _ = write!(report.text, "\n{diff}");
    report.is_complete &= open.is_empty() && diff.is_empty();
    report
}

/// Whether a bug and its versions are in what is asked for.
fn is_about(item: &Item, name: &str) -> bool {
    item.id == name || item.subject.name == name
}
