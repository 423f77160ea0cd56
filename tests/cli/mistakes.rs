//! Bad input: the exit code, and one sentence that names the mistake. A report is never written.

use crate::project::{Project, Run, command};
use crate::samples::{CLEAN, LOST_UPDATE};
use crate::support;

#[track_caller]
fn refused(project: &Project, line: &str, code: i32, words: &[&str]) {
    project.run(line).exits(code).reports_nothing().notes(words);
    project.json(line).exits(code).reports_nothing().notes(words);
}

#[test]
fn unknown_options() {
    let project = Project::library("unknown_option", CLEAN);
    refused(&project, "--colour", 2, &["error: unexpected argument '--colour'"]);
    refused(&project, "--workspace", 2, &["error: unexpected argument '--workspace'"]);
    refused(&project, "--min-confidence none", 2, &["invalid value 'none'", "low, medium, high"]);
    project.run("--format yaml").exits(2).reports_nothing().notes(&["invalid value 'yaml'", "text, json"]);
    assert!(!project.root.join("target").exists(), "nothing was started");
}

#[test]
fn options_of_cargo() {
    let project = Project::library("cargo_option", CLEAN);
    refused(&project, "-- --message-format json", 2, &["error: cargo cannot be given `--message-format` here"]);
    refused(&project, "-- --no-such-option", 2, &["--no-such-option", "stalemate: cargo could not start the check"]);
}

#[test]
fn a_missing_manifest() {
    let project = Project::library("missing_manifest", CLEAN);
    refused(&project, "--manifest-path no/Cargo.toml", 2, &["error: the manifest no/Cargo.toml does not exist"]);
    refused(&project, "--manifest-path src", 2, &["error: cargo cannot read this project: ", "`src` is a directory"]);
}

/// The root of the file system: a directory below the target directory has this repository's manifest above it.
#[test]
fn a_directory_without_a_project() {
    let target = support::target();
    let root = target.ancestors().last().expect("an absolute path has a root");
    let run = Run::of(&mut command(support::built("cargo-stalemate"), root)).exits(2).reports_nothing();
    run.notes(&["error: no Cargo.toml in ", "or any directory above it", "--manifest-path PATH"]);
}

#[test]
fn a_bad_manifest() {
    let project = Project::library("bad_manifest", CLEAN).file("Cargo.toml", "[package\n");
    refused(&project, "", 2, &["error: cargo cannot read this project: ", "Cargo.toml"]);
}

fn with_settings(name: &str, settings: &str) -> Project {
    Project::new(name).package("bank", &format!("[workspace.metadata.stalemate]\n{settings}\n"), CLEAN)
}

#[test]
fn an_unknown_key_in_the_settings() {
    let project = with_settings("unknown_key", "test = true");
    let words = ["unknown key `workspace.metadata.stalemate.test`", "help: did you mean `tests`?"];
    refused(&project, "", 2, &words);
}

#[test]
fn an_unknown_lint_in_the_settings() {
    let project = with_settings("unknown_lint", "lints.stale_valeu = \"warn\"");
    refused(&project, "", 2, &["there is no lint `stale_valeu`", "help: did you mean `stale_value`?"]);
}

#[test]
fn an_unknown_level_in_the_settings() {
    let project = with_settings("unknown_level", "lints.stale_value = \"warm\"");
    let words = ["`workspace.metadata.stalemate.lints.stale_value` cannot be `warm`", "help: did you mean `warn`?"];
    refused(&project, "", 2, &words);
}

#[test]
fn all_mistakes_in_the_settings_at_once() {
    let project = with_settings("many_mistakes", "test = true\ntests = 1\nmin-confidence = \"hig\"");
    refused(&project, "", 2, &["stalemate.test`", "must be `true` or `false`", "did you mean `high`?"]);
}

#[test]
fn settings_where_nobody_reads_them() {
    let project = Project::workspace("unread", &[("one", CLEAN)]);
    let project = project.member("one", "[package.metadata.stalemate]\ntests = true\n", CLEAN);
    project.run("").exits(0).notes(&["warning: `package.metadata.stalemate` in ", "is not read"]);
}

#[test]
fn code_with_a_syntax_error() {
    let project = Project::library("syntax_error", "pub fn f( {}\n");
    refused(&project, "", 3, &["src/lib.rs:1:", "stalemate: the project does not compile; nothing was reported"]);
}

#[test]
fn code_with_a_type_error() {
    let project = Project::library("type_error", &format!("{LOST_UPDATE}\npub fn f() -> u8 {{\n    \"\"\n}}\n"));
    refused(&project, "", 3, &["error[E0308]: mismatched types", "stalemate: the project does not compile"]);
}

#[test]
fn one_member_that_does_not_compile() {
    let project = Project::workspace("broken_member", &[("good", LOST_UPDATE), ("bad", "pub fn f() -> u8 {}\n")]);
    refused(&project, "", 3, &["E0308", "bad/src/lib.rs", "stalemate: the project does not compile"]);
    project.run("-- -p good").exits(1).notes(&["1 finding"]);
}

#[test]
fn a_build_script_that_fails() {
    let project = Project::library("failing_script", CLEAN).file("build.rs", "fn main() { panic!(\"no luck\") }\n");
    refused(&project, "", 3, &["no luck", "stalemate: the project does not compile"]);
}

#[test]
fn nothing_to_check() {
    let project = Project::library("no_functions", "pub const ANSWER: u8 = 42;\n");
    refused(&project, "", 2, &["error: nothing was checked: the selected crates hold no functions"]);
    refused(&project, "-- --examples", 2, &["error: nothing was checked: cargo compiled no crate"]);
}
