//! Findings that nobody has read yet, as tables to paste into verdicts.toml and to fill in.

use super::field::Field;
use crate::crates::blank;
use crate::lab::{Outcome, Subject};
use crate::shown::is_above_low;
use crate::state::{Seen, State, Version};
use crate::words::place;
use finding::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// A verdict is about all versions of a crate, so it is asked for once. Those of versions with known bugs are no reproach:
/// only the crates of the list need one for each.
pub fn open(field: &Field, outcomes: &BTreeMap<Subject, Outcome>, now: &State) -> Vec<String> {
    let listed: BTreeSet<_> = field.listed().into_iter().collect();
    let documents = outcomes.iter().filter_map(|(subject, outcome)| Some((subject, outcome.as_ref().ok()?)));
    let findings = documents.filter(|(subject, _)| listed.contains(subject)).flat_map(|(subject, document)| {
        let seen = now.versions.get(&Version::of(subject)).map_or(&[][..], |checked| &checked.findings);
        let shown = document.findings.iter().filter(|finding| is_above_low(finding));
        let unread = shown.filter(move |finding| {
            let seen = seen.iter().find(|seen| is_of(seen, finding));
            seen.is_some_and(|seen| field.verdict(&Version::of(subject), seen).is_none())
        });
        unread.map(move |finding| paste(subject, finding))
    });
    findings.collect()
}

fn is_of(seen: &Seen, finding: &Finding) -> bool {
    seen.lint == finding.lint && seen.fingerprint == finding.fingerprint
}

fn paste(subject: &Subject, finding: &Finding) -> String {
    let said = finding.message.replace('\n', " ");
    format!("# {}: {said}\n{}", place(finding), blank(&subject.name, &subject.version, finding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::{Group, Verdict};
    use crate::samples::{self, document, verdict};
    use finding::Confidence;

    #[test]
    fn only_crates_of_the_list_need_verdicts() {
        let found = |lint: &str| samples::finding(lint, Confidence::High, "get", samples::place("src/lib.rs", 7));
        let subjects = [Subject::new("pool", "1.0.0", ""), Subject::new("pool", "0.9.0", "")];
        let documents = subjects.clone().map(|subject| {
            (subject, Ok(document(1, vec![found("stale_value"), found("lock_order"), found("stale_use")])))
        });
        let outcomes = documents.into();
        let field = Field {
            crates: vec![(Group::FirstSight, subjects[0].clone())],
            verdicts: vec![verdict(Verdict::False, "stale_value", "0123456789abcdef")],
            ..Field::default()
        };
        let open = open(&field, &outcomes, &State::of(&outcomes, &[]));
        assert_eq!(open.len(), 1, "{open:?}");
        assert!(open[0].starts_with("# src/lib.rs:7: the value is old\n[[verdict]]\ncrate = \"pool\"\n"), "{open:?}");
        assert!(open[0].contains("lint = \"lock_order\""));
    }
}
