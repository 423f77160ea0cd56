//! Plays each scene as written and corrected, and prints how they end.

mod account;
mod audit;
mod ledger;
mod queue;

use std::sync::Arc;
use std::thread;

use account::{Account, transfer};
use audit::{Audit, Kind};
use ledger::{Entry, Ledger};
use queue::{Order, Queue};

const ROUNDS: usize = 500;
const BURST: usize = 10;

/// Stands for what a real bank does between two looks at the same data: a log line, a query, a letter.
fn slow_work() {
    thread::yield_now();
}

/// Two counters take deposits for the same account.
fn deposits(fixed: bool) -> i64 {
    let account = Arc::new(Account::new(0));
    let teller = Arc::clone(&account);
    let other = thread::spawn(move || {
        for _ in 0..ROUNDS {
            if fixed { teller.deposit_fixed(1) } else { teller.deposit(1) }
        }
    });
    for _ in 0..ROUNDS {
        if fixed { account.deposit_fixed(1) } else { account.deposit(1) }
    }
    other.join().unwrap();
    account.balance()
}

/// One thread posts entries while the clerk settles.
fn entries(fixed: bool) -> i64 {
    let ledger = Arc::new(Ledger::new());
    let clerk = Arc::clone(&ledger);
    let other = thread::spawn(move || {
        for _ in 0..ROUNDS {
            if fixed { clerk.settle_fixed() } else { clerk.settle() }
        }
    });
    for i in 0..ROUNDS {
        ledger.post(Entry { amount: 1, settled: i % 2 == 0 });
        slow_work();
    }
    other.join().unwrap();
    ledger.total()
}

/// One thread closes the newest case, always a routine one, while urgent ones arrive. Counts urgent cases closed by error.
fn cases(fixed: bool) -> i64 {
    let audit = Arc::new(Audit::new());
    let hotline = Arc::clone(&audit);
    let other = thread::spawn(move || {
        for _ in 0..ROUNDS {
            hotline.open(Kind::Urgent);
            slow_work();
        }
    });
    for _ in 0..ROUNDS {
        if fixed { audit.close_newest_fixed() } else { audit.close_newest() }
    }
    other.join().unwrap();
    audit.closed(Kind::Urgent) as i64
}

/// A branch orders transfers, first one and then many, and a worker carries them out. Counts the money that arrived.
fn orders(fixed: bool) -> i64 {
    let (from, to) = (Account::new(ROUNDS as i64), Account::new(0));
    for _ in 0..ROUNDS / BURST {
        let queue = Arc::new(Queue::new());
        let branch = Arc::clone(&queue);
        let other = thread::spawn(move || {
            branch.put(Order { amount: 1 });
            slow_work();
            for _ in 1..BURST {
                branch.put(Order { amount: 1 });
            }
        });
        for _ in 0..BURST {
            let order = if fixed { queue.take_fixed() } else { queue.take() };
            if let Some(order) = order {
                transfer(&from, &to, order.amount);
            }
        }
        other.join().unwrap();
    }
    to.balance()
}

fn main() {
    report("balance after the deposits", 2 * ROUNDS, deposits);
    report("sum of the ledger", ROUNDS, entries);
    report("urgent cases closed by error", 0, cases);
    report("money that arrived by orders", ROUNDS, orders);
}

fn report(what: &str, expected: usize, scene: fn(bool) -> i64) {
    let (written, fixed) = (scene(false), scene(true));
    println!("{what}: {expected} expected, {written} as written, {fixed} corrected");
}
