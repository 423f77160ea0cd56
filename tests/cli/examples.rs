//! The example with all attributes: what is reported in it, and that it is nothing out of the ordinary to stable Rust.

use crate::project::{Project, Run, command};
use crate::support;
use std::path::Path;

/// The comment that marks what is wrong on purpose.
const MARK: &str = "// reported";

fn marked_lines(source: &str) -> Vec<u32> {
    (1..).zip(source.lines()).filter(|(_, line)| line.ends_with(MARK)).map(|(number, _)| number).collect()
}

#[test]
fn what_the_journal_says_of_itself_is_held_to() {
    let example = support::repository().join("examples/journal");
    let expected = marked_lines(&std::fs::read_to_string(example.join("src/lib.rs")).unwrap());
    let project = Project::new("example_journal");
    let manifest = example.join("Cargo.toml");
    let target = project.root.join("target");
    let run = project.json(&format!("--manifest-path {} -- --target-dir {}", manifest.display(), target.display()));
    let (accepted, open): (Vec<_>, Vec<_>) =
        run.document().findings.into_iter().partition(|finding| finding.suppressed.is_some());
    let lines: Vec<u32> = open.iter().map(|finding| finding.primary.line).collect();
    assert_eq!((lines, run.code), (expected, Some(1)), "{run}");
    assert!(open.iter().all(|finding| finding.lint == "not_atomic"), "{run}");
    assert_eq!(accepted.iter().map(|it| it.lint.as_str()).collect::<Vec<_>>(), ["split_atomic"], "{run}");
}

/// Each bug is announced in the documentation of its function; the twins are silent.
#[test]
fn every_bug_of_the_bank_is_reported_and_nothing_else() {
    let example = support::repository().join("examples/bank");
    let project = Project::new("example_bank");
    let (manifest, target) = (example.join("Cargo.toml"), project.root.join("target"));
    let run = project.json(&format!("--manifest-path {} -- --target-dir {}", manifest.display(), target.display()));
    let found: Vec<(String, String)> =
        run.exits(1).document().findings.into_iter().map(|it| (it.primary.file, it.function)).collect();
    let mut announced = 0;
    for file in ["account", "audit", "ledger", "queue"] {
        let path = format!("src/{file}.rs");
        let source = std::fs::read_to_string(example.join(&path)).unwrap();
        let mut lines = source.lines();
        while lines.any(|line| line.trim_start().starts_with("/// BUG")) {
            let function = lines.find_map(|line| line.split_once("fn ")).map(|(_, rest)| rest);
            let name = function.and_then(|rest| rest.split('(').next()).unwrap();
            let is_meant = |(at, of): &(String, String)| *at == path && of.ends_with(&format!("::{name}"));
            assert!(found.iter().any(is_meant), "{name} in {path}: {found:?}");
            announced += 1;
        }
    }
    assert_eq!((announced, found.len()), (4, 4), "{found:?}");
}

/// A crate that knows nothing of Stalemate and depends on one that uses the attributes.
#[test]
fn stable_rust_compiles_the_attributes_without_a_warning() {
    let example = support::repository().join("examples/journal");
    let more = format!("[dependencies]\njournal = {{ path = {example:?} }}\n[workspace]\n");
    let source = "pub fn write(journal: &journal::Journal) -> u64 {\n    journal.append(\"hello\")\n}\n";
    let project = Project::new("stable_user").package("user", &more, source);
    get_stable(&project.root);
    let mut cargo = command("rustup", &project.root);
    cargo.args(["run", "stable", "cargo", "check"]).env("RUSTFLAGS", "-Dwarnings");
    Run::of(&mut cargo).exits(0).never_says(&["warning"]);
}

/// It is there on most machines.
fn get_stable(directory: &Path) {
    let is_there = Run::of(command("rustup", directory).args(["run", "stable", "rustc", "-V"]));
    if is_there.code != Some(0) {
        let install = ["toolchain", "install", "stable", "--profile", "minimal", "--no-self-update"];
        Run::of(command("rustup", directory).args(install)).exits(0);
    }
}
