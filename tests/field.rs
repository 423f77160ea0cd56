//! A smoke test on real code: two crates as they are published, checked from a copy. sled denies a lint that only newer
//! compilers have something to say about, and must pass all the same.

#[path = "support/published.rs"]
mod published;
mod support;

use finding::Document;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn published_crates_are_checked_without_a_crash() {
    for (name, version) in [("r2d2", "0.8.10"), ("sled", "0.34.7")] {
        let document = check(&unpacked(name, version));
        assert_eq!(document.run.packages, [name]);
        assert!(document.run.functions > 50, "{name}: {:?}", document.run);
        assert!(document.run.functions_with_locks > 0, "{name}: {:?}", document.run);
        assert!(document.run.lines > 1000, "{name}: {:?}", document.run);
        assert!(document.run.skipped.is_empty(), "{name}: {:?}", document.run.skipped);
    }
}

fn check(project: &Path) -> Document {
    let output = Command::new(support::built("cargo-stalemate"))
        .args(["stalemate", "--format", "json", "--min-confidence", "low", "--manifest-path"])
        .arg(project.join("Cargo.toml"))
        .args(["--", "--lib", "--target-dir"])
        .arg(support::target().join("field/target"))
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {said}", project.display());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A copy of the crate that stands alone.
fn unpacked(name: &str, version: &str) -> PathBuf {
    let copy = support::target().join(format!("field/{name}-{version}"));
    if copy.join("Cargo.toml").is_file() {
        return copy;
    }
    let from = published::published(name, version);
    let status = Command::new("cp").arg("-r").arg(&from).arg(copy.with_extension("new")).status().unwrap();
    assert!(status.success());
    let manifest = copy.with_extension("new").join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{text}\n[workspace]\n")).unwrap();
    std::fs::rename(copy.with_extension("new"), &copy).unwrap();
    copy
}
