//! What a run says beside what is written down: findings that were added, are gone, or have changed, and bugs that are no
//! longer found, or found at last. Only what the run looked at is compared.

use super::{Answer, Checked, Said, Seen, State, Version};
use crate::words::confidence;
use std::fmt::{self, Display, Formatter};

pub struct Diff {
    /// With a sign in front: `+`, `-` or `~`.
    findings: Vec<(Sign, String)>,
    bugs: Vec<String>,
    /// Versions of which nothing was written down.
    new: Vec<String>,
    compared: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Added,
    Gone,
    Changed,
}

impl Sign {
    fn sign(self) -> char {
        match self {
            Sign::Added => '+',
            Sign::Gone => '-',
            Sign::Changed => '~',
        }
    }
}

impl Diff {
    pub fn new(before: &State, now: &State) -> Diff {
        let mut diff = Diff { findings: Vec::new(), bugs: Vec::new(), new: Vec::new(), compared: now.versions.len() };
        for (version, checked) in &now.versions {
            match before.versions.get(version) {
                Some(old) => diff.compare(version, old, checked),
                None => diff.new.push(format!("{version}: {} above low", checked.findings.len())),
            }
        }
        for (id, answer) in &now.bugs {
            let old = before.bugs.get(id);
            if old.is_none_or(|old| !answer.agrees(old)) {
                diff.bugs.push(format!("{id}: {}, was {}", tell(answer), old.map_or("not there".to_owned(), tell)));
            }
        }
        diff
    }

    fn compare(&mut self, version: &Version, before: &Checked, now: &Checked) {
        let find = |seen: &Seen, among: &Checked| among.findings.iter().find(|other| other.is_same(seen)).cloned();
        for seen in &now.findings {
            match find(seen, before) {
                None => self.findings.push((Sign::Added, format!("{version}: {}", one(seen)))),
                Some(old) if old != *seen => {
                    let line = format!("{version}: {}, was {} at {}", one(seen), confidence(old.confidence), old.place);
                    self.findings.push((Sign::Changed, line));
                }
                Some(_) => {}
            }
        }
        let gone = before.findings.iter().filter(|seen| find(seen, now).is_none());
        self.findings.extend(gone.map(|seen| (Sign::Gone, format!("{version}: {}", one(seen)))));
    }

    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.bugs.is_empty() && self.new.is_empty()
    }

    fn count(&self, sign: Sign) -> usize {
        self.findings.iter().filter(|(of, _)| *of == sign).count()
    }
}

impl Answer {
    /// As far as this one says anything.
    fn agrees(&self, before: &Answer) -> bool {
        let same = |now: &Said, before: Option<&Said>| *now == Said::NotChecked || Some(now) == before;
        let is_fixed_same = self.fixed.as_ref().is_none_or(|fixed| same(fixed, before.fixed.as_ref()));
        same(&self.at, Some(&before.at)) && is_fixed_same
    }
}

fn one(seen: &Seen) -> String {
    format!("{}, {}, {} ({})", seen.lint, confidence(seen.confidence), seen.place, seen.fingerprint)
}

fn tell(answer: &Answer) -> String {
    let word = |said: &Said| match said {
        Said::NotChecked => "not checked".to_owned(),
        Said::Silent => "nothing".to_owned(),
        Said::Reported { lint, confidence: sure } => format!("{lint} ({})", confidence(*sure)),
    };
    let fixed = answer.fixed.as_ref().map(|fixed| format!(" / fixed: {}", word(fixed))).unwrap_or_default();
    format!("{}{fixed}", word(&answer.at))
}

impl Display for Diff {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [added, gone, changed] = [Sign::Added, Sign::Gone, Sign::Changed].map(|sign| self.count(sign));
        let numbers = format!("{added} added, {gone} gone, {changed} changed");
        writeln!(f, "Against the state that is written down, {} versions: {numbers}", self.compared)?;
        for (sign, line) in &self.findings {
            writeln!(f, "  {} {line}", sign.sign())?;
        }
        for line in &self.bugs {
            writeln!(f, "  bug {line}")?;
        }
        for line in &self.new {
            writeln!(f, "  new {line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn state(text: &str) -> State {
        State::parse(Path::new("state.txt"), text).unwrap()
    }

    fn diff(before: &str, now: &str) -> Diff {
        Diff::new(&state(before), &state(now))
    }

    const BEFORE: &str = "version a 1.0.0 10\n- stale_value 01 high src/a.rs:1\n- stale_value 02 medium src/a.rs:2\n\
                          - stale_value 03 high src/a.rs:3\nversion b 1.0.0 10\n- lock_order 04 high src/b.rs:1\nbug A1 silent\n";

    #[test]
    fn nothing_changes_in_two_equal_runs() {
        let same = diff(BEFORE, BEFORE);
        assert!(same.is_empty());
        assert_eq!(
            same.to_string(),
            "Against the state that is written down, 2 versions: 0 added, 0 gone, 0 changed\n"
        );
    }

    #[test]
    fn a_part_is_compared_with_its_part() {
        let part = diff(BEFORE, "version b 1.0.0 10\n- lock_order 04 high src/b.rs:1\n");
        assert!(part.is_empty(), "{part}");
        let half = |now| diff("bug A1 stale_value:high silent\n", now).is_empty();
        assert!(half("bug A1 unchecked silent\n") && half("bug A1 stale_value:high unchecked\n"));
        assert!(!half("bug A1 unchecked stale_value:high\n") && !half("bug A1 silent unchecked\n"));
    }

    #[test]
    fn every_difference_is_a_line() {
        let now = "version a 1.0.0 10\n- stale_value 01 high src/a.rs:1\n- stale_value 02 high src/a.rs:2\n\
                   - check_then_act 03 high src/a.rs:3\nversion c 1.0.0 10\n- lock_order 05 high src/c.rs:1\n\
                   bug A1 stale_value:high silent\nbug A2 silent\n";
        let diff = diff(BEFORE, now);
        assert!(!diff.is_empty());
        let expected = "\
Against the state that is written down, 2 versions: 1 added, 1 gone, 1 changed
  ~ a 1.0.0: stale_value, high, src/a.rs:2 (02), was medium at src/a.rs:2
  + a 1.0.0: check_then_act, high, src/a.rs:3 (03)
  - a 1.0.0: stale_value, high, src/a.rs:3 (03)
  bug A1: stale_value (high) / fixed: nothing, was nothing
  bug A2: nothing, was not there
  new c 1.0.0: 1 above low
";
        assert_eq!(diff.to_string(), expected);
    }
}
