//! The user's settings, out of the manifest. Read by hand, because a mistake in them must be told with the full key and
//! what is allowed there, and all of them at once.

mod reader;

use crate::paths::FilePattern;
use crate::project::Table;
use finding::settings::{Level, Settings};
use finding::{Confidence, Finding};
use serde_json::Value;
use std::collections::BTreeMap;

/// Every key of the table.
pub const KEYS: &[&str] = &["allow", "baseline", "fixtures", "lints", "min-confidence", "models", "skip", "tests"];
/// The keys of a row of `allow`, and those of a lint that says more than its level.
const ALLOW_KEYS: &[&str] = &["lints", "path", "reason"];
const LINT_KEYS: &[&str] = &["level", "min-confidence"];
pub const LEVELS: &[&str] = &["allow", "warn", "deny"];
pub const CONFIDENCES: &[&str] = &["low", "medium", "high"];

/// Findings below this are hidden when nobody says otherwise.
pub const DEFAULT_CONFIDENCE: Confidence = Confidence::Medium;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub settings: Settings,
    pub min_confidence: Option<Confidence>,
    /// The same for single lints.
    pub lint_confidence: BTreeMap<String, Confidence>,
    /// The baseline that every run takes into account, relative to the root of the workspace.
    pub baseline: Option<String>,
    /// Files whose findings nobody wants to hear of.
    pub skip: Vec<FilePattern>,
    pub allow: Vec<AllowedPath>,
    /// How `confirm` makes values of types by their paths, where it finds no way itself.
    pub fixtures: BTreeMap<String, String>,
}

/// A row of `allow`: findings that are accepted for where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedPath {
    pub path: FilePattern,
    /// All, if there are none.
    pub lints: Vec<String>,
    pub reason: String,
}

impl AllowedPath {
    pub fn covers(&self, finding: &Finding) -> bool {
        let speaks_of = self.lints.is_empty() || self.lints.contains(&finding.lint);
        speaks_of && self.path.matches(&finding.primary.file)
    }
}

