//! Files that the settings speak of, as patterns: `src/generated/**`, `vendor`, `*/tests/*.rs`. A pattern that names a
//! directory means everything below it.

use glob::{MatchOptions, Pattern};

/// Files are relative to the root of the workspace, with forward slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePattern {
    pub text: String,
    itself: Pattern,
    below: Pattern,
}

const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl FilePattern {
    /// The error says what is wrong with the pattern.
    pub fn new(text: &str) -> Result<FilePattern, String> {
        let plain = text.trim_start_matches("./").trim_end_matches('/');
        let pattern = |text: &str| Pattern::new(text).map_err(|error| error.msg.to_owned());
        if plain.is_empty() {
            return Err("it names nothing".to_owned());
        }
        Ok(FilePattern { text: text.to_owned(), itself: pattern(plain)?, below: pattern(&format!("{plain}/**"))? })
    }

    pub fn matches(&self, file: &str) -> bool {
        [&self.itself, &self.below].iter().any(|pattern| pattern.matches_with(file, OPTIONS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_stars_and_files() {
        let matches = |pattern: &str, file: &str| FilePattern::new(pattern).unwrap().matches(file);
        for (pattern, file) in [
            ("vendor", "vendor/a/src/lib.rs"),
            ("./vendor/", "vendor/a.rs"),
            ("src/generated/**", "src/generated/a/b.rs"),
            ("**/generated", "a/generated/b.rs"),
            ("*/src/lib.rs", "one/src/lib.rs"),
            ("src/a.rs", "src/a.rs"),
        ] {
            assert!(matches(pattern, file), "{pattern} {file}");
        }
        for (pattern, file) in [("vendor", "src/vendor.rs"), ("*/lib.rs", "one/src/lib.rs"), ("src/a", "src/ab.rs")] {
            assert!(!matches(pattern, file), "{pattern} {file}");
        }
        assert!(FilePattern::new("a***b").is_err() && FilePattern::new("./").is_err());
    }
}
