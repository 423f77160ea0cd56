//! `cargo stalemate confirm`: findings become programs that show the bug, and the user's tree stays as it is.

use crate::project::{Project, Run, walk};
use crate::support;
use finding::Document;
use finding::document::ConfirmationStatus::{self, Confirmed, NotReproduced};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Each function with what became of it.
fn statuses(document: &Document) -> BTreeMap<String, ConfirmationStatus> {
    let status = |finding: &finding::Finding| Some((finding.function.clone(), finding.confirmation.as_ref()?.status));
    document.findings.iter().filter_map(status).collect()
}

/// An example, copied.
fn example(name: &str, test: &str) -> Project {
    let from = support::repository().join("examples").join(name);
    let mut project = Project::new(test);
    for file in ["Cargo.toml", "Cargo.lock"] {
        project = project.file(file, &fs::read_to_string(from.join(file)).unwrap());
    }
    for entry in fs::read_dir(from.join("src")).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("src/{}", path.file_name().unwrap().to_string_lossy());
        project = project.file(&name, &fs::read_to_string(&path).unwrap());
    }
    project
}

/// Every file of the project but the build output.
fn files(project: &Project) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(&project.root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            walk(&path, &mut |path| drop(files.insert(path.to_owned(), fs::read(path).unwrap())));
        } else if path.is_file() {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    files
}

#[test]
fn the_bugs_of_the_bank_are_shown_and_stay_in_later_reports() {
    let project = example("bank", "confirm_bank");
    let before = files(&project);
    let run = project.run("confirm --format json").exits(1);
    let statuses = statuses(&run.document());
    let buggy =
        ["account::Account::deposit", "audit::Audit::close_newest", "ledger::Ledger::settle", "queue::Queue::take"];
    for function in buggy {
        assert_eq!(statuses.get(function), Some(&Confirmed), "{function}\n{run}");
    }
    assert!(statuses.keys().all(|function| !function.ends_with("_fixed")), "{run}");
    assert_eq!(files(&project), before, "the user's tree is left alone");
    let deposit = run.document().findings.into_iter().find(|it| it.function.ends_with("::deposit")).unwrap();
    let tried = deposit.confirmation.unwrap();
    assert_eq!(tried.serial.len(), 2);
    assert!(tried.interleaved.is_some_and(|outcome| !tried.serial.contains(&outcome)), "{run}");
    let timings = fs::read(project.files("stalemate-confirm/timings.json").remove(0)).unwrap();
    let timings: serde_json::Value = serde_json::from_slice(&timings).unwrap();
    for part in ["build", "run"] {
        assert!(timings[&deposit.fingerprint][part].as_f64().is_some_and(|seconds| seconds > 0.0), "{timings}");
    }
    let later = project.json("").exits(1).document();
    let later = later.findings.iter().find(|it| it.function.ends_with("::deposit")).unwrap();
    assert_eq!(later.confirmation.as_ref().unwrap().status, Confirmed);
    assert!(later.reasons.iter().any(|reason| reason.points == 15 && reason.text.contains("was run")));
}

#[test]
fn the_corrected_driver_of_kiss_is_not_said_to_fail() {
    let project = example("bluetooth", "confirm_bluetooth");
    let run = project.run("confirm --min-confidence low --format json").exits(0);
    let statuses = statuses(&run.document());
    assert_eq!(statuses.get("fixed::FixedDriver::pnp_add"), Some(&NotReproduced), "{run}");
}

/// Private, generic, in an inline module, and made by a function with parameters.
const PRIVATE: &str = "\
pub mod outer {
    use std::collections::HashMap;
    use std::hash::Hash;
    use std::sync::RwLock;

    pub struct Registry<K, V> { entries: RwLock<HashMap<K, V>>, limit: usize }

    impl<K: Hash + Eq + Clone, V: Default + Clone> Registry<K, V> {
        fn with_limit(limit: usize) -> Option<Self> {
            (limit > 0).then(|| Registry { entries: RwLock::default(), limit })
        }

        pub(crate) fn put(&self, key: &K, value: V) -> bool {
            self.put_within(key, value, self.limit)
        }

        fn put_within(&self, key: &K, value: V, limit: usize) -> bool {
            let is_known = self.entries.read().unwrap().contains_key(key);
            if is_known || limit == 0 {
                return false;
            }
            self.entries.write().unwrap().insert(key.clone(), value);
            true
        }
    }

    pub fn use_it() -> bool {
        Registry::with_limit(1).unwrap().put(&1, 2)
    }
}

