//! The numbers for each lint: how often it speaks, and how often it is right. A finding that nobody could decide is no
//! proof of anything, so precision is told twice: of what was decided, and at least, as if all the rest were wrong.

use super::judge::Judged;
use super::verdicts::{Row, Verdict};
use crate::table::{Align, Table, density, percent};
use std::collections::BTreeSet;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub findings: usize,
    pub right: usize,
    pub benign: usize,
    pub wrong: usize,
    pub unknown: usize,
    pub missing: usize,
    worth_fixing: usize,
}

impl Totals {
    pub fn of<'a>(judged: impl IntoIterator<Item = &'a Judged<'a>>) -> Totals {
        Totals::of_verdicts(judged.into_iter().map(|judged| judged.verdict))
    }

    /// One for each finding.
    pub fn of_verdicts<'a>(verdicts: impl IntoIterator<Item = Option<&'a Row>>) -> Totals {
        let mut totals = Totals::default();
        verdicts.into_iter().for_each(|verdict| totals.add(verdict));
        totals
    }

    fn add(&mut self, verdict: Option<&Row>) {
        self.findings += 1;
        self.worth_fixing += usize::from(verdict.is_some_and(|row| row.worth_fixing == Some(true)));
        *match verdict.map(|row| row.verdict) {
            Some(Verdict::True) => &mut self.right,
            Some(Verdict::Benign) => &mut self.benign,
            Some(Verdict::False) => &mut self.wrong,
            Some(Verdict::Unknown) => &mut self.unknown,
            None => &mut self.missing,
        } += 1;
    }

    pub fn decided(&self) -> usize {
        self.right + self.benign + self.wrong
    }

    fn cells(&self, lint: &str, lines: usize) -> Vec<String> {
        let counts = [self.right, self.benign, self.wrong, self.unknown, self.missing, self.worth_fixing];
        let mut cells = vec![lint.to_owned(), self.findings.to_string(), density(self.findings, lines)];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend([percent(self.right, self.decided()), percent(self.right, self.findings)]);
        cells
    }
}

pub fn table(judged: &[Judged<'_>], lines: usize) -> Table {
    let numbers = [
        "above low",
        "per 10,000 lines",
        "true",
        "benign",
        "false",
        "unknown",
        "missing",
        "worth fixing",
        "precision",
        "at least",
    ];
    let columns: Vec<_> = [("lint", Align::Left)].into_iter().chain(numbers.map(|name| (name, Align::Right))).collect();
    let mut table = Table::new(&columns);
    let lints: BTreeSet<_> = judged.iter().map(|judged| judged.finding.lint.as_str()).collect();
    for lint in lints {
        let of_lint = judged.iter().filter(|judged| judged.finding.lint == lint);
        table.row(Totals::of(of_lint).cells(lint, lines));
    }
    table.row(Totals::of(judged).cells("all", lines));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Subject;
    use crate::samples::{finding, place, verdict};
    use finding::Confidence;

    #[test]
    fn each_lint_has_its_numbers() {
        let subject = Subject::new("pool", "1.0.0", "");
        let found = |lint| finding(lint, Confidence::High, "get", place("src/lib.rs", 1));
        let (stale, order) = (found("stale_value"), found("lock_order"));
        let rows = [Verdict::True, Verdict::True, Verdict::Benign, Verdict::False, Verdict::Unknown]
            .map(|word| verdict(word, "stale_value", "a"));
        let judged = |finding, verdict| Judged { subject: &subject, finding, verdict };
        let mut all: Vec<_> = rows.iter().map(|row| judged(&stale, Some(row))).collect();
        all.extend([judged(&stale, None), judged(&order, Some(&rows[0])), judged(&order, None)]);
        let table = table(&all, 20_000).to_string();
        let rows: Vec<Vec<_>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["lock_order", "2", "1.00", "1", "0", "0", "0", "1", "1", "100%", "50%"]);
        assert_eq!(rows[1], ["stale_value", "6", "3.00", "2", "1", "1", "1", "1", "2", "50%", "33%"]);
        assert_eq!(rows[2], ["all", "8", "4.00", "3", "1", "1", "1", "2", "3", "60%", "38%"]);
    }
}
