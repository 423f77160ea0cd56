//! The locks of `tokio`, as published, in a crate that knows nothing of the facade. Nothing runs around the futures.

use crate::{tested_with, write};

const MANIFEST: &str = r#"
[package]
name = "accounts"
version = "0.1.0"
edition = "2021"

[dependencies]
tokio = { version = "VERSION", default-features = false, features = ["sync"] }

[workspace]
"#;

/// Every place that is asked for below has its line marked.
const LIBRARY: &str = r#"use std::future::Future;
use std::sync::Arc;
use tokio::sync::{Mutex, Notify, RwLock, Semaphore};

pub struct Account {
    pub balance: Arc<Mutex<i64>>,
    pub shown: Arc<RwLock<i64>>,
    pub free: Semaphore,
    pub changed: Notify,
    pub plain: std::sync::Mutex<i64>,
}

impl Default for Account {
    fn default() -> Account {
        Account {
            balance: Default::default(),
            shown: Default::default(),
            free: Semaphore::new(1),
            changed: Notify::new(),
            plain: Default::default(),
        }
    }
}

impl Account {
    pub async fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().await; // first
        *self.balance.lock().await = balance + amount; // second
    }

    pub async fn deposit_owned(&self, amount: i64) {
        let balance = *self.balance.clone().lock_owned().await; // owned first
        *self.balance.clone().lock_owned().await = balance + amount; // owned second
    }

    pub fn deposit_blocking(&self, amount: i64) {
        let balance = *self.balance.blocking_lock(); // blocking first
        *self.balance.blocking_lock() = balance + amount; // blocking second
    }

    pub async fn deposit_fixed(&self, amount: i64) {
        *self.balance.lock().await += amount;
    }

    pub async fn show(&self) {
        let shown = *self.shown.read().await; // reads
        *self.shown.write().await = shown + 1; // writes
    }

    pub async fn show_fixed(&self) {
        *self.shown.write().await += 1;
    }

    pub async fn forth(&self) -> i64 {
        let balance = self.balance.lock().await; // forth holds
        let shown = self.shown.write().await; // forth waits
        *balance + *shown
    }

    pub async fn back(&self) -> i64 {
        let shown = self.shown.read().await; // back holds
        let balance = self.balance.lock().await; // back waits
        *balance + *shown
    }

    pub fn back_blocking(&self) -> i64 {
        let shown = self.shown.blocking_read(); // blocking holds
        let balance = self.balance.blocking_lock(); // blocking waits
        *balance + *shown
    }

    /// One of the two locks blocks its thread.
    pub async fn mixed(&self) -> i64 {
        let balance = self.balance.lock().await; // mixed holds
        let plain = self.plain.lock().unwrap(); // mixed waits
        *balance + *plain
    }

    pub fn mixed_back(&self) -> i64 {
        let plain = self.plain.lock().unwrap(); // plain holds
        let balance = self.balance.blocking_lock(); // plain waits
        *balance + *plain
    }

    pub async fn itself(&self) -> i64 {
        let once = self.balance.lock().await;
        let twice = self.balance.lock().await; // itself
        *once + *twice
    }

    /// A writer that comes in between is waited for by the second reader.
    pub async fn read_twice(&self) -> i64 {
        let once = self.shown.read().await; // once
        let twice = self.shown.read().await; // twice
        *once + *twice
    }

    /// All in one order, and nothing in two sections.
    pub async fn orderly(&self) -> i64 {
        let mut balance = self.balance.lock().await;
        *balance += 1;
        let shown = self.shown.clone().write_owned().await.downgrade();
        let again = self.shown.try_read().map_or(0, |it| *it);
        let permit = self.free.acquire().await.unwrap();
        let sum = *balance + *shown + again;
        drop(permit);
        sum
    }

    /// What is in the way does not stay: there is another branch.
    pub async fn either(&self) -> &'static str {
        let shown = self.shown.read().await; // either holds
        let mut lock = std::pin::pin!(self.balance.lock());
        let mut turns = 0;
        let got = std::future::poll_fn(|context| {
            turns += 1;
            if let std::task::Poll::Ready(guard) = lock.as_mut().poll(context) {
                return std::task::Poll::Ready(*guard >= 0);
            }
            if turns > 200 {
                return std::task::Poll::Ready(false);
            }
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        });
        got.await;
        drop(shown);
        "done"
    }

    /// A guard goes to another thread, which lets it go after a while.
    pub async fn lends(&self) -> i64 {
        let guard = self.balance.clone().lock_owned().await;
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(900));
            drop(guard);
        });
        *self.balance.lock().await
    }

    /// Waits for its turn, and takes one permit.
    pub async fn next(&self) {
        self.changed.notified().await;
        *self.balance.lock().await += 1;
    }

    /// A notification that comes before it looks at the future is lost.
    pub async fn late(&self) {
        if *self.balance.lock().await == 0 { // looks
            self.changed.notified().await; // sleeps
        }
    }

    pub async fn wake(&self) {
        *self.balance.lock().await = 1;
        self.changed.notify_waiters();
    }

    pub async fn tell(&self) {
        *self.balance.lock().await *= 10;
        self.changed.notify_one();
    }
}
"#;

