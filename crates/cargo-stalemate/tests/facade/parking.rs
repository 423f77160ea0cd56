//! The locks and the condition variable of `parking_lot`, as published, in a crate that knows nothing of the facade.

use crate::{tested_with, write};

const MANIFEST: &str = r#"
[package]
name = "parking"
version = "0.1.0"
edition = "2021"

[dependencies]
parking_lot = { version = "VERSION", features = ["arc_lock"] }

[workspace]
"#;

/// Every place that is asked for below has its line marked.
const LIBRARY: &str = r#"use parking_lot::{Condvar, FairMutex, Mutex, ReentrantMutex, RwLock, RwLockUpgradableReadGuard};
use std::cell::Cell;
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Account {
    pub balance: Mutex<i64>,
}

impl Account {
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock(); // first
        *self.balance.lock() = balance + amount; // second
    }

    pub fn deposit_fixed(&self, amount: i64) {
        let mut balance = self.balance.lock();
        *balance += amount;
    }
}

#[derive(Debug, Default)]
pub struct Pair {
    pub one: Mutex<u32>,
    pub two: Mutex<u32>,
    pub left: RwLock<u32>,
    pub right: RwLock<u32>,
    pub fair: FairMutex<u32>,
    pub again: ReentrantMutex<Cell<u32>>,
    pub owned: Arc<Mutex<u32>>,
}

impl Pair {
    pub fn forth(&self) -> u32 {
        let one = self.one.lock(); // forth holds
        let two = self.two.lock(); // forth waits
        *one + *two
    }

    pub fn back(&self) -> u32 {
        let two = self.two.lock(); // back holds
        let one = self.one.lock(); // back waits
        *one + *two
    }

    pub fn read_write(&self) -> u32 {
        let left = self.left.read(); // left read
        *self.right.write() += 1; // right write
        *left
    }

    pub fn write_read(&self) -> u32 {
        let right = self.right.read(); // right read
        *self.left.write() += 1; // left write
        *right
    }

    /// A writer that comes in between is waited for by the second reader.
    pub fn read_twice(&self) -> u32 {
        let once = self.left.read(); // once
        let twice = self.left.read(); // twice
        *once + *twice
    }

    pub fn write(&self) {
        *self.left.write() += 1; // writer
    }

    pub fn itself(&self) {
        let _one = self.one.lock();
        let _again = self.one.lock(); // itself
    }

    pub fn increment(&self) {
        let value = *self.left.read(); // increment reads
        *self.left.write() = value + 1; // increment writes
    }

    pub fn increment_fixed(&self) {
        let value = self.left.upgradable_read();
        let next = *value + 1;
        *RwLockUpgradableReadGuard::upgrade(value) = next;
    }

    /// All in one order, and nothing in two sections.
    pub fn orderly(&self) -> u32 {
        let one = self.one.lock();
        let mut two = self.two.lock();
        *two += *one;
        let outer = self.again.lock();
        self.again.lock().set(outer.get() + 1);
        let left = parking_lot::RwLockWriteGuard::downgrade(self.left.write());
        let fair = self.fair.try_lock().map_or(0, |it| *it);
        let owned = self.owned.lock_arc();
        let mut right = self.right.upgradable_read();
        right.with_upgraded(|it| *it += 1);
        *left + fair + *right + *owned
    }
}

#[derive(Debug, Default)]
pub struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub fn pass(&self) {
        let mut is_open = self.is_open.lock();
        while !*is_open {
            self.opened.wait(&mut is_open);
        }
    }

    pub fn pass_once(&self) {
        let mut is_open = self.is_open.lock();
        if !*is_open {
            self.opened.wait(&mut is_open);
        }
        assert!(*is_open);
    }

    pub fn pass_late(&self) {
        if *self.is_open.lock() { // looks
            return;
        }
        let mut is_open = self.is_open.lock(); // late
        self.opened.wait(&mut is_open); // waits
    }

    pub fn open(&self) {
        *self.is_open.lock() = true;
        self.opened.notify_all();
    }
}
"#;

const TESTS: &str = r#"use parking::{Account, Gate, Pair as Locks};
use stalemate_rt::site::{Gap, Site};
use stalemate_rt::witness::{Ended, Pair, Status, Verdict};

fn deposits(deposit: fn(&Account, i64)) -> Pair<Account> {
    let act = move |amount| move |account: &Account| { deposit(account, amount); String::new() };
    Pair::new(Account::default, act(1), act(10)).observe(|it| format!("{it:?}"))
}

fn locks<R: 'static>(a: fn(&Locks) -> R, b: fn(&Locks) -> R) -> Pair<Locks> {
    let act = |act: fn(&Locks) -> R| move |it: &Locks| { act(it); String::new() };
    Pair::new(Locks::default, act(a), act(b)).observe(|it| format!("{it:?}"))
}

fn gate(a: fn(&Gate), b: fn(&Gate)) -> Pair<Gate> {
    let act = |act: fn(&Gate)| move |it: &Gate| { act(it); String::new() };
    Pair::new(Gate::default, act(a), act(b)).observe(|it| format!("{it:?}"))
}

fn site(mark: &str) -> Site {
    let text = include_str!("../src/lib.rs");
    let line = 1 + text.lines().position(|line| line.ends_with(&format!("// {mark}"))).unwrap();
    Site::new("src/lib.rs", line as u32)
}

