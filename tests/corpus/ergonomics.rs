//! Newer ways to write old things: `use` closures, pinned references, patterns through smart pointers, floats of other sizes.
#![feature(ergonomic_clones, pin_ergonomics, deref_patterns, f16, f128)]
#![allow(incomplete_features)]
use std::clone::UseCloned;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

#[derive(Clone)]
pub struct Shared(Arc<Mutex<u32>>);

impl UseCloned for Shared {}

pub fn cloned(shared: Shared) -> u32 {
    let other = use || {
        let seen = *shared.0.lock().unwrap();
        *shared.0.lock().unwrap() = seen + 1;
        seen
    };
    let again = shared.use;
    other() + *again.0.lock().unwrap()
}

pub fn pinned(lock: &pin mut Mutex<u32>, other: Pin<&mut Mutex<u32>>) -> u32 {
    let seen = *lock.lock().unwrap();
    *other.lock().unwrap() = seen;
    seen
}

pub fn through(boxed: Box<Option<Mutex<u32>>>, text: &Mutex<String>) -> u32 {
    let n = match &*boxed {
        Some(lock) => *lock.lock().unwrap(),
        None => 0,
    };
    match *text.lock().unwrap() {
        "one" => n,
        _ => 2,
    }
}

pub fn floats(lock: &Mutex<(f16, f128, u128, char)>) -> f128 {
    let (small, large, wide, letter) = *lock.lock().unwrap();
    lock.lock().unwrap().1 = large + small as f128 + wide as f64 as f128;
    if letter == 'x' { large } else { lock.lock().unwrap().1 }
}
