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
