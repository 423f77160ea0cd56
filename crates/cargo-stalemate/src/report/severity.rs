//! How loud a finding is, for readers that know three degrees.

use finding::Confidence;
use finding::facts::Recorded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl Severity {
    /// Who denies a lint means every finding of it; else one of low confidence is no more than a hint.
    pub fn of(recorded: &Recorded) -> Severity {
        match recorded.finding.confidence {
            _ if recorded.denied => Severity::Error,
            Confidence::Low => Severity::Note,
            Confidence::Medium | Confidence::High => Severity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;

    #[test]
    fn denied_is_louder_than_low() {
        let mut sample = recorded("src/a.rs", 1);
        assert_eq!(Severity::of(&sample), Severity::Warning);
        sample.finding.confidence = Confidence::Low;
        assert_eq!(Severity::of(&sample), Severity::Note);
        sample.denied = true;
        assert_eq!(Severity::of(&sample), Severity::Error);
    }
}