const TESTS: &str = r#"use accounts::Account;
use stalemate_rt::site::{Gap, Site};
use stalemate_rt::witness::{Pair, Status, Verdict, wait_for};
use std::time::Duration;

macro_rules! pair {
    ($a:expr, $b:expr) => {
        Pair::new(Account::default, move |it: &Account| format!("{:?}", $a(it)), move |it: &Account| format!("{:?}", $b(it)))
            .observe(|it| format!("{:?} {:?}", it.balance.try_lock().map(|it| *it), it.shown.try_read().map(|it| *it)))
    };
}

fn site(mark: &str) -> Site {
    let text = include_str!("../src/lib.rs");
    let line = 1 + text.lines().position(|line| line.ends_with(&format!("// {mark}"))).unwrap();
    Site::new("src/lib.rs", line as u32)
}

fn gap(first: &str, second: &str) -> Gap {
    Gap::new(site(first), site(second))
}

#[track_caller]
fn confirmed(verdict: Verdict) -> stalemate_rt::witness::Found {
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    verdict.found.unwrap()
}

#[track_caller]
fn quiet(verdict: Verdict) {
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.found.is_none(), "{}", verdict.json());
}

/// Each waits at one mark and holds what was taken at another.
#[track_caller]
fn deadlock(verdict: Verdict, marks: [(&str, &str); 2]) {
    let proof = confirmed(verdict).deadlock.expect("a proof");
    for (waits, holds) in marks {
        let at = |mark: &str| format!("{}:", site(mark));
        let is_it = |member: &&stalemate_rt::director::Member| member.wait_site.contains(&at(waits));
        let member = proof.members.iter().find(is_it).unwrap_or_else(|| panic!("{waits}: {proof:?}"));
        assert!(member.holds.iter().any(|(_, site)| site.contains(&at(holds))), "{holds}: {member:?}");
        assert!(member.stack.lines().next().is_some_and(|line| line.contains("src/lib.rs")), "{}", member.stack);
    }
}

#[test]
fn the_gap_is_between_two_calls_of_the_user() {
    let found = confirmed(
        pair!(|it: &Account| wait_for(it.deposit(1)), |it: &Account| wait_for(it.deposit(10)))
            .gap(gap("first", "second"))
            .run(),
    );
    assert!(found.pauses[0].contains(&site("second").to_string()), "{:?}", found.pauses);
    confirmed(
        pair!(|it: &Account| wait_for(it.deposit_owned(1)), |it: &Account| wait_for(it.deposit(10)))
            .gap(gap("owned first", "owned second"))
            .run(),
    );
    confirmed(
        pair!(|it: &Account| it.deposit_blocking(1), |it: &Account| wait_for(it.deposit(10)))
            .gap(gap("blocking first", "blocking second"))
            .run(),
    );
    confirmed(
        pair!(|it: &Account| wait_for(it.show()), |it: &Account| wait_for(it.show())).gap(gap("reads", "writes")).run(),
    );
}

