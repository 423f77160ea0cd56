//! What a team has accepted: by the settings, by path, and by the baseline. The driver has already looked at what is
//! accepted in the code. Whatever accepts nothing is told: it is a leftover, or never did what it was written for.

use crate::baseline::{Baseline, Entry};
use crate::config::{AllowedPath, Config};
use crate::facts::Checked;
use finding::acceptance::Acceptance;
use finding::facts::Recorded;
use finding::{Suppressed, SuppressedBy};
use std::collections::BTreeMap;

/// Things that were meant to accept findings, and did not.
#[derive(Debug, Default)]
pub struct Unused {
    /// Attributes and comments.
    pub in_code: Vec<Acceptance>,
    /// Rows `allow` of the settings.
    pub rows: Vec<AllowedPath>,
    /// Entries of the baseline.
    pub entries: Vec<Entry>,
}

/// What is left after the settings, and how many findings lie in files that are skipped.
pub fn by_settings(findings: &mut Vec<Recorded>, config: &Config, unused: &mut Unused) -> usize {
    let before = findings.len();
    let is_skipped = |it: &Recorded| config.skip.iter().any(|pattern| pattern.matches(&it.finding.primary.file));
    findings.retain(|recorded| !is_skipped(recorded));
    for row in &config.allow {
        let mut used = false;
        for recorded in findings.iter_mut().filter(|recorded| row.covers(&recorded.finding)) {
            used = true;
            // What the code says of itself goes first.
            recorded.finding.suppressed.get_or_insert_with(|| by_file(&row.reason));
        }
        if !used {
            unused.rows.push(row.clone());
        }
    }
    before - findings.len()
}

fn by_file(reason: &str) -> Suppressed {
    Suppressed { by: SuppressedBy::Baseline, reason: reason.to_owned() }
}

pub fn by_baseline(findings: &mut [Recorded], baseline: &Baseline, packages: &[String], unused: &mut Unused) {
    unused.entries = baseline.accept(findings, packages).into_iter().cloned().collect();
}

/// What is in the code and accepted nothing in any unit: a library is compiled again with its tests, and code that one
/// unit leaves out says nothing there.
pub fn unused_in_code(units: &[Checked]) -> Vec<Acceptance> {
    let mut known: BTreeMap<Acceptance, bool> = BTreeMap::new();
    for one in units.iter().flat_map(|(_, facts)| &facts.acceptances) {
        let name = Acceptance { used: false, ..one.clone() };
        *known.entry(name).or_default() |= one.used;
    }
    known.into_iter().filter(|(_, used)| !used).map(|(one, _)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Target;
    use crate::report::samples::{place, recorded, unit_facts};

    fn unit(used: bool) -> Checked {
        let by = SuppressedBy::Comment;
        let one = Acceptance { place: place("src/a.rs", 3), by, lint: "stale_value".into(), used, mistake: None };
        let target = Target { package: "p".into(), name: "p".into(), kind: "lib".into() };
        (target, finding::facts::UnitFacts { acceptances: vec![one], ..unit_facts("p") })
    }

    #[test]
    fn used_in_one_unit_is_used() {
        assert!(unused_in_code(&[unit(false), unit(true)]).is_empty());
        assert_eq!(unused_in_code(&[unit(false), unit(false)]).len(), 1);
    }

    #[test]
    fn skipped_files_are_counted_and_rows_need_something_to_cover() {
        let value = serde_json::json!({
            "skip": ["vendor"],
            "allow": [{ "path": "src/a.rs", "reason": "old" }, { "path": "src/b.rs", "reason": "gone" }] });
        let table = crate::project::Table { manifest: "m".into(), key: String::new(), value };
        let config = Config::read(&table).unwrap();
        let mut findings = vec![recorded("vendor/x.rs", 1), recorded("src/a.rs", 1)];
        let mut unused = Unused::default();
        assert_eq!(by_settings(&mut findings, &config, &mut unused), 1);
        assert_eq!(findings[0].finding.suppressed.as_ref().unwrap().reason, "old");
        assert_eq!(unused.rows.iter().map(|row| row.path.text.as_str()).collect::<Vec<_>>(), ["src/b.rs"]);
    }
}
