//! Where the driver is: where a variable says, beside the front-end, or where the front-end has built it itself.

use crate::VERSION;
use crate::errors::Failure;
use crate::toolchain::TOOLCHAIN;
use std::env::consts::EXE_SUFFIX;
use std::env::{current_exe, home_dir, var_os};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Names another driver, for people who work on it.
pub const VARIABLE: &str = "STALEMATE_DRIVER";

/// Names another place for drivers than cargo's home.
const HOME_VARIABLE: &str = "STALEMATE_HOME";

/// What is known of the driver before it is run.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Here(PathBuf),
    /// Nobody has built it for this front-end yet.
    ToBuild,
}

pub fn find() -> Result<Found, Failure> {
    // Absolute, because cargo starts the driver in another directory.
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    if let Some(path) = var_os(VARIABLE).map(PathBuf::from).map(absolute) {
        return if path.is_file() { Ok(Found::Here(path)) } else { Err(Failure::DriverMissing { path }) };
    }
    let this = current_exe().unwrap_or_default();
    let beside = absolute(this.with_file_name(program()));
    if beside.is_file() {
        return Ok(Found::Here(beside));
    }
    let built = absolute(home().join("bin").join(program()));
    Ok(if is_as_new(&built, &this) { Found::Here(built) } else { Found::ToBuild })
}

fn program() -> String {
    format!("stalemate-driver{EXE_SUFFIX}")
}

/// Where this version builds its driver: beside cargo's own things, or where a variable says, apart from other versions.
pub fn home() -> PathBuf {
    let cargo = || var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home_dir()?.join(".cargo")));
    let ours = var_os(HOME_VARIABLE).map(PathBuf::from).or_else(|| Some(cargo()?.join("stalemate")));
    ours.unwrap_or_default().join(format!("{VERSION}-{TOOLCHAIN}"))
}

/// A front-end that was installed again may be another one, though its version is the same.
fn is_as_new(driver: &Path, front_end: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    driver.is_file() && time(driver) >= time(front_end)
}

/// The driver's package in the checkout that this program was built from, while that is still there.
pub fn checkout() -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join("stalemate-driver");
    package.join("Cargo.toml").is_file().then_some(package)
}

/// What the driver answers to a question it must be able to answer, when it cannot.
pub fn complaint(question: &mut Command) -> Option<String> {
    match question.output() {
        Ok(answer) if answer.status.success() => None,
        Ok(answer) => {
            let words = String::from_utf8_lossy(&answer.stderr).trim().to_owned();
            Some(if words.is_empty() { answer.status.to_string() } else { words })
        }
        Err(error) => Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::Duration;

    #[test]
    fn a_driver_older_than_the_front_end_is_built_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let (old, new) = (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_secs(60));
        let make = |name: &str, time| File::create(path(name)).unwrap().set_modified(time).unwrap();
        make("front", old);
        make("driver", new);
        assert!(is_as_new(&path("driver"), &path("front")));
        assert!(!is_as_new(&path("front"), &path("driver")));
        assert!(!is_as_new(&path("none"), &path("front")));
    }

    #[test]
    fn the_checkout_is_found() {
        assert!(checkout().unwrap().ends_with("stalemate-driver"));
    }
}
