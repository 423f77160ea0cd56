//! From evidence to a confidence. Ranking drops nothing: hiding what is below a threshold is the renderer's choice.

use crate::document::{Confidence, Reason};

/// At or above: a maintainer would fix it when shown.
pub const HIGH: i32 = 70;
/// At or above: worth reading.
pub const MEDIUM: i32 = 45;

/// The sum of the evidence, kept within 0..=100.
pub fn score(reasons: &[Reason]) -> u8 {
    let sum: i32 = reasons.iter().map(|reason| reason.points).sum();
    u8::try_from(sum.clamp(0, 100)).unwrap_or(100)
}

pub fn confidence(score: u8) -> Confidence {
    match i32::from(score) {
        HIGH.. => Confidence::High,
        MEDIUM.. => Confidence::Medium,
        _ => Confidence::Low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(points: &[i32]) -> Vec<Reason> {
        points.iter().map(|&points| Reason { points, text: String::new() }).collect()
    }

    #[test]
    fn score_is_clamped_at_both_ends() {
        assert_eq!(score(&reasons(&[60, 60])), 100);
        assert_eq!(score(&reasons(&[10, -60])), 0);
        assert_eq!(score(&reasons(&[50, -5])), 45);
    }

    #[test]
    fn thresholds_belong_to_the_upper_class() {
        assert_eq!(confidence(44), Confidence::Low);
        assert_eq!(confidence(45), Confidence::Medium);
        assert_eq!(confidence(70), Confidence::High);
    }
}
