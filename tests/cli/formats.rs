//! Reports for other programs: SARIF, annotations of GitHub, messages of cargo.

use crate::project::{Project, Run};
use crate::samples::{CLEAN, LOST_UPDATE, LOST_UPDATE_LINE, lost_update_with};
use serde_json::Value;

impl Run {
    /// One JSON value a line.
    #[track_caller]
    fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON: {error}\n{self}"));
        self.stdout.lines().map(parse).collect()
    }

    #[track_caller]
    fn sarif(&self) -> Value {
        let mut log: Value = serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"));
        log["runs"][0].take()
    }
}

#[test]
fn sarif_has_both_threads() {
    let run = Project::library("sarif", LOST_UPDATE).run("--format sarif").exits(1).notes(&["1 finding (1 high)"]);
    let sarif = run.sarif();
    let result = &sarif["results"][0];
    assert_eq!(result["ruleId"], "stale_value", "{run}");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/lib.rs", "{run}");
    assert_eq!(place["region"]["startLine"], LOST_UPDATE_LINE, "{run}");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().expect("there are flows");
    let ids: Vec<&Value> = flows.iter().map(|flow| &flow["id"]).collect();
    assert_eq!(ids, ["A", "B"], "{run}");
    assert_eq!(flows[1]["locations"][0]["executionOrder"], 3, "{run}");
}

#[test]
fn sarif_has_accepted_findings_and_the_same_bytes_in_any_directory() {
    let source = lost_update_with("#[allow(stale_value, reason = \"known\")]");
    let run = Project::library("sarif_accepted", &source).run("--format sarif").exits(0);
    assert_eq!(run.sarif()["results"][0]["suppressions"][0]["justification"], "known", "{run}");
    let elsewhere = Project::library("sarif elsewhere", &source).run("--format sarif").exits(0);
    assert_eq!(run.stdout, elsewhere.stdout);
}

#[test]
fn github_gets_a_line_for_each_finding() {
    let project = Project::library("github", LOST_UPDATE);
    let start = format!("::warning file=src/lib.rs,line={LOST_UPDATE_LINE},endLine={LOST_UPDATE_LINE},col=9,");
    let run = project.run("--format github").exits(1).says(&[&start, "%0A(1) thread A", "%0Ahelp: "]);
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
    let above = project.root.parent().expect("it lies in a directory");
    let run = Run::of(project.command().args(["--format", "github"]).env("GITHUB_WORKSPACE", above));
    run.exits(1).says(&["::warning file=github/src/lib.rs,"]);
    Project::library("github_clean", CLEAN).run("--format github").exits(0).reports_nothing();
}

#[test]
fn cargo_messages_are_those_of_a_check() {
    let run = Project::library("cargo_messages", LOST_UPDATE).run("--format cargo").exits(1);
    let [finding, end] = &run.lines()[..] else { panic!("two lines were expected\n{run}") };
    assert_eq!((&finding["reason"], &finding["target"]["name"]), (&"compiler-message".into(), &"bank".into()), "{run}");
    assert!(finding["package_id"].as_str().is_some_and(|id| id.ends_with("bank@0.1.0")), "{run}");
    let message = &finding["message"];
    assert_eq!(message["code"]["code"], "stalemate::stale_value", "{run}");
    assert_eq!(message["spans"][0]["file_name"], "src/lib.rs", "{run}");
    let (start, end_of_span) = (message["spans"][0]["byte_start"].as_u64(), message["spans"][0]["byte_end"].as_u64());
    let bytes = start.zip(end_of_span).and_then(|(start, end)| LOST_UPDATE.get(start as usize..end as usize));
    assert!(bytes.is_some_and(|bytes| bytes.starts_with("*self.balance.lock().unwrap()")), "{run}");
    assert_eq!((&end["reason"], &end["success"]), (&"build-finished".into(), &true.into()), "{run}");
}

#[test]
fn errors_of_the_compiler_are_passed_on() {
    let run = Project::library("cargo_errors", "pub fn f() -> u32 { \"a\" }\n").run("--format cargo").exits(3);
    let lines = run.lines();
    let [error, .., end] = &lines[..] else { panic!("two lines were expected\n{run}") };
    assert_eq!((&error["message"]["level"], &error["message"]["code"]["code"]), (&"error".into(), &"E0308".into()));
    assert_eq!((&end["reason"], &end["success"]), (&"build-finished".into(), &false.into()), "{run}");
    assert!(!run.stderr.contains("mismatched types"), "{run}");
}

/// rust-analyzer shows what failed only if it could read no message.
#[test]
fn a_check_that_did_not_take_place_has_no_messages() {
    let project = Project::library("cargo_refused", LOST_UPDATE);
    project.run("--format cargo -- --no-such-option").exits(2).reports_nothing();
}
