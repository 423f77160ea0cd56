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
    for (order, outcome) in ["A before B", "B before A"].iter().zip(&tried.serial) {
        writeln!(out, "   {order}:  {outcome}")?;
    }
    if let Some(outcome) = &tried.interleaved {
        writeln!(out, "   interleaved: {outcome}")?;
    }
    for pause in &tried.pauses {
        writeln!(out, "   held up: {pause}")?;
    }
    for (thread, waits) in tried.cycle.iter().enumerate() {
        writeln!(out, "   thread {}: {waits}", thread + 1)?;
    }
    writeln!(out)
}

/// For the report of a check: what a run has shown earlier.
pub fn line(tried: &Confirmation) -> String {
    let shown = tried.interleaved.as_ref().filter(|_| tried.status == Confirmed);
    match shown {
        Some(outcome) => format!("confirmed by a run: {outcome}"),
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
