//! Where the pages of `--format html` may not go: told at once, with exit code 2, and nothing is touched.

use std::path::Path;
use std::process::Command;

fn run(directory: &Path, words: &[&str]) -> (Option<i32>, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_cargo-stalemate")).args(words).current_dir(directory).output().unwrap();
    (run.status.code(), String::from_utf8(run.stderr).unwrap())
}

#[test]
fn pages_need_a_directory_and_nothing_else_does() {
    let directory = tempfile::tempdir().unwrap();
    let (code, says) = run(directory.path(), &["--format", "html"]);
    assert_eq!((code, says.contains("`--output DIR`")), (Some(2), true), "{says}");
    let (code, says) = run(directory.path(), &["--output", "out"]);
    assert_eq!((code, says.contains("`--format html`")), (Some(2), true), "{says}");
    assert!(!directory.path().join("out").exists());
}

#[test]
fn what_is_in_the_way_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("docs")).unwrap();
    std::fs::write(directory.path().join("docs/index.html"), "mine").unwrap();
    for (output, why) in [("docs", "no report of stalemate"), ("docs/index.html", "a file is in the way")] {
        let (code, says) = run(directory.path(), &["--format", "html", "--output", output]);
        assert_eq!((code, says.matches("error: ").count()), (Some(2), 1), "{says}");
        assert!(says.contains(why), "{says}");
    }
    assert_eq!(std::fs::read_to_string(directory.path().join("docs/index.html")).unwrap(), "mine");
}
