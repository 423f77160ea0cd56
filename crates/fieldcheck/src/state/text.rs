//! The file, made to be read in a diff: one line for each version, finding and bug, sorted, with nothing in it that differs
//! between two runs of the same tool.
//!
//! ```text
//! version bb8 0.8.1 1393
//! - stale_value 0123456789abcdef high src/inner.rs:111
//! bug A51 silent check_then_act:medium
//! ```
//!
//! A bug has a word for the version with it and one for the fixed one, if there is one: `unchecked`, `silent`, or lint and
//! confidence.

use super::{Answer, Checked, Said, Seen, State, Version};
use crate::failure::Failure;
use crate::words::{confidence, parse_confidence};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
# What the tool said when `./x field --write` was last run. Not for editing: a run is compared with it, docs/field.md is made of it.
# version NAME VERSION LINES, then its findings above low: - LINT FINGERPRINT CONFIDENCE PLACE
# bug ID VERSION-WITH-IT [FIXED-VERSION]: unchecked, silent, or LINT:CONFIDENCE
";

/// At the end of a finding's line.
const AT_FIX: &str = "at-fix";

impl State {
    pub fn parse(file: &Path, text: &str) -> Result<State, Failure> {
        let mut state = State::default();
        let mut last = None;
        for (number, line) in (1..).zip(text.lines()) {
            let words: Vec<_> = line.split_whitespace().collect();
            let read = match words.as_slice() {
                [] => Ok(()),
                [word, ..] if word.starts_with('#') => Ok(()),
                ["version", rest @ ..] => state.add_version(rest).map(|version| last = Some(version)),
                ["-", rest @ ..] => state.add_finding(last.as_ref(), rest),
                ["bug", rest @ ..] => state.add_bug(rest),
                [word, ..] => Err(format!("a line begins with `version`, `-` or `bug`, and not with `{word}`")),
            };
            read.map_err(|why| Failure::mistake_at(file, number, 1, why))?;
        }
        Ok(state)
    }

    fn add_version(&mut self, words: &[&str]) -> Result<Version, String> {
        let [name, version, lines] = words else { return Err("write `version NAME VERSION LINES`".to_owned()) };
        let lines = lines.parse().map_err(|_| format!("`{lines}` is no number of lines"))?;
        let version = Version::new(name, version);
        match self.versions.insert(version.clone(), Checked { lines, findings: Vec::new() }) {
            Some(_) => Err(format!("{version} stands here twice")),
            None => Ok(version),
        }
    }

    fn add_finding(&mut self, version: Option<&Version>, words: &[&str]) -> Result<(), String> {
        let (words, is_at_fix) = match words {
            [words @ .., AT_FIX] => (words, true),
            words => (words, false),
        };
        let [lint, fingerprint, sure, place] = words else {
            return Err("write `- LINT FINGERPRINT CONFIDENCE PLACE`".to_owned());
        };
        let confidence = parse_confidence(sure).ok_or_else(|| format!("`{sure}` is no confidence"))?;
        let checked = version.and_then(|version| self.versions.get_mut(version));
        let checked = checked.ok_or("a finding belongs below the line of its version")?;
        let [lint, fingerprint, place] = [lint, fingerprint, place].map(|word| word.to_string());
        checked.findings.push(Seen { lint, fingerprint, confidence, place, is_at_fix });
        Ok(())
    }

