//! A run in the form of the state: whatever was checked, and what that says about the bugs.

use super::{Answer, Checked, Said, Seen, State, Version};
use crate::known::{Item, is_at, is_low_at, is_still_inside};
use crate::lab::{Outcome, Subject};
use crate::shown::{STALE_USE, is_above_low};
use crate::words::place;
use finding::{Document, Finding};
use std::collections::BTreeMap;

impl Version {
    pub fn of(subject: &Subject) -> Version {
        Version::new(&subject.name, &subject.version)
    }
}

impl State {
    /// Of all items: a version with a fix has it, whether or not the bug was asked for.
    pub fn of(outcomes: &BTreeMap<Subject, Outcome>, items: &[Item]) -> State {
        let documents = outcomes.iter().filter_map(|(subject, outcome)| Some((subject, outcome.as_ref().ok()?)));
        let versions = documents.map(|(subject, document)| {
            let fixes = items.iter().filter(|item| item.fixed.as_ref() == Some(subject));
            (Version::of(subject), Checked::of(document, &fixes.collect::<Vec<_>>()))
        });
        let touched = items.iter().filter(|item| item.subjects().any(|subject| outcomes.contains_key(subject)));
        let bugs = touched.map(|item| (item.id.clone(), Answer::of(item, outcomes)));
        State { versions: versions.collect(), bugs: bugs.collect() }
    }

    /// The same state with what another says about the same versions and bugs. What that one has not checked stays.
    pub fn updated(mut self, with: State) -> State {
        self.versions.extend(with.versions);
        for (id, answer) in with.bugs {
            let answer = match self.bugs.remove(&id) {
                Some(before) => answer.or(before),
                None => answer,
            };
            self.bugs.insert(id, answer);
        }
        self
    }
}

impl Checked {
    /// With the bugs that the version has the fixes of.
    fn of(document: &Document, fixes: &[&Item]) -> Checked {
        let counts = |finding: &&Finding| is_above_low(finding) && finding.lint != STALE_USE;
        let findings = document.findings.iter().filter(counts).map(|finding| Seen {
            lint: finding.lint.clone(),
            fingerprint: finding.fingerprint.clone(),
            confidence: finding.confidence,
            place: place(finding),
            is_at_fix: fixes.iter().any(|item| is_still_inside(item, finding)),
        });
        let mut findings: Vec<_> = findings.collect();
        findings.sort();
        Checked { lines: document.run.lines, findings }
    }
}

impl Answer {
    fn of(item: &Item, outcomes: &BTreeMap<Subject, Outcome>) -> Answer {
        let is_counted = if item.is_bug() { is_low_or_at } else { is_at };
        let fixed = item.fixed.as_ref().map(|fixed| Said::of(item, outcomes.get(fixed), is_still_inside));
        Answer { at: Said::of(item, outcomes.get(&item.subject), is_counted), fixed }
    }

    fn or(self, before: Answer) -> Answer {
        let known = |said: Said, before: Said| if said == Said::NotChecked { before } else { said };
        let fixed = self.fixed.map(|fixed| known(fixed, before.fixed.unwrap_or(Said::NotChecked)));
        Answer { at: known(self.at, before.at), fixed }
    }
}

/// A bug that is reported with low confidence is missed, but by little: that is worth a word.
fn is_low_or_at(item: &Item, finding: &Finding) -> bool {
    is_at(item, finding) || is_low_at(item, finding)
}

