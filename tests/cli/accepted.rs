//! What is accepted in the code: by attributes and by comments, and what becomes of an acceptance that accepts nothing.

use crate::project::{Project, Run, command};
use crate::samples::{CLEAN, LOST_UPDATE, lost_update_with};
use finding::SuppressedBy;

const COMMENT: &str = "// stalemate: allow(stale_value) -- only one thread deposits";

fn reason(run: &Run) -> (SuppressedBy, String) {
    let suppressed = run.document().findings.remove(0).suppressed.expect("it is accepted");
    (suppressed.by, suppressed.reason)
}

/// The line of the finding, with this before it and behind it.
fn around(before: &str, behind: &str) -> String {
    let line = "        *self.balance.lock().unwrap() = balance + amount;";
    LOST_UPDATE.replacen(line, &format!("{before}{line}{behind}"), 1)
}

#[test]
fn a_comment_accepts_the_item_the_statement_and_the_line() {
    let on_item = lost_update_with(&format!("{COMMENT}\n    #[inline]"));
    let on_statement = around(&format!("        {COMMENT}\n"), "");
    let on_line = around("", &format!(" {COMMENT}"));
    for (name, source) in [("item", on_item), ("statement", on_statement), ("line", on_line)] {
        let project = Project::library(&format!("comment_{name}"), &source);
        let run = project.json("").exits(0).notes(&["1 suppressed"]).never_says(&["warning"]);
        assert_eq!(reason(&run), (SuppressedBy::Comment, "only one thread deposits".to_owned()), "{run}");
        project.run("").exits(0).reports_nothing();
    }
}

#[test]
fn a_comment_in_a_string_or_on_another_line_accepts_nothing() {
    let in_string = around(&format!("        let _ = \"{COMMENT}\";\n"), "");
    Project::library("comment_in_string", &in_string).run("").exits(1).never_says(&["accepts"]);
    let too_early = LOST_UPDATE.replacen("        let balance", &format!("        {COMMENT}\n        let balance"), 1);
    let run = Project::library("comment_too_early", &too_early).run("").exits(1);
    run.notes(&["warning: src/lib.rs:9:9: this comment accepts `stale_value`, and nothing of the kind is found here"]);
}

#[test]
fn mistakes_in_comments_are_told_and_accept_nothing() {
    for (name, comment, said) in [
        ("unknown", "// stalemate: allow(stale_valeu) -- why", "there is no lint `stale_valeu`"),
        ("reason", "// stalemate: allow(stale_value)", "gives no reason"),
        ("form", "// stalemate: allow(stale_value -- why", "cannot be read"),
    ] {
        let project = Project::library(&format!("comment_mistake_{name}"), &lost_update_with(comment));
        project.run("").exits(1).notes(&["warning: src/lib.rs:8:5: ", said, " help: "]);
    }
    let chess = lost_update_with("// stalemate: no legal move is left");
    Project::library("comment_chess", &chess).run("").exits(1).never_says(&["this comment"]);
}

/// No `cfg`, no unknown lint: stable Rust knows nothing of it.
#[test]
fn stable_rust_does_not_mind_the_comment() {
    let project = Project::library("comment_stable", &lost_update_with(COMMENT));
    let mut cargo = command("rustup", &project.root);
    cargo.args(["run", "stable", "cargo", "check"]).env("RUSTFLAGS", "-Dwarnings");
    Run::of(&mut cargo).exits(0).never_says(&["warning"]);
}

#[test]
fn attributes_work_with_and_without_the_cfg_of_dylint() {
    for (name, attribute) in [
        ("plain_allow", "#[allow(stale_value, reason = \"known\")]"),
        ("plain_expect", "#[expect(stale_value, reason = \"known\")]"),
        ("cfg_allow", "#[cfg_attr(dylint_lib = \"stalemate\", allow(stale_value, reason = \"known\"))]"),
        ("cfg_expect", "#[cfg_attr(dylint_lib = \"stalemate\", expect(stale_value, reason = \"known\"))]"),
    ] {
        let run = Project::library(&format!("accepted_{name}"), &lost_update_with(attribute)).json("").exits(0);
        assert_eq!(reason(&run), (SuppressedBy::Attribute, "known".to_owned()), "{run}");
        run.never_says(&["warning"]);
    }
}

#[test]
fn attributes_that_accept_nothing_are_told() {
    for (name, attribute) in [("allow", "#[allow(lock_order)]"), ("expect", "#[expect(lock_order)]")] {
        let source = CLEAN.replacen("    pub fn deposit", &format!("    {attribute}\n    pub fn deposit"), 1);
        let run = Project::library(&format!("unused_{name}"), &source).run("").exits(0).reports_nothing();
        run.notes(&["warning: src/lib.rs:8:", "this attribute accepts `lock_order`, and nothing of the kind is found"]);
    }
    // For a whole crate it is a choice.
    let whole = format!("#![allow(lock_order)]\n{CLEAN}");
    Project::library("unused_for_all", &whole).run("").exits(0).never_says(&["warning"]);
}

/// Code that is not compiled, or not looked at, says nothing of the comments in it.
#[test]
fn comments_in_tests_and_in_other_configurations_are_left_alone() {
    let elsewhere = format!("{CLEAN}\n#[cfg(test)]\nmod tests {{\n    {COMMENT}\n    #[test]\n    fn t() {{}}\n}}\n");
    let project = Project::library("comment_elsewhere", &elsewhere);
    project.run("").exits(0).never_says(&["warning"]);
    project.run("-- --all-targets").exits(0).never_says(&["warning"]);
}
