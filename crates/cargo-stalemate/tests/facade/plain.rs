//! A crate that knows nothing of the facade, compiled against it by the stable toolchain.

use crate::{tested, write};

const MANIFEST: &str = r#"
[package]
name = "plain"
version = "0.1.0"
edition = "2021"

[workspace]
"#;

/// Plain std. Every place that is asked for below has its line marked.
const LIBRARY: &str = r#"use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

pub static TOTAL: Mutex<i64> = Mutex::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

macro_rules! taken {
    ($lock:expr) => {
        *$lock.lock().unwrap()
    };
}

pub trait Shape: Send {
    fn area(&self) -> u32;
}

impl Shape for u32 {
    fn area(&self) -> u32 {
        *self
    }
}

#[derive(Debug, Default)]
pub struct Account {
    balance: Mutex<i64>,
    log: RwLock<Vec<String>>,
}

impl Account {
    pub fn deposit(&self, amount: i64) {
        let balance = *self.balance.lock().unwrap(); // first
        *self.balance.lock().unwrap() = balance + amount; // second
    }

    pub fn deposit_by_macro(&self, amount: i64) {
        let balance = taken!(self.balance); // macro first
        taken!(self.balance) = balance + amount; // macro second
        self.log.write().unwrap().push(format!("{amount}"));
        COUNT.fetch_add(1, Ordering::Relaxed);
    }

    pub fn balance(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
}

pub fn area(shape: u32) -> u32 {
    let shape: Arc<Mutex<dyn Shape>> = Arc::new(Mutex::new(shape));
    let area = shape.lock().unwrap().area();
    area
}
"#;

const TESTS: &str = r#"use plain::Account;
use stalemate_rt::witness::{Pair, Status};

fn pauses(deposit: fn(&Account, i64)) -> Vec<String> {
    let act = move |amount| move |account: &Account| { deposit(account, amount); String::new() };
    let verdict = Pair::new(Account::default, act(1), act(10)).observe(|it| it.balance().to_string()).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    verdict.found.unwrap().pauses
}

#[test]
fn places_are_those_of_the_user() {
    println!("plain {:?}", pauses(Account::deposit));
    println!("macro {:?}", pauses(Account::deposit_by_macro));
    assert_eq!(plain::area(3), 3);
}
"#;

/// Line and column of a marked place: of the method's name, or of the macro's.
fn place(mark: &str, name: &str) -> String {
    let (number, line) = (1..).zip(LIBRARY.lines()).find(|(_, line)| line.ends_with(&format!("// {mark}"))).unwrap();
    format!("src/lib.rs:{number}:{}", line.find(name).unwrap() + 1)
}

#[test]
fn unchanged_code_is_driven_and_seen_at_its_own_places() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("tests/witness.rs", TESTS)]);
    let text = tested(directory.path(), "plain");
    let second = format!("plain [\"A at {} (acquire)\"]", place("second", "lock()"));
    assert!(text.contains(&second), "{second}\n{text}");
    let second = format!("macro [\"A at {} (acquire)\"]", place("macro second", "taken!"));
    assert!(text.contains(&second), "{second}\n{text}");
    assert!(
        directory.path().join("target").read_dir().unwrap().count() == 1,
        "the user's target directory is left alone"
    );
}
