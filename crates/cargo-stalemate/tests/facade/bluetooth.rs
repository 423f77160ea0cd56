//! The driver of KISS, figure 2: both of its faults are found by one switch, and none in the corrected driver by two.

use crate::{tested, write};
use std::fs;
use std::path::Path;

const TESTS: &str = r#"use bluetooth::{Driver, FixedDriver};
use stalemate_rt::witness::{Ended, Pair, Status, Verdict};

fn driver(switches: usize) -> Verdict {
    let add = |driver: &Driver| driver.pnp_add().to_string();
    let stop = |driver: &Driver| format!("{:?}", driver.pnp_stop());
    Pair::new(Driver::default, add, stop).observe(|driver| format!("{driver:?}")).switches(switches).run()
}

fn fixed(switches: usize) -> Verdict {
    let add = |driver: &FixedDriver| driver.pnp_add().to_string();
    let stop = |driver: &FixedDriver| format!("{:?}", driver.pnp_stop());
    Pair::new(FixedDriver::default, add, stop).observe(|driver| format!("{driver:?}")).switches(switches).run()
}

#[test]
fn serial_orders_show_nothing() {
    let verdict = driver(0);
    assert_eq!((verdict.status, verdict.tried, verdict.races.len()), (Status::NotReproduced, 0, 0));
}

#[test]
fn one_switch_fails_the_assertion() {
    let verdict = driver(1);
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let found = verdict.found.unwrap();
    let Ended::Panicked(message) = &found.outcome.a else { panic!("{}", found.outcome) };
    assert!(message.starts_with("the driver is stopped with a thread inside"), "{message}");
    assert!(found.pauses[0].contains("src/driver.rs"), "{:?}", found.pauses);
}

#[test]
fn one_switch_shows_the_race() {
    println!("races {:?}", driver(1).races);
}

#[test]
fn nothing_is_wrong_with_the_corrected_one() {
    let verdict = fixed(2);
    assert_eq!((verdict.status, verdict.races.len()), (Status::NotReproduced, 0), "{}", verdict.json());
    assert!(verdict.tried > 5, "{}", verdict.tried);
}
"#;

/// Which line of a text has that part.
fn line(text: &str, part: &str) -> usize {
    1 + text.lines().position(|line| line.contains(part)).unwrap()
}

#[test]
fn the_driver_of_kiss() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bluetooth");
    let read = |path: &str| fs::read_to_string(example.join(path)).unwrap();
    let paths = ["Cargo.toml", "src/lib.rs", "src/main.rs", "src/driver.rs", "src/fixed.rs"];
    let texts = paths.map(read);
    let directory = tempfile::tempdir().unwrap();
    let files = paths.iter().copied().zip(texts.iter().map(String::as_str)).chain([("tests/witness.rs", TESTS)]);
    write(directory.path(), &files.collect::<Vec<_>>());
    let text = tested(directory.path(), "bluetooth");
    let races = text.lines().find(|line| line.contains("races [")).unwrap_or_else(|| panic!("{text}"));
    for access in ["self.stopping_flag.load", "self.stopping_flag.store"] {
        let place = format!("src/driver.rs:{}:", line(&texts[3], access));
        assert!(races.contains(&place), "{place} {races}");
    }
    assert_eq!(races.matches("Race {").count(), 1, "{races}");
}
