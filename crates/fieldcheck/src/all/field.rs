//! All that people have written down: the lists, the verdicts and the reasons.

use crate::crates::{self, Group, Of, Row};
use crate::failure::Failure;
use crate::input::shipped;
use crate::known::{self, Item, Misses};
use crate::lab::Subject;
use crate::state::{Checked, Seen, State, Version};

#[derive(Default)]
pub struct Field {
    pub crates: Vec<(Group, Subject)>,
    pub items: Vec<Item>,
    /// How many of them are of the first list, which every rule was tried on.
    pub tried_on: usize,
    pub verdicts: Vec<Row>,
    pub misses: Misses,
}

impl Field {
    pub fn shipped() -> Result<Field, Failure> {
        Ok(Field {
            crates: crates::grouped(&crates::shipped_list())?,
            items: known::shipped_items()?,
            tried_on: known::items(&known::shipped_list())?.len(),
            verdicts: crates::verdicts(&shipped("verdicts.toml"))?,
            misses: known::misses(&shipped("misses.toml"))?,
        })
    }

    pub fn verdict(&self, version: &Version, seen: &Seen) -> Option<&Row> {
        let of = Of {
            name: &version.name,
            version: &version.version,
            lint: &seen.lint,
            fingerprint: &seen.fingerprint,
            any_version: !seen.is_at_fix,
        };
        crates::find(&self.verdicts, of)
    }

    /// The versions that have the bugs, each once.
    pub fn buggy(&self) -> Vec<&Subject> {
        let mut subjects: Vec<_> = self.items.iter().filter(|item| item.is_bug()).map(|item| &item.subject).collect();
        subjects.sort();
        subjects.dedup();
        subjects
    }

    pub fn group(&self, group: Group) -> Vec<&Subject> {
        self.crates.iter().filter(|(of, _)| *of == group).map(|(_, subject)| subject).collect()
    }

    pub fn listed(&self) -> Vec<&Subject> {
        self.crates.iter().map(|(_, subject)| subject).collect()
    }
}

/// What is written down about some versions, as far as it is.
pub fn checked<'s>(state: &'s State, subjects: &[&Subject]) -> Vec<(Version, &'s Checked)> {
    let versions = subjects.iter().map(|subject| Version::of(subject));
    versions.filter_map(|version| state.versions.get(&version).map(|checked| (version, checked))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::Verdict;
    use crate::samples::verdict;
    use finding::Confidence;

    #[test]
    fn where_a_bug_was_only_its_own_version_is_believed() {
        let row = verdict(Verdict::True, "stale_value", "0123456789abcdef");
        let field = Field { verdicts: vec![row], ..Field::default() };
        let seen = |is_at_fix| Seen {
            lint: "stale_value".to_owned(),
            fingerprint: "0123456789abcdef".to_owned(),
            confidence: Confidence::High,
            place: "src/lib.rs:7".to_owned(),
            is_at_fix,
        };
        let (read, later) = (Version::new("pool", "1.0.0"), Version::new("pool", "1.0.1"));
        assert!(field.verdict(&read, &seen(true)).is_some());
        assert!(field.verdict(&later, &seen(false)).is_some());
        assert!(field.verdict(&later, &seen(true)).is_none());
    }
}
