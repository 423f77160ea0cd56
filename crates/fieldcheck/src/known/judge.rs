//! What a run says about an item. A version that could not be checked says nothing: its bug is not found, and its fix is
//! not known to be silent.

use super::list::Item;
use super::rule::{is_at, is_still_inside};
use crate::lab::{Outcome, Subject};
use finding::Finding;
use std::collections::BTreeMap;

/// The findings of one version that count, the surest first; none without a run.
pub type Reported<'a> = Option<Vec<&'a Finding>>;

#[derive(Debug)]
pub struct Judged<'a> {
    pub item: &'a Item,
    /// At the bug, or at correct code.
    pub at: Reported<'a>,
    /// Still in the functions of the fixed version. Outside: whether there is such a version.
    pub fixed: Option<Reported<'a>>,
}

impl<'a> Judged<'a> {
    pub fn new(item: &'a Item, outcomes: &'a BTreeMap<Subject, Outcome>) -> Judged<'a> {
        let reported = |subject: &Subject, counts: fn(&Item, &Finding) -> bool| {
            let document = outcomes.get(subject)?.as_ref().ok()?;
            let mut counted: Vec<_> = document.findings.iter().filter(|finding| counts(item, finding)).collect();
            counted.sort_by_key(|finding| (std::cmp::Reverse((finding.confidence, finding.score)), &finding.primary));
            Some(counted)
        };
        let fixed = item.fixed.as_ref().map(|fixed| reported(fixed, is_still_inside));
        Judged { item, at: reported(&item.subject, is_at), fixed }
    }

    /// A bug that was looked for and not found.
    pub fn is_missed(&self) -> bool {
        self.item.is_bug() && is_silent(&self.at)
    }

    pub fn is_found(&self) -> bool {
        self.item.is_bug() && is_reported(&self.at)
    }

    /// Findings where there should be none, each with the version it is in.
    pub fn wrong(&self) -> Vec<(&'a Subject, &'a Finding)> {
        let (version, findings) = match &self.fixed {
            Some(fixed) => (self.item.fixed.as_ref(), fixed),
            None => ((!self.item.is_bug()).then_some(&self.item.subject), &self.at),
        };
        let findings = findings.iter().flatten();
        findings.filter_map(|finding| Some((version?, *finding))).collect()
    }
}

pub fn is_silent(reported: &Reported<'_>) -> bool {
    reported.as_ref().is_some_and(Vec::is_empty)
}

pub fn is_reported(reported: &Reported<'_>) -> bool {
    reported.as_ref().is_some_and(|findings| !findings.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::list::{Kind, Site};
    use super::*;
    use crate::lab::Trouble;
    use crate::samples::{document, finding, place};
    use finding::Confidence;

    fn item(kind: Kind, fixed: Option<&str>) -> Item {
        Item {
            id: "X1".to_owned(),
            kind,
            what: String::new(),
            subject: Subject::new("pool", "1.0.0", ""),
            fixed: fixed.map(|version| Subject::new("pool", version, "")),
            sites: vec![Site { file: "src/pool.rs".to_owned(), line: 100 }],
            functions: vec!["get".to_owned()],
        }
    }

    fn found(confidence: Confidence, line: u32) -> Finding {
        finding("stale_value", confidence, "Pool::get", place("src/pool.rs", line))
    }

    fn outcomes(buggy: Outcome, fixed: Outcome) -> BTreeMap<Subject, Outcome> {
        [("1.0.0", buggy), ("1.0.1", fixed)].map(|(version, o)| (Subject::new("pool", version, ""), o)).into()
    }

    #[test]
    fn the_surest_finding_comes_first() {
        let findings = vec![found(Confidence::Medium, 99), found(Confidence::High, 400), found(Confidence::Low, 100)];
        let outcomes = outcomes(Ok(document(1, findings)), Ok(document(1, Vec::new())));
        let item = item(Kind::A, Some("1.0.1"));
        let judged = Judged::new(&item, &outcomes);
        let lines: Vec<_> = judged.at.iter().flatten().map(|finding| finding.primary.line).collect();
        assert_eq!(lines, [400, 99]);
        assert!(judged.is_found() && !judged.is_missed() && judged.wrong().is_empty());
    }

    #[test]
    fn a_fix_that_is_reported_is_wrong() {
        let elsewhere = finding("stale_value", Confidence::High, "Pool::put", place("src/pool.rs", 100));
        let fixed = document(1, vec![elsewhere, found(Confidence::High, 7)]);
        let outcomes = outcomes(Ok(document(1, Vec::new())), Ok(fixed));
        let item = item(Kind::A, Some("1.0.1"));
        let judged = Judged::new(&item, &outcomes);
        assert!(judged.is_missed());
        let wrong = judged.wrong();
        assert_eq!((wrong.len(), wrong[0].0.version.as_str(), wrong[0].1.primary.line), (1, "1.0.1", 7));
    }

    #[test]
    fn correct_code_that_is_reported_is_wrong_and_a_bug_is_not() {
        let outcomes = outcomes(Ok(document(1, vec![found(Confidence::High, 7)])), Ok(document(1, Vec::new())));
        assert_eq!(Judged::new(&item(Kind::Benign, None), &outcomes).wrong().len(), 1);
        assert_eq!(Judged::new(&item(Kind::A, None), &outcomes).wrong().len(), 0);
    }

    #[test]
    fn without_a_run_nothing_is_found_or_silent() {
        let outcomes = outcomes(Err(Trouble::new("crashed", "")), Err(Trouble::new("crashed", "")));
        let item = item(Kind::A, Some("1.0.1"));
        let judged = Judged::new(&item, &outcomes);
        assert!(!judged.is_found() && !judged.is_missed());
        assert!(!is_silent(judged.fixed.as_ref().unwrap()) && !is_reported(&judged.at));
    }
}
