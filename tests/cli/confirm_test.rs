//! `cargo stalemate confirm --test`: tests that people have, disturbed where a finding is. What fails because a thread is slow
//! shows nothing.

use crate::project::Project;
use finding::Document;
use finding::document::ConfirmationStatus::{self, Confirmed, Infeasible, NotReproduced};
use std::collections::BTreeMap;

/// Each function with what became of it, and why.
fn results(document: &Document) -> BTreeMap<String, (ConfirmationStatus, String)> {
    let result = |finding: &finding::Finding| {
        let tried = finding.confirmation.as_ref()?;
        Some((finding.function.clone(), (tried.status, tried.reason.clone())))
    };
    document.findings.iter().filter_map(result).collect()
}

/// Two deposits that never meet by themselves, in a test.
const DEPOSITS: &str = "
    pub fn balance(&self) -> i64 { *self.balance.lock().unwrap() }
}

#[cfg(test)]
mod tests {
    use super::Account;

    #[test]
    fn deposits_add_up() {
        let account = Account::default();
        std::thread::scope(|scope| {
            scope.spawn(|| account.deposit(1));
            std::thread::sleep(std::time::Duration::from_millis(20));
            scope.spawn(|| account.deposit(2));
        });
        assert_eq!(account.balance(), 3);
    }

    #[test]
    fn one_after_the_other() {
        let account = Account::default();
        account.deposit(1);
        account.deposit(2);
        assert_eq!(account.balance(), 3);
    }

    #[test]
    fn of_no_account() {
        assert_eq!(1 + 1, 2);
    }

    #[test]
    fn fails_anyway() {
        Account::default().deposit(1);
        panic!(\"not today\");
    }
}
";

const ACCOUNT: &str = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Account { balance: Mutex<i64> }

impl Account {
    pub fn deposit(&self, amount: i64) {
";

fn account(name: &str, deposit: &str) -> Project {
    Project::library(name, &format!("{ACCOUNT}{deposit}    }}\n{DEPOSITS}"))
}

const LOST: &str = "\
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance + amount;
";

const MENDED: &str = "\
        let mut balance = self.balance.lock().unwrap();
        *balance += amount;
";

#[test]
fn a_lost_update_is_shown_by_the_test_that_could_have_caught_it() {
    let project = account("confirm_test_lost", LOST);
    let run = project.run("confirm --test deposits_add_up --format json").exits(1);
    let finding = run.document().findings.remove(0);
    let tried = finding.confirmation.unwrap();
    assert_eq!(tried.status, Confirmed, "{run}");
    assert!(tried.reason.contains("`tests::deposits_add_up` fails"), "{run}");
    assert!(tried.reason.contains("1 forced switch"), "{run}");
    let shown = tried.interleaved.unwrap();
    assert!(shown.contains("assertion `left == right` failed") && shown.contains("src/lib.rs:"), "{run}");
    assert!(tried.pauses[0].contains("src/lib.rs:9:"), "{run}");
    // It stays known, whatever other tests say.
    let other = project.run("confirm --test one_after --format json").exits(0).document();
    let (status, why) = results(&other).remove("Account::deposit").unwrap();
    assert_eq!((status, why.contains("nobody comes into the gap")), (NotReproduced, true), "{why}");
    let later = project.json("").exits(1).document();
    assert_eq!(later.findings[0].confirmation.as_ref().unwrap().status, Confirmed);
}

#[test]
fn a_test_that_cannot_show_it_says_why() {
    let project = account("confirm_test_silent", LOST);
    for (test, why) in [("of_no_account", "never comes to the gap"), ("fails_anyway", "not today")] {
        let run = project.run(&format!("confirm --test {test} --format json")).exits(0);
        let (status, reason) = results(&run.document()).remove("Account::deposit").unwrap();
        assert_eq!((status, reason.contains(why)), (Infeasible, true), "{run}");
    }
    let run = project.run("confirm --test deposit_adds_up").exits(2).reports_nothing();
    run.notes(&["there is no test with `deposit_adds_up` in its name", "`tests::deposits_add_up`"]);
    let run = project.run("confirm --test deposits --keep kept").exits(2).reports_nothing();
    run.notes(&["--test", "--keep"]);
}

#[test]
fn the_mended_twin_has_nothing_to_run() {
    let project = account("confirm_test_mended", MENDED);
    let run = project.run("confirm --test deposits_add_up --min-confidence low --format json").exits(0);
    assert!(run.document().findings.is_empty(), "{run}");
}

/// From outside, in a workspace; the interferer is another function, takes its lock on a line of its own, and comes too early by
/// itself.
#[test]
fn tests_of_other_targets_and_packages_are_found() {
    let source = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Account { balance: Mutex<i64> }

impl Account {
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance + amount;
    }

    pub fn withdraw(&self, amount: i64) {
        let mut balance = self.balance.lock().unwrap();
        *balance -= amount;
    }

    pub fn balance(&self) -> i64 { *self.balance.lock().unwrap() }
}
";
    let test = "\
#[test]
fn from_outside() {
    let account = bank::Account::default();
    account.deposit(5);
    std::thread::scope(|scope| {
        scope.spawn(|| account.withdraw(2));
        std::thread::sleep(std::time::Duration::from_millis(20));
        scope.spawn(|| account.deposit(1));
    });
    assert_eq!(account.balance(), 4);
}
";
    let project = Project::workspace("confirm_test_outside", &[("bank", source), ("other", "pub fn nothing() {}\n")])
        .file("bank/tests/outside.rs", test);
    let run = project.run("confirm --test from_outside --format json").exits(1);
    let (status, reason) = results(&run.document()).remove("Account::deposit").unwrap();
    assert_eq!(status, Confirmed, "{run}");
    assert!(reason.contains("`from_outside` fails"), "{run}");
}

/// A cache that may load twice, which does no harm; its tests count on time.
const CACHE: &str = "\
use std::sync::Mutex;

#[derive(Default)]
pub struct Cache { value: Mutex<Option<u32>> }

impl Cache {
    pub fn load(&self) -> u32 {
        if let Some(value) = *self.value.lock().unwrap() {
            return value;
        }
        let value = 6 * 7;
        *self.value.lock().unwrap() = Some(value);
        value
    }

