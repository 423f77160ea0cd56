//! Files that people write: read whole, and refused with file, line and column if something in them makes no sense.
//! Keys that do not exist are refused too, because a misspelt one would silently change the numbers.

use crate::failure::Failure;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::{Path, PathBuf};

pub fn text(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::cannot(file, error))
}

pub fn toml<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, Failure> {
    toml::from_str(text).map_err(|error| {
        let why = error.message().replace('\n', " ");
        match error.span() {
            Some(span) => at(file, text, span.start, why),
            None => Failure::mistake(file, why),
        }
    })
}

pub fn json<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        // The place stands in front like everywhere else, so it need not stand at the end as well.
        let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
        Failure::mistake_at(file, error.line(), error.column(), why)
    })
}

/// A mistake at a byte of the text.
pub fn at(file: &Path, text: &str, byte: usize, why: impl Into<String>) -> Failure {
    let before = &text[..text.floor_char_boundary(byte)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |start| start.chars().count()) + 1;
    Failure::mistake_at(file, line, column, why)
}

/// A file of this crate, for when no other is named: the lists belong to the sources.
pub fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        _lines: u32,
    }

    #[test]
    fn a_mistake_is_told_with_file_line_and_column() {
        let file = Path::new("rows.toml");
        let wrong = toml::<Row>(file, "# é\n_lines = \"x\"\n").unwrap_err().to_string();
        assert!(wrong.starts_with("rows.toml:2:10: ") && wrong.contains("string"), "{wrong}");
        let unknown = toml::<Row>(file, "_lines = 1\nother = 2\n").unwrap_err().to_string();
        assert!(unknown.starts_with("rows.toml:2:1: ") && unknown.contains("`other`"), "{unknown}");
        let broken = toml::<Row>(file, "_lines = \n").unwrap_err().to_string();
        assert!(broken.starts_with("rows.toml:1:") && !broken.contains('\n'), "{broken}");
    }

    #[test]
    fn json_gives_its_place_once() {
        let wrong = json::<Row>(Path::new("a.json"), "{\n \"_lines\": true\n}").unwrap_err().to_string();
        assert!(wrong.starts_with("a.json:2:") && !wrong.contains("at line"), "{wrong}");
    }
}
