//! The tables about real crates: what is in each, every finding above low with its verdict, what is missing, the numbers.

use super::judge::{Gone, Judged, Judgement};
use super::{compare, totals, verdicts};
use crate::Report;
use crate::lab::{Outcome, Subject};
use crate::shown::{STALE_USE, is_above_low};
use crate::table::{Align, Table, density};
use crate::words::{confidence, place, section, troubles};
use finding::{Confidence, Document};
use std::collections::BTreeMap;
use std::fmt::Write;

pub fn report(judgement: &Judgement<'_>, outcomes: &BTreeMap<Subject, Outcome>, with_stale_use: bool) -> Report {
    let troubles = troubles(outcomes);
    let blanks: Vec<_> = judgement.without_verdict().map(blank).collect();
    let mut text = crates(judgement).to_string();
    section(&mut text, "Not checked", &troubles);
    section(&mut text, "Findings above low", &judgement.judged.iter().map(tell).collect::<Vec<_>>());
    section(&mut text, "Verdicts about findings that are gone", &judgement.gone.iter().map(gone).collect::<Vec<_>>());
    if !blanks.is_empty() {
        // Without indentation, so that it can be pasted.
        let _ = write!(text, "\nNo verdict yet:\n\n{}", blanks.join("\n"));
    }
    let _ = write!(text, "\n{}", totals::table(&judgement.judged, judgement.lines()));
    if with_stale_use {
        let _ = write!(text, "\n{}", compare::table(judgement));
    }
    Report { text, is_complete: troubles.is_empty() && blanks.is_empty() }
}

const COLUMNS: &[&str] =
    &["lines", "functions", "with locks", "skipped", "low", "medium", "high", "above low per 10,000 lines"];

/// One row for each crate, and one for all. The lint `stale_use` is not counted here.
fn crates(judgement: &Judgement<'_>) -> Table {
    let names = [("crate", Align::Left), ("version", Align::Left)];
    let numbers = COLUMNS.iter().map(|name| (*name, Align::Right));
    let mut table = Table::new(&names.into_iter().chain(numbers).collect::<Vec<_>>());
    let mut all = [0; 7];
    for (subject, document) in &judgement.checked {
        let counts = counts(document);
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        table.row(row(&subject.name, &subject.version, counts));
    }
    table.row(row("all", "", all));
    table
}

fn counts(document: &Document) -> [usize; 7] {
    let findings = || document.findings.iter().filter(|finding| finding.lint != STALE_USE);
    let above = |level| findings().filter(|finding| is_above_low(finding) && finding.confidence == level).count();
    let low = findings().filter(|finding| finding.confidence == Confidence::Low).count();
    let run = &document.run;
    [
        run.lines,
        run.functions,
        run.functions_with_locks,
        run.skipped.len(),
        low,
        above(Confidence::Medium),
        above(Confidence::High),
    ]
}

fn row(name: &str, version: &str, counts: [usize; 7]) -> Vec<String> {
    let [lines, .., medium, high] = counts;
    let mut cells = vec![name.to_owned(), version.to_owned()];
    cells.extend(counts.map(|count| count.to_string()));
    cells.push(density(medium + high, lines));
    cells
}

fn tell(judged: &Judged<'_>) -> String {
    let finding = judged.finding;
    let what = format!("{}, {}, {}", finding.lint, confidence(finding.confidence), place(finding));
    let verdict = match judged.verdict {
        None => "no verdict yet".to_owned(),
        Some(row) => {
            let worth = if row.worth_fixing == Some(true) { ", worth fixing" } else { "" };
            let decide = row.decide.as_ref().map(|decide| format!("; to decide: {decide}")).unwrap_or_default();
            format!("{}{worth}: {}{decide}", row.verdict.word(), row.why)
        }
    };
    format!("{}: {what} in `{}`\n  {verdict}", judged.subject.title(), finding.function)
}

