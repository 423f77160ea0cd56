//! The arguments after `--`, which are cargo's. They are passed on as they are; the front-end only reads the few that
//! change what it must do itself.

use crate::args::ProjectArgs;
use crate::errors::Failure;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub struct CargoArgs {
    /// For the command line of `cargo check`.
    pub words: Vec<OsString>,
    pub manifest_path: Option<PathBuf>,
    /// The user chose the place of the build output: ours is left out.
    pub own_target_dir: bool,
    /// `--config` values, which `cargo metadata` must see too.
    pub config: Vec<String>,
}

impl CargoArgs {
    pub fn new(args: &ProjectArgs) -> Result<CargoArgs, Failure> {
        let mut words = args.cargo.clone();
        if !values(&words, "--message-format").is_empty() {
            return Err(Failure::MessageFormat);
        }
        if let Some(path) = &args.manifest_path {
            words.extend(["--manifest-path".into(), path.into()]);
        }
        Ok(CargoArgs {
            manifest_path: values(&words, "--manifest-path").pop().map(PathBuf::from),
            own_target_dir: !values(&words, "--target-dir").is_empty(),
            config: values(&words, "--config").into_iter().filter_map(|value| value.into_string().ok()).collect(),
            words,
        })
    }
}

impl CargoArgs {
    /// The same, with the tests of libraries and executables in them. `None` if the user has said what profile to use.
    pub fn with_tests(&self) -> Option<CargoArgs> {
        let has_profile = ["--release", "-r"].iter().any(|word| self.words.iter().any(|it| it == word));
        if has_profile || !values(&self.words, "--profile").is_empty() {
            return None;
        }
        let words = self.words.iter().cloned().chain(["--profile".into(), "test".into()]).collect();
        let (manifest_path, config) = (self.manifest_path.clone(), self.config.clone());
        Some(CargoArgs { words, manifest_path, own_target_dir: self.own_target_dir, config })
    }

    /// For a copy of a workspace, as a whole.
    pub fn of_copy(root: &Path, mut words: Vec<OsString>, config: Vec<String>) -> CargoArgs {
        let manifest = root.join("Cargo.toml");
        words.extend(["--manifest-path".into(), manifest.clone().into()]);
        CargoArgs { words, manifest_path: Some(manifest), own_target_dir: false, config }
    }

    /// The words for cargo without these options and their values.
    pub fn words_without(&self, options: &[&str]) -> Vec<OsString> {
        let mut kept = Vec::new();
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            if options.iter().any(|option| word == option) {
                words.next();
            } else if !options.iter().any(|option| joined_value(word, option).is_some()) {
                kept.push(word.clone());
            }
        }
        kept
    }
}

/// The values of an option, given as `--option value` or `--option=value`. One that lacks its value gives an empty
/// one: cargo will say what is wrong with it.
fn values(words: &[OsString], option: &str) -> Vec<OsString> {
    let mut values = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if word == option {
            values.push(words.get(index + 1).cloned().unwrap_or_default());
        } else if let Some(value) = joined_value(word, option) {
            values.push(value);
        }
    }
    values
}

fn joined_value(word: &OsStr, option: &str) -> Option<OsString> {
    word.to_str()?.strip_prefix(option)?.strip_prefix('=').map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Asked;

    fn read(line: &str) -> Result<CargoArgs, Failure> {
        match Asked::parse(line.split(' ').map(OsString::from)).unwrap() {
            Asked::Check(args) => CargoArgs::new(&args.project),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn own_manifest_path_is_passed_on() {
        let args = read("x --manifest-path a/Cargo.toml -- --workspace").unwrap();
        assert_eq!(args.words, ["--workspace", "--manifest-path", "a/Cargo.toml"]);
        assert_eq!(args.manifest_path, Some("a/Cargo.toml".into()));
    }

    #[test]
    fn cargo_options_are_seen_in_both_spellings() {
        let args = read("x -- --manifest-path=b/Cargo.toml --target-dir out --config a=1 --config=b=2").unwrap();
        assert_eq!(args.manifest_path, Some("b/Cargo.toml".into()));
        assert!(args.own_target_dir);
        assert_eq!(args.config, ["a=1", "b=2"]);
    }

    #[test]
    fn options_are_left_out_in_both_spellings() {
        let args = read("x -- --manifest-path a --lib --target-dir=b -p c").unwrap();
        assert_eq!(args.words_without(&["--manifest-path", "--target-dir"]), ["--lib", "-p", "c"]);
    }

    #[test]
    fn tests_are_compiled_along_unless_a_profile_is_chosen() {
        let args = read("x -- --lib --manifest-path a").unwrap().with_tests().unwrap();
        assert_eq!(args.words, ["--lib", "--manifest-path", "a", "--profile", "test"]);
        assert_eq!(read("x -- --release").unwrap().with_tests(), None);
        assert_eq!(read("x -- --profile=dev").unwrap().with_tests(), None);
    }

    #[test]
    fn message_format_is_ours() {
        assert!(matches!(read("x -- --message-format=short"), Err(Failure::MessageFormat)));
        assert!(matches!(read("x -- --message-format json"), Err(Failure::MessageFormat)));
    }
}