#[test]
fn what_is_right_is_left_alone() {
    let deposit = |it: &Account| wait_for(it.deposit_fixed(1));
    quiet(pair!(deposit, deposit).run());
    let show = |it: &Account| wait_for(it.show_fixed());
    quiet(pair!(show, show).run());
    let orderly = |it: &Account| wait_for(it.orderly());
    quiet(pair!(|it: &Account| wait_for(it.deposit_fixed(2)), orderly).switches(2).most(60).run());
    quiet(pair!(orderly, orderly).first_locks(None, None).switches(0).run());
}

#[test]
fn cycles_of_futures_are_proven() {
    let [forth, back] = [|it: &Account| wait_for(it.forth()), |it: &Account| wait_for(it.back())];
    let found = pair!(forth, back).first_locks(None, None).run();
    deadlock(found, [("forth waits", "forth holds"), ("back waits", "back holds")]);
    let found = pair!(forth, |it: &Account| it.back_blocking()).first_locks(None, None).run();
    deadlock(found, [("forth waits", "forth holds"), ("blocking waits", "blocking holds")]);
    let mixed = pair!(|it: &Account| wait_for(it.mixed()), |it: &Account| it.mixed_back());
    deadlock(mixed.first_locks(None, None).run(), [("mixed waits", "mixed holds"), ("plain waits", "plain holds")]);
}

#[test]
fn who_waits_for_itself_is_proven() {
    let found = confirmed(pair!(|it: &Account| wait_for(it.itself()), |_: &Account| ()).switches(0).run());
    let member = &found.deadlock.unwrap().members[0];
    assert!(member.wait_site.contains(&site("itself").to_string()), "{member:?}");
    let write = |it: &Account| wait_for(it.show_fixed());
    let found = pair!(|it: &Account| wait_for(it.read_twice()), write).gap(gap("once", "twice")).run();
    assert!(found.found.is_none(), "{}", found.json());
    let found = confirmed(pair!(|it: &Account| wait_for(it.read_twice()), write).switches(1).run());
    assert_eq!(found.deadlock.unwrap().members.len(), 2);
}

#[test]
fn who_could_go_on_is_no_part_of_a_cycle() {
    let forth = |it: &Account| wait_for(it.forth());
    let verdict = pair!(forth, |it: &Account| wait_for(it.either())).first_locks(None, None).switches(0).run();
    assert!(verdict.found.is_none(), "{}", verdict.json());
    let verdict = pair!(|it: &Account| wait_for(it.lends()), |_: &Account| ())
        .patience(Duration::from_secs(2), Duration::from_secs(4))
        .switches(0)
        .repeats(1)
        .run();
    assert!(verdict.found.is_none(), "{}", verdict.json());
}

/// With nobody to wake it a thread lets the other one go on, and that is no hindrance.
#[test]
fn who_is_to_be_woken_waits() {
    let verdict =
        pair!(|it: &Account| wait_for(it.next()), |it: &Account| wait_for(it.tell())).switches(1).most(40).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.serial.iter().all(|outcome| outcome.state == "Ok(1) Ok(0)"), "{}", verdict.json());
    let found = confirmed(
        pair!(|it: &Account| wait_for(it.late()), |it: &Account| wait_for(it.wake())).gap(gap("looks", "sleeps")).run(),
    );
    let stuck = format!("{:?}", found.outcome.a);
    assert!(stuck.contains(&format!("waits to be notified at {}", site("sleeps"))), "{stuck}");
}
"#;

fn check(version: &str, tests: usize) {
    let directory = tempfile::tempdir().unwrap();
    let manifest = MANIFEST.replace("VERSION", version);
    write(directory.path(), &[("Cargo.toml", &manifest), ("src/lib.rs", LIBRARY), ("tests/witness.rs", TESTS)]);
    let text = tested_with(directory.path(), &["*"]);
    assert!(text.contains(&format!("test result: ok. {tests} passed")), "{text}");
}

#[test]
fn futures_are_driven_at_the_calls_of_the_user() {
    check("1", 6);
}

#[test]
fn older_versions_are_known() {
    check("=1.20.6", 6);
}
