//! What came of one crate, as it is kept for later runs.

use super::way::Way;
use finding::Document;
use finding::document::Skipped;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    Checked(Counts),
    /// Cargo or the compiler refused it, which says nothing about the tool.
    DoesNotBuild,
    /// The time was over.
    NotFinished,
    Crashed {
        said: String,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    pub functions: usize,
    pub with_locks: usize,
    pub lines: usize,
    /// Bodies that were given up: name and reason.
    pub skipped: Vec<(String, String)>,
}

impl Counts {
    pub fn of(document: &Document) -> Counts {
        let run = &document.run;
        let skipped = run.skipped.iter().map(|Skipped { function, reason }| (function.clone(), reason.clone()));
        Counts {
            functions: run.functions,
            with_locks: run.functions_with_locks,
            lines: run.lines,
            skipped: skipped.collect(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    pub way: Way,
    pub end: End,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub tried: Vec<Tried>,
}

impl Record {
    pub fn checked(&self) -> impl Iterator<Item = (Way, &Counts)> {
        self.tried.iter().filter_map(|tried| match &tried.end {
            End::Checked(counts) => Some((tried.way, counts)),
            End::DoesNotBuild | End::NotFinished | End::Crashed { .. } => None,
        })
    }

    /// The way that shows most functions.
    pub fn most(&self) -> Option<&Counts> {
        self.checked().map(|(_, counts)| counts).max_by_key(|counts| counts.functions)
    }

    pub fn crashes(&self) -> impl Iterator<Item = (Way, &str)> {
        self.tried.iter().filter_map(|tried| match &tried.end {
            End::Crashed { said } => Some((tried.way, said.as_str())),
            End::Checked(_) | End::DoesNotBuild | End::NotFinished => None,
        })
    }

    /// Another run may end otherwise: after a repair, or with more time.
    pub fn is_final(&self) -> bool {
        self.tried.iter().all(|tried| matches!(tried.end, End::Checked(_) | End::DoesNotBuild))
    }

    /// Each body once, though several ways compile it.
    pub fn skipped(&self) -> Vec<&(String, String)> {
        let mut skipped: Vec<_> = self.checked().flat_map(|(_, counts)| &counts.skipped).collect();
        skipped.sort();
        skipped.dedup();
        skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(way: Way, functions: usize, skipped: &[&str]) -> Tried {
        let skipped = skipped.iter().map(|name| (name.to_string(), "too large".to_owned())).collect();
        Tried { way, end: End::Checked(Counts { functions, skipped, ..Counts::default() }) }
    }

    #[test]
    fn bodies_count_once() {
        let tried = vec![
            Tried { way: Way::AllOfAll, end: End::DoesNotBuild },
            checked(Way::AllTargets, 20, &["b", "a"]),
            checked(Way::AllFeatures, 30, &["a"]),
        ];
        let record = Record { tried };
        assert_eq!(record.skipped().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(record.most().unwrap().functions, 30);
        assert!(record.is_final() && record.crashes().next().is_none());
        assert_eq!(serde_json::from_slice::<Record>(&serde_json::to_vec(&record).unwrap()).unwrap(), record);
    }

    #[test]
    fn what_may_end_otherwise_is_not_final() {
        for end in [End::NotFinished, End::Crashed { said: "panicked".to_owned() }] {
            let record = Record { tried: vec![Tried { way: Way::Library, end }] };
            assert!(!record.is_final() && record.most().is_none());
        }
    }
}
