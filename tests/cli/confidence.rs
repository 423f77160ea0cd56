//! The threshold: what is shown, what is only counted, and the exit code that follows from it.

use crate::project::Project;
use crate::samples::{LOST_UPDATE, LOW, STALE_USE};

fn with_settings(name: &str, settings: &str, source: &str) -> Project {
    Project::new(name).package("bank", &format!("[workspace.metadata.stalemate]\n{settings}\n"), source)
}

#[test]
fn low_confidence_is_counted_unless_asked_for() {
    let project = Project::library("low", LOW);
    let counted = "stalemate: nothing found in 2 functions, 2 with locks; \
                   1 of low confidence not shown (--min-confidence low)\n";
    project.run("").exits(0).reports_nothing().notes(&[counted]);
    assert!(project.json("").exits(0).document().findings.is_empty());
    project
        .run("--min-confidence low")
        .exits(1)
        .says(&["[stale_value]", "low confidence"])
        .notes(&["1 finding (1 low)"]);
    assert_eq!(project.json("--min-confidence low").exits(1).functions(), ["Pair::copy"]);
}

#[test]
fn high_confidence_passes_every_threshold() {
    let project = Project::library("high", LOST_UPDATE);
    for threshold in ["low", "medium", "high"] {
        project.run(&format!("--min-confidence {threshold}")).exits(1).notes(&["1 finding (1 high)"]);
    }
}

#[test]
fn medium_confidence_is_the_default_threshold() {
    let project = with_settings("medium", "lints.stale_use = \"warn\"", STALE_USE);
    project.run("").exits(1).notes(&["1 finding (1 medium)"]);
    project.run("--min-confidence high").exits(0).reports_nothing().notes(&["1 of medium confidence not shown"]);
}

#[test]
fn the_manifest_sets_the_threshold_and_the_command_line_wins() {
    let project = with_settings("threshold", "min-confidence = \"low\"", LOW);
    project.run("").exits(1).notes(&["1 finding (1 low)"]);
    project.run("--min-confidence medium").exits(0).reports_nothing();
}
