//! `fieldcheck robust` as a whole, with a shell script in the place of the tool: ways that do not compile are left for narrower
//! ones, and crashes are told and tried again.
#![cfg(unix)]

mod lab;

use lab::{Lab, SAY};
use std::fs;

/// Of another crate, which stays.
const BEFORE: &str = r#"{"crate":"bb8","version":"0.9.1","tried":[{"way":"library","end":"does-not-build"}]}
"#;

/// What does not compile, or crashes, is named by a part of the command line.
const SCRIPT: &str = r#"
case "$*" in *$REFUSED*) exit 3 ;; esac
case "$*" in *$CRASHING*) echo "thread panicked" >&2; exit 70 ;; esac
"#;

const NEVER: &str = "no such words";

fn lab(test: &str) -> Lab {
    let lab = Lab::new(&format!("robust-{test}"), &format!("{SCRIPT}{SAY}"));
    fs::write(lab.folder.join("robust.jsonl"), BEFORE).unwrap();
    lab
}

fn run(lab: &Lab, refused: &str, crashing: &str, skipped: &str) -> (i32, String) {
    let variables = [("REFUSED", refused), ("CRASHING", crashing), ("SKIPPED", skipped)];
    let written = lab.folder.join("robust.jsonl");
    lab.run(&["robust", "sled", "--write", "--written", written.to_str().unwrap()], &variables)
}

/// The words for cargo in a call, without the place that is built in.
fn words(call: &str) -> String {
    let words = call.split_once("--target-dir ").unwrap().1;
    words.split_once(' ').unwrap().1.to_owned()
}

#[test]
fn what_compiles_as_a_whole_is_not_tried_in_parts() {
    let lab = lab("whole");
    let (code, said) = run(&lab, NEVER, NEVER, "");
    assert!(code == 0 && said.contains("1 of 1 crates were tried, and 1 compile"), "{said}");
    let calls: Vec<_> = lab.calls().iter().map(|call| words(call)).collect();
    assert_eq!(calls, ["--all-targets --keep-going --all-features"]);
    let row = "| sled 0.34.7 | all targets, all features | 9 | 0 | 500 | 0 | 0 |";
    assert!(lab.page().contains(row) && lab.page().contains("| bb8 0.9.1 | nothing |"), "{}", lab.page());
    let written = fs::read_to_string(lab.folder.join("robust.jsonl")).unwrap();
    assert!(written.starts_with(BEFORE) && written.lines().count() == 2, "{written}");
    let manifest = lab.folder.join("work/src/sled-0.34.7+everything/Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    assert!(manifest.contains("tests = true") && manifest.contains("stale_use"), "{manifest}");

    let (code, said) = run(&lab, NEVER, NEVER, "");
    assert!(code == 0 && said.contains("1 kept from earlier runs") && lab.calls().len() == 1, "{said}");
}

#[test]
fn what_does_not_compile_is_tried_in_parts() {
    let lab = lab("parts");
    let (code, said) = run(&lab, "--all-targets", NEVER, "");
    assert!(code == 0 && said.contains("library, all features"), "{said}");
    assert_eq!(lab.calls().len(), 3);
    let lab = self::lab("nothing");
    let (code, said) = run(&lab, "--keep-going", NEVER, "");
    assert!(
        code == 0 && said.contains("1 of 1 crates were tried, and 0 compile") && said.contains("nothing"),
        "{said}"
    );
    assert_eq!(lab.calls().len(), 4);
}

#[test]
fn crashes_and_bodies_given_up_are_told() {
    let lab = lab("crash");
    let (code, said) = run(&lab, NEVER, "--all-targets", "");
    assert!(code == 1 && said.contains("sled 0.34.7 (all targets, all features)\n"), "{said}");
    assert!(said.contains("thread panicked") && said.contains("Crashes: 2."), "{said}");
    let (code, said) = run(&lab, NEVER, NEVER, r#"{"function":"sled::get","reason":"too large"}"#);
    assert!(code == 1 && said.contains("sled 0.34.7: `sled::get`: too large") && !said.contains("kept"), "{said}");
}
