//! The sources of a published version. Cargo downloads and verifies them; what it has unpacked is only read.

use super::{Subject, Trouble};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Cargo writes this last, so a folder without it is not whole.
const UNPACKED: &str = ".cargo-ok";

pub fn sources(subject: &Subject, scratch: &Path) -> Result<PathBuf, Trouble> {
    if let Some(found) = find(&subject.folder()) {
        return Ok(found);
    }
    download(subject, scratch)?;
    find(&subject.folder()).ok_or_else(|| Trouble::new("not obtained", "cargo did not unpack the sources"))
}

fn find(folder: &str) -> Option<PathBuf> {
    let registries = std::fs::read_dir(cargo_home()?.join("registry/src")).ok()?;
    let folders = registries.flatten().map(|registry| registry.path().join(folder));
    folders.into_iter().find(|folder| folder.join(UNPACKED).is_file())
}

fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
}

/// `cargo info` downloads and unpacks exactly one package. It looks around for a project, so it is given a place of its
/// own to stand in.
fn download(subject: &Subject, scratch: &Path) -> Result<(), Trouble> {
    std::fs::create_dir_all(scratch).map_err(|error| Trouble::io("not obtained", scratch, error))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let answer = Command::new(cargo)
        .args(["info", "--quiet", &format!("{}@{}", subject.name, subject.version)])
        .current_dir(scratch)
        .output()
        .map_err(|error| Trouble::io("not obtained", Path::new("cargo"), error))?;
    match answer.status.success() {
        true => Ok(()),
        false => Err(Trouble::new("not obtained", &String::from_utf8_lossy(&answer.stderr))),
    }
}
