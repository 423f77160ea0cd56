//! The two reports, and which stream gets what.

use crate::keys::keys;
use crate::project::{Project, Run, command};
use crate::samples::{CLEAN, LOST_UPDATE, LOST_UPDATE_LINE, lost_update_with};
use crate::support;
use finding::{Confidence, StepKind, Thread};

/// The contract with whoever reads the document.
const KEYS: &[&str] = &[
    "schema",
    "tool",
    "tool.name",
    "tool.version",
    "tool.toolchain",
    "run",
    "run.packages",
    "run.functions",
    "run.functions_with_locks",
    "run.lines",
    "run.skipped",
    "findings",
    "findings.fingerprint",
    "findings.lint",
    "findings.confidence",
    "findings.score",
    "findings.reasons",
    "findings.reasons.points",
    "findings.reasons.text",
    "findings.package",
    "findings.function",
    "findings.lock",
    "findings.lock.path",
    "findings.lock.type",
    "findings.primary",
    "findings.primary.file",
    "findings.primary.line",
    "findings.primary.column",
    "findings.message",
    "findings.help",
    "findings.trace",
    "findings.trace.thread",
    "findings.trace.step",
    "findings.trace.file",
    "findings.trace.line",
    "findings.trace.column",
    "findings.trace.text",
    "findings.suppressed",
    "findings.suppressed.by",
    "findings.suppressed.reason",
    "findings.confirmation",
];

#[test]
fn text_goes_to_stdout_and_the_summary_to_stderr() {
    let run = Project::library("text_report", LOST_UPDATE).run("").exits(1);
    let run = run
        .says(&["warning[stale_value]: this write may undo what another thread did"])
        .says(&[&format!("src/lib.rs:{LOST_UPDATE_LINE}:"), "(1) thread A", "thread B", "high confidence", "help: "])
        .notes(&["Checking bank v0.1.0", "stalemate: 1 finding (1 high) in 2 functions, 2 with locks\n"]);
    assert!(!run.stdout.contains("Checking") && !run.stdout.contains("stalemate: "), "{run}");
    assert!(!run.stderr.contains("warning") && !run.stderr.contains("this write"), "{run}");
    assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "colour only for terminals\n{run}");
}

#[test]
fn colour_comes_when_cargo_is_told_so() {
    let project = Project::library("colour", LOST_UPDATE);
    let run = Run::of(project.command().env("CARGO_TERM_COLOR", "always")).exits(1);
    assert!(run.stdout.contains("\x1b["), "{run}");
}

#[test]
fn a_clean_project_exits_with_0() {
    let run = Project::library("clean", CLEAN).run("").exits(0).reports_nothing();
    run.notes(&["stalemate: nothing found in 1 function, 1 with locks\n"]);
}

#[test]
fn json_is_one_document() {
    let run = Project::library("json_report", LOST_UPDATE).json("").exits(1).notes(&["stalemate: 1 finding (1 high)"]);
    let document = run.document();
    assert_eq!((document.schema, document.tool.name.as_str()), (1, "stalemate"));
    assert_eq!(document.tool.version, env!("CARGO_PKG_VERSION"));
    assert!(document.tool.toolchain.starts_with("nightly-"), "{run}");
    assert_eq!(document.run.packages, ["bank"]);
    assert_eq!((document.run.functions, document.run.functions_with_locks), (2, 2));
    assert_eq!(document.run.lines, LOST_UPDATE.lines().count());

    let [finding] = &document.findings[..] else { panic!("one finding was expected\n{run}") };
    assert_eq!((finding.lint.as_str(), finding.package.as_str()), ("stale_value", "bank"));
    assert_eq!((finding.function.as_str(), finding.confidence), ("Account::deposit", Confidence::High));
    assert_eq!((finding.primary.file.as_str(), finding.primary.line), ("src/lib.rs", LOST_UPDATE_LINE));
    assert_eq!(finding.fingerprint.len(), 16, "{run}");
    assert!(finding.fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()), "{run}");
    let lock = finding.lock.as_ref().expect("the lock is known");
    assert_eq!(lock.path, "self.balance");
    assert!(lock.type_name.ends_with("Mutex"), "{run}");
}

#[test]
fn the_trace_is_in_time_order_over_both_threads() {
    let run = Project::library("trace", LOST_UPDATE).json("").exits(1);
    let trace = run.document().findings.remove(0).trace;
    let steps: Vec<_> = trace.iter().map(|step| (step.thread, step.step, step.place.line)).collect();
    let expected = [
        (Thread::A, StepKind::Read, LOST_UPDATE_LINE - 1),
        (Thread::A, StepKind::Release, LOST_UPDATE_LINE - 1),
        (Thread::B, StepKind::Write, LOST_UPDATE_LINE + 4),
        (Thread::A, StepKind::Write, LOST_UPDATE_LINE),
    ];
    assert_eq!(steps, expected, "{run}");
    assert!(trace.iter().all(|step| step.place.file == "src/lib.rs"), "{run}");
}

#[test]
fn paths_start_at_the_workspace_root() {
    let project = Project::workspace("paths", &[("one", LOST_UPDATE)]);
    let run = Run::of(project.command().args(["--format", "json"]).current_dir(project.root.join("one/src")));
    let finding = run.exits(1).document().findings.remove(0);
    let files = finding.trace.iter().map(|step| &step.place.file).chain([&finding.primary.file]);
    assert!(files.clone().all(|file| file == "one/src/lib.rs"), "{:?}", files.collect::<Vec<_>>());
    Run::of(project.command().current_dir(project.root.join("one"))).exits(1).says(&["one/src/lib.rs:10:"]);
}

#[test]
fn names_and_order_of_keys_are_the_contract() {
    let project = Project::library("keys", &lost_update_with("#[allow(stale_value, reason = \"known\")]"));
    assert_eq!(keys(&project.json("").exits(0).stdout), KEYS);
}

#[test]
fn cargo_finds_the_subcommand() {
    let tool = support::built("cargo-stalemate");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = tool.parent().map(Into::into).into_iter().chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders).expect("the directories have plain names");
    let project = Project::new("subcommand");
    let run = Run::of(command(env!("CARGO"), &project.root).args(["stalemate", "--version"]).env("PATH", path));
    run.exits(0).says(&[&format!("stalemate {}\n", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn help_names_the_exit_codes() {
    Project::new("help").run("--help").exits(0).says(&["Usage: cargo stalemate", "--min-confidence", "Exit codes"]);
}
