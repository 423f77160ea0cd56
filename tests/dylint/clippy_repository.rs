//! The clippy repository that Dylint's driver wants. Its build script clones it to read which symbols clippy_utils expects
//! the compiler to know; the crates.io package has the same file, so a repository made from that needs no clone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::repository;
use crate::tools::{command, run};

/// A channel before any that has a clippy_utils with such a list: where the build script's search backwards ends.
const OLDER: &str = "nightly-2025-01-01";

/// Makes the repository in `tools` if it is not there, and returns its path.
pub fn make(tools: &Path) -> PathBuf {
    let channel = pinned_channel(&fs::read_to_string(repository().join("rust-toolchain.toml")).unwrap());
    let clippy_utils = clippy_utils();
    let version = clippy_utils.file_name().unwrap().to_str().unwrap();
    let made = tools.join(format!("{version}-{channel}"));
    if made.exists() {
        return made;
    }
    // Made under another name first: what bears the right name is complete.
    let unfinished = tools.join("unfinished-clippy-repository");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).unwrap();
    }
    fs::create_dir_all(unfinished.join("clippy_utils/src")).unwrap();
    for file in ["Cargo.toml", "src/sym.rs"] {
        fs::copy(clippy_utils.join(file), unfinished.join("clippy_utils").join(file)).unwrap();
    }
    git(&unfinished, &["init", "--quiet"]);
    for channel in [OLDER, &channel] {
        let file = format!("[toolchain]\nchannel = \"{channel}\"\n");
        fs::write(unfinished.join("rust-toolchain.toml"), file).unwrap();
        git(&unfinished, &["add", "--all"]);
        git(&unfinished, &["commit", "--quiet", "--message", channel]);
    }
    fs::rename(&unfinished, &made).unwrap();
    made
}

/// The directory of the clippy_utils that the library is built with.
fn clippy_utils() -> PathBuf {
    let mut cargo = command("cargo", repository());
    cargo.args(["metadata", "--format-version=1", "--locked"]);
    let metadata: Value = serde_json::from_str(&run("cargo metadata", &mut cargo)).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "clippy_utils");
    let manifest = package.expect("the library depends on clippy_utils")["manifest_path"].as_str().unwrap();
    Path::new(manifest).parent().unwrap().to_owned()
}

/// Git that sees no repository above `dir`, which is this one, and no one's settings.
fn git(dir: &Path, args: &[&str]) {
    let mut git = command("git", dir);
    git.args(["-c", "user.name=test", "-c", "user.email=test@example.com"]).args(args);
    git.env("GIT_CEILING_DIRECTORIES", dir.parent().unwrap());
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    run("git", &mut git);
}

fn pinned_channel(rust_toolchain: &str) -> String {
    let line = rust_toolchain.lines().find_map(|line| line.strip_prefix("channel"));
    let value = line.and_then(|rest| rest.split('"').nth(1));
    value.expect("rust-toolchain.toml names a channel").to_owned()
}

#[test]
fn the_channel_is_read_from_the_toolchain_file() {
    let file = "[toolchain]\nchannel = \"nightly-2000-01-01\"\ncomponents = [\"rustc-dev\"]\n";
    assert_eq!(pinned_channel(file), "nightly-2000-01-01");
}
