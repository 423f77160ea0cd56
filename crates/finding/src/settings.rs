//! What the front-end tells the driver, in one environment variable: the driver is a pure function of its inputs,
//! and cargo checks a unit again when the variable changes.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The variable that holds [`Settings`] as JSON. Its presence also tells the driver that a front-end reads its facts
/// files, so it prints no diagnostics itself.
pub const VARIABLE: &str = "STALEMATE_SETTINGS";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Levels by lint name, as `-A`, `-W` or `-D` on the command line of rustc would set them.
    #[serde(default)]
    pub lints: BTreeMap<String, Level>,
    /// Report code under `#[test]` and `#[cfg(test)]` too.
    #[serde(default)]
    pub tests: bool,
    /// Say of every function how atomic it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub atomicity: bool,
    /// Say what guards the state that no type ties to a lock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guards: bool,
    /// Say where each lock is held, and in which order locks are taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub map: bool,
    /// Say how each finding can be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recipes: bool,
    /// For types that no value can be found for: expressions, or functions, that make one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fixtures: BTreeMap<String, String>,
    /// Locks, guards and calls of libraries that the tool does not know: rows by their kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, Vec<serde_json::Value>>,
    /// What only tests ask for.
    #[serde(default, skip_serializing_if = "Trial::is_none")]
    pub trial: Trial,
}

/// Makes the analysis fail where a test wants to see that it can bear it. No front-end sets it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Trial {
    /// `read NAME` or `walk NAME` for a function, `check LINT`, or `crate NAME`.
    #[serde(default)]
    pub fail_at: Vec<String>,
    /// How much may be done for one body.
    #[serde(default)]
    pub fuel: Option<usize>,
}

impl Trial {
    fn is_none(&self) -> bool {
        *self == Trial::default()
    }

    /// Panics if this is where it shall.
    pub fn stumble(&self, step: &str, name: impl Fn() -> String) {
        let is_here = |place: &String| {
            place.strip_prefix(step).and_then(|rest| rest.strip_prefix(' ')).is_some_and(|wanted| wanted == name())
        };
        assert!(!self.fail_at.iter().any(is_here), "a test wanted it");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Allow,
    Warn,
    Deny,
}

impl Settings {
    /// The same settings always give the same text: maps are sorted.
    pub fn to_variable(&self) -> String {
        serde_json::to_string(self).expect("settings are plain data")
    }

    pub fn from_variable(text: &str) -> Result<Settings, String> {
        serde_json::from_str(text).map_err(|error| format!("{VARIABLE}: {error}"))
    }
}
