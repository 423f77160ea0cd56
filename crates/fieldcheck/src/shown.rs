//! Which findings count in both reports: those that people are shown without asking.

use finding::{Confidence, Finding};

/// The lint that claims an order of events and nothing else. It is off by default.
pub const STALE_USE: &str = "stale_use";

/// At least medium, and accepted by nobody.
pub fn is_above_low(finding: &Finding) -> bool {
    finding.confidence > Confidence::Low && finding.suppressed.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{finding, place};
    use finding::{Suppressed, SuppressedBy};

    #[test]
    fn low_and_accepted_findings_do_not_count() {
        let mut found = finding("stale_value", Confidence::Low, "get", place("src/lib.rs", 1));
        assert!(!is_above_low(&found));
        for confidence in [Confidence::Medium, Confidence::High] {
            found.confidence = confidence;
            assert!(is_above_low(&found));
        }
        found.suppressed = Some(Suppressed { by: SuppressedBy::Comment, reason: String::new() });
        assert!(!is_above_low(&found));
    }
}
