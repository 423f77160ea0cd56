//! What running the findings has shown: a block for each, and a line over all.

use crate::select::Selection;
use finding::document::ConfirmationStatus::{self, CannotBuild, Confirmed, Infeasible, NeedsFixture, NotReproduced};
use finding::{Confirmation, Finding};
use std::io::{self, Write};

/// The status, what came of both orders, and what came of the interleaving.
pub fn block(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let Some(tried) = &finding.confirmation else { return Ok(()) };
    let status = name(tried.status);
    let Finding { lint, function, primary, fingerprint, .. } = finding;
    writeln!(out, "{status}: {lint} in `{function}` ({fingerprint})")?;
    writeln!(out, "  --> {}:{}:{}", primary.file, primary.line, primary.column)?;
    if !tried.reason.is_empty() {
        writeln!(out, "   = {}", tried.reason)?;
    }
    let mut outcomes: Vec<&str> = tried.serial.iter().map(String::as_str).collect();
    outcomes.extend(tried.interleaved.as_deref());
    let shown = where_they_differ(&outcomes);
    // In one of the orders a thread has to wait in the middle, and then there is only the other.
    let names: &[&str] = match tried.serial.len() {
        1 => &["one by one:  ", "interleaved: "],
        _ => &["A before B:  ", "B before A:  ", "interleaved: "],
    };
    for (order, outcome) in names.iter().zip(&shown) {
        writeln!(out, "   {order}{outcome}")?;
    }
    for pause in &tried.pauses {
        writeln!(out, "   held up: {pause}")?;
    }
    for (thread, waits) in tried.cycle.iter().enumerate() {
        writeln!(out, "   thread {}: {waits}", thread + 1)?;
    }
    writeln!(out)
}

/// So much of a long outcome is shown, and so much of it before what is different.
const SHOWN: usize = 400;
const BEFORE: usize = 80;

/// Long ones are cut to where they differ. All are cut alike, so that they can be compared.
fn where_they_differ(outcomes: &[&str]) -> Vec<String> {
    let first = outcomes.first().copied().unwrap_or_default();
    let alike = |other: &&str| first.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let same = outcomes.iter().skip(1).map(alike).min().unwrap_or(0);
    let is_long = outcomes.iter().any(|outcome| outcome.chars().count() > SHOWN);
    let start = if is_long { same.saturating_sub(BEFORE) } else { 0 };
    let cut = |outcome: &&str| {
        let length = outcome.chars().count();
        let part: String = outcome.chars().skip(start).take(SHOWN).collect();
        let (before, after) = (if start > 0 { "…" } else { "" }, if start + SHOWN < length { "…" } else { "" });
        format!("{before}{part}{after}")
    };
    outcomes.iter().map(cut).collect()
}

/// For the report of a check: what a run has shown earlier.
pub fn line(tried: &Confirmation) -> String {
    let shown = tried.interleaved.as_ref().filter(|_| tried.status == Confirmed);
    match shown {
        Some(outcome) => format!("confirmed by a run: {}", where_they_differ(&[outcome]).concat()),
        None => format!("it was run: {}{}", name(tried.status), because(&tried.reason)),
    }
}

fn because(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(", {reason}") }
}

/// `6 findings run: 4 confirmed, 2 not reproduced`.
pub fn summary(selection: &Selection) -> String {
    let all = [Confirmed, NotReproduced, Infeasible, NeedsFixture, CannotBuild];
    let counts = all.map(|status| (status, count(selection, status)));
    let counts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(status, count)| format!("{count} {}", name(*status)))
        .collect();
    let findings = selection.shown.len();
    let what = if findings == 1 { "finding" } else { "findings" };
    if counts.is_empty() {
        "nothing to run".to_owned()
    } else {
        format!("{findings} {what} run: {}", counts.join(", "))
    }
}

pub fn any(selection: &Selection) -> bool {
    count(selection, Confirmed) > 0
}

fn count(selection: &Selection, status: ConfirmationStatus) -> usize {
    let is_it = |finding: &Finding| finding.confirmation.as_ref().is_some_and(|tried| tried.status == status);
    selection.shown.iter().filter(|recorded| is_it(&recorded.finding)).count()
}

fn name(status: ConfirmationStatus) -> &'static str {
    match status {
        Confirmed => "confirmed",
        NotReproduced => "not reproduced",
        Infeasible => "infeasible",
        NeedsFixture => "needs a fixture",
        CannotBuild => "cannot be built",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;
    use finding::Confidence;

    #[test]
    fn long_outcomes_are_cut_to_where_they_differ() {
        let long = |end: &str| format!("{}{end}{}", "x".repeat(900), "y".repeat(900));
        let (one, other) = (long("1"), long("2"));
        let shown = where_they_differ(&[&one, &one, &other]);
        assert!(shown.iter().all(|text| text.chars().count() == SHOWN + 2), "{shown:?}");
        assert!(shown[0].contains("x1y") && shown[2].contains("x2y"));
        assert_eq!(where_they_differ(&["a", "b"]), ["a", "b"]);
    }

    #[test]
    fn three_outcomes_are_shown_and_counted() {
        let mut one = recorded("src/a.rs", 3);
        let serial = vec!["state 2".to_owned(); 2];
        let tried = Confirmation::of(Confirmed, "new");
        one.finding.confirmation = Some(Confirmation { serial, interleaved: Some("state 1".into()), ..tried });
        assert_eq!(line(one.finding.confirmation.as_ref().unwrap()), "confirmed by a run: state 1");
        assert_eq!(line(&Confirmation::of(NeedsFixture, "no `T`")), "it was run: needs a fixture, no `T`");
        let mut out = Vec::new();
        block(&mut out, &one.finding).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("confirmed: ") && text.contains("   B before A:  state 2\n   interleaved: state 1\n"),
            "{text}"
        );
        let selection = Selection::new(vec![one], |_| Confidence::Low);
        assert_eq!(summary(&selection), "1 finding run: 1 confirmed");
        assert!(any(&selection));
    }
}