fn place(mark: &str) -> String {
    format!("{}:", site(mark))
}

#[track_caller]
fn confirmed(verdict: Verdict) -> stalemate_rt::witness::Found {
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    verdict.found.unwrap()
}

#[track_caller]
fn quiet(verdict: Verdict) {
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.tried > 0, "{}", verdict.json());
}

/// Each waits at one mark and holds what was taken at another, with the user's own frame first on its stack.
#[track_caller]
fn deadlock(verdict: Verdict, marks: [(&str, Option<&str>); 2]) {
    let proof = confirmed(verdict).deadlock.unwrap();
    for (waits, holds) in marks {
        let is_it = |member: &&stalemate_rt::director::Member| member.wait_site.contains(&place(waits));
        let member = proof.members.iter().find(is_it).unwrap_or_else(|| panic!("{waits}: {proof:?}"));
        assert_eq!(member.holds.len(), usize::from(holds.is_some()), "{member:?}");
        assert!(holds.is_none_or(|holds| member.holds[0].1.contains(&place(holds))), "{member:?}");
        assert!(member.stack.lines().next().unwrap().contains("src/lib.rs"), "{}", member.stack);
    }
}

#[test]
fn a_lost_update_is_found_in_its_gap() {
    let found = confirmed(deposits(Account::deposit).gap(Gap::new(site("first"), site("second"))).run());
    assert_eq!(found.pauses.len(), 1);
    assert!(found.pauses[0].contains(&place("second")) && found.pauses[0].contains("(acquire)"), "{:?}", found.pauses);
    let anywhere = confirmed(deposits(Account::deposit).run());
    assert!(anywhere.pauses[0].contains("src/lib.rs"), "{:?}", anywhere.pauses);
    quiet(deposits(Account::deposit_fixed).run());
}

#[test]
fn who_needs_the_lock_is_blocked() {
    let verdict = deposits(Account::deposit_fixed).gap(Gap::new(site("first"), site("second"))).run();
    assert_eq!((verdict.status, verdict.reason.as_str()), (Status::Infeasible, "A never comes to the gap"));
    // B comes while A holds the lock, in every schedule that is to be played.
    let holds = |it: &Locks| { let one = it.one.lock(); it.two.lock(); drop(one); };
    let verdict = locks(holds, |it| drop(it.one.lock())).switches(1).run();
    assert!(verdict.hindered > 0, "{}", verdict.json());
    quiet(verdict);
}

#[test]
fn locks_in_both_orders() {
    let found = locks(Locks::forth, Locks::back).first_locks(None, None).switches(0).run();
    deadlock(found, [("forth waits", Some("forth holds")), ("back waits", Some("back holds"))]);
    let found = locks(Locks::read_write, Locks::write_read).first_locks(None, None).switches(0).run();
    deadlock(found, [("right write", Some("left read")), ("left write", Some("right read"))]);
}

#[test]
fn a_lock_twice() {
    let verdict = locks(Locks::itself, |_| ()).switches(0).run();
    assert_eq!(verdict.reason, "a thread waits for a lock that it holds itself", "{}", verdict.json());
}

#[test]
fn a_reader_behind_a_writer() {
    let read = |it: &Locks| drop(it.read_twice());
    let found = locks(read, Locks::write).gap(Gap { after: site("once"), before: Some(site("twice")), nth: 0 }).run();
    deadlock(found, [("twice", Some("once")), ("writer", None)]);
}

#[test]
fn from_reading_to_writing() {
    let gap = Gap::new(site("increment reads"), site("increment writes"));
    let found = confirmed(locks(Locks::increment, Locks::increment).gap(gap).run());
    assert!(found.pauses[0].contains(&place("increment writes")), "{:?}", found.pauses);
    quiet(locks(Locks::increment_fixed, Locks::increment_fixed).run());
}

#[test]
fn what_is_in_order_stays_so() {
    quiet(locks(Locks::orderly, Locks::orderly).switches(1).run());
    quiet(locks(Locks::forth, Locks::forth).run());
}

#[test]
fn a_notification_is_not_missed_by_who_looks_again() {
    quiet(gate(Gate::pass, Gate::open).run());
    // Nothing but a notification ends a wait of `parking_lot`.
    quiet(gate(Gate::pass_once, Gate::open).spurious(1).run());
}

#[test]
fn a_lost_wakeup_is_seen() {
    let found = confirmed(gate(Gate::pass_late, Gate::open).gap(Gap::new(site("looks"), site("late"))).run());
    let Ended::Stuck(why) = &found.outcome.a else { panic!("{}", found.outcome) };
    assert!(why.contains("waits to be notified") && why.contains(&place("waits")), "{why}");
}
"#;

fn check(version: &str, packages: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let manifest = MANIFEST.replace("VERSION", version);
    write(directory.path(), &[("Cargo.toml", &manifest), ("src/lib.rs", LIBRARY), ("tests/witness.rs", TESTS)]);
    let text = tested_with(directory.path(), packages);
    assert!(text.contains("test result: ok. 9 passed"), "{text}");
}

#[test]
fn the_locks_of_parking_lot_are_locks() {
    check("0.12", &["*"]);
}

#[test]
fn those_of_its_newest_version_are() {
    check("0.13", &["*"]);
}

/// Where the other crates cannot be compiled against the facade, their locks are known all the same.
#[test]
fn they_are_locks_where_only_the_project_has_the_facade() {
    check("0.12", &["parking"]);
}
