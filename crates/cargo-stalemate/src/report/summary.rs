//! The one line at the end: what was found, how much was looked at, and what was left out.

use super::block::confidence;
use crate::select::Selection;
use finding::facts::Recorded;
use finding::{Confidence, RunInfo};

pub fn summary(run: &RunInfo, selection: &Selection) -> String {
    let looked_at = format!("in {}, {} with locks", plural(run.functions, "function"), run.functions_with_locks);
    let parts = [
        Some(format!("{} {looked_at}", found(selection))),
        hidden(selection),
        suppressed(selection),
        in_skipped_files(selection),
        known_before(selection),
        skipped(run),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn found(selection: &Selection) -> String {
    let open: Vec<&Recorded> = selection.open().collect();
    if open.is_empty() {
        return "nothing found".to_owned();
    }
    let levels = [Confidence::High, Confidence::Medium, Confidence::Low];
    let counts = levels.map(|level| (level, open.iter().filter(|r| r.finding.confidence == level).count()));
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<_> = counts.map(|(level, count)| format!("{count} {}", confidence(*level))).collect();
    format!("{} ({})", plural(open.len(), "finding"), counts.join(", "))
}

/// Names the option that would show what is hidden.
fn hidden(selection: &Selection) -> Option<String> {
    let lowest = selection.hidden.iter().map(|recorded| recorded.finding.confidence).min()?;
    let all_alike = selection.hidden.iter().all(|recorded| recorded.finding.confidence == lowest);
    let kind = if all_alike { confidence(lowest) } else { "lower" };
    let count = selection.hidden.len();
    Some(format!("{count} of {kind} confidence not shown (--min-confidence {})", confidence(lowest)))
}

fn suppressed(selection: &Selection) -> Option<String> {
    let count = selection.suppressed();
    (count > 0).then(|| format!("{count} suppressed"))
}

fn in_skipped_files(selection: &Selection) -> Option<String> {
    (selection.skipped > 0).then(|| format!("{} in skipped files", selection.skipped))
}

fn known_before(selection: &Selection) -> Option<String> {
    (selection.known > 0).then(|| format!("{} not new", selection.known))
}

fn skipped(run: &RunInfo) -> Option<String> {
    let count = run.skipped.len();
    (count > 0).then(|| format!("{} skipped (--format json lists them)", plural(count, "function")))
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;
    use finding::{Skipped, Suppressed, SuppressedBy};

    fn run() -> RunInfo {
        RunInfo { functions: 4473, functions_with_locks: 210, ..RunInfo::default() }
    }

    fn of(levels: &[Confidence], threshold: Confidence) -> Selection {
        let findings = levels.iter().map(|level| {
            let mut recorded = recorded("src/a.rs", 1);
            recorded.finding.confidence = *level;
            recorded
        });
        Selection::new(findings.collect(), |_| threshold)
    }

    #[test]
    fn findings_are_counted_by_confidence() {
        use Confidence::*;
        assert_eq!(
            summary(&run(), &of(&[Medium, High, Low, Low], Medium)),
            "2 findings (1 high, 1 medium) in 4473 functions, 210 with locks; \
             2 of low confidence not shown (--min-confidence low)"
        );
        assert_eq!(
            summary(&run(), &of(&[High, Medium, Low], High)),
            "1 finding (1 high) in 4473 functions, 210 with locks; 2 of lower confidence not shown (--min-confidence low)"
        );
    }

    #[test]
    fn nothing_found_still_says_where() {
        let run = RunInfo { functions: 1, ..RunInfo::default() };
        assert_eq!(summary(&run, &of(&[], Confidence::Low)), "nothing found in 1 function, 0 with locks");
    }

    #[test]
    fn what_was_left_out_is_told() {
        let mut selection = of(&[Confidence::High], Confidence::Low);
        selection.shown[0].finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason: String::new() });
        let skipped = vec![Skipped { function: "f".into(), reason: "too large".into() }];
        assert_eq!(
            summary(&RunInfo { skipped, ..run() }, &selection),
            "nothing found in 4473 functions, 210 with locks; 1 suppressed; 1 function skipped (--format json lists them)"
        );
    }
}
