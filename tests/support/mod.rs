//! What several harnesses need: the real binaries, built.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory that cargo builds into; it gives tests one for temporary files right below.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies below the target directory").to_path_buf()
}

/// A binary of this workspace, up to date. Cargo builds the packages of a test only, so the others are asked for here.
pub fn built(name: &str) -> PathBuf {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "stalemate-driver", "-p", "cargo-stalemate", "--target-dir"])
            .arg(target())
            .current_dir(repository())
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the tool does not build");
    });
    target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Where cargo has unpacked a published crate.
pub fn published(name: &str, version: &str) -> PathBuf {
    std::fs::create_dir_all(target().join("field")).unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["info", "--quiet", &format!("{name}@{version}")])
        .current_dir(target().join("field"))
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"));
    let registries = std::fs::read_dir(home.join("registry/src")).unwrap();
    let mut found = registries.map(|entry| entry.unwrap().path().join(format!("{name}-{version}")));
    found.find(|path| path.is_dir()).expect("cargo has unpacked the crate")
}
