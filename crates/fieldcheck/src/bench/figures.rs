//! Medians, minima and ratios. Machines are never quiet: the median leaves disturbed runs out, and the minimum is the run
//! that was disturbed least. Where the two ratios differ much, neither is worth much.

use super::side::Side;
use super::situation::Situation;
use super::usage::Usage;
use crate::lab::Subject;
use finding::timings::Phase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One quantity of one side in one situation, beside the same of the plain side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    pub runs: Vec<f64>,
    pub median: f64,
    pub min: f64,
    /// Of the medians.
    pub ratio: Option<f64>,
    pub ratio_of_minima: Option<f64>,
}

impl Compared {
    pub fn new(runs: Vec<f64>, plain: &[f64]) -> Compared {
        let (median_here, min_here) = (median(&runs), min(&runs));
        Compared {
            median: median_here,
            min: min_here,
            ratio: ratio(median_here, median(plain)),
            ratio_of_minima: ratio(min_here, min(plain)),
            runs,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub situation: Situation,
    pub side: Side,
    pub cpu_seconds: Compared,
    pub peak_mb: Compared,
}

/// Everything that was measured of one crate.
pub struct Figures<'a> {
    pub subject: &'a Subject,
    /// The sides of each situation together, in the order in which they ran.
    pub rows: Vec<Row>,
    pub phases: Vec<Phases>,
}

/// What the analysis itself spent in one situation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phases {
    pub situation: Situation,
    pub cpu_seconds: BTreeMap<Phase, f64>,
}

/// One run of one command, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub situation: Situation,
    pub side: Side,
    #[serde(flatten)]
    pub usage: Usage,
    /// CPU seconds of the analysis itself, if it is the tool's run.
    pub phases: BTreeMap<Phase, f64>,
}

impl<'a> Figures<'a> {
    /// The runs in their order. Every situation has to have been measured plainly.
    pub fn new(subject: &'a Subject, runs: &[Run]) -> Figures<'a> {
        let mut usages: BTreeMap<(Situation, Side), Vec<Usage>> = BTreeMap::new();
        for run in runs {
            usages.entry((run.situation, run.side)).or_default().push(run.usage);
        }
        let rows = usages.iter().map(|(&(situation, side), runs)| {
            let plain = &usages[&(situation, Side::Plain)];
            let compared = |quantity: fn(&Usage) -> f64| {
                let all = |runs: &[Usage]| runs.iter().map(quantity).collect::<Vec<_>>();
                Compared::new(all(runs), &all(plain))
            };
            Row { situation, side, cpu_seconds: compared(|run| run.cpu_seconds), peak_mb: compared(|run| run.peak_mb) }
        });
        Figures { subject, rows: rows.collect(), phases: phases(runs) }
    }
}

/// Medians, of the situations in which something was looked at.
fn phases(runs: &[Run]) -> Vec<Phases> {
    let of = |situation: Situation| {
        let own: Vec<&Run> =
            runs.iter().filter(|run| run.situation == situation && run.side == Side::Stalemate).collect();
        let seconds = |phase: Phase| {
            let all: Vec<f64> = own.iter().map(|run| run.phases.get(&phase).copied().unwrap_or_default()).collect();
            (phase, if all.is_empty() { 0.0 } else { median(&all) })
        };
        let cpu_seconds: BTreeMap<Phase, f64> = Phase::ALL.into_iter().map(seconds).collect();
        (cpu_seconds.values().sum::<f64>() > 0.0).then_some(Phases { situation, cpu_seconds })
    };
    Situation::ALL.into_iter().filter_map(of).collect()
}

/// Of at least one number.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
}

fn min(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Nothing is no multiple of nothing.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 100.0, 1.0, 2.0]), 3.0);
        assert_eq!(min(&[4.0, 100.0, 1.0, 2.0]), 1.0);
    }

    #[test]
    fn ratios_are_those_of_medians_and_of_minima() {
        let compared = Compared::new(vec![3.0, 8.0, 2.0], &[2.0, 1.0, 50.0]);
        assert_eq!((compared.median, compared.ratio), (3.0, Some(1.5)));
        assert_eq!((compared.min, compared.ratio_of_minima), (2.0, Some(2.0)));
        assert_eq!(compared.runs, [3.0, 8.0, 2.0]);
        assert_eq!(Compared::new(vec![1.0], &[0.0]).ratio, None);
    }

    #[test]
    fn each_side_is_compared_with_the_plain_one_of_its_situation() {
        let run = |situation, side, cpu_seconds, peak_mb| Run {
            situation,
            side,
            usage: Usage { cpu_seconds, peak_mb },
            phases: if side == Side::Stalemate {
                [(Phase::Walking, cpu_seconds / 10.0)].into()
            } else {
                BTreeMap::new()
            },
        };
        let runs = [
            run(Situation::Touch, Side::Stalemate, 3.0, 90.0),
            run(Situation::Touch, Side::Plain, 2.0, 60.0),
            run(Situation::All, Side::Stalemate, 11.0, 100.0),
            run(Situation::All, Side::Plain, 10.0, 80.0),
        ];
        let subject = Subject::new("pool", "1.0.0", "");
        let figures = Figures::new(&subject, &runs);
        assert_eq!(figures.phases.iter().map(|of| of.cpu_seconds[&Phase::Walking]).collect::<Vec<_>>(), [1.1, 0.3]);
        let rows: Vec<_> = figures.rows.iter().map(|row| (row.situation, row.side, row.cpu_seconds.ratio)).collect();
        assert_eq!(
            rows,
            [
                (Situation::All, Side::Plain, Some(1.0)),
                (Situation::All, Side::Stalemate, Some(1.1)),
                (Situation::Touch, Side::Plain, Some(1.0)),
                (Situation::Touch, Side::Stalemate, Some(1.5)),
            ]
        );
        assert_eq!(figures.rows[3].peak_mb.ratio, Some(1.5));
    }
}
