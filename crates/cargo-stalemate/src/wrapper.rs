//! Whether the user compiles through a wrapper such as sccache. Such a cache would be handed our driver, know nothing
//! of its facts files, and give back a unit without them; so it is switched off.
//!
//! An empty `RUSTC_WRAPPER` does that whatever the configuration says, but it also keeps cargo from remembering the
//! compiler's answers: every run then starts the driver three times before it does anything, several times the cost of
//! the whole warm run. So it is set only where a wrapper may be configured. "May" is enough, and a look for the word
//! cheaper and surer than reading cargo's configuration as cargo does.

use crate::cargo_args::CargoArgs;
use std::env::{current_dir, home_dir, var_os};
use std::path::{Path, PathBuf};

const VARIABLES: [&str; 2] = ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"];

pub fn may_be_configured(args: &CargoArgs) -> bool {
    let in_environment = VARIABLES.iter().any(|name| var_os(name).is_some_and(|value| !value.is_empty()));
    // A value of `--config` may be a file.
    in_environment || !args.config.is_empty() || in_files(&current_dir().unwrap_or_default(), cargo_home().as_deref())
}

fn cargo_home() -> Option<PathBuf> {
    var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home_dir()?.join(".cargo")))
}

/// In the files that cargo reads when started in a directory.
fn in_files(directory: &Path, cargo_home: Option<&Path>) -> bool {
    let folders = directory.ancestors().map(|directory| directory.join(".cargo"));
    let folders = folders.chain(cargo_home.map(Path::to_owned));
    folders.flat_map(|folder| [folder.join("config.toml"), folder.join("config")]).any(|file| is_suspect(&file))
}

/// A file that includes others may hold the word there.
fn is_suspect(file: &Path) -> bool {
    let text = std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    ["rustc-wrapper", "include"].iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(config: &str) -> bool {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("project/src");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::create_dir(root.path().join("project/.cargo")).unwrap();
        std::fs::write(root.path().join("project/.cargo/config.toml"), config).unwrap();
        in_files(&below, None)
    }

    #[test]
    fn wrappers_are_seen_in_directories_above() {
        assert!(with("[build]\nrustc-wrapper = \"sccache\"\n"));
        assert!(with("include = \"more.toml\"\n"));
        assert!(!with("[build]\njobs = 2\n"));
    }

    #[test]
    fn wrappers_are_seen_at_home() {
        let home = tempfile::tempdir().unwrap();
        assert!(!in_files(Path::new("/nowhere"), Some(home.path())));
        std::fs::write(home.path().join("config.toml"), "build.rustc-wrapper = \"sccache\"").unwrap();
        assert!(in_files(Path::new("/nowhere"), Some(home.path())));
    }
}
