//! Crates as they are published, for tests on real code.

use crate::support;
use std::path::PathBuf;
use std::process::Command;

/// Where cargo has unpacked a published crate.
pub fn published(name: &str, version: &str) -> PathBuf {
    std::fs::create_dir_all(support::target().join("field")).unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["info", "--quiet", &format!("{name}@{version}")])
        .current_dir(support::target().join("field"))
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"));
    let registries = std::fs::read_dir(home.join("registry/src")).unwrap();
    let mut found = registries.map(|entry| entry.unwrap().path().join(format!("{name}-{version}")));
    found.find(|path| path.is_dir()).expect("cargo has unpacked the crate")
}
