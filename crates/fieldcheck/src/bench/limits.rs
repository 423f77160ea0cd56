//! Which ratios are too high. Only CPU seconds of the tool have limits, in the two situations that people wait for: the
//! first run, and the one after a change.

use super::figures::{Figures, Row};
use super::side::Side;
use super::situation::Situation;
use serde::Serialize;

/// Without a limit nothing is checked.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Limits {
    pub cold: Option<f64>,
    pub warm: Option<f64>,
}

impl Limits {
    fn of(self, row: &Row) -> Option<(f64, &'static str)> {
        let limit = match (row.side, row.situation) {
            (Side::Stalemate, Situation::All) => (self.cold?, "--max-cold"),
            (Side::Stalemate, Situation::Touch) => (self.warm?, "--max-warm"),
            _ => return None,
        };
        Some(limit)
    }

    /// One line for each ratio above its limit. A ratio that there is none of is above every limit.
    pub fn exceeded(self, measured: &[Figures<'_>]) -> Vec<String> {
        let rows = measured.iter().flat_map(|figures| figures.rows.iter().map(move |row| (figures.subject, row)));
        let over = rows.filter_map(|(subject, row)| {
            let (most, option) = self.of(row)?;
            let ratio = row.cpu_seconds.ratio.filter(|ratio| ratio.is_finite()).unwrap_or(f64::INFINITY);
            let what = format!("{}, {}", subject.title(), row.situation.word());
            (ratio > most).then(|| format!("{what}: {ratio:.3} times `cargo check`, {option} is {most}"))
        });
        over.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures::Compared;
    use super::*;
    use crate::lab::Subject;

    fn row(situation: Situation, side: Side, seconds: f64, plain: f64) -> Row {
        let compared = Compared::new(vec![seconds], &[plain]);
        Row { situation, side, peak_mb: compared.clone(), cpu_seconds: compared }
    }

    fn exceeded(limits: Limits, rows: Vec<Row>) -> Vec<String> {
        limits.exceeded(&[Figures { subject: &Subject::new("pool", "1.0.0", ""), rows, phases: Vec::new() }])
    }

    fn rows() -> Vec<Row> {
        let tool = [Situation::All, Situation::Crate, Situation::Touch, Situation::Edit];
        let tool = tool.map(|situation| row(situation, Side::Stalemate, 3.0, 2.0));
        tool.into_iter().chain([row(Situation::All, Side::Clippy, 9.0, 2.0)]).collect()
    }

    #[test]
    fn nothing_is_checked_unless_asked() {
        assert_eq!(exceeded(Limits::default(), rows()), [""; 0]);
    }

    #[test]
    fn a_ratio_up_to_the_limit_is_allowed() {
        assert_eq!(exceeded(Limits { cold: Some(1.5), warm: Some(1.5) }, rows()), [""; 0]);
    }

    #[test]
    fn each_limit_is_for_its_situation_and_the_tool() {
        let cold = exceeded(Limits { cold: Some(1.4), warm: None }, rows());
        assert_eq!(cold, ["pool 1.0.0, all: 1.500 times `cargo check`, --max-cold is 1.4"]);
        let warm = exceeded(Limits { cold: Some(2.0), warm: Some(1.2) }, rows());
        assert_eq!(warm, ["pool 1.0.0, touch: 1.500 times `cargo check`, --max-warm is 1.2"]);
    }

    #[test]
    fn no_ratio_is_no_pass() {
        let over =
            exceeded(Limits { cold: Some(9.0), warm: None }, vec![row(Situation::All, Side::Stalemate, 1.0, 0.0)]);
        assert_eq!(over.len(), 1, "{over:?}");
    }
}
