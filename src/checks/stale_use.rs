//! The rule of Burrows and Leino (2002) as printed: any read of a local variable whose last write was inside a critical
//! section, after a later critical section was entered. Sections of all locks are alike.
//!
//! This lint is off by default. It is here for audits, and to see what the other lints add: on real code most of its
//! findings are harmless. Switch it on with `#![warn(stale_use)]` or in the configuration.
//!
//! ## Example
//!
//! ```rust
//! # use std::sync::Mutex;
//! fn example(x: &Mutex<i32>) -> (i32, i32, i32) {
//!     let t0 = *x.lock().unwrap();
//!     let t1 = t0; // a snapshot, used outside: fine
//!     let guard = x.lock().unwrap();
//!     let t2 = t0; // the snapshot is from the section before: reported
//!     drop(guard);
//!     let t3 = t0; // and so is this; it is named with the first
//!     (t1, t2, t3)
//! }
//! ```
//!
//! ## What to do
//!
//! Read the variable again in the section that uses it, or say with `#[allow(stale_use)]` that the old value is meant.
//!
//! ## How it follows the paper
//!
//! - `from_critical`, `stale` and `age` are kept for each local variable; formal parameters are left out.
//! - After a warning the variable counts as fresh until the next section is entered, so that one mistake gives one
//!   warning; the reads that follow are named in it.
//! - `Condvar::wait` leaves a section and enters one.
//! - Assignments make a variable fresh whatever stands on the right-hand side.
//! - Departure: variables that hold a guard, or borrow, are left out. In Rust a reference into a guard is the shared
//!   thing itself, not a copy of it.
//!
//! ## What it can miss
//!
//! Critical sections inside functions of other crates; temporaries.
//!
//! ## What it may wrongly report
//!
//! Every old value that is meant to be old, and every section of an unrelated lock.

use crate::checks::{Evidence, Happening, Moment, Shape, Subject, Suspicion};
use crate::domain::facts::StaleRead;
use crate::summary::Crate;

pub fn check(all: &Crate) -> Vec<Suspicion> {
    let bodies = all.bodies.iter().enumerate();
    bodies.flat_map(|(body, facts)| facts.stale_reads.iter().map(move |read| tell(body, read))).collect()
}

fn tell(body: usize, read: &StaleRead) -> Suspicion {
    let mut moments = vec![
        Moment { happens: Happening::VariableSet, site: read.written },
        Moment { happens: Happening::SectionEntered, site: read.entered },
        Moment { happens: Happening::VariableRead, site: read.read },
    ];
    moments.extend(read.echoes.iter().map(|&site| Moment { happens: Happening::VariableReadAgain, site }));
    let mut evidence = vec![Evidence::OrderOnly];
    evidence.extend((read.age > 1).then_some(Evidence::Older));
    Suspicion {
        body,
        primary: read.read,
        lock: None,
        subject: Subject::Variable(read.variable),
        shape: Shape::StaleRead,
        moments,
        evidence,
    }
}
