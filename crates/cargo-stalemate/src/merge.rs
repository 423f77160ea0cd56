//! One result out of many units. Units overlap: a library is compiled again with its tests, and both times holds the
//! same functions with the same findings. The order in which cargo finished them must not show.

use crate::facts::Checked;
use crate::messages::Target;
use finding::RunInfo;
use finding::facts::{Recorded, UnitFacts};
use std::collections::BTreeMap;

/// What the whole run came to, whatever its confidence.
#[derive(Debug, Default, PartialEq)]
pub struct Merged {
    pub run: RunInfo,
    pub findings: Vec<Recorded>,
    /// Rows of the user's models that lead nowhere in any unit.
    pub unknown_models: Vec<String>,
}

pub fn merge(units: &[Checked]) -> Merged {
    Merged { run: run_info(units), findings: findings(units), unknown_models: unknown_models(units) }
}

fn run_info(units: &[Checked]) -> RunInfo {
    let counts: Vec<Counts> = per_target(units).into_values().collect();
    RunInfo {
        packages: sorted(units.iter().map(|(_, facts)| facts.package.clone())),
        functions: counts.iter().map(|counts| counts.functions).sum(),
        functions_with_locks: counts.iter().map(|counts| counts.functions_with_locks).sum(),
        lines: counts.iter().map(|counts| counts.lines).sum(),
        skipped: sorted(units.iter().flat_map(|(_, facts)| facts.skipped.iter().cloned())),
    }
}

#[derive(Default)]
struct Counts {
    functions: usize,
    functions_with_locks: usize,
    lines: usize,
}

impl Counts {
    /// The larger unit of a target holds the smaller one.
    fn absorb(&mut self, facts: &UnitFacts) {
        self.functions = self.functions.max(facts.functions);
        self.functions_with_locks = self.functions_with_locks.max(facts.functions_with_locks);
        self.lines = self.lines.max(facts.lines);
    }
}

fn per_target(units: &[Checked]) -> BTreeMap<&Target, Counts> {
    let mut targets = BTreeMap::<&Target, Counts>::new();
    for (target, facts) in units {
        targets.entry(target).or_default().absorb(facts);
    }
    targets
}

/// A member of the workspace that does not use a library cannot know its names; if no member does, they are misspelt.
fn unknown_models(units: &[Checked]) -> Vec<String> {
    let everywhere = |row: &&String| units.iter().all(|(_, facts)| facts.unknown_models.contains(row));
    sorted(units.iter().flat_map(|(_, facts)| &facts.unknown_models).filter(everywhere).cloned())
}

/// Equal findings are one. Where they differ in the rest, the one from the plain unit of the first target stays: the
/// choice does not matter, but it must always be the same.
fn findings(units: &[Checked]) -> Vec<Recorded> {
    let mut units: Vec<&Checked> = units.iter().collect();
    units.sort_by_key(|(target, facts)| (facts.test, target));
    let mut findings: Vec<Recorded> = units.iter().flat_map(|(_, facts)| facts.findings.iter().cloned()).collect();
    // The sort is stable, so the first of equals is that of the first unit.
    findings.sort_by(|a, b| a.finding.order().cmp(&b.finding.order()));
    findings.dedup_by(|a, b| a.finding.order() == b.finding.order());
    findings
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items.dedup();
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::errors::{Exit, Failure};
    use crate::report::samples::{recorded, unit_facts};
    use crate::run::merge_checked;
    use finding::Skipped;

    fn checked(name: &str, test: bool, functions: usize, findings: Vec<Recorded>) -> Checked {
        let target = Target { package: "p".into(), name: name.into(), kind: "lib".into() };
        (target, UnitFacts { test, functions, lines: functions * 10, findings, ..unit_facts("p") })
    }

    #[test]
    fn a_target_counts_once_with_its_largest_unit() {
        let units = [checked("a", false, 5, vec![]), checked("a", true, 8, vec![]), checked("b", false, 2, vec![])];
        let run = merge(&units).run;
        assert_eq!((run.functions, run.lines, run.packages), (10, 100, vec!["p".to_owned()]));
    }

    #[test]
    fn equal_findings_are_one_and_order_is_by_place() {
        let (early, late) = (recorded("src/a.rs", 3), recorded("src/b.rs", 1));
        let units =
            [checked("a", true, 1, vec![late.clone(), early.clone()]), checked("a", false, 1, vec![early.clone()])];
        assert_eq!(merge(&units).findings, [early, late]);
    }

    #[test]
    fn order_of_units_does_not_show() {
        let mut denied = recorded("src/a.rs", 3);
        denied.denied = true;
        let mut units = [checked("a", true, 9, vec![denied]), checked("a", false, 5, vec![recorded("src/a.rs", 3)])];
        let forwards = merge(&units);
        units.reverse();
        assert_eq!(merge(&units), forwards);
        assert!(!forwards.findings[0].denied);
    }

    #[test]
    fn skipped_functions_are_listed_once() {
        let mut unit = checked("a", false, 1, vec![]);
        let skip = |name: &str| Skipped { function: name.into(), reason: "too large".into() };
        unit.1.skipped = vec![skip("b"), skip("a"), skip("b")];
        assert_eq!(merge(&[unit.clone(), unit]).run.skipped, [skip("a"), skip("b")]);
    }

    /// Code that the analysis failed for is not code that is not there.
    #[test]
    fn a_crate_that_failed_as_a_whole_is_told_with_its_reason() {
        let mut unit = checked("a", false, 0, vec![]);
        assert!(matches!(merge_checked(&[unit.clone()]), Err(Failure::NoFunctions)));
        unit.1.skipped = vec![Skipped { function: "*".into(), reason: "out of paths".into() }];
        let failure = merge_checked(&[unit]).unwrap_err();
        assert_eq!(failure.exit(), Exit::Internal);
        assert!(matches!(failure, Failure::AnalysisFailed { reason } if reason == "out of paths"));
    }
}