/// One mistake in the settings. `key` is the full one, from the top of the manifest.
#[derive(Debug, PartialEq, Eq)]
pub enum Mistake {
    UnknownKey { key: String, name: String },
    UnknownLint { key: String, name: String },
    UnknownValue { key: String, value: String, allowed: &'static [&'static str] },
    UnknownChoice { key: String, name: String, allowed: Vec<&'static str> },
    WrongType { key: String, found: &'static str, expected: &'static str },
    Missing { key: String, name: &'static str },
    BadPattern { key: String, why: String },
}

#[cfg(test)]
impl Mistake {
    pub fn key(&self) -> String {
        match self {
            Mistake::UnknownKey { key, .. }
            | Mistake::UnknownLint { key, .. }
            | Mistake::UnknownValue { key, .. }
            | Mistake::UnknownChoice { key, .. }
            | Mistake::WrongType { key, .. }
            | Mistake::BadPattern { key, .. }
            | Mistake::Missing { key, .. } => key.clone(),
        }
    }
}

pub fn confidence(word: &str) -> Option<Confidence> {
    match word {
        "low" => Some(Confidence::Low),
        "medium" => Some(Confidence::Medium),
        "high" => Some(Confidence::High),
        _ => None,
    }
}

fn level(word: &str) -> Option<Level> {
    match word {
        "allow" => Some(Level::Allow),
        "warn" => Some(Level::Warn),
        "deny" => Some(Level::Deny),
        _ => None,
    }
}

impl Config {
    pub fn read(table: &Table) -> Result<Config, Vec<Mistake>> {
        reader::read(table)
    }

    /// Findings of the lint below this are hidden. What is asked for on the command line goes before all settings.
    pub fn threshold(&self, asked: Option<Confidence>, lint: &str) -> Confidence {
        let of_lint = || self.lint_confidence.get(lint).copied();
        asked.or_else(of_lint).or(self.min_confidence).unwrap_or(DEFAULT_CONFIDENCE)
    }
}

pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "a table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<Config, Vec<Mistake>> {
        Config::read(&Table { manifest: "Cargo.toml".into(), key: "m.stalemate".into(), value })
    }

    #[test]
    fn everything_that_is_allowed() {
        let lints = json!({ "stale_value": "deny", "stale_use": "allow" });
        let config = read(json!({ "lints": lints, "tests": true, "min-confidence": "high" })).unwrap();
        assert_eq!(config.min_confidence, Some(Confidence::High));
        assert!(config.settings.tests);
        assert_eq!(config.settings.lints["stale_value"], Level::Deny);
        assert_eq!(config.settings.lints["stale_use"], Level::Allow);
    }

    #[test]
    fn fixtures_are_texts() {
        let config = read(json!({ "fixtures": { "a::Pool": "a::testing::pool" } })).unwrap();
        assert_eq!(config.fixtures["a::Pool"], "a::testing::pool");
        let key = "m.stalemate.fixtures.a::Pool".to_owned();
        let wrong = Mistake::WrongType { key, found: "a number", expected: "a string" };
        assert_eq!(read(json!({ "fixtures": { "a::Pool": 1 } })).unwrap_err(), [wrong]);
    }

    #[test]
    fn empty_table_is_the_default() {
        assert_eq!(read(json!({})), Ok(Config::default()));
    }

    #[test]
    fn all_mistakes_are_told() {
        let lints = json!({ "stale_valeu": "warn", "stale_use": "forbid", "stale_value": 1 });
        let mistakes = read(json!({ "lints": lints, "lintz": {}, "tests": "yes", "min-confidence": "none" }));
        let key = |name: &str| format!("m.stalemate.{name}");
        let expected = [
            Mistake::UnknownValue { key: key("lints.stale_use"), value: "forbid".into(), allowed: LEVELS },
            Mistake::UnknownLint { key: key("lints.stale_valeu"), name: "stale_valeu".into() },
            Mistake::WrongType { key: key("lints.stale_value"), found: "a number", expected: "a string" },
            Mistake::UnknownKey { key: key("lintz"), name: "lintz".into() },
            Mistake::UnknownValue { key: key("min-confidence"), value: "none".into(), allowed: CONFIDENCES },
            Mistake::WrongType { key: key("tests"), found: "a string", expected: "`true` or `false`" },
        ];
        assert_eq!(mistakes.unwrap_err(), expected);
    }

    #[test]
    fn a_table_must_be_one() {
        assert_eq!(read(json!(true)).unwrap_err().len(), 1);
        assert_eq!(read(json!({ "lints": ["stale_value"] })).unwrap_err().len(), 1);
    }

    #[test]
    fn thresholds_of_single_lints_and_paths() {
        let lints = json!({ "stale_value": { "level": "deny", "min-confidence": "high" }, "lock_order": {} });
        let allow = json!([{ "path": "src/old/**", "lints": ["stale_value"], "reason": "old" }]);
        let config =
            read(json!({ "lints": lints, "allow": allow, "skip": ["vendor/"], "baseline": "b.json" })).unwrap();
        assert_eq!(config.settings.lints["stale_value"], Level::Deny);
        assert_eq!(config.threshold(None, "stale_value"), Confidence::High);
        assert_eq!(config.threshold(Some(Confidence::Low), "stale_value"), Confidence::Low);
        assert_eq!(config.threshold(None, "lock_order"), DEFAULT_CONFIDENCE);
        assert_eq!((config.allow.len(), config.skip.len()), (1, 1));
        assert_eq!(config.baseline.as_deref(), Some("b.json"));
    }

    #[test]
    fn mistakes_in_rows_are_told_with_their_place() {
        let allow = json!([{ "path": "a***", "lint": "x" }, { "reason": 1, "lints": ["stale"] }]);
        let mistakes = read(json!({ "allow": allow, "skip": "vendor", "lints": { "stale_use": { "levl": "warn" } } }));
        let keys: Vec<String> = mistakes.unwrap_err().iter().map(Mistake::key).collect();
        let expected = [
            "allow[0].lint",
            "allow[0].path",
            "allow[0]",
            "allow[1].lints",
            "allow[1].reason",
            "allow[1]",
            "lints.stale_use.levl",
            "skip",
        ];
        assert_eq!(keys, expected.map(|key| format!("m.stalemate.{key}")));
    }
}
