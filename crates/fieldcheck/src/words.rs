//! Pieces of text that the reports are made of.

use crate::lab::{Outcome, Subject, Trouble};
use finding::{Confidence, Finding};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A title and its lines, or nothing if there are none.
pub fn section(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = writeln!(text, "\n{title}:\n  {}", lines.join("\n").replace('\n', "\n  "));
    }
}

pub fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
    }
}

pub fn parse_confidence(word: &str) -> Option<Confidence> {
    let all = [Confidence::Low, Confidence::Medium, Confidence::High];
    all.into_iter().find(|one| confidence(*one) == word)
}

pub fn place(finding: &Finding) -> String {
    format!("{}:{}", finding.primary.file, finding.primary.line)
}

/// Every crate without a result, with the last lines of what was said about it.
pub fn troubles(outcomes: &BTreeMap<Subject, Outcome>) -> Vec<String> {
    let failed = outcomes.iter().filter_map(|(subject, outcome)| Some((subject, outcome.as_ref().err()?)));
    failed.map(|(subject, failure)| trouble(subject, failure)).collect()
}

pub fn trouble(subject: &Subject, trouble: &Trouble) -> String {
    let said = trouble.said.lines().map(|line| format!("\n  {line}"));
    format!("{}: {}{}", subject.title(), trouble.what, said.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_with_what_was_said() {
        let outcome = Err(Trouble::new("does not compile", "error: a\nerror: b\n"));
        let outcomes = [(Subject::new("pool", "1.0.0", ""), outcome)].into();
        let mut text = String::new();
        section(&mut text, "Not checked", &troubles(&outcomes));
        assert_eq!(text, "\nNot checked:\n  pool 1.0.0: does not compile\n    error: a\n    error: b\n");
    }

    #[test]
    fn a_section_without_lines_has_no_title() {
        let mut text = String::new();
        section(&mut text, "Not checked", &[]);
        assert_eq!(text, "");
    }
}
