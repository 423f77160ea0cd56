//! The user's settings, out of the manifest. Read by hand, because a mistake in them must be told with the full key and
//! what is allowed there, and all of them at once.

use crate::model_rows;
use crate::project::Table;
use finding::Confidence;
use finding::lints::NAMES;
use finding::settings::{Level, Settings};
use serde_json::{Map, Value};

/// Every key of the table.
pub const KEYS: &[&str] = &["lints", "min-confidence", "models", "tests"];
pub const LEVELS: &[&str] = &["allow", "warn", "deny"];
pub const CONFIDENCES: &[&str] = &["low", "medium", "high"];

/// Findings below this are hidden when nobody says otherwise.
pub const DEFAULT_CONFIDENCE: Confidence = Confidence::Medium;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Config {
    pub settings: Settings,
    pub min_confidence: Option<Confidence>,
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
        let mut reader = Reader::default();
        reader.table(&table.key, &table.value);
        if reader.mistakes.is_empty() { Ok(reader.config) } else { Err(reader.mistakes) }
    }
}

/// Goes on after a mistake, so that one run tells them all.
#[derive(Default)]
struct Reader {
    config: Config,
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn table(&mut self, prefix: &str, value: &Value) {
        for (name, value) in self.entries(prefix.to_owned(), value).into_iter().flatten() {
            let key = format!("{prefix}.{name}");
            match name.as_str() {
                "lints" => self.lints(&key, value),
                "min-confidence" => self.config.min_confidence = self.word(key, value, CONFIDENCES, confidence),
                "models" => match model_rows::read(&key, value) {
                    Ok(rows) => self.config.settings.models = rows,
                    Err(mistakes) => self.mistakes.extend(mistakes),
                },
                "tests" => self.tests(key, value),
                _ => self.mistakes.push(Mistake::UnknownKey { key, name: name.clone() }),
            }
        }
    }

    fn lints(&mut self, prefix: &str, value: &Value) {
        for (name, value) in self.entries(prefix.to_owned(), value).into_iter().flatten() {
            let key = format!("{prefix}.{name}");
            if !NAMES.contains(&name.as_str()) {
                self.mistakes.push(Mistake::UnknownLint { key, name: name.clone() });
            } else if let Some(level) = self.word(key, value, LEVELS, level) {
                self.config.settings.lints.insert(name.clone(), level);
            }
        }
    }

    fn tests(&mut self, key: String, value: &Value) {
        match value.as_bool() {
            Some(tests) => self.config.settings.tests = tests,
            None => self.wrong_type(key, value, "`true` or `false`"),
        }
    }

    fn word<T>(
        &mut self,
        key: String,
        value: &Value,
        allowed: &'static [&'static str],
        meaning: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let Some(word) = value.as_str() else {
            self.wrong_type(key, value, "a string");
            return None;
        };
        let meaning = meaning(word);
        if meaning.is_none() {
            self.mistakes.push(Mistake::UnknownValue { key, value: word.to_owned(), allowed });
        }
        meaning
    }

    fn entries<'v>(&mut self, key: String, value: &'v Value) -> Option<&'v Map<String, Value>> {
        if !value.is_object() {
            self.wrong_type(key, value, "a table");
        }
        value.as_object()
    }

    fn wrong_type(&mut self, key: String, value: &Value, expected: &'static str) {
        self.mistakes.push(Mistake::WrongType { key, found: type_name(value), expected });
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
}
