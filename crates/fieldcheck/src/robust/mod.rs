//! Whether the tool bears all that a crate has: tests, benches and examples, with all features, where these compile. The other
//! commands look at libraries with the features that matter; what crashes the tool may stand anywhere. All lints are on,
//! and tests are looked at like other code; what is found is of no interest here.
//!
//! - [`way`]: how much of a crate is compiled;
//! - [`trying`]: crates, each in all the ways that compile;
//! - [`record`]: what came of them, as it is kept;
//! - [`written`]: the same as it is written down;
//! - [`report`]: the tables.

mod record;
mod report;
mod trying;
mod way;
mod written;

use crate::Report;
use crate::args::RobustArgs;
use crate::crates;
use crate::failure::Failure;
use crate::input::shipped;
use crate::lab::Lab;
use crate::marks::{Mark, Page};
use std::path::PathBuf;
use std::time::Duration;
use trying::Trying;

const MARK: Mark = "<!-- robust: made by ./x field robust --write -->";

pub fn run(args: &RobustArgs) -> Result<Report, Failure> {
    let list = crates::shipped_list();
    let (all, subjects) = (crates::subjects(&list)?, crates::named(&list, &args.names)?);
    let file = args.written.clone().unwrap_or_else(written::shipped_file);
    // What cannot work is said now, and not after hours of building.
    let page = Page::open(args.page.clone().unwrap_or_else(shipped_page), &[MARK])?;
    written::read(&file, &all)?;
    let lab = Lab::new(&args.lab, "field", Trying::WISH)?;
    let trying = Trying { lab: &lab, limit: Duration::from_secs(60 * u64::from(args.limit)) };
    let records = if args.kept { trying.kept_all(&subjects) } else { trying.all(&subjects, args.jobs) };
    if args.write {
        // Read again: the part of another run may have been written meanwhile.
        let mut written = written::read(&file, &all)?;
        written.extend(records.clone().into_iter().filter(|(_, record)| record.is_ok()));
        written::write(&file, &written)?;
        page.write(&[(MARK, report::part(&all, &written))])?;
    }
    Ok(report::report(&subjects, &records))
}

fn shipped_page() -> PathBuf {
    shipped("../../docs/field.md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;

    /// With BLESS set, the page is written.
    #[test]
    fn pages_say_what_is_written_down() {
        let list = crates::subjects(&crates::shipped_list()).unwrap();
        let records = written::read(&written::shipped_file(), &list).unwrap();
        let page = Page::open(shipped_page(), &[MARK]).unwrap();
        let parts = [(MARK, report::part(&list, &records))];
        if std::env::var_os("BLESS").is_some() {
            page.write(&parts).unwrap();
        }
        let is_same = page.with(&parts).unwrap() == input::text(&shipped_page()).unwrap();
        assert!(is_same, "docs/field.md differs from robust.jsonl: run `./x bless`");
    }
}
