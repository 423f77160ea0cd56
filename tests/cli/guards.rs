//! `cargo stalemate guards`: what guards what, with the trail of guesses that were wrong; and how the search for races counts.

use crate::project::Project;
use finding::guards::{GuardsDocument, GuessKind};

/// `Account` and `BadAccount` of the paper on Houdini/rcc, and the threads that use them.
const SOURCE: &str = "use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    lock: Mutex<()>,
    balance: UnsafeCell<i64>,
}

unsafe impl Sync for Account {}

impl Account {
    fn update(&self, n: i64) {
        unsafe { *self.balance.get() = n }
    }

    fn deposit(&self, x: i64) {
        let _held = self.lock.lock().unwrap();
        self.update(unsafe { *self.balance.get() } + x);
    }
}

struct BadAccount {
    #[allow(dead_code)]
    lock: Mutex<()>,
    balance: UnsafeCell<i64>,
}

unsafe impl Sync for BadAccount {}

impl BadAccount {
    fn update(&self, n: i64) {
        unsafe { *self.balance.get() = n }
    }

    fn deposit(&self, x: i64) {
        self.update(unsafe { *self.balance.get() } + x);
    }
}

static mut STARTED: u32 = 0;

fn main() {
    unsafe { STARTED += 1 }
    let good = Arc::new(Account { lock: Mutex::new(()), balance: UnsafeCell::new(0) });
    let bad = Arc::new(BadAccount { lock: Mutex::new(()), balance: UnsafeCell::new(0) });
    for _ in 0..2 {
        let (good, bad) = (good.clone(), bad.clone());
        thread::spawn(move || good.deposit(100));
        thread::spawn(move || bad.deposit(100));
    }
}
";

/// Figures 5 and 4, in this order.
const TEXT: &str = "\
src/main.rs:7: `Account.balance`, cell, used in 2 places
    not thread-local: threads may share it, as is said at src/main.rs:10
    not read-only: written at src/main.rs:14, in `Account::update`
    guarded by self.lock
  `Account::deposit`
    does not require self.lock: called at src/main.rs:49 without it, in `main`
  `Account::update`
    requires self.lock
  `main`
    does not require self.lock: a thread begins with it at src/main.rs:49
src/main.rs:26: `BadAccount.balance`, cell, used in 2 places: nothing guards it
    not thread-local: threads may share it, as is said at src/main.rs:29
    not read-only: written at src/main.rs:33, in `BadAccount::update`
    not guarded by self.lock: written at src/main.rs:33 without it, in `BadAccount::update`
  `BadAccount::deposit`
    does not require self.lock: called at src/main.rs:50 without it, in `main`
  `BadAccount::update`
    does not require self.lock: called at src/main.rs:37 without it, in `BadAccount::deposit`
  `main`
    does not require self.lock: a thread begins with it at src/main.rs:50
src/main.rs:41: `STARTED`, static mut, used in 2 places
    not thread-local: threads may share it, as is said at src/main.rs:41
    not read-only: written at src/main.rs:44, in `main`
    used by the main thread alone
";

fn accounts(name: &str) -> Project {
    let manifest = "[package]\nname = \"bank\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    Project::new(name).file("Cargo.toml", manifest).file("src/main.rs", SOURCE)
}

#[test]
fn every_guess_with_what_shows_that_it_is_wrong() {
    let run = accounts("guards_text").run("guards").exits(0);
    assert_eq!(run.stdout, TEXT, "{run}");
    run.notes(&["stalemate: 3 locations: 2 guarded, 1 not; 15 guesses, 3 hold\n"]);
}

#[test]
fn a_document_for_tools() {
    let project = accounts("guards_json");
    let run = project.run("guards --format json BadAccount").exits(0);
    let document: GuardsDocument = serde_json::from_str(&run.stdout).unwrap();
    let [bad] = &document.locations[..] else { panic!("{run}") };
    let by_lock = bad.guesses.iter().find(|guess| guess.guess == GuessKind::GuardedBy).unwrap();
    let refuted = by_lock.refuted_at.as_ref().unwrap();
    assert_eq!((by_lock.lock.as_deref(), by_lock.holds, refuted.line), (Some("self.lock"), false, 33));
    assert_eq!(project.run("guards --format json BadAccount").stdout, run.stdout);
}

#[test]
fn a_check_after_the_list_is_a_check() {
    let project = accounts("guards_and_check");
    project.run("").exits(1).says(&["src/main.rs:33:18", "a data race"]);
    assert_eq!(project.run("guards").exits(0).stdout, TEXT);
    project.run("").exits(1).says(&["src/main.rs:33:18"]);
}

#[test]
fn a_path_to_nothing_is_a_mistake() {
    let run = accounts("guards_nowhere").run("guards BdaAccount").exits(2).reports_nothing();
    run.notes(&["error: nothing below `BdaAccount` would need a guard", "did you mean `BadAccount`?"]);
}

#[test]
fn the_stages_are_counted() {
    let run = accounts("guards_stats").run("--stats").exits(1);
    // Of each account: the write with itself and with the read. Of the static: one thread, so none of its pairs is left.
    run.notes(&["pairs of uses: 6 original, 4 reachable, 4 aliasing, 4 escaping, 2 unlocked; counted in "]);
}

/// One static that every second function uses, and many types with a cell and a lock.
fn many_functions(count: usize) -> String {
    let mut source = "#![allow(static_mut_refs)]
use std::cell::UnsafeCell;
use std::sync::Mutex;
static ORDER: Mutex<()> = Mutex::new(());
static mut TOTAL: u64 = 0;
"
    .to_owned();
    for n in 0..count / 8 {
        source += &format!(
            "pub struct S{n} {{ lock: Mutex<()>, value: UnsafeCell<u64> }}
unsafe impl Sync for S{n} {{}}
impl S{n} {{
    fn read{n}(&self) -> u64 {{ unsafe {{ *self.value.get() }} }}
    fn write{n}(&self, to: u64) {{ unsafe {{ *self.value.get() = to }} }}
    pub fn get(&self) -> u64 {{ let _held = self.lock.lock(); self.read{n}() }}
    pub fn put(&self, to: u64) {{ let _held = self.lock.lock(); self.write{n}(to) }}
    pub fn add(&self, by: u64) {{ let _held = self.lock.lock(); self.write{n}(self.read{n}() + by) }}
}}
pub fn count{n}() {{ let _held = ORDER.lock(); unsafe {{ TOTAL += 1 }} }}
pub fn total{n}() -> u64 {{ unsafe {{ TOTAL }} }}
pub fn both{n}(of: &S{n}) -> u64 {{ of.add({n}); total{n}() }}
"
        );
    }
    source
}

/// The pairs grow with the square of the functions, and the work does not.
#[test]
fn the_work_grows_no_worse_than_n_log_n() {
    let steps = |count: usize| -> f64 {
        let run = Project::library(&format!("guards_growth_{count}"), &many_functions(count)).run("--stats").exits(1);
        let told = run.stderr.split("counted in ").nth(1).and_then(|rest| rest.split(' ').next());
        told.and_then(|steps| steps.parse().ok()).unwrap_or_else(|| panic!("{run}"))
    };
    let (few, many) = (1_000, 16_000);
    let n_log_n = |n: usize| n as f64 * (n as f64).ln();
    assert!(steps(many) / steps(few) <= n_log_n(many) / n_log_n(few));
}
