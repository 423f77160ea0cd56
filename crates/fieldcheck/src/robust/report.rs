//! What came of all crates, for the page and for standard output.

use super::record::Record;
use super::trying::Records;
use crate::Report;
use crate::lab::Subject;
use crate::table::{Align, Table};
use crate::words::{section, trouble};

pub fn report(subjects: &[Subject], records: &Records) -> Report {
    let tried = || subjects.iter().filter_map(|it| Some((it, records.get(it)?.as_ref().ok()?)));
    let crashes: Vec<_> = tried().flat_map(|(subject, record)| crashes(subject, record)).collect();
    let skipped: Vec<_> = tried().flat_map(|(subject, record)| skipped(subject, record)).collect();
    let failed = records.iter().filter_map(|(subject, it)| Some(trouble(subject, it.as_ref().err()?)));
    let failed: Vec<_> = failed.collect();
    let mut text = format!("{}\n{}", table(subjects, records), totals(subjects, records));
    section(&mut text, "Crashed", &crashes);
    section(&mut text, "Given up", &skipped);
    section(&mut text, "Not tried", &failed);
    Report { text, is_complete: crashes.is_empty() && skipped.is_empty() && failed.is_empty() }
}

/// For the documentation.
pub fn part(subjects: &[Subject], records: &Records) -> String {
    format!("{}\n{}", totals(subjects, records), table(subjects, records).markdown())
}

fn table(subjects: &[Subject], records: &Records) -> Table {
    let numbers = ["functions", "with locks", "lines", "given up", "crashes"].map(|name| (name, Align::Right));
    let mut table = Table::new(&[&[("crate", Align::Left), ("compiles", Align::Left)], numbers.as_slice()].concat());
    for subject in subjects {
        let Some(Ok(record)) = records.get(subject) else { continue };
        let counts = record.most().cloned().unwrap_or_default();
        let mut row = vec![subject.title(), ways(record)];
        let crashes = record.crashes().count();
        let numbers = [counts.functions, counts.with_locks, counts.lines, record.skipped().len(), crashes];
        row.extend(numbers.map(|number| number.to_string()));
        table.row(row);
    }
    table
}

fn ways(record: &Record) -> String {
    let ways: Vec<_> = record.checked().map(|(way, _)| way.title()).collect();
    if ways.is_empty() { "nothing".to_owned() } else { ways.join("; ") }
}

fn totals(subjects: &[Subject], records: &Records) -> String {
    let count = subjects.len();
    let records: Vec<_> = subjects.iter().filter_map(|it| records.get(it)?.as_ref().ok()).collect();
    let most: Vec<_> = records.iter().filter_map(|record| record.most()).collect();
    let sum = |count: fn(&Record) -> usize| records.iter().map(|record| count(record)).sum::<usize>();
    let functions: usize = most.iter().map(|counts| counts.functions).sum();
    let lines: usize = most.iter().map(|counts| counts.lines).sum();
    format!(
        "{} of {count} crates were tried, and {} compile in one of the ways: {functions} functions in {lines} lines. \
         Crashes: {}. Bodies given up: {}.\n",
        records.len(),
        most.len(),
        sum(|record| record.crashes().count()),
        sum(|record| record.skipped().len()),
    )
}

fn crashes(subject: &Subject, record: &Record) -> Vec<String> {
    let told = record.crashes().map(|(way, said)| {
        let said = said.lines().map(|line| format!("\n  {line}")).collect::<String>();
        format!("{} ({}){said}", subject.title(), way.title())
    });
    told.collect()
}

fn skipped(subject: &Subject, record: &Record) -> Vec<String> {
    let skipped = record.skipped().into_iter();
    skipped.map(|(function, reason)| format!("{}: `{function}`: {reason}", subject.title())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{Counts, End, Tried};
    use super::super::way::Way;
    use super::*;

    fn report_of(end: End) -> Report {
        let subject = Subject::new("pool", "1.0.0", "");
        let tried = vec![Tried { way: Way::AllOfAll, end }];
        report(std::slice::from_ref(&subject), &[(subject.clone(), Ok(Record { tried }))].into())
    }

    #[test]
    fn crashes_and_bodies_that_were_given_up_are_told() {
        let fine = report_of(End::Checked(Counts { functions: 7, ..Counts::default() }));
        assert!(fine.is_complete && fine.text.contains("all targets, all features"), "{}", fine.text);
        assert!(fine.text.contains("1 of 1 crates were tried, and 1 compile"), "{}", fine.text);
        let skipped = vec![("pool::get".to_owned(), "too large".to_owned())];
        let given_up = report_of(End::Checked(Counts { skipped, ..Counts::default() }));
        assert!(!given_up.is_complete && given_up.text.contains("`pool::get`: too large"), "{}", given_up.text);
        let crashed = report_of(End::Crashed { said: "crashed\npanicked".to_owned() });
        assert!(!crashed.is_complete && crashed.text.contains("\n    panicked"), "{}", crashed.text);
        let nothing = report_of(End::DoesNotBuild);
        assert!(
            nothing.is_complete && nothing.text.contains("1 of 1 crates were tried, and 0 compile"),
            "{}",
            nothing.text
        );
    }
}
