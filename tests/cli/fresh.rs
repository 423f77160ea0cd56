//! Second runs: nothing is compiled that need not be, and nothing lost on the way changes the report.

use crate::project::{Project, Run};
use crate::samples::LOST_UPDATE;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

fn checked(name: &str) -> (Project, String) {
    let project = Project::library(name, LOST_UPDATE);
    let first = project.json("").exits(1);
    assert!(first.compiled(), "{first}");
    (project, first.stdout)
}

#[test]
fn a_second_run_compiles_nothing_and_says_the_same() {
    let (project, first) = checked("second_run");
    let second = project.json("").exits(1);
    assert!(!second.compiled(), "{second}");
    assert_eq!(second.stdout, first);
    // The threshold and the format are the front-end's: they ask for no other facts.
    let text = project.run("--min-confidence low").exits(1);
    assert!(!text.compiled(), "{text}");
}

#[test]
fn changed_settings_are_checked_anew() {
    let (project, first) = checked("changed_settings");
    let manifest = fs::read_to_string(project.root.join("Cargo.toml")).unwrap();
    let with = |level| format!("{manifest}[workspace.metadata.stalemate.lints]\nstale_value = \"{level}\"\n");
    let project = project.file("Cargo.toml", &with("allow"));
    let silent = project.json("").exits(0);
    assert!(silent.compiled() && silent.functions().is_empty(), "{silent}");
    let again = project.file("Cargo.toml", &with("warn")).json("").exits(1);
    assert!(again.compiled(), "{again}");
    assert_eq!(again.stdout, first);
}

#[test]
fn changed_code_is_checked_anew() {
    let (project, _) = checked("changed_code");
    let project = project.file("src/lib.rs", &format!("//! One line more.\n{LOST_UPDATE}"));
    let again = project.json("").exits(1);
    assert!(again.compiled(), "{again}");
    assert_eq!(again.document().findings[0].primary.line, 11);
}

fn touch(project: &Project, path: &str) {
    fs::File::options().append(true).open(project.root.join(path)).unwrap().set_modified(SystemTime::now()).unwrap();
}

#[test]
fn code_that_was_only_touched_is_compiled_but_not_looked_at() {
    let (project, first) = checked("touched");
    let written = |project: &Project| project.facts()[0].metadata().unwrap().modified().unwrap();
    let before = written(&project);
    touch(&project, "src/lib.rs");
    let again = project.json("").exits(1);
    assert!(again.compiled(), "{again}");
    assert_eq!((written(&project), &again.stdout), (before, &first));
    // A comment at the end moves nothing, but the next one might.
    let changed = project.file("src/lib.rs", &format!("{LOST_UPDATE}// The end.\n"));
    assert_eq!(changed.json("").exits(1).document().findings, again.document().findings);
    assert_ne!(written(&changed), before);
}

/// Spoils the one facts file and checks again.
fn mended(name: &str, spoil: impl Fn(&Path)) {
    let (project, first) = checked(name);
    let [facts] = &project.facts()[..] else { panic!("one facts file was expected: {:?}", project.facts()) };
    spoil(facts);
    assert_eq!(project.json("").exits(1).stdout, first);
    let quiet = project.json("").exits(1);
    assert!(!quiet.compiled(), "{quiet}");
    assert_eq!(quiet.stdout, first);
}

#[test]
fn lost_facts_are_found_again() {
    mended("facts_lost", |facts| fs::remove_file(facts).unwrap());
}

#[test]
fn facts_cut_in_half_are_found_again() {
    mended("facts_cut", |facts| {
        let whole = fs::read(facts).unwrap();
        fs::write(facts, &whole[..whole.len() / 2]).unwrap();
    });
}

#[test]
fn facts_of_another_version_are_found_again() {
    mended("facts_old", |facts| {
        let text = fs::read_to_string(facts).unwrap();
        let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&version), "{text}");
        fs::write(facts, text.replace(&version, "\"version\":\"0.0.0\"")).unwrap();
    });
}

#[test]
fn the_users_own_build_is_left_alone() {
    let (project, _) = checked("own_build");
    let entries = fs::read_dir(project.root.join("target")).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["stalemate"]);
}

#[test]
fn the_place_of_the_users_build_is_kept() {
    let project = Project::library("own_place", LOST_UPDATE);
    Run::of(project.command().env("CARGO_TARGET_DIR", "elsewhere")).exits(1);
    assert!(project.root.join("elsewhere/stalemate").is_dir());
    assert!(!project.root.join("target").exists() && !project.root.join("elsewhere/debug").exists());
}

#[test]
fn a_build_directory_of_its_own_is_shared_no_more_than_the_target_directory() {
    let config = "[build]\nbuild-dir = \"build\"\n";
    let project = Project::library("build_dir", LOST_UPDATE).file(".cargo/config.toml", config);
    project.run("").exits(1);
    assert!(project.root.join("build/stalemate/debug").is_dir() && !project.root.join("build/debug").exists());
    let second = project.run("").exits(1);
    assert!(!second.compiled(), "{second}");
}
