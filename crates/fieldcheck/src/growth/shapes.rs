//! Crates that are made to be large in one way. Each is a library of one file, by a number.
//!
//! The test `tests/growth.rs` uses these too, in small sizes.

use std::fmt::Write as _;

pub struct Shape {
    pub name: &'static str,
    /// What the number counts.
    pub counts: &'static str,
    /// Each twice the one before.
    pub sizes: &'static [usize],
    pub source: fn(usize) -> String,
}

const UP_TO_1K: &[usize] = &[125, 250, 500, 1000];

pub static SHAPES: [Shape; 9] = [
    Shape {
        name: "functions",
        counts: "functions that take a lock twice",
        sizes: &[1000, 2000, 4000, 8000, 16_000],
        source: functions,
    },
    Shape { name: "depth", counts: "functions that call each other in a row", sizes: UP_TO_1K, source: depth },
    Shape { name: "circle", counts: "functions that call each other in a circle", sizes: UP_TO_1K, source: circle },
    Shape { name: "sections", counts: "critical sections in one function", sizes: UP_TO_1K, source: sections },
    Shape { name: "branches", counts: "decisions under a lock in one function", sizes: UP_TO_1K, source: branches },
    Shape { name: "locks", counts: "locks, each taken before the next", sizes: UP_TO_1K, source: locks },
    Shape {
        name: "statements",
        counts: "statements in one function",
        sizes: &[6250, 12_500, 25_000, 50_000],
        source: statements,
    },
    Shape { name: "impls", counts: "types that implement one trait", sizes: UP_TO_1K, source: impls },
    Shape { name: "closures", counts: "closures in one function", sizes: UP_TO_1K, source: closures },
];

const STATE: &str = "\
#![allow(dead_code, unused_variables)]
use std::sync::Mutex;
pub struct Pool { count: Mutex<u64>, limit: Mutex<u64> }
";

/// A library with one item for each number.
fn each(start: &str, count: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = start.to_owned();
    (0..count).for_each(|number| text.push_str(&item(number)));
    text
}

/// Old value, gap, write: what the tool looks for, so that every one is walked to its end.
fn functions(count: usize) -> String {
    each(STATE, count, |it| {
        format!(
            "pub fn f{it}(pool: &Pool) {{\n    let seen = *pool.count.lock().unwrap();\n    \
             if seen < {it} {{\n        *pool.count.lock().unwrap() = seen + 1;\n    }}\n}}\n"
        )
    })
}

fn depth(count: usize) -> String {
    let last = format!("pub fn f{count}(pool: &Pool) -> u64 {{ *pool.count.lock().unwrap() }}\n");
    each(&format!("{STATE}{last}"), count, |it| {
        let next = it + 1;
        format!("pub fn f{it}(pool: &Pool) -> u64 {{ f{next}(pool) + *pool.limit.lock().unwrap() }}\n")
    })
}

fn circle(count: usize) -> String {
    each(STATE, count, |it| {
        let next = (it + 1) % count;
        format!(
            "pub fn f{it}(pool: &Pool, left: u64) -> u64 {{\n    let seen = *pool.count.lock().unwrap();\n    \
             if seen > left {{ seen }} else {{ f{next}(pool, left - 1) + seen }}\n}}\n"
        )
    })
}

fn sections(count: usize) -> String {
    let body = each("", count, |it| format!("    *pool.count.lock().unwrap() += {it};\n"));
    format!("{STATE}pub fn all(pool: &Pool) {{\n{body}}}\n")
}

fn branches(count: usize) -> String {
    let body = each("", count, |it| format!("    if *count == {it} {{ *count += 1; }}\n"));
    format!("{STATE}pub fn all(pool: &Pool) {{\n    let mut count = pool.count.lock().unwrap();\n{body}}}\n")
}

fn locks(count: usize) -> String {
    let statics =
        each("use std::sync::Mutex;\n", count + 1, |it| format!("static L{it}: Mutex<u64> = Mutex::new(0);\n"));
    each(&statics, count, |it| {
        let next = it + 1;
        format!(
            "pub fn f{it}() {{\n    let mut one = L{it}.lock().unwrap();\n    \
             *one += *L{next}.lock().unwrap();\n}}\n"
        )
    })
}

fn statements(count: usize) -> String {
    let body = each("", count, |it| format!("    sum = sum ^ {it};\n"));
    format!(
        "{STATE}pub fn all(pool: &Pool) {{\n    let mut sum = *pool.count.lock().unwrap();\n{body}    \
         *pool.count.lock().unwrap() = sum;\n}}\n"
    )
}

fn impls(count: usize) -> String {
    let start = format!(
        "{STATE}pub trait Store {{ fn put(&self, pool: &Pool); }}\n\
         pub fn all(pool: &Pool, store: &dyn Store) {{ store.put(pool); *pool.limit.lock().unwrap() += 1; }}\n"
    );
    each(&start, count, |it| {
        let mut text = format!("pub struct S{it};\nimpl Store for S{it} {{\n");
        let _ = writeln!(text, "    fn put(&self, pool: &Pool) {{ *pool.count.lock().unwrap() += {it}; }}\n}}");
        text
    })
}

fn closures(count: usize) -> String {
    let body = each("", count, |it| format!("    run(&|| *pool.count.lock().unwrap() += {it});\n"));
    format!("{STATE}fn run(what: &dyn Fn()) {{ what() }}\npub fn all(pool: &Pool) {{\n{body}}}\n")
}
