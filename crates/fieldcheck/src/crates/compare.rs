//! The lint `stale_use` beside the others. It is the rule of Burrows and Leino (2002) as printed; how much it has to say
//! about the same code shows what the other lints leave out, and whether it behaves here as it did there.

use super::judge::Judgement;
use super::totals::Totals;
use crate::table::{Align, Table, density};

/// What the paper reports: warnings, their density, and bugs among them.
const PAPER: [&str; 4] = ["stale_use, paper of 2002", "48", "0.78", "4 of 48"];

pub fn table(judgement: &Judgement<'_>) -> Table {
    let lines = judgement.lines();
    let row = |name: &str, totals: Totals| {
        let bugs = format!("{} of {}", totals.right, totals.decided());
        vec![name.to_owned(), totals.findings.to_string(), density(totals.findings, lines), bugs]
    };
    let mut table = Table::new(&[
        ("", Align::Left),
        ("findings", Align::Right),
        ("per 10,000 lines", Align::Right),
        ("bugs of those decided", Align::Right),
    ]);
    table.row(row("other lints, above low", Totals::of(&judgement.judged)));
    table.row(row("stale_use, all", Totals::of(&judgement.stale_uses)));
    table.row(PAPER.map(str::to_owned).to_vec());
    table
}

#[cfg(test)]
mod tests {
    use super::super::judge::Judged;
    use super::super::verdicts::Verdict;
    use super::*;
    use crate::lab::Subject;
    use crate::samples::{document, finding, place, verdict};
    use crate::shown::STALE_USE;
    use finding::Confidence;

    #[test]
    fn both_are_counted_over_the_same_lines() {
        let subject = Subject::new("pool", "1.0.0", "");
        let document = document(20_000, Vec::new());
        let found = finding(STALE_USE, Confidence::Low, "get", place("src/lib.rs", 1));
        let row = verdict(Verdict::True, STALE_USE, "a");
        let judged = |verdict| Judged { subject: &subject, finding: &found, verdict };
        let judgement = Judgement {
            checked: vec![(&subject, &document)],
            judged: vec![judged(None)],
            stale_uses: vec![judged(Some(&row)), judged(None), judged(None)],
            gone: Vec::new(),
        };
        let table = table(&judgement).to_string();
        let rows: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(rows[1], "other lints, above low 1 0.50 0 of 0");
        assert_eq!(rows[2], "stale_use, all 3 1.50 1 of 1");
    }
}
