//! What became of the known bugs: for each the best of the findings at it, in the version that has it and in the fixed one.

use super::record::{Best, Status};
use super::words::{head, row, said};
use super::{Records, Tested};
use crate::known::{Judged, Kind, Reported};
use crate::lab::{Outcome, Subject, Trouble};
use crate::table::share;
use std::collections::BTreeMap;

/// What one version comes to.
enum Standing<'a> {
    /// It was not checked, or nothing of it was run.
    Trouble(&'a Trouble),
    Silent,
    /// And among how many findings.
    Best(Best<'a>, usize),
}

impl<'a> Standing<'a> {
    fn new(reported: &'a Reported<'a>, outcome: Option<&'a Outcome>, record: Option<&'a Tested>) -> Self {
        let findings = reported.as_deref().unwrap_or_default();
        match (outcome, record) {
            (Some(Err(trouble)), _) => Standing::Trouble(trouble),
            (_, Some(Err(trouble))) if !findings.is_empty() => Standing::Trouble(trouble),
            (_, Some(Ok(record))) => {
                record.best(findings).map_or(Standing::Silent, |best| Standing::Best(best, findings.len()))
            }
            _ => Standing::Silent,
        }
    }

    fn is_confirmed(&self) -> bool {
        matches!(self, Standing::Best(best, _) if best.tried.status == Status::Confirmed)
    }

    /// With a word for nothing.
    fn cell(&self, nothing: &str) -> String {
        match self {
            Standing::Trouble(trouble) => said(&trouble.what),
            Standing::Silent => nothing.to_owned(),
            Standing::Best(best, 1) => best.tried.status.title().to_owned(),
            Standing::Best(best, count) => format!("{} ({} of {count})", best.tried.status.title(), best.count),
        }
    }

    fn best(&self) -> Option<&Best<'a>> {
        match self {
            Standing::Best(best, _) => Some(best),
            _ => None,
        }
    }
}

pub struct Bug<'a> {
    judged: &'a Judged<'a>,
    buggy: Standing<'a>,
    fixed: Option<Standing<'a>>,
}

impl<'a> Bug<'a> {
    pub fn new(judged: &'a Judged<'a>, outcomes: &'a BTreeMap<Subject, Outcome>, records: &'a Records) -> Bug<'a> {
        let standing = |subject: &Subject, reported: &'a Reported<'a>| {
            Standing::new(reported, outcomes.get(subject), records.get(subject))
        };
        let item = judged.item;
        let fixed = item.fixed.as_ref().zip(judged.fixed.as_ref());
        let fixed = fixed.map(|(subject, reported)| standing(subject, reported));
        Bug { judged, buggy: standing(&item.subject, &judged.at), fixed }
    }

    pub fn is_fix_confirmed(&self) -> bool {
        self.fixed.as_ref().is_some_and(Standing::is_confirmed)
    }

    /// Of the fixed version, with the function.
    pub fn fix(&self) -> String {
        let fixed = self.judged.item.fixed.as_ref().map(Subject::title).unwrap_or_default();
        let function = self.fixed.as_ref().and_then(Standing::best).map_or("", |best| &best.finding.function);
        format!("{} {fixed}: `{function}`", self.judged.item.id)
    }

    fn row(&self) -> String {
        let item = self.judged.item;
        let versions = item.subjects().map(|subject| subject.version.as_str()).collect::<Vec<_>>().join(" / ");
        let best = self.buggy.best();
        row(&[
            item.id.clone(),
            format!("{} {versions}", item.subject.name),
            best.map_or("-".to_owned(), |best| format!("`{}`", best.finding.lint)),
            self.buggy.cell("not reported"),
            self.fixed.as_ref().map_or("none in the list".to_owned(), |fixed| fixed.cell("nothing to run")),
            best.map_or(String::new(), |best| said(&best.tried.said)),
        ])
    }
}

