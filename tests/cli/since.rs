//! `--since`: what a change has brought, by finding and not by line.

use crate::project::{Project, Run, command};
use crate::samples::{CLEAN, LOST_UPDATE, lost_update_with};

fn git(project: &Project, words: &[&str]) -> String {
    let mut git = command("git", &project.root);
    git.args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "init.defaultBranch=main"]).args(words);
    Run::of(&mut git).exits(0).stdout.trim().to_owned()
}

fn commit(project: Project) -> Project {
    if !project.root.join(".git").exists() {
        git(&project, &["init", "-q"]);
    }
    let project = project.file(".gitignore", "target\nCargo.lock\n");
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "x"]);
    project
}

/// The interferer is what a change brings: the finding stands in a function that nobody touched.
const READ_ONLY: &str = "\
use std::sync::Mutex;

pub struct Account {
    balance: Mutex<i64>,
    copy: Mutex<i64>,
}

impl Account {
    pub fn keep(&self) {
        let balance = *self.balance.lock().unwrap();
        if balance > 0 {
            *self.balance.lock().unwrap() = balance + 1;
        }
        drop(self.copy.lock());
    }
}
";

#[test]
fn only_what_the_change_brings_is_reported() {
    let project = commit(Project::library("since_new", LOST_UPDATE));
    let run = project.run("--since HEAD").exits(0).reports_nothing();
    run.notes(&["checking the code as it was at ", "1 not new"]);
    // The old one moves, and a new one comes.
    let moved = format!("// more\n\n{}", LOST_UPDATE.replace("deposit", "deposit_now"));
    let project = project.file("src/old.rs", LOST_UPDATE).file("src/new.rs", &moved);
    let project = project.file("src/lib.rs", "pub mod new;\npub mod old;\n");
    let run = project.json("--since HEAD").exits(1).notes(&["1 not new"]).never_says(&["checking the code as it was"]);
    assert_eq!(run.functions(), ["new::Account::deposit_now"], "{run}");
    assert_eq!(git(&project, &["diff", "--cached", "--stat"]), "", "the index is the user's");
}

#[test]
fn a_finding_may_come_of_a_change_elsewhere() {
    let project = commit(Project::library("since_elsewhere", CLEAN));
    let project = project.file("src/lib.rs", READ_ONLY);
    project.run("--since HEAD").exits(1).notes(&["1 finding"]);
}

/// What has come to the other branch meanwhile is not compared: the change set out from where both were one.
#[test]
fn the_change_sets_out_from_the_merge_base() {
    let project = commit(Project::library("since_base", LOST_UPDATE));
    git(&project, &["checkout", "-q", "-b", "feature"]);
    let project = commit(project.file("README", "a change"));
    git(&project, &["checkout", "-q", "main"]);
    let project = commit(project.file("src/lib.rs", CLEAN));
    git(&project, &["checkout", "-q", "feature"]);
    project.run("--since main").exits(0).notes(&["1 not new"]);
}

#[test]
fn an_acceptance_that_is_taken_away_makes_it_new() {
    let comment = "// stalemate: allow(stale_value) -- for now";
    let project = commit(Project::library("since_accepted", &lost_update_with(comment)));
    project.run("--since HEAD").exits(0);
    project.file("src/lib.rs", LOST_UPDATE).run("--since HEAD").exits(1);
}

#[test]
fn a_workspace_below_the_top_of_the_repository() {
    let project = Project::new("since_below");
    let nested = Project { root: project.root.join("code") };
    let nested = nested.package("bank", "[workspace]\n", LOST_UPDATE);
    let _project = commit(project);
    nested.run("--since HEAD").exits(0).notes(&["1 not new"]);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let project = Project::library("since_unknown", LOST_UPDATE);
    let project = commit(project.file("src/lib.rs", "compile_error!(\"not yet\");\n"));
    let project = project.file("src/lib.rs", LOST_UPDATE);
    project.run("--since no-such-branch").exits(2).reports_nothing().notes(&["git does not know `no-such-branch`"]);
    let run = project.run("--since HEAD").exits(3).reports_nothing();
    run.notes(&["the code cannot be checked as it was at `HEAD`"]);
    project.run("--since --help").exits(2);
}
