//! What cannot be looked at is told, never dropped.

use crate::project::Project;

const ASYNC: &str = "\
use std::sync::Mutex;

pub struct Account {
    balance: Mutex<i64>,
}

impl Account {
    pub async fn deposit(&self, amount: impl Future<Output = i64>) {
        let balance = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = balance + amount.await;
    }
}
";

#[test]
fn async_functions_are_checked_or_listed_as_skipped() {
    let run = Project::library("async_fn", ASYNC).json("");
    let document = run.document();
    let skipped = document.run.skipped.iter().map(|one| &one.function);
    let named: Vec<_> = document.findings.iter().map(|finding| &finding.function).chain(skipped).collect();
    assert!(named.iter().any(|name| name.starts_with("Account::deposit")), "{run}");
}
