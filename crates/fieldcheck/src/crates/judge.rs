//! Findings and verdicts brought together. The lint `stale_use` is kept apart: it is off by default, and most of what it
//! says is nothing, so nobody is asked for verdicts about it.

use super::verdicts::{self, Of, Row};
use crate::lab::{Outcome, Subject};
use crate::shown::{STALE_USE, is_above_low};
use finding::{Document, Finding};
use std::collections::BTreeMap;

/// A finding, with what people made of it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub subject: &'a Subject,
    pub finding: &'a Finding,
    pub verdict: Option<&'a Row>,
}

/// A verdict about a checked crate, and about nothing that is shown any more.
#[derive(Debug, PartialEq, Eq)]
pub struct Gone<'a> {
    pub row: &'a Row,
    /// The finding is still there, with less confidence.
    pub is_low: bool,
}

pub struct Judgement<'a> {
    /// The crates that could be checked, in the order of the list.
    pub checked: Vec<(&'a Subject, &'a Document)>,
    /// Above low, in the order of the crates and of their documents.
    pub judged: Vec<Judged<'a>>,
    /// Of `stale_use`, of any confidence.
    pub stale_uses: Vec<Judged<'a>>,
    pub gone: Vec<Gone<'a>>,
}

impl<'a> Judgement<'a> {
    pub fn new(
        subjects: &'a [Subject],
        outcomes: &'a BTreeMap<Subject, Outcome>,
        rows: &'a [Row],
        with_stale_use: bool,
    ) -> Judgement<'a> {
        let documents = subjects.iter().map(|subject| (subject, outcomes.get(subject)));
        let checked: Vec<_> = documents.filter_map(|(subject, ran)| Some((subject, ran?.as_ref().ok()?))).collect();
        let findings = checked.iter().flat_map(|&(subject, document)| {
            document.findings.iter().map(move |finding| judge(subject, finding, rows))
        });
        let (stale_uses, others): (Vec<_>, Vec<_>) = findings.partition(|judged| judged.finding.lint == STALE_USE);
        let (judged, low): (Vec<_>, Vec<_>) = others.into_iter().partition(|judged| is_above_low(judged.finding));
        let is_about_checked = |row: &&Row| checked.iter().any(|(subject, _)| is_in(row, subject));
        let is_due = |row: &&Row| with_stale_use || row.lint != STALE_USE;
        let is_used = |row: &Row, by: &[Judged<'_>]| by.iter().any(|judged| judged.verdict == Some(row));
        let due = rows.iter().filter(is_about_checked).filter(is_due);
        let unused = due.filter(|row| !is_used(row, &judged) && !is_used(row, &stale_uses));
        let gone = unused.map(|row| Gone { row, is_low: is_used(row, &low) }).collect();
        Judgement { checked, judged, stale_uses, gone }
    }

    pub fn lines(&self) -> usize {
        self.checked.iter().map(|(_, document)| document.run.lines).sum()
    }

    pub fn without_verdict(&self) -> impl Iterator<Item = &Judged<'a>> {
        self.judged.iter().filter(|judged| judged.verdict.is_none())
    }
}

fn judge<'a>(subject: &'a Subject, finding: &'a Finding, rows: &'a [Row]) -> Judged<'a> {
    let of = Of {
        name: &subject.name,
        version: &subject.version,
        lint: &finding.lint,
        fingerprint: &finding.fingerprint,
        any_version: true,
    };
    Judged { subject, finding, verdict: verdicts::find(rows, of) }
}

fn is_in(row: &Row, subject: &Subject) -> bool {
    row.name == subject.name && row.version == subject.version
}

#[cfg(test)]
mod tests {
    use super::super::verdicts::Verdict;
    use super::*;
    use crate::lab::Trouble;
    use crate::samples::{document, finding, place, verdict};
    use finding::Confidence;

    fn found(lint: &str, confidence: Confidence, fingerprint: &str) -> Finding {
        let found = finding(lint, confidence, "get", place("src/lib.rs", 1));
        Finding { fingerprint: fingerprint.to_owned(), ..found }
    }

    fn row(version: &str, lint: &str, fingerprint: &str) -> Row {
        let row = verdict(Verdict::Benign, lint, fingerprint);
        Row { name: "pool".to_owned(), version: version.to_owned(), ..row }
    }

    #[test]
    fn findings_meet_their_verdicts() {
        let subjects = [Subject::new("pool", "1.0.0", ""), Subject::new("pool", "2.0.0", "")];
        let findings = vec![
            found("stale_value", Confidence::High, "a"),
            found("stale_value", Confidence::Medium, "b"),
            found("stale_value", Confidence::Low, "c"),
            found(STALE_USE, Confidence::Low, "d"),
        ];
        let trouble = Err(Trouble::new("crashed", ""));
        let outcomes = [(subjects[0].clone(), Ok(document(500, findings))), (subjects[1].clone(), trouble)].into();
        let rows = [
            row("1.0.0", "stale_value", "a"),
            row("1.0.0", "stale_value", "c"),
            row("1.0.0", "check_then_act", "b"),
            row("2.0.0", "stale_value", "a"),
            row("1.0.0", STALE_USE, "e"),
        ];
        let judgement = Judgement::new(&subjects, &outcomes, &rows, false);
        assert_eq!((judgement.checked.len(), judgement.lines()), (1, 500));
        let verdicts: Vec<_> = judgement.judged.iter().map(|judged| judged.verdict).collect();
        assert_eq!(verdicts, [Some(&rows[0]), None]);
        let open: Vec<_> = judgement.without_verdict().map(|judged| judged.finding.fingerprint.as_str()).collect();
        assert_eq!(open, ["b"]);
        assert_eq!(judgement.stale_uses.len(), 1);
        let gone = [Gone { row: &rows[1], is_low: true }, Gone { row: &rows[2], is_low: false }];
        assert_eq!(judgement.gone, gone);
        assert_eq!(Judgement::new(&subjects, &outcomes, &rows, true).gone.len(), 3);
    }
}
