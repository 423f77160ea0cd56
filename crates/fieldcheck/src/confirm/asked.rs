//! Which versions are looked at, and which of their findings are run: of known bugs only those at the bug, of real crates
//! all that are shown.

use crate::failure::Failure;
use crate::known::{Item, Judged};
use crate::lab::{Outcome, Subject};
use crate::page::Section;
use crate::shown::is_above_low;
use crate::{crates, known};
use finding::Finding;
use std::collections::{BTreeMap, BTreeSet};

/// The fingerprints of the findings that are run.
pub type Wanted = BTreeMap<Subject, BTreeSet<String>>;

pub struct Asked {
    pub bugs: Vec<Item>,
    pub crates: Vec<Subject>,
}

impl Asked {
    /// Without names: everything.
    pub fn new(names: &[String]) -> Result<Asked, Failure> {
        let list = known::shipped_list();
        let bugs: Vec<_> = known::items(&list)?.into_iter().filter(Item::is_bug).collect();
        let crates = crates::subjects(&crates::shipped_list())?;
        let is_known =
            |name: &String| bugs.iter().any(|item| item.id == *name) || crates.iter().any(|it| it.name == *name);
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let what = "bug, and no crate in crates.txt,";
            return Err(Failure::Unknown { what, name: name.clone(), list });
        }
        let is_asked_for = |name: &String| names.is_empty() || names.contains(name);
        Ok(Asked {
            bugs: bugs.into_iter().filter(|item| is_asked_for(&item.id)).collect(),
            crates: crates.into_iter().filter(|subject| is_asked_for(&subject.name)).collect(),
        })
    }

    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.bugs.iter().flat_map(Item::subjects).chain(&self.crates)
    }

    /// The parts of the page that there will be something to say in.
    pub fn sections(&self) -> Vec<Section> {
        let bugs = (!self.bugs.is_empty()).then_some(Section::Bugs);
        bugs.into_iter().chain((!self.crates.is_empty()).then_some(Section::Crates)).collect()
    }
}

/// Versions without any such finding have nothing to run, and are left out.
pub fn wanted(judged: &[Judged<'_>], crates: &[Subject], outcomes: &BTreeMap<Subject, Outcome>) -> Wanted {
    let mut wanted = Wanted::new();
    let mut want = |subject: &Subject, findings: &[&Finding]| {
        let fingerprints = findings.iter().map(|finding| finding.fingerprint.clone());
        if !findings.is_empty() {
            wanted.entry(subject.clone()).or_default().extend(fingerprints);
        }
    };
    for judged in judged {
        let fixed = judged.item.fixed.as_ref().zip(judged.fixed.as_ref());
        for (subject, reported) in [(&judged.item.subject, &judged.at)].into_iter().chain(fixed) {
            want(subject, reported.as_deref().unwrap_or_default());
        }
    }
    for subject in crates {
        want(subject, &shown(outcomes.get(subject)));
    }
    wanted
}

/// Everything that people are shown of a crate.
pub fn shown(outcome: Option<&Outcome>) -> Vec<&Finding> {
    let document = outcome.and_then(|outcome| outcome.as_ref().ok());
    document.iter().flat_map(|document| &document.findings).filter(|finding| is_above_low(finding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{document, finding, place};
    use finding::Confidence;

    fn asked(names: &[&str]) -> Result<Asked, Failure> {
        Asked::new(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_ids_of_bugs_or_crates() {
        let some = asked(&["W02", "bb8"]).unwrap();
        let titles: Vec<_> = some.subjects().map(Subject::title).collect();
        assert_eq!(titles, ["stm 0.2.3", "stm 0.2.4", "bb8 0.9.1"]);
        assert_eq!(some.sections(), [Section::Bugs, Section::Crates]);
        assert_eq!(asked(&["A01"]).unwrap().sections(), [Section::Bugs]);
        let all = asked(&[]).unwrap();
        assert!(all.bugs.len() > 10 && all.bugs.iter().all(Item::is_bug) && all.crates.len() > 10);
    }

    #[test]
    fn correct_code_is_no_bug() {
        for name in ["N05", "nonsense"] {
            let said = asked(&["A01", name]).err().unwrap().to_string();
            assert!(said.starts_with(&format!("no bug, and no crate in crates.txt, `{name}` in ")), "{said}");
        }
    }

    #[test]
    fn of_a_bug_what_is_at_it_and_of_a_crate_all_that_is_shown() {
        let found = |fingerprint: &str, confidence| Finding {
            fingerprint: fingerprint.to_owned(),
            ..finding("stale_value", confidence, "get", place("src/lib.rs", 1))
        };
        let findings = vec![found("a", Confidence::High), found("b", Confidence::Medium), found("c", Confidence::Low)];
        let bug = &asked(&["A01"]).unwrap().bugs[0];
        let (pool, other) = (Subject::new("pool", "1.0.0", ""), Subject::new("other", "1.0.0", ""));
        let outcomes = BTreeMap::from([
            (pool.clone(), Ok(document(1, findings.clone()))),
            (other.clone(), Ok(document(1, Vec::new()))),
        ]);
        let judged = [Judged { item: bug, at: Some(vec![&findings[1]]), fixed: Some(Some(Vec::new())) }];
        let wanted = wanted(&judged, &[pool.clone(), other], &outcomes);
        let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
        assert_eq!(wanted, BTreeMap::from([(bug.subject.clone(), set(&["b"])), (pool, set(&["a", "b"]))]));
    }
}
