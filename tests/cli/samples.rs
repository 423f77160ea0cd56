//! Sources that several tests check.

/// One lost update, of high confidence, in `Account::deposit`; the write stands in line 10.
pub const LOST_UPDATE: &str = "\
use std::sync::Mutex;

pub struct Account {
    balance: Mutex<i64>,
}

impl Account {
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance + amount;
    }

    pub fn reset(&self) {
        *self.balance.lock().unwrap() = 0;
    }
}
";

/// The place of the finding in it.
pub const LOST_UPDATE_LINE: u32 = 10;

/// The same with one guard: nothing to find.
pub const CLEAN: &str = "\
use std::sync::Mutex;

pub struct Account {
    balance: Mutex<i64>,
}

impl Account {
    pub fn deposit(&self, amount: i64) {
        *self.balance.lock().unwrap() += amount;
    }
}
";

/// One finding of low confidence in `Pair::copy`: the old value goes to another place than it came from.
pub const LOW: &str = "\
use std::sync::Mutex;

pub struct Fields {
    a: i64,
    b: i64,
}

pub struct Pair {
    fields: Mutex<Fields>,
}

impl Pair {
    pub fn copy(&self) {
        let a = self.fields.lock().unwrap().a;
        self.fields.lock().unwrap().b = a;
    }

    pub fn set(&self, a: i64) {
        self.fields.lock().unwrap().a = a;
    }
}
";

/// One finding of `stale_use` in `order`, and nothing of the other lints: nothing is written.
pub const STALE_USE: &str = "\
use std::sync::Mutex;

pub fn order(first: &Mutex<i64>, second: &Mutex<i64>) -> i64 {
    let old = *first.lock().unwrap();
    let new = *second.lock().unwrap();
    old + new
}
";

/// [`LOST_UPDATE`] with a line of attributes on the method that has the finding.
pub fn lost_update_with(attributes: &str) -> String {
    LOST_UPDATE.replacen("    pub fn deposit", &format!("    {attributes}\n    pub fn deposit"), 1)
}
