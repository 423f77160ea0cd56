//! Every row of the models names something that exists.

mod support;

use std::process::Command;

#[test]
fn rows_of_the_standard_library_resolve() {
    let directory = support::target().join("models");
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("user.rs");
    std::fs::write(&source, "pub fn uses_std() {}\n").unwrap();
    let output = Command::new(support::built("stalemate-driver"))
        .args(["--crate-type=lib", "--edition=2024", "--emit=metadata", "--out-dir"])
        .args([&directory, &source])
        .env("STALEMATE_LIST_UNRESOLVED_MODELS", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let unresolved = String::from_utf8_lossy(&output.stdout);
    let of_std: Vec<&str> =
        unresolved.lines().filter(|row| row.starts_with("std::") || row.starts_with("slice::")).collect();
    assert!(of_std.is_empty(), "these rows of src/models/std.toml lead nowhere: {of_std:#?}");
}
