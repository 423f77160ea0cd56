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
use crate::lab::{Lab, Outcome, Subject, Wish};
use crate::state::{Diff, State};
use crate::words::{section, troubles};
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
    let lab = Lab::new(&args.lab, "field", Wish::Usual)?;
    let outcomes = if args.kept { lab.kept_all(asked.subjects()) } else { lab.check_all(asked.subjects(), args.jobs) };
    // Of what was not run nothing is told.
    let touched = asked.items.iter().filter(|item| item.subjects().any(|subject| outcomes.contains_key(subject)));
    let judged: Vec<_> = touched.map(|item| Judged::new(item, &outcomes)).collect();
    let now = State::of(&outcomes, &field.items);
    let mut report = told(&field, &asked, &judged, &outcomes, &before, &now);
    if args.write {
        // Read again: the part of another run may have been written meanwhile.
        let all = if asked.is_everything && !args.kept { now } else { read(&file)?.updated(now) };
        fs::write(&file, all.text()).map_err(|error| Failure::cannot(&file, error))?;
        page.write(&page::parts(&field, &all))?;
        let _ = writeln!(report.text, "\nWritten: {}", file.display());
    }
    Ok(report)
}

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
    let mut report = about_bugs(field, judged, outcomes);
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

/// With what could not be checked, which is told even if no bug was asked for.
fn about_bugs(field: &Field, judged: &[Judged<'_>], outcomes: &BTreeMap<Subject, Outcome>) -> Report {
    if !judged.is_empty() {
        return known::report(judged, &field.misses, outcomes);
    }
    let (mut text, troubles) = (String::new(), troubles(outcomes));
    section(&mut text, "Not checked", &troubles);
    Report { text, is_complete: troubles.is_empty() }
}

/// Whether a bug and its versions are in what is asked for.
fn is_about(item: &Item, name: &str) -> bool {
    item.id == name || item.subject.name == name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Part;
    use crate::lab::Trouble;

    #[test]
    fn trouble_and_change_are_told_without_bugs() {
        let field = Field::shipped().unwrap();
        let asked = Asked::new(&field, &[], Some(Part::FirstSight)).unwrap();
        let subject = asked.crates[0].1.clone();
        let told = |outcome: Outcome| {
            let outcomes = [(subject.clone(), outcome)].into();
            let now = State::of(&outcomes, &field.items);
            told(&field, &asked, &[], &outcomes, &State::default(), &now)
        };
        let crashed = told(Err(Trouble::new("crashed (exit status: 70)", "panicked\n")));
        assert!(!crashed.is_complete && crashed.text.starts_with("\nNot checked:\n"), "{}", crashed.text);
        let new = told(Ok(crate::samples::document(10, Vec::new())));
        assert!(!new.is_complete && new.text.ends_with(": 0 above low\n"), "{}", new.text);
    }
}