pub fn after() {}
";

#[test]
fn private_and_generic_types_are_reached() {
    let project = Project::library("confirm_private", PRIVATE);
    let run = project.run("confirm --min-confidence low --format json").exits(1);
    let document = run.document();
    assert_eq!(statuses(&document).into_iter().collect::<Vec<_>>(), [(PUT.to_owned(), Confirmed)], "{run}");
}

const PUT: &str = "outer::Registry::put_within";

/// Whoever calls `add_to` has the order to itself.
const RELIED_ON: &str = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Totals { order: Mutex<()>, sum: Mutex<u64> }

impl Totals {
    pub fn add(&self, amount: u64) {
        let alone = self.order.lock().unwrap();
        self.add_to(amount);
        drop(alone);
    }

    fn add_to(&self, amount: u64) {
        let sum = *self.sum.lock().unwrap();
        *self.sum.lock().unwrap() = sum + amount;
    }

    pub fn reset(&self) {
        let alone = self.order.lock().unwrap();
        *self.sum.lock().unwrap() = 0;
        drop(alone);
    }
}
";

#[test]
fn what_callers_see_to_is_not_left_out() {
    let project = Project::library("confirm_relied_on", RELIED_ON);
    let run = project.run("confirm --min-confidence low --format json").exits(0);
    assert!(statuses(&run.document()).into_values().all(|status| status != Confirmed), "{run}");
}

/// Two at once, and one that waits for its turn.
const CELLS: &str = "\
use std::cell::UnsafeCell;
use std::sync::Mutex;

#[derive(Default)]
pub struct Counter { count: UnsafeCell<u64> }

unsafe impl Sync for Counter {}

impl Counter {
    pub fn add(&self) {
        unsafe { *self.count.get() += 1 }
    }

    pub fn get(&self) -> u64 {
        unsafe { *self.count.get() }
    }
}

#[derive(Default)]
pub struct Guarded { turn: Mutex<()>, count: UnsafeCell<u64> }

unsafe impl Sync for Guarded {}

impl Guarded {
    pub fn add(&self) {
        let turn = self.turn.lock().unwrap();
        unsafe { *self.count.get() += 1 }
        drop(turn);
    }
}
";

#[test]
fn races_on_plain_memory_are_run_by_miri() {
    let project = Project::library("confirm_race", CELLS);
    let run = project.run("confirm --min-confidence low --format json").exits(1);
    let findings = run.document().findings;
    let raced = findings.iter().find(|finding| finding.lint == "racy_access").unwrap_or_else(|| panic!("{run}"));
    let tried = raced.confirmation.as_ref().unwrap();
    assert_eq!(tried.status, Confirmed, "{run}");
    assert!(tried.interleaved.as_ref().is_some_and(|told| told.starts_with("Data race detected")), "{run}");
    assert_eq!(tried.pauses.len(), 2, "{run}");
    assert!(findings.iter().all(|finding| !finding.function.contains("Guarded")), "{run}");
}

const BROKEN: &str = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Account { balance: Mutex<i64> }

impl Account {
    pub fn broken(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance + amount;
    }
}
";

#[test]
fn witnesses_can_be_kept_and_run_by_anybody() {
    let project = Project::library("confirm_keep", BROKEN).file("taken/file", "");
    project.run("confirm --keep taken").exits(2).reports_nothing().notes(&["is not empty"]);
    project.run("confirm --keep kept").exits(1).says(&["confirmed: stale_value in `Account::broken`"]);
    let script = Run::of(&mut crate::project::command(project.root.join("kept/run.sh"), &project.root)).exits(0);
    script.says(&["stalemate-witness: {\"status\":\"confirmed\""]);
}

