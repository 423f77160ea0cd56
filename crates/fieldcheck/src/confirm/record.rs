//! What came of the findings of one version, as it is kept for later runs.

use finding::document::ConfirmationStatus;
use finding::{Confirmation, Finding};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The more was learnt of the finding, the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The time of the version was over.
    NotFinished,
    CannotBuild,
    NeedsFixture,
    Infeasible,
    NotReproduced,
    Confirmed,
}

impl Status {
    /// The best first, as tables have them.
    pub const ALL: [Status; 6] = [
        Status::Confirmed,
        Status::NotReproduced,
        Status::Infeasible,
        Status::NeedsFixture,
        Status::CannotBuild,
        Status::NotFinished,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Status::Confirmed => "confirmed",
            Status::NotReproduced => "not-reproduced",
            Status::Infeasible => "infeasible",
            Status::NeedsFixture => "needs-fixture",
            Status::CannotBuild => "cannot-build",
            Status::NotFinished => "not finished",
        }
    }
}

impl From<ConfirmationStatus> for Status {
    fn from(status: ConfirmationStatus) -> Status {
        match status {
            ConfirmationStatus::Confirmed => Status::Confirmed,
            ConfirmationStatus::NotReproduced => Status::NotReproduced,
            ConfirmationStatus::Infeasible => Status::Infeasible,
            ConfirmationStatus::NeedsFixture => Status::NeedsFixture,
            ConfirmationStatus::CannotBuild => Status::CannotBuild,
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    pub status: Status,
    /// What came of both threads at once if that shows the bug, or else the reason.
    pub said: String,
    /// How long its witness ran, if it did.
    pub seconds: Option<f64>,
}

impl Tried {
    pub fn new(confirmation: &Confirmation, seconds: Option<f64>) -> Tried {
        let status = Status::from(confirmation.status);
        let outcome = confirmation.interleaved.as_ref().filter(|_| status == Status::Confirmed);
        Tried { status, said: outcome.unwrap_or(&confirmation.reason).clone(), seconds }
    }

    pub fn not_finished() -> Tried {
        Tried { status: Status::NotFinished, said: "the time was over".to_owned(), seconds: None }
    }
}

/// One finding that was run again when everything was built but the crate with its witness. In seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Again {
    /// Of building the crate with the witness.
    pub build: f64,
    /// Of the whole command, without the runs of the witness and without Miri.
    pub around: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// By fingerprint.
    pub tried: BTreeMap<String, Tried>,
    /// Not there if nothing was built, or the time was over.
    pub again: Option<Again>,
}

/// The best status among some findings of a version, the first finding that has it, and how many have it.
#[derive(Clone, Copy, Debug)]
pub struct Best<'a> {
    pub finding: &'a Finding,
    pub tried: &'a Tried,
    pub count: usize,
}

impl Record {
    pub fn best<'a>(&'a self, findings: &[&'a Finding]) -> Option<Best<'a>> {
        let tried: Vec<_> =
            findings.iter().filter_map(|finding| Some((*finding, self.tried.get(&finding.fingerprint)?))).collect();
        let status = tried.iter().map(|(_, tried)| tried.status).max()?;
        let mut best = tried.into_iter().filter(|(_, tried)| tried.status == status);
        let (finding, tried) = best.next()?;
        Some(Best { finding, tried, count: 1 + best.count() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{finding, place};
    use finding::Confidence;

    fn found(fingerprint: &str) -> Finding {
        let found = finding("stale_value", Confidence::High, "get", place("src/lib.rs", 1));
        Finding { fingerprint: fingerprint.to_owned(), ..found }
    }

    fn record(statuses: &[(&str, Status)]) -> Record {
        let tried = |status| Tried { status, said: String::new(), seconds: None };
        let tried = statuses.iter().map(|(fingerprint, status)| (fingerprint.to_string(), tried(*status))).collect();
        Record { tried, again: None }
    }

    #[test]
    fn the_best_status_counts() {
        assert!(Status::ALL.is_sorted_by(|better, worse| better > worse));
        use Status::*;
        let record = record(&[("a", NeedsFixture), ("b", NotReproduced), ("c", Confirmed), ("d", NotReproduced)]);
        let findings = ["a", "b", "c", "d"].map(found);
        let best = |chosen: &[usize]| {
            let chosen: Vec<_> = chosen.iter().map(|at| &findings[*at]).collect();
            record.best(&chosen).map(|best| (best.finding.fingerprint.clone(), best.tried.status, best.count))
        };
        assert_eq!(best(&[0, 1, 2, 3]), Some(("c".to_owned(), Confirmed, 1)));
        assert_eq!(best(&[0, 3, 1]), Some(("d".to_owned(), NotReproduced, 2)));
        assert_eq!(best(&[0]), Some(("a".to_owned(), NeedsFixture, 1)));
        assert_eq!(best(&[]), None);
    }

    #[test]
    fn the_outcome_is_told_of_a_bug_that_shows_and_the_reason_of_others() {
        let confirmation = |status| Confirmation {
            interleaved: Some("A returned 0, B returned 0".to_owned()),
            ..Confirmation::of(status, "why")
        };
        let said = |status| Tried::new(&confirmation(status), None).said;
        assert_eq!(said(ConfirmationStatus::Confirmed), "A returned 0, B returned 0");
        assert_eq!(said(ConfirmationStatus::NotReproduced), "why");
        let deadlock = Confirmation::of(ConfirmationStatus::Confirmed, "threads wait");
        assert_eq!(Tried::new(&deadlock, Some(1.0)).said, "threads wait");
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut record = record(&[("a", Status::NotFinished), ("b", Status::Confirmed)]);
        record.again = Some(Again { build: 1.5, around: 2.25 });
        assert_eq!(serde_json::from_slice::<Record>(&serde_json::to_vec(&record).unwrap()).unwrap(), record);
    }
}
