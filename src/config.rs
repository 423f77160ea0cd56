//! Every setting, with its default and the reason for it. The type is shared with the front-end
//! ([`finding::settings::Settings`]); here is where the lint library gets it from.
//!
//! | key | default | why |
//! |---|---|---|
//! | `lints` | as declared | levels by lint name, for teams that want one place for them |
//! | `tests` | `false` | tests race on purpose, and nobody fixes them for it |
//! | `models` | none | locks, guards and calls of libraries that the tool does not know, in the form of `src/models` |
//! | `min-confidence` | `medium` | what is below is for audits; the front-end filters itself, so only Dylint asks here |

use crate::models::Models;
use finding::Confidence;
use finding::settings::{Settings, Trial, VARIABLE};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The library's name in `dylint.toml`.
const TABLE: &str = "stalemate";

/// What the run is for.
#[derive(Clone, Debug)]
pub struct Config {
    pub tests: bool,
    pub models: Models,
    pub min_confidence: Confidence,
    /// Say of every function how atomic it is.
    pub atomicity: bool,
    /// Say what guards the state that no type ties to a lock.
    pub guards: bool,
    /// Say where each lock is held, and in which order locks are taken.
    pub map: bool,
    /// Say how each finding can be run.
    pub recipes: bool,
    /// For these: types by their paths, and what makes one.
    pub fixtures: BTreeMap<String, String>,
    pub trial: Trial,
}

/// The keys of `[stalemate]` in `dylint.toml`. Levels are set there with rustc's own means.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct DylintTable {
    #[serde(default)]
    tests: bool,
    #[serde(default)]
    models: Models,
    min_confidence: Option<Confidence>,
}

/// The settings of the front-end that runs this driver; `None` if there is none.
pub fn from_front_end() -> Result<Option<Settings>, String> {
    match std::env::var(VARIABLE) {
        Ok(text) => Settings::from_variable(&text).map(Some),
        Err(_) => Ok(None),
    }
}

impl Config {
    pub fn of_front_end(settings: &Settings) -> Result<Config, String> {
        let rows = serde_json::to_value(&settings.models).map_err(|error| error.to_string())?;
        let models = serde_json::from_value(rows).map_err(|error| format!("{VARIABLE}: models: {error}"))?;
        let Settings { tests, atomicity, guards, map, recipes, .. } = *settings;
        let (fixtures, trial) = (settings.fixtures.clone(), settings.trial.clone());
        Ok(Config { tests, models, min_confidence: Confidence::Low, atomicity, guards, map, recipes, fixtures, trial })
    }

    pub fn of_dylint() -> Result<Config, String> {
        let table = dylint_linting::config::<DylintTable>(TABLE).map_err(|error| error.to_string())?;
        let table = table.unwrap_or_default();
        Ok(Config {
            tests: table.tests,
            models: table.models,
            min_confidence: table.min_confidence.unwrap_or(Confidence::Medium),
            atomicity: false,
            guards: false,
            map: false,
            recipes: false,
            fixtures: BTreeMap::new(),
            trial: Trial::default(),
        })
    }
}