#[test]
fn deadlocks_are_proven() {
    let source = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Pair { one: Mutex<u32>, two: Mutex<u32> }

impl Pair {
    pub fn forth(&self) -> u32 {
        let one = self.one.lock().unwrap();
        let two = self.two.lock().unwrap();
        *one + *two
    }

    pub fn back(&self) -> u32 {
        let two = self.two.lock().unwrap();
        let one = self.one.lock().unwrap();
        *one + *two
    }
}
";
    let project = Project::library("confirm_deadlock", source);
    let run = project.run("confirm").exits(1);
    let run = run.says(&["confirmed: lock_order", "threads wait for one another in a cycle"]);
    run.says(&[
        "thread 1: waits at src/lib.rs:",
        "thread 2: waits at src/lib.rs:",
        "forth at ./src/lib.rs:",
        "back at ./src/lib.rs:",
    ]);
}

/// Locks of another crate: each function with its corrected twin.
const PARKING: &str = "\
use parking_lot::{Mutex, RwLock};

#[derive(Debug, Default)]
pub struct Account { balance: Mutex<i64>, entries: RwLock<Vec<i64>>, limit: Mutex<i64> }

impl Account {
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock();
        *self.balance.lock() = balance + amount; // deposit
    }

    pub fn deposit_fixed(&self, amount: i64) {
        let mut balance = self.balance.lock();
        *balance += amount;
    }

    pub fn note(&self, amount: i64) {
        let is_known = self.entries.read().contains(&amount);
        if !is_known {
            self.entries.write().push(amount); // note
        }
    }

    pub fn note_fixed(&self, amount: i64) {
        let mut entries = self.entries.write();
        if !entries.contains(&amount) {
            entries.push(amount);
        }
    }

    pub fn raise(&self) -> i64 {
        let balance = self.balance.lock();
        let limit = self.limit.lock();
        *balance + *limit
    }

    pub fn lower(&self) -> i64 {
        let limit = self.limit.lock();
        let balance = self.balance.lock();
        *balance - *limit
    }
}
";

#[test]
fn locks_of_other_crates_are_known() {
    let more = "[dependencies]\nparking_lot = \"0.12\"\n[workspace]\n";
    let project = Project::new("confirm_parking").package("bank", more, PARKING);
    let run = project.run("confirm --min-confidence low --format json --keep kept").exits(1);
    let document = run.document();
    let pauses = |function: &str| {
        let finding = document.findings.iter().find(|it| it.function == function).unwrap_or_else(|| panic!("{run}"));
        let tried = finding.confirmation.clone().unwrap_or_else(|| panic!("{run}"));
        assert_eq!(tried.status, Confirmed, "{function}\n{run}");
        (tried.reason, tried.pauses)
    };
    for (function, mark) in [("Account::deposit", "// deposit"), ("Account::note", "// note")] {
        let line = 1 + PARKING.lines().position(|line| line.ends_with(mark)).unwrap();
        let (_, pauses) = pauses(function);
        assert!(pauses.len() == 1 && pauses[0].contains(&format!("src/lib.rs:{line}:")), "{pauses:?}");
    }
    assert_eq!(pauses("Account::raise").0, "threads wait for one another in a cycle");
    assert!(statuses(&document).keys().all(|function| !function.ends_with("_fixed")), "{run}");
    let script = Run::of(&mut crate::project::command(project.root.join("kept/run.sh"), &project.root)).exits(0);
    script
        .says(&["stalemate-witness: {\"status\":\"confirmed\"", "in a cycle"])
        .never_says(&["infeasible", "not-reproduced"]);
}

/// In the edition of 2015 a `use` begins at the root of the crate.
const OLD: &str = "\
pub mod inner {
    use std::sync::Mutex;

    pub struct Counter {
        count: Mutex<u32>,
    }

    impl Counter {
        pub fn new() -> Counter {
            Counter { count: Mutex::new(0) }
        }

        pub fn add(&self) {
            let count = *self.count.lock().unwrap();
            *self.count.lock().unwrap() = count + 1;
        }
    }
}
";

#[test]
fn old_editions_are_run() {
    let manifest = "[package]\nname = \"old\"\nversion = \"0.1.0\"\nedition = \"2015\"\n\n[workspace]\n";
    let project = Project::new("confirm_old").file("Cargo.toml", manifest).file("src/lib.rs", OLD);
    let run = project.run("confirm --format json").exits(1);
    let document = run.document();
    assert_eq!(
        statuses(&document).into_iter().collect::<Vec<_>>(),
        [("inner::Counter::add".to_owned(), Confirmed)],
        "{run}"
    );
}
