//! What `cargo stalemate confirm` makes of real findings: whether known bugs show when they are run, whether fixed versions
//! do not, what becomes of the findings in real crates, and how long it takes. A program that shows a bug is proof; one that
//! shows it in correct code would be the worst that the tool can do, so this is measured and not believed.
//!
//! - [`asked`]: which versions, and which of their findings;
//! - [`command`]: one run of the command, ended when its time is over;
//! - [`trying`]: all findings of a version in several runs, and one of them again for the time;
//! - [`record`]: what came of them, as it is kept;
//! - [`bugs`] and [`shares`]: the numbers about known bugs, and about real crates;
//! - [`times`]: what a witness costs;
//! - [`words`] and [`report`]: the tables, for their place in the documentation.

mod asked;
mod bugs;
mod command;
mod page;
mod record;
mod report;
mod shares;
mod times;
mod trying;
mod words;

use crate::Report;
use crate::args::ConfirmArgs;
use crate::failure::Failure;
use crate::input::shipped;
use crate::known::Judged;
use crate::lab::{Lab, Subject, Trouble, Wish};
use crate::marks::Page;
use asked::Asked;
use page::Section;
use record::Record;
use std::collections::BTreeMap;
use std::time::Duration;
use trying::Trying;

/// What came of a version, or why nothing is known.
pub type Tested = Result<Record, Trouble>;

/// Of those that had something to run.
pub type Records = BTreeMap<Subject, Tested>;

pub fn run(args: &ConfirmArgs) -> Result<Report, Failure> {
    let asked = Asked::new(&args.names)?;
    // What cannot work is said now, and not after hours of building.
    let page = (args.names.is_empty() || args.write).then(|| {
        let file = args.page.clone().unwrap_or_else(|| shipped("../../docs/confirm.md"));
        Page::open(file, &asked.sections().into_iter().map(Section::mark).collect::<Vec<_>>())
    });
    let page = page.transpose()?;
    let lab = Lab::new(&args.lab, "field", Wish::Usual)?;
    let outcomes = lab.check_all(asked.subjects(), None);
    let judged: Vec<_> = asked.bugs.iter().map(|item| Judged::new(item, &outcomes)).collect();
    let limit = Duration::from_secs(60 * u64::from(args.limit));
    let trying = Trying { lab: &lab, limit, keep_builds: args.keep_builds };
    let records = trying.all(&asked::wanted(&judged, &asked.crates, &outcomes));
    let found = report::Found { judged: &judged, crates: &asked.crates, outcomes: &outcomes, records: &records };
    if let Some(page) = page {
        let parts = found.sections().into_iter().map(|(section, text)| (section.mark(), text));
        page.write(&parts.collect::<Vec<_>>())?;
    }
    Ok(found.report())
}
