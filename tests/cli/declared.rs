//! What code is said to be: by attributes in it, and by paths in the settings for code that nobody may edit.

use crate::project::Project;
use crate::samples::lost_update_with;
use crate::support;
use finding::Suppressed;

/// A dependency on the attributes, as a user's manifest has it.
pub fn with_attributes(name: &str, source: &str) -> Project {
    let attributes = support::repository().join("crates/stalemate-attr");
    let more = format!("[dependencies]\nstalemate-attr = {{ path = {attributes:?} }}\n[workspace]\n");
    Project::new(name).package("bank", &more, source)
}

/// The same crate without them.
fn with_rows(name: &str, rows: &str, source: &str) -> Project {
    let rows = rows.replace("[[", "[[workspace.metadata.stalemate.models.");
    Project::new(name).package("bank", &format!("[workspace]\n{rows}"), source)
}

const LOCKS: &str = "one: &std::sync::Mutex<u32>, two: &std::sync::Mutex<u32>";

fn both(attribute: &str) -> String {
    let body = "let first = *one.lock().unwrap();\nfirst + *two.lock().unwrap()";
    format!("{attribute}\npub fn both({LOCKS}) -> u32 {{\n{body}\n}}\n")
}

/// Line 15 uses the field without its lock, line 19 calls without it.
fn journal(derive: &str, guarded_by: &str, requires: &str) -> String {
    format!(
        "use std::sync::Mutex;
use std::sync::atomic::{{AtomicU64, Ordering::Relaxed}};

{derive}
pub struct Journal {{
    order: Mutex<()>,
    {guarded_by}
    last: AtomicU64,
}}

impl Journal {{
    {requires}
    fn next(&self) -> u64 {{ self.last.load(Relaxed) + 1 }}

    pub fn peek(&self) -> u64 {{ self.last.load(Relaxed) }}

    pub fn good(&self) -> u64 {{ let _order = self.order.lock().unwrap(); self.next() }}

    pub fn bad(&self) -> u64 {{ self.next() }}

    pub fn order(&self) -> &Mutex<()> {{ &self.order }}
}}
"
    )
}

fn marked(guarded_by: &str, requires: &str) -> String {
    journal("#[derive(stalemate_attr::Guarded)]", guarded_by, requires)
}

const UNGUARDED: &[&str] = &[
    "`self.last` is used here without `self.order`, which is said to guard it",
    "src/lib.rs:15",
    "this function is said to require `self.order`, which is not held here",
    "src/lib.rs:19",
];

#[test]
fn what_is_declared_atomic_has_to_be() {
    let project = with_attributes("declared_atomic", &both("#[stalemate_attr::atomic]"));
    project.run("").exits(1).says(&["warning[not_atomic]", "src/lib.rs:4"]);
    let project = with_rows("declared_atomic_by_path", "[[atomic]]\nfn = \"bank::both\"\n", &both(""));
    project.run("").exits(1).says(&["warning[not_atomic]", "src/lib.rs:4"]).never_says(&["leads nowhere"]);
}

#[test]
fn locks_that_are_said_to_be_needed_are() {
    let source = marked("#[guarded_by(order)]", "#[stalemate_attr::requires(self.order)]");
    let run = with_attributes("declared_locks", &source).run("").exits(1).says(UNGUARDED);
    assert_eq!(run.stdout.matches("warning[not_atomic]").count(), 2, "{run}");
}

#[test]
fn the_same_by_path() {
    let rows = "[[guarded_by]]\nfield = \"bank::Journal::last\"\nlock = \"order\"\n
        [[requires]]\nfn = \"bank::Journal::next\"\nlock = \"self.order\"\n";
    let run = with_rows("declared_locks_by_path", rows, &journal("", "", "")).run("").exits(1).says(UNGUARDED);
    assert_eq!(run.stdout.matches("warning[not_atomic]").count(), 2, "{run}");
}

#[test]
fn benign_by_path() {
    let rows = "[[benign]]\nfn = \"bank::Account::deposit\"\nreason = \"one writer\"\n";
    let project = with_rows("benign_by_path", rows, &lost_update_with(""));
    project.run("").exits(0).reports_nothing().notes(&["; 1 suppressed\n"]).never_says(&["leads nowhere"]);
    let suppressed = project.json("").document().findings.remove(0).suppressed;
    assert!(matches!(suppressed, Some(Suppressed { reason, .. }) if reason == "one writer"));
}

