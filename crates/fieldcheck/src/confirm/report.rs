//! The tables about what was run, for the page and for standard output.

use super::asked::shown;
use super::bugs::{self, Bug};
use super::times::Times;
use super::words::reason;
use super::{Records, shares};
use crate::Report;
use crate::known::Judged;
use crate::lab::{Outcome, Subject};
use crate::page::Section;
use crate::words::{place, section, trouble, troubles};
use finding::Finding;
use std::collections::BTreeMap;

/// Everything that was found out.
pub struct Found<'a> {
    pub judged: &'a [Judged<'a>],
    pub crates: &'a [Subject],
    pub outcomes: &'a BTreeMap<Subject, Outcome>,
    pub records: &'a Records,
}

impl Found<'_> {
    fn bugs(&self) -> Vec<Bug<'_>> {
        self.judged.iter().map(|judged| Bug::new(judged, self.outcomes, self.records)).collect()
    }

    /// Those that were asked for. The times are of all witnesses, and stand at the end.
    pub fn sections(&self) -> Vec<(Section, String)> {
        let mut sections = Vec::new();
        let bugs = self.bugs();
        if !bugs.is_empty() {
            sections.push((Section::Bugs, format!("{}\n{}", bugs::table(&bugs), bugs::totals(&bugs))));
        }
        if !self.crates.is_empty() {
            sections.push((Section::Crates, shares::table(self.crates, self.outcomes, self.records)));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if let Some((_, last)) = sections.last_mut() {
            *last += &format!("\n{}", Times::of(self.records).text(cores));
        }
        sections
    }

    /// Every finding in the crates, with all that was said of it: that is too much for a page.
    fn lines(&self) -> Vec<String> {
        let records =
            self.crates.iter().filter_map(|subject| Some((subject, self.records.get(subject)?.as_ref().ok()?)));
        let lines = records.flat_map(|(subject, record)| {
            let tried = |it: &Finding| record.tried.get(&it.fingerprint).cloned();
            let findings = shown(self.outcomes.get(subject)).into_iter();
            let lines = findings.filter_map(move |finding| Some((finding, tried(finding)?)));
            lines.map(|(finding, tried)| {
                let what =
                    format!("{}: {} in `{}`, {}", subject.title(), finding.lint, finding.function, place(finding));
                format!("{what}\n  {}: {}", tried.status.title(), reason(&tried.said))
            })
        });
        lines.collect()
    }

    pub fn report(&self) -> Report {
        let mut troubles = troubles(self.outcomes);
        let failed = self.records.iter().filter_map(|(subject, record)| Some((subject, record.as_ref().err()?)));
        troubles.extend(failed.map(|(subject, failure)| trouble(subject, failure)));
        let wrong: Vec<_> = self.bugs().iter().filter(|bug| bug.is_fix_confirmed()).map(Bug::fix).collect();
        let sections: Vec<_> = self.sections().into_iter().map(|(_, text)| text).collect();
        let mut text = sections.join("\n");
        section(&mut text, "Findings in the crates", &self.lines());
        section(&mut text, "Not checked or not run", &troubles);
        section(&mut text, "Confirmed, though fixed", &wrong);
        Report { text, is_complete: troubles.is_empty() && wrong.is_empty() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tested;
    use super::super::record::{Record, Status, Tried};
    use super::*;
    use crate::known::{Item, Kind};
    use crate::lab::Trouble;
    use crate::samples::{document, finding, place};
    use finding::Confidence;

    /// One bug, whose fixed version is still reported, and a crate.
    fn written(fixed: Tested) -> Report {
        let subjects = ["1.0.0", "1.0.1"].map(|version| Subject::new("pool", version, ""));
        let found = finding("stale_value", Confidence::High, "get", place("src/lib.rs", 7));
        let outcomes = subjects.clone().map(|subject| (subject, Ok(document(1, vec![found.clone()])))).into();
        let [buggy, after] = subjects;
        let item = Item {
            id: "A1".to_owned(),
            kind: Kind::A,
            subject: buggy.clone(),
            fixed: Some(after.clone()),
            sites: Vec::new(),
            functions: Vec::new(),
        };
        let judged = [Judged { item: &item, at: Some(vec![&found]), fixed: Some(Some(vec![&found])) }];
        let records = [(buggy.clone(), Ok(record(Status::Confirmed))), (after, fixed)].into();
        Found { judged: &judged, crates: &[buggy], outcomes: &outcomes, records: &records }.report()
    }

    fn record(status: Status) -> Record {
        let tried = Tried { status, said: "seen".to_owned(), seconds: None };
        Record { tried: [("0123456789abcdef".to_owned(), tried)].into(), again: None }
    }

    #[test]
    fn all_is_well_if_no_fix_is_confirmed() {
        let report = written(Ok(record(Status::NotReproduced)));
        assert!(report.is_complete);
        let parts =
            ["| A1 | pool", "kinds a to d: 1 of 1", "| pool 1.0.0 | 1 | 1 |", "No witness was run and measured"];
        let places: Vec<_> = parts.iter().map(|part| report.text.find(part).expect(part)).collect();
        assert!(places.is_sorted(), "{}", report.text);
        let line = "\nFindings in the crates:\n  pool 1.0.0: stale_value in `get`, src/lib.rs:7\n    confirmed: seen\n";
        assert!(report.text.ends_with(line), "{}", report.text);
    }

    #[test]
    fn a_fix_that_is_confirmed_is_told() {
        let report = written(Ok(record(Status::Confirmed)));
        assert!(!report.is_complete);
        assert!(report.text.ends_with("\nConfirmed, though fixed:\n  A1 pool 1.0.1: `get`\n"), "{}", report.text);
    }

    #[test]
    fn a_crash_is_told() {
        let report = written(Err(Trouble::new("crashed (exit status: 70)", "panicked\n")));
        assert!(!report.is_complete);
        let line = "\nNot checked or not run:\n  pool 1.0.1: crashed (exit status: 70)\n    panicked\n";
        assert!(report.text.ends_with(line), "{}", report.text);
    }
}
