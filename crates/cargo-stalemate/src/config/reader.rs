//! Reads the settings, and goes on after a mistake, so that one run tells them all.

use super::{ALLOW_KEYS, AllowedPath, CONFIDENCES, Config, LEVELS, LINT_KEYS, Mistake, confidence, level, type_name};
use crate::model_rows;
use crate::paths::FilePattern;
use crate::project::Table;
use finding::lints::NAMES;
use serde_json::{Map, Value};

pub fn read(table: &Table) -> Result<Config, Vec<Mistake>> {
    let mut reader = Reader::default();
    reader.table(&table.key, &table.value);
    if reader.mistakes.is_empty() { Ok(reader.config) } else { Err(reader.mistakes) }
}

#[derive(Default)]
struct Reader {
    config: Config,
    mistakes: Vec<Mistake>,
}

/// A file of our own has no key above those of the table.
fn below(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

impl Reader {
    fn table(&mut self, prefix: &str, value: &Value) {
        for (name, value) in self.entries(prefix.to_owned(), value).into_iter().flatten() {
            let key = below(prefix, name);
            match name.as_str() {
                "allow" => self.allow(&key, value),
                "baseline" => self.config.baseline = self.text(key, value),
                "fixtures" => {
                    for (of, value) in self.entries(key.clone(), value).into_iter().flatten() {
                        let made_by = self.text(below(&key, of), value);
                        self.config.fixtures.extend(made_by.map(|text| (of.clone(), text)));
                    }
                }
                "lints" => self.lints(&key, value),
                "min-confidence" => self.config.min_confidence = self.word(key, value, CONFIDENCES, confidence),
                "models" => match model_rows::read(&key, value) {
                    Ok(rows) => self.config.settings.models = rows,
                    Err(mistakes) => self.mistakes.extend(mistakes),
                },
                "skip" => {
                    let patterns = self.texts(&key, value);
                    self.config.skip = patterns.iter().filter_map(|text| self.pattern(&key, text)).collect();
                }
                "tests" => self.tests(key, value),
                _ => self.mistakes.push(Mistake::UnknownKey { key, name: name.clone() }),
            }
        }
    }

    /// A level, or a table with a level and a threshold.
    fn lints(&mut self, prefix: &str, value: &Value) {
        for (name, value) in self.entries(prefix.to_owned(), value).into_iter().flatten() {
            let key = below(prefix, name);
            if !NAMES.contains(&name.as_str()) {
                self.mistakes.push(Mistake::UnknownLint { key, name: name.clone() });
            } else if value.is_object() {
                self.lint(&key, name, value);
            } else if let Some(level) = self.word(key, value, LEVELS, level) {
                self.config.settings.lints.insert(name.clone(), level);
            }
        }
    }

    fn lint(&mut self, prefix: &str, lint: &str, value: &Value) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let key = below(prefix, name);
            match name.as_str() {
                "level" => {
                    let level = self.word(key, value, LEVELS, level);
                    self.config.settings.lints.extend(level.map(|level| (lint.to_owned(), level)));
                }
                "min-confidence" => {
                    let least = self.word(key, value, CONFIDENCES, confidence);
                    self.config.lint_confidence.extend(least.map(|least| (lint.to_owned(), least)));
                }
                _ => self.unknown(key, name, LINT_KEYS),
            }
        }
    }

    fn allow(&mut self, prefix: &str, value: &Value) {
        let Some(rows) = value.as_array() else {
            return self.wrong_type(prefix.to_owned(), value, "an array of tables, each `[[allow]]`");
        };
        for (number, row) in rows.iter().enumerate() {
            let row = self.allowed(&format!("{prefix}[{number}]"), row);
            self.config.allow.extend(row);
        }
    }

    fn allowed(&mut self, prefix: &str, row: &Value) -> Option<AllowedPath> {
        let (mut path, mut lints, mut reason) = (None, Vec::new(), None);
        for (name, value) in self.entries(prefix.to_owned(), row)? {
            let key = below(prefix, name);
            match name.as_str() {
                "lints" => lints = self.lint_names(&key, value),
                "path" => path = self.text(key.clone(), value).and_then(|text| self.pattern(&key, &text)),
                "reason" => reason = self.text(key, value),
                _ => self.unknown(key, name, ALLOW_KEYS),
            }
        }
        for name in ["path", "reason"].into_iter().filter(|name| row.get(*name).is_none()) {
            self.mistakes.push(Mistake::Missing { key: prefix.to_owned(), name });
        }
        Some(AllowedPath { path: path?, lints, reason: reason? })
    }

    fn lint_names(&mut self, key: &str, value: &Value) -> Vec<String> {
        let names = self.texts(key, value);
        let unknown = names.iter().filter(|name| !NAMES.contains(&name.as_str()));
        self.mistakes.extend(unknown.map(|name| Mistake::UnknownLint { key: key.to_owned(), name: name.clone() }));
        names
    }

    fn unknown(&mut self, key: String, name: &str, allowed: &[&'static str]) {
        self.mistakes.push(Mistake::UnknownChoice { key, name: name.to_owned(), allowed: allowed.to_vec() });
    }

    fn pattern(&mut self, key: &str, text: &str) -> Option<FilePattern> {
        let pattern = FilePattern::new(text);
        pattern.map_err(|why| self.mistakes.push(Mistake::BadPattern { key: key.to_owned(), why })).ok()
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
        let word = self.text(key.clone(), value)?;
        let meaning = meaning(&word);
        if meaning.is_none() {
            self.mistakes.push(Mistake::UnknownValue { key, value: word, allowed });
        }
        meaning
    }

    fn text(&mut self, key: String, value: &Value) -> Option<String> {
        if !value.is_string() {
            self.wrong_type(key, value, "a string");
        }
        value.as_str().map(str::to_owned)
    }

    fn texts(&mut self, key: &str, value: &Value) -> Vec<String> {
        let Some(values) = value.as_array() else {
            self.wrong_type(key.to_owned(), value, "an array of strings");
            return Vec::new();
        };
        let numbered = values.iter().enumerate();
        numbered.filter_map(|(number, value)| self.text(format!("{key}[{number}]"), value)).collect()
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