#[test]
fn a_path_to_nothing_is_told() {
    let rows = "[[atomic]]\nfn = \"bank::neither\"\n
        [[guarded_by]]\nfield = \"bank::Journal::first\"\nlock = \"order\"\n
        [[requires]]\nfn = \"bank::Journal::next\"\nlock = \"self.last\"\n";
    with_rows("declared_nowhere", rows, &journal("", "", "")).run("").exits(0).notes(&[
        "`bank::neither` in the settings leads nowhere",
        "`bank::Journal::first` in the settings leads nowhere",
        "`bank::Journal::next` in the settings leads nowhere",
    ]);
}

#[test]
fn a_row_without_its_reason_is_a_mistake() {
    let rows = "[[benign]]\nfn = \"bank::both\"\n[[guarded_by]]\nfeld = \"x\"\n";
    with_rows("declared_badly", rows, &both("")).run("").exits(2).notes(&[
        "`workspace.metadata.stalemate.models.benign[0]` has no `reason`",
        "unknown key `workspace.metadata.stalemate.models.guarded_by[0].feld`",
        "has no `lock`",
    ]);
}

/// A mark that names no lock is a compile error at the name, with what is expected there.
#[test]
fn wrong_ways_are_compile_errors() {
    let cases = [
        ("no_field", "#[guarded_by(ordre)]", "", "the struct has no field `ordre`", "7:18"),
        ("itself", "#[guarded_by(last)]", "", "`last` cannot guard itself", "7:18"),
        ("no_way", "#[guarded_by(order!)]", "", "a lock is named by the way to it", "7:23"),
        ("nothing", "#[guarded_by]", "", "a lock is named by the way to it", "4:10"),
        ("further", "#[guarded_by(order.deep)]", "", "there is no field `deep`", "7:18"),
        ("no_static", "#[guarded_by(ORDER)]", "", "there is no static `ORDER`", "7:18"),
        ("no_parameter", "", "#[stalemate_attr::requires(journal.order)]", "the function has no `journal`", "12:32"),
        ("no_lock", "", "#[stalemate_attr::requires(self.last)]", "a lock is expected", "12:32"),
    ];
    for (name, guarded_by, requires, says, at) in cases {
        let project = with_attributes(&format!("wrong_way_{name}"), &marked(guarded_by, requires));
        project.run("").exits(3).notes(&[says, &format!("src/lib.rs:{at}")]);
    }
}

#[test]
fn misplaced_attributes_are_compile_errors() {
    let cases = [
        ("atomic", "#[stalemate_attr::atomic]\npub struct A;", "put it on a `fn`", "2:5"),
        ("requires", "#[stalemate_attr::requires(self.a)]\npub mod a {}", "put it on a `fn`", "2:5"),
        ("guarded", "#[derive(stalemate_attr::Guarded)]\npub enum A { B }", "stands on a struct", "2:5"),
        ("argument", "#[stalemate_attr::atomic(yes)]\npub fn a() {}", "takes no arguments", "1:26"),
    ];
    for (name, source, says, at) in cases {
        let project = with_attributes(&format!("misplaced_{name}"), source);
        project.run("").exits(3).notes(&[says, &format!("src/lib.rs:{at}")]);
    }
}

/// A function of one crate says what it requires, and is called in another.
#[test]
fn requirements_hold_between_crates() {
    let journal = "use std::sync::{Mutex, MutexGuard};
pub struct Journal { order: Mutex<()> }
impl Journal {
    pub fn lock(&self) -> MutexGuard<'_, ()> { self.order.lock().unwrap() }
    #[stalemate_attr::requires(self.order)]
    pub fn advance(&self) -> u64 { 1 }
}
";
    let user = "pub fn good(journal: &journal::Journal) -> u64 {
    let _order = journal.lock();
    journal.advance()
}
pub fn bad(journal: &journal::Journal) -> u64 {
    journal.advance()
}
";
    let attributes = support::repository().join("crates/stalemate-attr");
    let project = Project::new("declared_between_crates")
        .file("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"journal\", \"user\"]\n")
        .member("journal", &format!("[dependencies]\nstalemate-attr = {{ path = {attributes:?} }}\n"), journal)
        .member("user", "[dependencies]\njournal = { path = \"../journal\" }\n", user);
    let run = project.json("-- --workspace").exits(1);
    assert_eq!(run.functions(), ["bad"], "{run}");
}
