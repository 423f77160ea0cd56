//! Every row of the models names something that exists, in the version of the library that the golden tests use.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_row_resolves() {
    let directory = support::target().join("models");
    let project = directory.join("project");
    copy_project(&support::repository().join("tests/workspaces/lock_families"), &project);
    let list = directory.join("unresolved.txt");
    let _ = fs::remove_file(&list);
    let status = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--locked", "--target-dir"])
        .arg(directory.join("target"))
        .env("RUSTC_WORKSPACE_WRAPPER", support::built("stalemate-driver"))
        .env("STALEMATE_LIST_UNRESOLVED_MODELS", &list)
        .current_dir(&project)
        .status()
        .unwrap();
    assert!(status.success());
    let unresolved = fs::read_to_string(&list).expect("the driver ran and wrote its list");
    assert!(unresolved.is_empty(), "these rows of src/models/*.toml lead nowhere:\n{unresolved}");
}

/// A fresh copy makes cargo run the driver, which may have changed since the last time.
fn copy_project(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("src")).unwrap();
    let crates = support::repository().join("crates");
    for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
        let text = fs::read_to_string(from.join(file)).unwrap();
        let text = text.replace("../../../crates", crates.to_str().unwrap());
        fs::write(to.join(file), text).unwrap();
    }
}
