//! Other locks that are built on `lock_api`: those of `spin`, and one that the user has made. Of the latter it may be just the
//! question whether it works, so what happens in it is still seen.

use crate::{tested_with, write};

const MANIFEST: &str = r#"
[package]
name = "raw"
version = "0.1.0"
edition = "2021"

[dependencies]
lock_api = "0.4"
spin = { version = "0.9", features = ["lock_api"] }

[workspace]
"#;

const LIBRARY: &str = r#"use lock_api::{GuardSend, RawMutex};
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks first and sets later, unless it is told to do both at once.
pub struct Own<const AT_ONCE: bool>(AtomicBool);

unsafe impl<const AT_ONCE: bool> RawMutex for Own<AT_ONCE> {
    const INIT: Self = Own(AtomicBool::new(false));
    type GuardMarker = GuardSend;

    fn lock(&self) {
        while !self.try_lock() {
            std::thread::yield_now();
        }
    }

    fn try_lock(&self) -> bool {
        if AT_ONCE {
            return !self.0.swap(true, Ordering::Acquire);
        }
        let is_free = !self.0.load(Ordering::Acquire);
        if is_free {
            self.0.store(true, Ordering::Relaxed); // sets
        }
        is_free
    }

    unsafe fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}

pub type Mutex<T, const AT_ONCE: bool> = lock_api::Mutex<Own<AT_ONCE>, T>;

#[derive(Default)]
pub struct Counts {
    pub broken: Mutex<u32, false>,
    pub whole: Mutex<u32, true>,
    pub one: spin::lock_api::Mutex<u32>,
    pub two: spin::lock_api::RwLock<u32>,
}

/// In one section, but it takes its time.
fn count<R: RawMutex>(lock: &lock_api::Mutex<R, u32>, steps: &AtomicBool) -> u32 {
    let mut value = lock.lock();
    let next = *value + 1;
    steps.store(true, Ordering::Relaxed);
    *value = next;
    next
}

impl Counts {
    pub fn count_broken(&self) -> u32 {
        count(&self.broken, &AtomicBool::new(false))
    }

    pub fn count_whole(&self) -> u32 {
        count(&self.whole, &AtomicBool::new(false))
    }

    pub fn forth(&self) -> u32 {
        let one = self.one.lock();
        *one + *self.two.write() // forth
    }

    pub fn back(&self) -> u32 {
        let two = self.two.read();
        *two + *self.one.lock() // back
    }
}
"#;

const TESTS: &str = r#"use raw::Counts;
use stalemate_rt::witness::{Pair, Status};

fn counts(a: fn(&Counts) -> u32, b: fn(&Counts) -> u32) -> Pair<Counts> {
    let act = |act: fn(&Counts) -> u32| move |it: &Counts| act(it).to_string();
    Pair::new(Counts::default, act(a), act(b))
}

#[test]
fn a_lock_that_does_not_work_is_found_out() {
    let verdict = counts(Counts::count_broken, Counts::count_broken).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let verdict = counts(Counts::count_whole, Counts::count_whole).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn locks_that_spin_are_locks() {
    let verdict = counts(Counts::forth, Counts::back).first_locks(None, None).switches(0).run();
    let proof = verdict.found.as_ref().and_then(|found| found.deadlock.clone());
    let members = proof.unwrap_or_else(|| panic!("{}", verdict.json())).members;
    let line = |mark: &str| 1 + include_str!("../src/lib.rs").lines().position(|line| line.ends_with(mark)).unwrap();
    for mark in ["// forth", "// back"] {
        let place = format!("src/lib.rs:{}:", line(mark));
        assert!(members.iter().any(|member| member.wait_site.contains(&place)), "{place} {members:?}");
    }
    let verdict = counts(Counts::forth, Counts::forth).switches(1).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}
"#;

#[test]
fn other_locks_are_known_too() {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), &[("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("tests/witness.rs", TESTS)]);
    let text = tested_with(directory.path(), &["*"]);
    assert!(text.contains("test result: ok. 2 passed"), "{text}");
}
