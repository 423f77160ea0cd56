//! The edges of the 2002 rule.
#![allow(dead_code, unused_variables, unused_assignments)]
#![warn(stale_use)]

use std::sync::Mutex;

/// Sections of all locks are alike.
fn another_lock_bad(x: &Mutex<i32>, y: &Mutex<i32>) -> i32 {
    let t = *x.lock().unwrap();
    let section = y.lock().unwrap();
    t + *section //~ stale_use
}

fn another_lock_ok(x: &Mutex<i32>, y: &Mutex<i32>) -> i32 {
    let t = *x.lock().unwrap();
    let sum = t + 1;
    let section = y.lock().unwrap();
    sum + *section
}

/// Set outside of any section: never stale.
fn set_outside_ok(x: &Mutex<i32>, n: i32) -> i32 {
    let t = n + 1;
    let section = x.lock().unwrap();
    t + *section
}

/// Formal parameters are left out.
fn parameter_ok(x: &Mutex<i32>, mut t: i32) -> i32 {
    {
        t = *x.lock().unwrap();
    }
    let section = x.lock().unwrap();
    t
}

/// A guard is no snapshot, nor is a reference into one.
fn guard_ok(x: &Mutex<Vec<i32>>, y: &Mutex<i32>) -> i32 {
    let outer = x.lock().unwrap();
    let first = &outer[0];
    let inner = y.lock().unwrap();
    *first + *inner + outer[1]
}

/// Any assignment makes it fresh, whatever stands on the right-hand side; the paper names the refinement, and
/// `stale_value` has it.
fn assigned_ok(x: &Mutex<i32>) {
    let mut t = *x.lock().unwrap();
    t = t + 1;
    let mut section = x.lock().unwrap();
    *section = t; //~ stale_value
}
