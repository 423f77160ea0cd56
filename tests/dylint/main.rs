//! The library under the real `cargo dylint`, as its users run it: installed from crates.io, pointed at this repository by
//! a workspace's metadata. Everything made on the way is kept under the target directory, so only the first run is slow.

mod clippy_repository;
mod tools;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The comment that marks the lines of bugs in the checked crates.
const MARK: &str = "// reported";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `target/tools`, wherever the target directory is.
fn tools_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools")
}

#[test]
fn cargo_dylint_reports_what_is_wrong_and_not_its_twin() {
    // One after the other: both want the same driver built.
    assert_reported("tests/workspaces/dylint_user", "stale_value");
    assert_reported("examples/journal", "not_atomic");
}

#[track_caller]
fn assert_reported(workspace: &str, lint: &str) {
    let workspace = repository().join(workspace);
    let output = tools::run_dylint(&workspace);
    let source = std::fs::read_to_string(workspace.join("src/lib.rs")).unwrap();
    let expected = marked_lines(&source).into_iter().map(|line| (lint.to_owned(), line)).collect();
    assert!(!BTreeSet::is_empty(&expected), "src/lib.rs of {workspace:?} has no line marked `{MARK}`");
    assert_eq!(warnings(&output), expected, "lint and line of all warnings; what cargo dylint printed:\n{output}");
}

fn marked_lines(source: &str) -> Vec<u64> {
    (1..).zip(source.lines()).filter(|(_, line)| line.ends_with(MARK)).map(|(number, _)| number).collect()
}

/// Lint and line of every diagnostic that has a place, from cargo's JSON messages.
fn warnings(output: &str) -> BTreeSet<(String, u64)> {
    let messages = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| warning(&message["message"])).collect()
}

fn warning(diagnostic: &Value) -> Option<(String, u64)> {
    let primary = diagnostic["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)?;
    let lint = diagnostic["code"]["code"].as_str().unwrap_or("no lint");
    Some((lint.to_owned(), primary["line_start"].as_u64()?))
}

#[test]
fn a_warning_is_read_from_a_message_of_cargo() {
    let message = r#"{"reason":"compiler-message","message":{"code":{"code":"stale_value"},"spans":[
        {"is_primary":false,"line_start":1},{"is_primary":true,"line_start":7}]}}"#
        .replace('\n', "");
    let noise = r#"{"reason":"build-finished","success":true}"#;
    let output = format!("    Checking a crate\n{message}\n{noise}\n");
    assert_eq!(warnings(&output), BTreeSet::from([("stale_value".to_owned(), 7)]));
}

#[test]
fn marked_lines_count_from_one() {
    assert_eq!(marked_lines("a;\nb; // reported\n"), [2]);
}