    pub fn forget(&self) {
        *self.value.lock().unwrap() = None;
    }

    pub fn is_loaded(&self) -> bool {
        self.value.lock().unwrap().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Cache;
    use std::thread::{scope, sleep};
    use std::time::{Duration, Instant};

    #[test]
    fn forgotten_after_a_while() {
        let cache = Cache::default();
        scope(|scope| {
            scope.spawn(|| cache.load());
            sleep(Duration::from_millis(150));
            cache.forget();
        });
        assert!(!cache.is_loaded());
    }

    #[test]
    fn loads_in_time() {
        let cache = Cache::default();
        scope(|scope| {
            scope.spawn(|| {
                let start = Instant::now();
                assert_eq!(cache.load(), 42);
                assert!(start.elapsed() < Duration::from_millis(120));
            });
            sleep(Duration::from_millis(150));
            cache.forget();
        });
    }
}
";

#[test]
fn a_test_that_counts_on_time_shows_nothing() {
    let project = Project::library("confirm_test_time", CACHE);
    let whenever =
        [("forgotten", "whenever the other thread comes first"), ("loads_in_time", "whenever a thread is slow")];
    for (test, why) in whenever {
        let run = project.run(&format!("confirm --min-confidence low --test {test} --format json")).exits(0);
        let (status, reason) = results(&run.document()).remove("Cache::load").unwrap();
        assert_eq!((status, reason.contains(why)), (NotReproduced, true), "{run}");
    }
}

#[test]
fn a_deadlock_is_proven_by_a_test() {
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

#[test]
fn both_ways() {
    let pair = Pair::default();
    std::thread::scope(|scope| {
        scope.spawn(|| pair.forth());
        std::thread::sleep(std::time::Duration::from_millis(20));
        scope.spawn(|| pair.back());
    });
}
";
    let project = Project::library("confirm_test_deadlock", source);
    let run = project.run("confirm --test both_ways").exits(1);
    run.says(&[
        "confirmed: lock_order",
        "the test `both_ways` deadlocks: one waits at src/lib.rs:",
        "nobody can go on",
        "waits at src/lib.rs:9:28, holds what it took at src/lib.rs:8:28",
        "waits at src/lib.rs:15:28, holds what it took at src/lib.rs:14:28",
    ]);
}
