//! Real crates as they are published: how much the tool has to say about them, and what that is worth. Whoever reads a
//! finding writes down a verdict; from the verdicts comes the precision of each lint.
//!
//! - [`list`]: which crates, which versions;
//! - [`verdicts`]: what people made of the findings;
//! - [`judge`]: findings and verdicts brought together;
//! - [`totals`]: the numbers for each lint;
//! - [`compare`]: the lint `stale_use` beside the others;
//! - [`report`]: the tables.

mod compare;
mod judge;
pub mod list;
mod report;
mod totals;
mod verdicts;

pub use list::Group;
pub use totals::Totals;
#[cfg(test)]
pub use verdicts::Verdict;
pub use verdicts::{Of, Row, blank, find};

use crate::Report;
use crate::args::CratesArgs;
use crate::failure::Failure;
use crate::input::{self, shipped};
use crate::lab::{Lab, Subject, Wish};
use judge::Judgement;
use std::path::{Path, PathBuf};

pub fn run(args: &CratesArgs) -> Result<Report, Failure> {
    let list = args.list.clone().unwrap_or_else(shipped_list);
    let verdicts = args.verdicts.clone().unwrap_or_else(|| shipped("verdicts.toml"));
    let subjects = named(&list, &args.names)?;
    let verdicts = self::verdicts(&verdicts)?;
    let wish = if args.stale_use { Wish::StaleUse } else { Wish::Usual };
    let outcomes = Lab::new(&args.lab, "field", wish)?.check_all(&subjects, args.jobs);
    let judgement = Judgement::new(&subjects, &outcomes, &verdicts, args.stale_use);
    Ok(report::report(&judgement, &outcomes, args.stale_use))
}

pub fn shipped_list() -> PathBuf {
    shipped("crates.txt")
}

/// With how each came into the list.
pub fn grouped(list: &Path) -> Result<Vec<(Group, Subject)>, Failure> {
    list::grouped(list, &input::text(list)?)
}

pub fn verdicts(file: &Path) -> Result<Vec<Row>, Failure> {
    verdicts::parse(file, &input::text(file)?)
}

/// Those of the list with these names, or all if there are none.
pub fn named(list: &Path, names: &[String]) -> Result<Vec<Subject>, Failure> {
    let subjects = subjects(list)?;
    if let Some(name) = names.iter().find(|name| !subjects.iter().any(|subject| subject.name == **name)) {
        return Err(Failure::Unknown { what: "crate", name: name.clone(), list: list.to_owned() });
    }
    let is_asked_for = |subject: &Subject| names.is_empty() || names.contains(&subject.name);
    Ok(subjects.into_iter().filter(is_asked_for).collect())
}

pub fn subjects(list: &Path) -> Result<Vec<Subject>, Failure> {
    list::parse(list, &input::text(list)?)
}
