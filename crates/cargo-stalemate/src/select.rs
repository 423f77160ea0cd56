//! Which findings a run shows. Ranking drops nothing; here is the only place where something is left out, and counted.

use crate::errors::Exit;
use finding::facts::Recorded;
use finding::{Confidence, Finding};

#[derive(Debug)]
pub struct Selection {
    /// At or above the threshold, those that someone accepted included.
    pub shown: Vec<Recorded>,
    /// Below the threshold, and not accepted by anyone.
    pub hidden: Vec<Recorded>,
}

impl Selection {
    pub fn new(findings: Vec<Recorded>, threshold: Confidence) -> Selection {
        let above = |recorded: &Recorded| recorded.finding.confidence >= threshold;
        let (shown, below): (Vec<_>, Vec<_>) = findings.into_iter().partition(above);
        let hidden = below.into_iter().filter(|recorded| is_open(&recorded.finding)).collect();
        Selection { shown, hidden }
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
        let selection = Selection::new(findings, Confidence::Medium);
        assert_eq!((selection.shown.len(), selection.hidden.len()), (1, 1));
        assert_eq!(selection.exit(), Exit::Findings);
    }

    #[test]
    fn accepted_findings_are_shown_but_no_failure() {
        let selection = Selection::new(vec![with(Confidence::High, true)], Confidence::Medium);
        assert_eq!((selection.shown.len(), selection.suppressed()), (1, 1));
        assert_eq!(selection.exit(), Exit::Clean);
    }
}
