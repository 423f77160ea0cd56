//! Levels: in the code, by attributes, and for the whole workspace, in the manifest.

use crate::declared::with_attributes;
use crate::project::Project;
use crate::samples::{LOST_UPDATE, STALE_USE, lost_update_with};
use finding::{Suppressed, SuppressedBy};

fn with_lints(name: &str, lints: &str, source: &str) -> Project {
    Project::new(name).package("bank", &format!("[workspace.metadata.stalemate.lints]\n{lints}\n"), source)
}

/// Accepted by an attribute: the text is silent, the document tells who accepted it and why.
#[track_caller]
fn assert_accepted(name: &str, source: &str, reason: &str) {
    assert_accepted_in(&Project::library(name, source), reason);
}

#[track_caller]
fn assert_accepted_in(project: &Project, reason: &str) {
    project.run("").exits(0).reports_nothing().notes(&["stalemate: nothing found", "; 1 suppressed\n"]);
    let run = project.json("").exits(0);
    let expected = Suppressed { by: SuppressedBy::Attribute, reason: reason.to_owned() };
    let suppressed: Vec<_> = run.document().findings.into_iter().map(|finding| finding.suppressed).collect();
    assert_eq!(suppressed, [Some(expected)], "{run}");
}

#[test]
fn allow_accepts_with_its_reason() {
    assert_accepted("allow", &lost_update_with("#[allow(stale_value, reason = \"one writer\")]"), "one writer");
}

#[test]
fn allow_holds_for_a_whole_crate() {
    assert_accepted("allow_crate", &format!("#![allow(stale_value)]\n{LOST_UPDATE}"), "");
}

#[test]
fn benign_accepts_with_its_reason() {
    let source = lost_update_with("#[stalemate_attr::benign(reason = \"one writer\")]");
    assert_accepted_in(&with_attributes("benign", &source), "one writer");
}

#[test]
fn benign_needs_a_reason() {
    let source = lost_update_with("#[stalemate_attr::benign]");
    with_attributes("benign_for_no_reason", &source).run("").exits(3).notes(&["say why it does no harm"]);
}

#[test]
fn expect_accepts_too() {
    assert_accepted("expect", &lost_update_with("#[expect(stale_value, reason = \"known\")]"), "known");
}

#[test]
fn an_expectation_without_a_finding_is_no_failure() {
    let source = LOST_UPDATE.replace("pub fn reset", "#[expect(stale_value)]\n    pub fn reset");
    let source = format!("#![deny(warnings)]\n{source}");
    Project::library("expect_nothing", &source).run("").exits(1).notes(&["1 finding (1 high)"]);
}

#[test]
fn attributes_can_be_for_the_tool_alone() {
    let attribute = "#[cfg_attr(dylint_lib = \"stalemate\", allow(stale_value))]";
    assert_accepted("cfg_attr", &lost_update_with(attribute), "");
}

#[test]
fn deny_in_the_code_is_an_error_in_the_report() {
    let project = Project::library("deny", &format!("#![deny(stale_value)]\n{LOST_UPDATE}"));
    project.run("").exits(1).says(&["error[stale_value]: this write may undo"]).never_says(&["could not compile"]);
}

#[test]
fn deny_in_the_manifest_is_an_error_in_the_report() {
    let project = with_lints("deny_manifest", "stale_value = \"deny\"", LOST_UPDATE);
    project.run("").exits(1).says(&["error[stale_value]: this write may undo"]).never_says(&["could not compile"]);
}

#[test]
fn allow_in_the_manifest_leaves_no_trace() {
    let project = with_lints("allow_manifest", "stale_value = \"allow\"", LOST_UPDATE);
    project.run("").exits(0).reports_nothing().never_says(&["suppressed"]);
    assert!(project.json("").exits(0).document().findings.is_empty());
}

#[test]
fn a_package_without_a_workspace_has_its_own_settings() {
    let more = "[package.metadata.stalemate.lints]\nstale_value = \"allow\"\n[workspace]\n";
    Project::new("package_settings").package("bank", more, LOST_UPDATE).run("").exits(0).reports_nothing();
}

#[test]
fn attributes_win_over_the_manifest() {
    let source = lost_update_with("#[warn(stale_value)]");
    let run = with_lints("warn_over_allow", "stale_value = \"allow\"", &source).run("").exits(1);
    run.says(&["warning[stale_value]"]);
}

#[test]
fn stale_use_speaks_only_when_asked() {
    Project::library("stale_use_off", STALE_USE).run("--min-confidence low").exits(0).reports_nothing();
    let run = with_lints("stale_use_on", "stale_use = \"warn\"", STALE_USE).json("").exits(1);
    let lints: Vec<_> = run.document().findings.into_iter().map(|finding| (finding.lint, finding.function)).collect();
    assert_eq!(lints, [("stale_use".to_owned(), "order".to_owned())], "{run}");
    let source = format!("#![warn(stale_use)]\n{STALE_USE}");
    Project::library("stale_use_in_code", &source).run("").exits(1).says(&["warning[stale_use]"]);
}

/// Two bugs on one line: the stronger finding speaks for both, unless its lint is off.
#[test]
fn a_lint_that_is_off_hides_no_other() {
    let source = "use std::sync::Mutex;
pub struct Meter {
    n: Mutex<u32>,
    leader: Mutex<Option<u32>>,
}
impl Meter {
    pub fn raise(&self, me: u32) {
        let n = *self.n.lock().unwrap();
        if self.leader.lock().unwrap().is_none() {
            *self.n.lock().unwrap() = n + 1; *self.leader.lock().unwrap() = Some(me);
        }
    }
}
";
    let lints = |run: crate::project::Run| -> Vec<String> {
        run.document().findings.into_iter().map(|finding| finding.lint).collect()
    };
    let on = with_lints("two lints on", "", source).json("").exits(1);
    assert_eq!(lints(on), ["stale_value"]);
    let off = with_lints("two lints off", "stale_value = \"allow\"", source).json("").exits(1);
    assert_eq!(lints(off), ["check_then_act"]);
}
