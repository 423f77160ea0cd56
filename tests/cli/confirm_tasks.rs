//! `cargo stalemate confirm` with locks that futures wait for.

use crate::project::{Project, Run};
use finding::document::ConfirmationStatus::Confirmed;

/// A lost update and two orders of two locks, each with its corrected twin.
const BANK: &str = "\
use tokio::sync::{Mutex, RwLock};

#[derive(Debug, Default)]
pub struct Account { balance: Mutex<i64>, limit: RwLock<i64> }

impl Account {
    pub async fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().await;
        *self.balance.lock().await = balance + amount; // deposit
    }

    pub async fn deposit_fixed(&self, amount: i64) {
        let mut balance = self.balance.lock().await;
        *balance += amount;
    }

    pub async fn raise(&self, amount: i64) {
        let limit = *self.limit.read().await;
        let mut raised = self.limit.write().await; // raise
        *raised = limit + amount;
    }

    pub async fn raise_fixed(&self, amount: i64) {
        let mut limit = self.limit.write().await;
        *limit += amount;
    }
}

#[derive(Debug, Default)]
pub struct Ledger { debit: Mutex<i64>, credit: Mutex<i64> }

impl Ledger {
    pub async fn settle(&self) -> i64 {
        let debit = self.debit.lock().await;
        let credit = self.credit.lock().await;
        *debit - *credit
    }

    pub async fn audit(&self) -> i64 {
        let credit = self.credit.lock().await;
        let debit = self.debit.lock().await;
        *debit - *credit
    }
}

#[derive(Debug, Default)]
pub struct FixedLedger { debit: Mutex<i64>, credit: Mutex<i64> }

impl FixedLedger {
    pub async fn settle_fixed(&self) -> i64 {
        let debit = self.debit.lock().await;
        let credit = self.credit.lock().await;
        *debit - *credit
    }

    pub async fn audit_fixed(&self) -> i64 {
        let debit = self.debit.lock().await;
        let credit = self.credit.lock().await;
        *debit + *credit
    }
}
";

#[test]
fn locks_of_tokio_are_known() {
    let more =
        "[dependencies]\ntokio = { version = \"1\", default-features = false, features = [\"sync\"] }\n[workspace]\n";
    let project = Project::new("confirm_tokio").package("bank", more, BANK);
    let run = project.run("confirm --min-confidence low --format json --keep kept").exits(1);
    let document = run.document();
    let tried = |function: &str| {
        let finding = document.findings.iter().find(|it| it.function == function).unwrap_or_else(|| panic!("{run}"));
        let tried = finding.confirmation.clone().unwrap_or_else(|| panic!("{run}"));
        assert_eq!(tried.status, Confirmed, "{function}\n{run}");
        tried
    };
    for (function, mark) in [("Account::deposit", "// deposit"), ("Account::raise", "// raise")] {
        let line = 1 + BANK.lines().position(|line| line.ends_with(mark)).unwrap();
        let pauses = tried(function).pauses;
        assert!(pauses.len() == 1 && pauses[0].contains(&format!("src/lib.rs:{line}:")), "{pauses:?}");
    }
    let ledger = document.findings.iter().find(|it| it.lint == "lock_order").unwrap_or_else(|| panic!("{run}"));
    let ledger = tried(&ledger.function);
    assert_eq!((ledger.reason.as_str(), ledger.cycle.len()), ("threads wait for one another in a cycle", 2), "{run}");
    assert!(ledger.cycle.iter().all(|one| one.contains("holds what it took at src/lib.rs:")), "{run}");
    let is_wrong = |it: &&finding::Finding| {
        let is_confirmed = it.confirmation.as_ref().is_some_and(|tried| tried.status == Confirmed);
        is_confirmed && it.function.ends_with("_fixed")
    };
    assert!(document.findings.iter().find(is_wrong).is_none(), "{run}");
    let script = Run::of(&mut crate::project::command(project.root.join("kept/run.sh"), &project.root)).exits(0);
    script
        .says(&["stalemate-witness: {\"status\":\"confirmed\"", "in a cycle"])
        .never_says(&["infeasible", "not-reproduced"]);
}
