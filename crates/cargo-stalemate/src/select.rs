//! Which findings a run shows. Ranking drops nothing; here is the only place where something is left out, and counted.

use crate::errors::{Exit, Failure, Request};
use finding::facts::Recorded;
use finding::{Confidence, Finding};

#[derive(Debug)]
pub struct Selection {
    /// At or above the threshold, those that someone accepted included.
    pub shown: Vec<Recorded>,
    /// Below the threshold, and not accepted by anyone.
    pub hidden: Vec<Recorded>,
    /// How many lie in files that are skipped.
    pub skipped: usize,
    /// How many were there before the commit that was named.
    pub known: usize,
}

impl Selection {
    /// `threshold` may differ from lint to lint.
    pub fn new(findings: Vec<Recorded>, threshold: impl Fn(&str) -> Confidence) -> Selection {
        let above = |recorded: &Recorded| recorded.finding.confidence >= threshold(&recorded.finding.lint);
        let (shown, below): (Vec<_>, Vec<_>) = findings.into_iter().partition(above);
        let hidden = below.into_iter().filter(|recorded| is_open(&recorded.finding)).collect();
        Selection { shown, hidden, skipped: 0, known: 0 }
    }

    /// What the run is about: shown, and accepted by nobody.
    pub fn open(&self) -> impl Iterator<Item = &Recorded> {
        self.shown.iter().filter(|recorded| is_open(&recorded.finding))
    }

    pub fn suppressed(&self) -> usize {
        self.shown.len() - self.open().count()
    }

    pub fn exit(&self) -> Exit {
        if self.open().next().is_some() { Exit::Findings } else { Exit::Clean }
    }
}

/// The finding that goes by these digits, which may be the first of them only.
pub fn by_fingerprint<'f>(findings: &'f [Recorded], digits: &str) -> Result<&'f Recorded, Failure> {
    let mut found = findings.iter().filter(|recorded| recorded.finding.fingerprint.starts_with(digits));
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => Err(Request::SeveralFindings {
            fingerprint: digits.to_owned(),
            such_as: [first, second].map(|one| one.finding.fingerprint.clone()),
        }
        .into()),
        (None, _) => Err(Request::NoSuchFinding { fingerprint: digits.to_owned() }.into()),
    }
}

fn is_open(finding: &Finding) -> bool {
    finding.suppressed.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;
    use finding::{Suppressed, SuppressedBy};

    fn with(confidence: Confidence, suppressed: bool) -> Recorded {
        let mut recorded = recorded("src/a.rs", 1);
        recorded.finding.confidence = confidence;
        recorded.finding.suppressed =
            suppressed.then(|| Suppressed { by: SuppressedBy::Comment, reason: "known".into() });
        recorded
    }

    #[test]
    fn below_the_threshold_is_hidden_and_counted() {
        let findings = vec![with(Confidence::Low, false), with(Confidence::Low, true), with(Confidence::High, false)];
        let selection = Selection::new(findings, |_| Confidence::Medium);
        assert_eq!((selection.shown.len(), selection.hidden.len()), (1, 1));
        assert_eq!(selection.exit(), Exit::Findings);
    }

    #[test]
    fn accepted_findings_are_shown_but_no_failure() {
        let selection = Selection::new(vec![with(Confidence::High, true)], |_| Confidence::Medium);
        assert_eq!((selection.shown.len(), selection.suppressed()), (1, 1));
        assert_eq!(selection.exit(), Exit::Clean);
    }
}
