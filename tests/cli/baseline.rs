//! The baseline: only what is new fails a run, whatever has moved meanwhile, and nothing is lost.

use crate::project::{Project, Run};
use crate::samples::{CLEAN, LOST_UPDATE};
use finding::SuppressedBy;
use std::fs;

const FILE: &str = "stalemate-baseline.json";

/// A second lost update, in a function of another name.
const SECOND: &str = "
impl Account {
    pub fn withdraw(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance - amount;
    }
}
";

fn with_baseline(name: &str) -> Project {
    let project = Project::library(name, LOST_UPDATE);
    let run = project.run("--write-baseline").exits(0).reports_nothing();
    run.notes(&[&format!("{FILE}: 1 accepted"), "1 suppressed"]);
    project
}

fn baseline(project: &Project) -> String {
    fs::read_to_string(project.root.join(FILE)).unwrap()
}

#[test]
fn what_is_in_it_does_not_fail_the_run_and_what_is_new_does() {
    let project = with_baseline("baseline_new");
    project.run("").exits(1);
    let run = project.json("--baseline").exits(0);
    assert_eq!(run.document().findings[0].suppressed.as_ref().unwrap().by, SuppressedBy::Baseline);
    let project = project.file("src/lib.rs", &format!("{LOST_UPDATE}{SECOND}"));
    let run = project.json("--baseline").exits(1);
    let document = run.document();
    let open: Vec<&str> =
        document.findings.iter().filter(|it| it.suppressed.is_none()).map(|it| it.function.as_str()).collect();
    assert_eq!(open, ["Account::withdraw"], "{run}");
}

#[test]
fn entries_outlive_edits_moves_and_formatting() {
    let project = with_baseline("baseline_moves");
    let edited = format!("// A line more.\n\n{}", LOST_UPDATE.replace("let balance = ", "let balance =\n            "));
    let project = project.file("src/lib.rs", &edited);
    project.run("--baseline").exits(0);
    let project = project.file("src/money/account.rs", LOST_UPDATE);
    let project = project.file("src/money/mod.rs", "pub mod account;\n").file("src/lib.rs", "pub mod money;\n");
    let run = project.json("--baseline").exits(0).never_says(&["match"]);
    assert_eq!(run.functions(), ["money::account::Account::deposit"]);
}

#[test]
fn what_is_gone_is_told_and_pruned_when_asked_for() {
    let project = with_baseline("baseline_gone").file("src/lib.rs", CLEAN);
    let before = baseline(&project);
    let run = project.run("--baseline").exits(0);
    run.notes(&[
        "warning: 1 entry of ",
        "matches nothing any more: `stale_value` in `Account::deposit`",
        "--prune-baseline",
    ]);
    assert_eq!(baseline(&project), before);
    project.run("--prune-baseline").exits(0).notes(&["0 accepted"]).never_says(&["warning"]);
    project.run("--baseline").exits(0).never_says(&["warning"]);
}

#[test]
fn a_damaged_file_is_refused_with_the_place_and_kept() {
    let damaged = "{\n  \"schema\": 1,\n<<<<<<< HEAD\n  \"findings\": []\n}\n";
    let project = Project::library("baseline_damaged", LOST_UPDATE).file(FILE, damaged);
    for line in ["--baseline", "--write-baseline", "--prune-baseline", "accept 0123456789abcdef --reason x"] {
        let run = project.run(line).exits(2).reports_nothing();
        let run = if line.starts_with("accept") { run } else { run.notes(&["baseline.json:3:1: this is no baseline"]) };
        assert_eq!(baseline(&project), damaged, "{line}\n{run}");
    }
    let project = project.file(FILE, "{ \"schema\": 7 }");
    project.run("--write-baseline").exits(2).notes(&["schema 7"]);
    assert_eq!(baseline(&project), "{ \"schema\": 7 }");
}

#[test]
fn a_file_that_is_not_there_is_an_error_unless_it_is_to_be_written() {
    let project = Project::library("baseline_missing", LOST_UPDATE);
    project.run("--baseline").exits(2).reports_nothing().notes(&["there is no baseline ", "--write-baseline"]);
    project.run("--baseline other.json --write-baseline").exits(0);
    assert!(project.root.join("other.json").is_file() && !project.root.join(FILE).exists());
    project.run("--baseline other.json").exits(0);
}

#[test]
fn the_settings_can_name_it() {
    let project =
        Project::library("baseline_settings", LOST_UPDATE).file("stalemate.toml", "baseline = \"ci/known.json\"\n");
    fs::create_dir(project.root.join("ci")).unwrap();
    project.run("").exits(2).notes(&["there is no baseline ", "ci/known.json"]);
    project.run("--write-baseline").exits(0);
    project.run("").exits(0).reports_nothing();
}

#[test]
fn single_findings_are_accepted_with_a_reason_that_stays() {
    let project = Project::library("baseline_accept", &format!("{LOST_UPDATE}{SECOND}"));
    let fingerprint = project.json("").exits(1).document().findings.remove(0).fingerprint;
    let accept = |words: &[&str]| Run::of(project.command().arg("accept").args(words));
    accept(&[&fingerprint[..8], "--reason", "one thread only"]).exits(0).notes(&["1 accepted"]);
    accept(&["ffffffffffffffff", "--reason", "x"]).exits(2).notes(&["nothing is found that goes by"]);
    accept(&[&fingerprint]).exits(2).notes(&["--reason"]);
    let run = project.json("--baseline").exits(1);
    let reasons: Vec<String> =
        run.document().findings.into_iter().filter_map(|it| it.suppressed).map(|it| it.reason).collect();
    assert_eq!(reasons, ["one thread only"], "{run}");
    project.run("--write-baseline").exits(0).notes(&["2 accepted"]);
    assert!(baseline(&project).contains("one thread only"));
}

#[test]
fn packages_that_are_not_checked_lose_nothing() {
    let project = Project::workspace("baseline_partly", &[("one", LOST_UPDATE), ("two", LOST_UPDATE)]);
    project.run("--write-baseline -- --workspace").exits(0).notes(&["2 accepted"]);
    let project = project.file("two/src/lib.rs", CLEAN);
    project.run("--prune-baseline -- -p one").exits(0).notes(&["2 accepted"]).never_says(&["warning"]);
    project.run("--prune-baseline -- --workspace").exits(0).notes(&["1 accepted"]);
}