impl Said {
    fn of(item: &Item, outcome: Option<&Outcome>, counts: fn(&Item, &Finding) -> bool) -> Said {
        let Some(Ok(document)) = outcome else { return Said::NotChecked };
        let counted = document.findings.iter().filter(|finding| counts(item, finding));
        // Of equally sure ones the first by name: the order in a document is that of ranking.
        let surest = counted.min_by_key(|finding| (std::cmp::Reverse(finding.confidence), &finding.lint));
        surest.map_or(Said::Silent, |finding| Said::Reported {
            lint: finding.lint.clone(),
            confidence: finding.confidence,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::{Kind, Site};
    use crate::lab::Trouble;
    use crate::samples::{self, document};
    use finding::Confidence;

    fn item() -> Item {
        Item {
            id: "A1".to_owned(),
            kind: Kind::A,
            what: String::new(),
            subject: Subject::new("pool", "1.0.0", ""),
            fixed: Some(Subject::new("pool", "1.0.1", "")),
            sites: vec![Site { file: "src/pool.rs".to_owned(), line: 100 }],
            functions: vec!["get".to_owned()],
        }
    }

    fn found(confidence: Confidence, function: &str) -> Finding {
        samples::finding("stale_value", confidence, function, samples::place("src/pool.rs", 7))
    }

    fn taken(buggy: Outcome, fixed: Outcome) -> State {
        let item = item();
        let outcomes = [(item.subject.clone(), buggy), (item.fixed.clone().unwrap(), fixed)].into();
        State::of(&outcomes, &[item])
    }

    #[test]
    fn a_run_is_written_down() {
        let findings = vec![found(Confidence::High, "Pool::get"), found(Confidence::Low, "Pool::put")];
        let state = taken(Ok(document(500, findings)), Err(Trouble::new("crashed", "")));
        let expected = "\nversion pool 1.0.0 500\n- stale_value 0123456789abcdef high src/pool.rs:7\n\n\
                        bug A1 stale_value:high unchecked\n";
        assert!(state.text().ends_with(expected), "{}", state.text());
    }

    #[test]
    fn low_findings_at_a_bug_are_told_and_not_shown() {
        let low = || Ok(document(1, vec![found(Confidence::Low, "Pool::get")]));
        let answer = &taken(low(), low()).bugs["A1"];
        assert_eq!(answer.at, Said::Reported { lint: "stale_value".to_owned(), confidence: Confidence::Low });
        assert_eq!(answer.fixed, Some(Said::Silent));
        assert!(answer.at.is_silent());
    }

    #[test]
    fn findings_where_the_bug_was_are_told_apart() {
        let findings = || vec![found(Confidence::Medium, "Pool::get"), found(Confidence::High, "Pool::put")];
        let state = taken(Ok(document(1, findings())), Ok(document(1, findings())));
        let at_fix = |version| {
            let checked = &state.versions[&Version::new("pool", version)];
            checked.findings.iter().map(|seen| (seen.confidence, seen.is_at_fix)).collect::<Vec<_>>()
        };
        assert_eq!(at_fix("1.0.0"), [(Confidence::Medium, false), (Confidence::High, false)]);
        assert_eq!(at_fix("1.0.1"), [(Confidence::Medium, true), (Confidence::High, false)]);
    }

    #[test]
    fn a_fixed_version_alone_says_its_half() {
        let item = item();
        let found = || vec![found(Confidence::Medium, "Pool::get")];
        let outcomes = [(item.fixed.clone().unwrap(), Ok(document(1, found())))].into();
        let state = State::of(&outcomes, &[item]);
        assert!(
            state.text().ends_with("src/pool.rs:7 at-fix\n\nbug A1 unchecked stale_value:medium\n"),
            "{}",
            state.text()
        );
    }

    #[test]
    fn an_update_leaves_the_rest() {
        let state = |text: &str| State::parse(std::path::Path::new("state.txt"), text).unwrap();
        let old = state("version a 1.0.0 1\nversion b 1.0.0 1\nbug A1 silent unchecked\nbug A3 silent\n");
        let new = state("version b 1.0.0 2\nbug A1 unchecked silent\nbug A2 silent\n");
        let expected =
            state("version a 1.0.0 1\nversion b 1.0.0 2\nbug A1 silent silent\nbug A2 silent\nbug A3 silent\n");
        assert_eq!(old.updated(new), expected);
    }
}
