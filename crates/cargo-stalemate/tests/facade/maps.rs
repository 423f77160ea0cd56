//! The maps of `dashmap`, as published: their locks are built on `lock_api`, and in some versions let go behind its back.

use crate::{tested_with, write};

const MANIFEST: &str = r#"
[package]
name = "maps"
version = "0.1.0"
edition = "2021"

[dependencies]
dashmap = "VERSION"

[workspace]
"#;

const LIBRARY: &str = r#"use dashmap::DashMap;

#[derive(Debug, Default)]
pub struct Stock {
    pub items: DashMap<u32, u32>,
}

impl Stock {
    pub fn put(&self, item: u32) {
        let count = self.items.get(&item).map_or(0, |it| *it); // gets
        self.items.insert(item, count + 1); // inserts
    }

    pub fn put_fixed(&self, item: u32) {
        *self.items.entry(item).or_insert(0) += 1;
    }

    /// Much is done, and each of it in one step of the map.
    pub fn busy(&self, first: u32) {
        for item in first..first + 3 {
            self.items.entry(item).or_insert(1);
            self.items.alter(&item, |_, count| count + 1);
            if let Some(mut count) = self.items.get_mut(&item) {
                *count += 1;
            }
            let known = self.items.iter().filter(|it| *it.key() == item).count();
            assert!(known == 1 && self.items.contains_key(&item));
            drop(self.items.get(&item));
            drop(self.items.try_get(&item));
            self.items.remove(&(item + 100));
            self.items.retain(|_, count| *count > 0);
        }
    }

    pub fn content(&self) -> String {
        let mut all: Vec<_> = self.items.iter().map(|it| (*it.key(), *it.value())).collect();
        all.sort();
        format!("{all:?}")
    }

    /// Whoever holds a reference into a map may not wait for the same part of it.
    pub fn within(&self) {
        let one = self.items.entry(1).or_insert(0); // holds
        self.items.insert(1, *one + 1); // waits
    }
}
"#;

const TESTS: &str = r#"use maps::Stock;
use stalemate_rt::site::{Gap, Site};
use stalemate_rt::witness::{Pair, Status};

fn stock(a: fn(&Stock), b: fn(&Stock)) -> Pair<Stock> {
    let act = |act: fn(&Stock)| move |it: &Stock| { act(it); String::new() };
    Pair::new(Stock::default, act(a), act(b)).observe(Stock::content)
}

fn site(mark: &str) -> Site {
    let text = include_str!("../src/lib.rs");
    let line = 1 + text.lines().position(|line| line.ends_with(&format!("// {mark}"))).unwrap();
    Site::new("src/lib.rs", line as u32)
}

#[test]
fn the_gap_is_between_two_calls_of_the_user() {
    let put = |it: &Stock| it.put(1);
    let verdict = stock(put, put).gap(Gap::new(site("gets"), site("inserts"))).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let pauses = verdict.found.unwrap().pauses;
    assert!(pauses[0].contains(&site("inserts").to_string()), "{pauses:?}");
    let put = |it: &Stock| it.put_fixed(1);
    let verdict = stock(put, put).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn what_is_right_is_left_alone() {
    let verdict = stock(|it| it.busy(0), |it| it.busy(1)).switches(1).most(150).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.tried > 40, "{}", verdict.json());
    let verdict = stock(|it| it.busy(0), |it| it.busy(0)).switches(2).most(200).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    let verdict = stock(|it| it.busy(0), |it| it.busy(2)).first_locks(None, None).switches(0).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn a_reference_that_is_in_the_way_is_proven() {
    let verdict = stock(Stock::within, |_| ()).switches(0).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let member = &verdict.found.unwrap().deadlock.unwrap().members[0];
    assert!(member.wait_site.contains(&site("waits").to_string()), "{member:?}");
    assert!(member.holds[0].1.contains(&site("holds").to_string()), "{member:?}");
}
"#;

fn check(version: &str) {
    let directory = tempfile::tempdir().unwrap();
    let manifest = MANIFEST.replace("VERSION", version);
    write(directory.path(), &[("Cargo.toml", &manifest), ("src/lib.rs", LIBRARY), ("tests/witness.rs", TESTS)]);
    let text = tested_with(directory.path(), &["*"]);
    assert!(text.contains("test result: ok. 3 passed"), "{text}");
}

#[test]
fn maps_are_driven_at_the_calls_of_the_user() {
    check("6");
}

#[test]
fn guards_that_let_go_of_the_raw_lock_are_seen() {
    check("=7.0.0-rc2");
}