fn gone(gone: &Gone<'_>) -> String {
    let row = gone.row;
    let low = if gone.is_low { ", the finding is low now" } else { "" };
    let verdict = row.verdict.word();
    format!("{} {}: {} {} in `{}` ({verdict}{low})", row.name, row.version, row.lint, row.fingerprint, row.function)
}

fn blank(judged: &Judged<'_>) -> String {
    let finding = judged.finding;
    let table = verdicts::blank(&judged.subject.name, &judged.subject.version, finding);
    format!("# {}: {}\n{table}", place(finding), finding.message.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::super::verdicts::{Row, Verdict};
    use super::*;
    use crate::lab::Trouble;
    use crate::samples::{self, document, verdict};
    use finding::Finding;
    use std::path::Path;

    const FINGERPRINT: &str = "0123456789abcdef";

    fn found(lint: &str, confidence: Confidence) -> Finding {
        samples::finding(lint, confidence, "get", samples::place("src/lib.rs", 7))
    }

    fn written(outcome: Outcome, rows: &[Row]) -> Report {
        let subjects = [Subject::new("pool", "1.0.0", "")];
        let outcomes = [(subjects[0].clone(), outcome)].into();
        report(&Judgement::new(&subjects, &outcomes, rows, false), &outcomes, false)
    }

    #[test]
    fn a_finding_needs_a_verdict() {
        let outcome = || Ok(document(10_000, vec![found("stale_value", Confidence::High)]));
        let open = written(outcome(), &[]);
        assert!(!open.is_complete);
        let (_, pasted) = open.text.split_once("No verdict yet:\n\n").unwrap();
        let (pasted, _) = pasted.split_once("\n\n").unwrap();
        assert!(pasted.starts_with("# src/lib.rs:7: the value is old\n[[verdict]]\n"), "{pasted}");
        let rows = verdicts::parse(Path::new("v"), &pasted.replace("\"\"", "\"seen\"")).unwrap();
        assert!(written(outcome(), &rows).is_complete);
    }

    #[test]
    fn verdicts_stand_with_their_findings() {
        let row = Row { decide: Some("who calls".to_owned()), ..verdict(Verdict::True, "stale_value", FINGERPRINT) };
        let report = written(Ok(document(10_000, vec![found("stale_value", Confidence::High)])), &[row]);
        let line = "pool 1.0.0: stale_value, high, src/lib.rs:7 in `get`";
        let verdict = "true, worth fixing: seen; to decide: who calls";
        assert!(report.text.contains(&format!("\n  {line}\n    {verdict}\n")), "{}", report.text);
    }

    #[test]
    fn verdicts_without_a_finding_are_listed_and_do_no_harm() {
        let report = written(Ok(document(10_000, Vec::new())), &[verdict(Verdict::False, "stale_value", FINGERPRINT)]);
        let line = format!("\n  pool 1.0.0: stale_value {FINGERPRINT} in `get` (false)\n");
        assert!(report.text.contains(&line), "{}", report.text);
        assert!(report.is_complete);
    }

    #[test]
    fn a_crash_is_told_and_makes_the_run_incomplete() {
        let report = written(Err(Trouble::new("crashed (exit status: 70)", "panicked\n")), &[]);
        assert!(!report.is_complete);
        assert!(report.text.contains("pool 1.0.0: crashed (exit status: 70)\n    panicked"), "{}", report.text);
    }

    #[test]
    fn counts_leave_the_audit_lint_out() {
        let findings = [
            ("stale_value", Confidence::Low),
            ("stale_value", Confidence::Low),
            ("stale_value", Confidence::Medium),
            ("stale_value", Confidence::High),
            (STALE_USE, Confidence::Low),
            (STALE_USE, Confidence::High),
        ];
        let findings = findings.map(|(lint, confidence)| found(lint, confidence)).to_vec();
        let counts = counts(&document(5_000, findings));
        assert_eq!(counts, [5_000, 0, 0, 0, 2, 1, 1]);
        assert_eq!(row("pool", "1.0.0", counts).last().unwrap(), "4.00");
    }
}
