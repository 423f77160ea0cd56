//! A fault of the analysis costs what it is about and nothing else: it is named, counted, and every other function is
//! looked at as if nothing had happened. The driver is told where to fail.

use crate::driver::{Left, Source};
use finding::settings::{Settings, Trial};

const SOURCE: &str = "\
use std::sync::Mutex;
pub struct Account { balance: Mutex<i64>, total: Mutex<i64> }
impl Account {
    pub fn deposit(&self, amount: i64) {
        let seen = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = seen + amount;
    }
    pub fn count(&self) {
        let seen = *self.total.lock().unwrap();
        *self.total.lock().unwrap() = seen + 1;
    }
    pub fn both(&self) {
        self.deposit(1);
        self.count();
    }
}
";

fn failing(kind: &str, at: &[&str], fuel: Option<usize>) -> Left {
    let fail_at = at.iter().map(|place| (*place).to_owned()).collect();
    let settings = Settings { trial: Trial { fail_at, fuel }, ..Settings::default() };
    Source::written("faults", SOURCE).check(kind, &settings)
}

fn functions(left: &Left) -> Vec<&str> {
    left.told().map(|finding| &*finding.function).collect()
}

#[test]
fn without_a_fault_both_are_found() {
    let left = failing("no_fault", &[], None);
    assert_eq!((functions(&left), left.skipped()), (vec!["Account::deposit", "Account::count"], vec![]));
}

#[test]
fn a_function_that_cannot_be_read_or_walked_hides_no_other() {
    for (kind, at) in [("read_fault", "read Account::deposit"), ("walk_fault", "walk Account::deposit")] {
        let left = failing(kind, &[at], None);
        assert_eq!(left.skipped(), [("Account::deposit", "the analysis failed: a test wanted it")], "{at}");
        assert_eq!(functions(&left), ["Account::count"], "{at}");
    }
    let left = failing("two_faults", &["walk Account::deposit", "walk Account::both"], None);
    assert_eq!(
        left.skipped().iter().map(|(function, _)| *function).collect::<Vec<_>>(),
        ["Account::both", "Account::deposit"]
    );
    assert_eq!(functions(&left), ["Account::count"]);
}

#[test]
fn a_lint_that_fails_is_told_and_the_others_go_on() {
    let left = failing("lint_fault", &["check lock_order"], None);
    assert_eq!(left.skipped(), [("(all functions)", "the lint `lock_order` failed: a test wanted it")]);
    assert_eq!(functions(&left), ["Account::deposit", "Account::count"]);
}

#[test]
fn a_crate_that_fails_as_a_whole_is_told() {
    let left = failing("crate_fault", &["crate faults"], None);
    assert_eq!(left.skipped(), [("(all functions)", "the analysis of the crate failed: a test wanted it")]);
    assert_eq!(left.facts.findings.len(), 0);
}

#[test]
fn a_function_that_is_too_large_is_named() {
    let left = failing("little_fuel", &[], Some(30));
    let all = left.skipped();
    let why = "the function is too large to be looked at within the bound";
    assert!(all.contains(&("Account::deposit", why)) && all.iter().all(|(_, reason)| *reason == why), "{all:?}");
}
