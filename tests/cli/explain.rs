//! `cargo stalemate explain`: pages of lints, and stories of findings.

use crate::project::{Project, Run};
use crate::samples::LOST_UPDATE;

#[test]
fn the_page_of_a_lint_needs_no_project() {
    let empty = Project::new("explain_lint");
    empty.run("explain check_then_act").exits(0).says(&["# `check_then_act`", "## What it can miss"]);
    empty.run("explain check-then-act").exits(0).says(&["# `check_then_act`"]);
    let run = empty.run("explain check_then_at").exits(2).reports_nothing();
    run.notes(&["`check_then_at` is no lint", "did you mean `check_then_act`?"]);
}

#[test]
fn the_story_of_a_finding_has_both_threads_side_by_side() {
    let project = Project::library("explain_finding", LOST_UPDATE);
    let fingerprint = project.json("").exits(1).document().findings.remove(0).fingerprint;
    let run = Run::of(project.command().args(["explain", &fingerprint[..8]]).env("COLUMNS", "100")).exits(0);
    let run =
        run.says(&[&fingerprint, "thread A", " | thread B", "(1) ", "let balance = *self.balance.lock().unwrap();"]);
    let run = run.says(&["src/lib.rs:10", "help: ", "cargo stalemate explain stale_value"]);
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{run}");
    let thread_b = run.stdout.lines().find(|line| line.contains("meanwhile thread B")).expect("thread B has a turn");
    assert!(thread_b.find('|').unwrap() < thread_b.find("meanwhile").unwrap(), "{run}");
    project.run("explain 0000000000000000").exits(2).reports_nothing();
}
