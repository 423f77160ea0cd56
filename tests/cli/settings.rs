//! `stalemate.toml`, and the settings that speak of paths.

use crate::project::Project;
use crate::samples::{CLEAN, LOST_UPDATE, LOW};
use finding::SuppressedBy;

#[test]
fn a_file_of_its_own_holds_the_same_settings() {
    let project = Project::library("own_file", LOST_UPDATE).file("stalemate.toml", "[lints]\nstale_value = \"deny\"\n");
    project.run("").exits(1).says(&["error[stale_value]"]);
    let project =
        project.file("stalemate.toml", "lints.stale_value = { level = \"warn\", min-confidence = \"high\" }\n");
    project.run("").exits(1).says(&["warning[stale_value]"]);
}

#[test]
fn settings_in_two_places_are_refused() {
    let manifest = "[workspace]\n[workspace.metadata.stalemate]\ntests = true\n";
    let project = Project::new("two_places").package("bank", manifest, CLEAN).file("stalemate.toml", "tests = true\n");
    let run = project.run("").exits(2).reports_nothing();
    run.notes(&["error: there are settings in ", "stalemate.toml and in `workspace.metadata.stalemate`", "keep one"]);
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let project = Project::library("file_mistakes", CLEAN).file("stalemate.toml", "tests = true\nskip = [\n");
    project.run("").exits(2).reports_nothing().notes(&["stalemate.toml:"]);
    let project =
        project.file("stalemate.toml", "skp = []\n[[allow]]\npath = \"a\"\n[lints.stale_use]\nlevl = \"warn\"\n");
    project.run("").exits(2).reports_nothing().notes(&[
        "stalemate.toml: unknown key `skp`",
        "did you mean `skip`?",
        "`allow[0]` has no `reason`",
        "unknown key `lints.stale_use.levl`",
        "did you mean `level`?",
    ]);
}

#[test]
fn thresholds_can_differ_from_lint_to_lint() {
    let lenient = "[lints.stale_value]\nmin-confidence = \"low\"\n";
    let project = Project::library("lint_threshold", LOW).file("stalemate.toml", "");
    project.run("").exits(0).notes(&["1 of low confidence not shown"]);
    let project = project.file("stalemate.toml", &format!("min-confidence = \"high\"\n{lenient}"));
    project.run("").exits(1);
    project.run("--min-confidence medium").exits(0);
    let others = project.file("stalemate.toml", &lenient.replace("stale_value", "lock_order"));
    others.run("").exits(0);
}

#[test]
fn findings_are_accepted_or_skipped_by_path() {
    let allow = "[[allow]]\npath = \"src/**\"\nlints = [\"stale_value\"]\nreason = \"rewritten next year\"\n";
    let project = Project::library("by_path", LOST_UPDATE).file("stalemate.toml", allow);
    let run = project.json("").exits(0).notes(&["1 suppressed"]);
    let suppressed = run.document().findings.remove(0).suppressed.unwrap();
    assert_eq!((suppressed.by, suppressed.reason.as_str()), (SuppressedBy::Baseline, "rewritten next year"));

    let project = project.file("stalemate.toml", &allow.replace("src/**", "old/**"));
    let run = project.run("").exits(1);
    run.notes(&["warning: the row `allow` for `old/**` in the settings accepts nothing"]);

    let project = project.file("stalemate.toml", "skip = [\"src\"]\n");
    let run = project.json("").exits(0).notes(&["1 in skipped files"]);
    assert!(run.document().findings.is_empty(), "{run}");
}
