//! `cargo stalemate confirm` where nothing implements a trait: what a stand-in shows, and what it does not.

use crate::project::Project;
use finding::document::ConfirmationStatus::{Confirmed, Infeasible};

/// Nothing implements any of these traits, and every function has the same bug or only seems to have it.
const TRAITS: &str = "\
use std::fmt::Debug;
use std::future::Future;
use std::sync::{Arc, Mutex};

pub struct Record<'a> { pub text: &'a str }

pub trait Named { const NAME: &'static str; fn name(&self) -> String; }

pub trait Source: Named {
    type Item: Into<u64> + Copy + Debug;
    fn next<'a>(&'a self, record: &'a Record<'a>) -> &'a Self::Item;
    fn all<T: ?Sized + Debug>(&self, of: &T, more: impl Debug) -> Vec<Self::Item>;
    fn later(&self) -> impl Future<Output = u32> + Send;
    fn twice(&self) -> u64 { 2 }
}

pub struct Reader<S> { source: S, last: Mutex<u64> }

impl<S: Source> Reader<S> {
    pub fn new(source: S) -> Self { Reader { source, last: Mutex::new(0) } }

    pub fn advance(&self) {
        let last = *self.last.lock().unwrap();
        let next: u64 = (*self.source.next(&Record { text: S::NAME })).into();
        *self.last.lock().unwrap() = last + next * self.source.twice();
    }
}

pub trait Logger: Send + Sync { fn log(&self, record: &Record<'_>); }

pub struct Account { logger: Arc<dyn Logger>, balance: Mutex<i64> }

impl Account {
    pub fn new(logger: Arc<dyn Logger>) -> Self { Account { logger, balance: Mutex::new(0) } }

    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap();
        self.logger.log(&Record { text: \"between\" });
        *self.balance.lock().unwrap() = balance + amount;
    }
}

pub trait Turn { fn take(&self); fn give_back(&self); }

pub struct Fair<T> { turn: T, sum: Mutex<u64> }

impl<T: Turn> Fair<T> {
    pub fn new(turn: T) -> Self { Fair { turn, sum: Mutex::new(0) } }

    pub fn add(&self, amount: u64) {
        self.turn.take();
        let sum = *self.sum.lock().unwrap();
        *self.sum.lock().unwrap() = sum + amount;
        self.turn.give_back();
    }
}

pub struct Handle { raw: *const u8 }

impl Handle {
    pub fn is_there(&self) -> bool { !self.raw.is_null() }
}

pub trait Opener { fn open(&self) -> Handle; }

pub struct Door<O> { opener: O, count: Mutex<u64> }

impl<O: Opener> Door<O> {
    pub fn new(opener: O) -> Self { Door { opener, count: Mutex::new(0) } }

    pub fn enter(&self) {
        let count = *self.count.lock().unwrap();
        let more = if self.opener.open().is_there() { 1 } else { 2 };
        *self.count.lock().unwrap() = count + more;
    }
}
";

#[test]
fn a_stand_in_shows_a_bug_and_never_what_a_real_one_might_prevent() {
    let project = Project::library("confirm_stand_in", TRAITS);
    let run = project.run("confirm --min-confidence low --format json").exits(1);
    let document = run.document();
    let tried = |function: &str| {
        let found = document.findings.iter().find(|it| it.function == function);
        found.and_then(|it| it.confirmation.clone()).unwrap_or_else(|| panic!("{function}\n{run}"))
    };
    for function in ["Reader::advance", "Account::deposit"] {
        assert_eq!(tried(function).status, Confirmed, "{function}\n{run}");
    }
    let fair = tried("Fair::add");
    assert_eq!(fair.status, Infeasible, "{run}");
    assert!(fair.reason.contains("might keep them apart"), "{run}");
    let door = tried("Door::enter");
    assert_eq!(door.status, Infeasible, "{run}");
    assert!(door.reason.contains("`Opener::open`"), "{run}");
}

/// Whoever gives numbers may promise that no two are alike; then nobody else touches an entry in the gap.
const TICKETS: &str = "\
use std::collections::BTreeMap;
use std::sync::Mutex;

pub trait Tickets { fn ticket(&self) -> u64; }

pub struct Desk<T> { tickets: T, open: Mutex<BTreeMap<u64, u32>> }

impl<T: Tickets> Desk<T> {
    pub fn new(tickets: T) -> Self { Desk { tickets, open: Mutex::new(BTreeMap::new()) } }

    pub fn serve(&self) -> Option<u32> {
        let ticket = self.tickets.ticket();
        let served = self.open.lock().unwrap().get(&ticket).copied().unwrap_or(0);
        self.open.lock().unwrap().insert(ticket, served + 1)
    }
}
";

#[test]
fn what_only_equal_numbers_show_is_not_confirmed() {
    let project = Project::library("confirm_tickets", TICKETS);
    let run = project.run("confirm --min-confidence low --format json").exits(0);
    let document = run.document();
    assert!(!document.findings.is_empty(), "{run}");
    for finding in &document.findings {
        let tried = finding.confirmation.as_ref().unwrap();
        assert!(tried.reason.contains("only with a stand-in that always gives the same"), "{run}");
    }
}