pub fn table(bugs: &[Bug<'_>]) -> String {
    let head = head(&["bug", "crate, buggy / fixed", "lint", "buggy version", "fixed version", "what was printed"]);
    head + &bugs.iter().map(Bug::row).collect::<String>()
}

/// A deadlock and a lost update show in what threads do; unguarded memory is another matter, and counted apart.
pub fn totals(bugs: &[Bug<'_>]) -> String {
    let confirmed = |is_of: fn(Kind) -> bool| {
        let of_kind: Vec<_> = bugs.iter().filter(|bug| is_of(bug.judged.item.kind)).collect();
        share(of_kind.iter().filter(|bug| bug.buggy.is_confirmed()).count(), of_kind.len())
    };
    let fixes = bugs.iter().filter(|bug| bug.fixed.is_some()).count();
    let wrong = bugs.iter().filter(|bug| bug.is_fix_confirmed()).count();
    format!(
        "Confirmed of kinds a to d: {}; of kind e: {}. Fixed versions in which something is confirmed: {wrong} of {fixes}.\n",
        confirmed(|kind| !matches!(kind, Kind::E | Kind::Benign)),
        confirmed(|kind| kind == Kind::E),
    )
}

#[cfg(test)]
mod tests {
    use super::super::record::{Record, Tried};
    use super::*;
    use crate::known::Item;
    use crate::samples::{document, finding, place};
    use finding::{Confidence, Finding};

    fn item(id: &str, kind: Kind, fixed: Option<&str>) -> Item {
        let subject = Subject::new("pool", "1.0.0", "");
        let fixed = fixed.map(|version| Subject::new("pool", version, ""));
        Item { id: id.to_owned(), kind, what: String::new(), subject, fixed, sites: Vec::new(), functions: Vec::new() }
    }

    fn found(fingerprint: &str) -> Finding {
        let found = finding("stale_value", Confidence::High, "get", place("src/lib.rs", 7));
        Finding { fingerprint: fingerprint.to_owned(), ..found }
    }

    fn record(tried: &[(&str, Status, &str)]) -> Record {
        let tried = tried.iter().map(|(fingerprint, status, said)| {
            (fingerprint.to_string(), Tried { status: *status, said: said.to_string(), seconds: None })
        });
        Record { tried: tried.collect(), again: None }
    }

    /// All bugs are of one crate, whose first version has the findings `a` and `b` and whose second one has `c`.
    fn told(buggy: Tested, fixed: Tested) -> (String, String, bool) {
        let (first, second) = (Subject::new("pool", "1.0.0", ""), Subject::new("pool", "1.0.1", ""));
        let checked = || Ok(document(1, Vec::new()));
        let broken = Err(Trouble::new("does not compile", ""));
        let outcomes =
            [(first.clone(), checked()), (second.clone(), checked()), (Subject::new("pool", "9", ""), broken)];
        let outcomes = outcomes.into();
        let records = [(first, buggy), (second, fixed)].into();
        let items = [item("A1", Kind::A, Some("1.0.1")), item("B1", Kind::B, None), item("E1", Kind::E, Some("9"))];
        let findings = ["a", "b", "c"].map(found);
        let judged = [
            Judged { item: &items[0], at: Some(findings[..2].iter().collect()), fixed: Some(Some(vec![&findings[2]])) },
            Judged { item: &items[1], at: Some(Vec::new()), fixed: None },
            Judged { item: &items[2], at: Some(vec![&findings[1]]), fixed: Some(None) },
        ];
        let bugs: Vec<_> = judged.iter().map(|judged| Bug::new(judged, &outcomes, &records)).collect();
        (table(&bugs), totals(&bugs), bugs.iter().any(Bug::is_fix_confirmed))
    }

    #[test]
    fn each_bug_is_a_row() {
        let buggy =
            record(&[("a", Status::Confirmed, "A returned 0"), ("b", Status::NeedsFixture, "no `T`; finish /a/b")]);
        let fixed = record(&[("c", Status::NotReproduced, "the same")]);
        let (table, totals, is_fix_confirmed) = told(Ok(buggy), Ok(fixed));
        let rows: Vec<_> = table.lines().skip(2).collect();
        let expected = [
            "| A1 | pool 1.0.0 / 1.0.1 | `stale_value` | confirmed (1 of 2) | not-reproduced | A returned 0 |",
            "| B1 | pool 1.0.0 | - | not reported | none in the list |  |",
            "| E1 | pool 1.0.0 / 9 | `stale_value` | needs-fixture | does not compile | no `T` |",
        ];
        assert_eq!(rows, expected);
        let line = "Confirmed of kinds a to d: 1 of 2 (50%); of kind e: 0 of 1 (0%). \
                    Fixed versions in which something is confirmed: 0 of 2.\n";
        assert_eq!(totals, line);
        assert!(!is_fix_confirmed);
    }

    #[test]
    fn a_fix_that_is_confirmed_is_counted() {
        let trouble = Trouble::new("crashed (exit status: 70)", "panicked");
        let (table, totals, is_fix_confirmed) = told(Err(trouble), Ok(record(&[("c", Status::Confirmed, "")])));
        assert!(
            table.contains("| A1 | pool 1.0.0 / 1.0.1 | - | crashed (exit status: 70) | confirmed |  |"),
            "{table}"
        );
        assert!(table.contains("| B1 | pool 1.0.0 | - | not reported |"), "{table}");
        assert!(totals.ends_with("is confirmed: 1 of 2.\n") && is_fix_confirmed, "{totals}");
    }
}