    fn add_bug(&mut self, words: &[&str]) -> Result<(), String> {
        let (id, at, fixed) = match words {
            [id, at] => (id, at, None),
            [id, at, fixed] => (id, at, Some(fixed)),
            _ => return Err("write `bug ID VERSION-WITH-IT [FIXED-VERSION]`".to_owned()),
        };
        let answer = Answer { at: parse_said(at)?, fixed: fixed.map(|fixed| parse_said(fixed)).transpose()? };
        match self.bugs.insert(id.to_string(), answer) {
            Some(_) => Err(format!("{id} stands here twice")),
            None => Ok(()),
        }
    }

    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (version, checked) in &self.versions {
            let _ = writeln!(text, "\nversion {version} {}", checked.lines);
            for seen in &checked.findings {
                let sure = confidence(seen.confidence);
                let fix = if seen.is_at_fix { " at-fix" } else { "" };
                let _ = writeln!(text, "- {} {} {sure} {}{fix}", seen.lint, seen.fingerprint, seen.place);
            }
        }
        text.push('\n');
        for (id, answer) in &self.bugs {
            let fixed = answer.fixed.as_ref().map(|fixed| format!(" {}", said(fixed))).unwrap_or_default();
            let _ = writeln!(text, "bug {id} {}{fixed}", said(&answer.at));
        }
        text
    }
}

fn said(said: &Said) -> String {
    match said {
        Said::NotChecked => "unchecked".to_owned(),
        Said::Silent => "silent".to_owned(),
        Said::Reported { lint, confidence: sure } => format!("{lint}:{}", confidence(*sure)),
    }
}

fn parse_said(word: &str) -> Result<Said, String> {
    let reported = |(lint, sure): (&str, &str)| Some((lint.to_owned(), parse_confidence(sure)?));
    match word {
        "unchecked" => Ok(Said::NotChecked),
        "silent" => Ok(Said::Silent),
        _ => match word.split_once(':').and_then(reported) {
            Some((lint, confidence)) => Ok(Said::Reported { lint, confidence }),
            None => Err(format!("`{word}` is neither `unchecked` nor `silent` nor a lint and its confidence")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{self, shipped};

    const TEXT: &str = "
version bb8 0.8.1 1393
- stale_value 0123456789abcdef high src/inner.rs:111
- stale_value 1123456789abcdef medium src/inner.rs:7 at-fix

version sled 0.34.7 30000

bug A51 silent check_then_act:medium
bug A56 stale_value:low unchecked
bug N05 silent
";

    fn parse(text: &str) -> Result<State, Failure> {
        State::parse(Path::new("state.txt"), text)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = format!("{HEAD}{TEXT}");
        let state = parse(&text).unwrap();
        assert_eq!(state.text(), text);
        let bb8 = &state.versions[&Version::new("bb8", "0.8.1")];
        assert_eq!((bb8.lines, bb8.findings.len()), (1393, 2));
        assert!(!bb8.findings[0].is_at_fix && bb8.findings[1].is_at_fix);
        assert!(state.bugs["A51"].at.is_silent() && state.bugs["A51"].fixed.as_ref().unwrap().is_shown());
        assert!(state.bugs["A56"].at.is_silent() && !state.bugs["A56"].fixed.as_ref().unwrap().is_silent());
        assert_eq!(state.bugs["N05"], Answer { at: Said::Silent, fixed: None });
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (line, why) in [
            ("crate bb8", "a line begins with"),
            ("version bb8 0.8.1", "write `version"),
            ("version bb8 0.8.1 many", "no number"),
            ("version sled 0.34.7 1", "sled 0.34.7 stands here twice"),
            ("- stale_value 01 high", "write `- LINT"),
            ("- stale_value 01 sure src/a.rs:1", "`sure` is no confidence"),
            ("bug A60", "write `bug"),
            ("bug A60 found", "`found` is neither"),
            ("bug A51 silent", "A51 stands here twice"),
        ] {
            let complaint = parse(&format!("{TEXT}{line}\n")).unwrap_err().to_string();
            assert!(complaint.starts_with("state.txt:11:1: ") && complaint.contains(why), "{line}: {complaint}");
        }
        assert!(parse("- stale_value 01 high src/a.rs:1\n").unwrap_err().to_string().contains("below the line"));
    }

    #[test]
    fn the_shipped_state_is_as_it_would_be_written() {
        let file = shipped("state.txt");
        let text = input::text(&file).unwrap();
        assert_eq!(State::parse(&file, &text).unwrap().text(), text);
    }
}
