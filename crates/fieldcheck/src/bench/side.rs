//! The commands that are compared. All check the same copy with the same toolchain, each into a directory of its own.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Plain,
    Stalemate,
    Clippy,
}

impl Side {
    /// In the order in which they run.
    pub const ALL: [Side; 3] = [Side::Plain, Side::Stalemate, Side::Clippy];

    /// The name of its build directory.
    pub fn folder(self) -> &'static str {
        match self {
            Side::Plain => "plain",
            Side::Stalemate => "stalemate",
            Side::Clippy => "clippy",
        }
    }

    /// For people.
    pub fn title(self) -> &'static str {
        match self {
            Side::Plain => "cargo check",
            Side::Stalemate => "cargo stalemate",
            Side::Clippy => "cargo clippy",
        }
    }

    pub fn command(self, front_end: &Path, manifest: &Path, target: &Path, args: &[String]) -> Vec<OsString> {
        let (start, middle, end): (Vec<OsString>, &[&str], &[&str]) = match self {
            Side::Plain => (vec!["cargo".into(), "check".into()], &[], &[]),
            Side::Stalemate => (vec![front_end.into(), "stalemate".into()], &["--"], &[]),
            // Some of its lints refuse to compile what they find; then there would be nothing to compare.
            Side::Clippy => (vec!["cargo".into(), "clippy".into()], &[], &["--", "--cap-lints", "warn"]),
        };
        let mut words = start;
        words.extend(["--manifest-path".into(), manifest.into()]);
        words.extend(middle.iter().map(OsString::from));
        words.extend(["--target-dir".into(), target.into()]);
        words.extend(args.iter().map(OsString::from));
        words.extend(end.iter().map(OsString::from));
        words
    }

    /// Whether a run that ended with this code did all its work. Findings are exit code 1.
    pub fn is_done(self, code: Option<i32>) -> bool {
        let most = if self == Side::Stalemate { 1 } else { 0 };
        code.is_some_and(|code| (0..=most).contains(&code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stand_where_cargo_reads_them() {
        let line = |side: Side| {
            let args = ["--features".to_owned(), "a b".to_owned()];
            let words = side.command(Path::new("tool"), Path::new("Cargo.toml"), Path::new("t"), &args);
            words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join("|")
        };
        let plain = "cargo|check|--manifest-path|Cargo.toml|--target-dir|t|--features|a b";
        assert_eq!(line(Side::Plain), plain);
        assert_eq!(line(Side::Clippy), format!("{}|--|--cap-lints|warn", plain.replace("check", "clippy")));
        let stalemate = "tool|stalemate|--manifest-path|Cargo.toml|--|--target-dir|t|--features|a b";
        assert_eq!(line(Side::Stalemate), stalemate);
    }

    #[test]
    fn findings_are_no_failure_and_a_signal_is() {
        assert!(Side::ALL.iter().all(|side| side.is_done(Some(0)) && !side.is_done(None) && !side.is_done(Some(2))));
        let done_with_one: Vec<_> = Side::ALL.into_iter().filter(|side| side.is_done(Some(1))).collect();
        assert_eq!(done_with_one, [Side::Stalemate]);
    }
}
