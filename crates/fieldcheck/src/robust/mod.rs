//! Whether the tool bears all that a crate has: tests, benches and examples, with all features, where these compile. The other
//! commands look at libraries with the features that matter; what crashes the tool may stand anywhere. All lints are on,
//! and tests are looked at like other code; what is found is of no interest here.
//!
//! - [`way`]: how much of a crate is compiled;
//! - [`trying`]: crates, each in all the ways that compile;
//! - [`record`]: what came of them, as it is kept;
//! - [`report`]: the tables.

mod record;
mod report;
mod trying;
mod way;

use crate::Report;
use crate::args::RobustArgs;
use crate::crates;
use crate::failure::Failure;
use crate::input::shipped;
use crate::lab::Lab;
use crate::marks::{Mark, Page};
use std::time::Duration;
use trying::Trying;

const MARK: Mark = "<!-- robust: made by ./x field robust -->";

pub fn run(args: &RobustArgs) -> Result<Report, Failure> {
    let list = args.list.clone().unwrap_or_else(crates::shipped_list);
    let subjects = crates::named(&list, &args.names)?;
    // What cannot work is said now, and not after hours of building.
    let page = (args.names.is_empty() || args.write)
        .then(|| Page::open(args.page.clone().unwrap_or_else(|| shipped("../../docs/field.md")), &[MARK]));
    let page = page.transpose()?;
    let lab = Lab::new(&args.lab, "field", Trying::WISH)?;
    let limit = Duration::from_secs(60 * u64::from(args.limit));
    let records = Trying { lab: &lab, limit }.all(&subjects, args.jobs);
    if let Some(page) = page {
        page.write(&[(MARK, report::part(&subjects, &records))])?;
    }
    Ok(report::report(&subjects, &records))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_page_has_its_place() {
        Page::open(shipped("../../docs/field.md"), &[MARK]).unwrap();
    }
}
