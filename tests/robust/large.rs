//! Code as programs write it: deep, long, wide. The analysis must end, neither with the stack's end nor after minutes, and
//! what it finds there must be what it finds in small code. What it gives up is named.

use crate::driver::{Left, Source, for_all};
use finding::settings::Settings;

/// A name, the code, and how many functions or lines have something to tell.
struct Large {
    name: &'static str,
    text: String,
    findings: usize,
}

fn large(name: &'static str, findings: usize, text: String) -> Large {
    let head = "#![recursion_limit = \"1024\"]\nuse std::sync::Mutex;\n";
    Large { name, findings, text: format!("{head}{text}") }
}

fn each(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Around `inside`, so many times.
fn nested(count: usize, before: &str, inside: &str, after: &str) -> String {
    format!("{}{inside}{}", before.repeat(count), after.repeat(count))
}

const STALE: &str = "let n = *l.lock().unwrap();\n*l.lock().unwrap() = n + 1;\n";

fn deep() -> Vec<Large> {
    let sum = nested(900, "(1 + ", "n", ")");
    let blocks = nested(150, "{ let n = *l.lock().unwrap(); if n > 1 ", "{ *l.lock().unwrap() = n; }", "}");
    let loops = nested(12, "for _ in 0..n { n += *l.lock().unwrap(); ", "*l.lock().unwrap() = n;\n", "}");
    let closures = nested(50, "(|| { let n = *l.lock().unwrap(); n + ", "*l.lock().unwrap()", "})()");
    let lock_type = nested(50, "Mutex<Option<Box<", "u32", ">>>");
    let tuple = nested(200, "(", "u32", ",)");
    vec![
        large(
            "deep_sum",
            1,
            format!("pub fn f(l: &Mutex<u32>) {{ let n = *l.lock().unwrap(); *l.lock().unwrap() = {sum}; }}\n"),
        ),
        large("deep_blocks", 1, format!("pub fn f(l: &Mutex<u32>) {blocks}\n")),
        large("deep_loops", 1, format!("pub fn f(l: &Mutex<u32>, mut n: u32) {{ {loops} }}\n")),
        large("deep_closures", 0, format!("pub fn f(l: &Mutex<u32>) -> u32 {{ {closures} }}\n")),
        large(
            "deep_types",
            0,
            format!(
                "pub fn f(l: &{lock_type}) -> bool {{ l.lock().unwrap().is_some() && l.lock().unwrap().take().is_some() }}\n"
            ),
        ),
        large(
            "deep_tuple",
            0,
            format!("pub fn f(l: &Mutex<{tuple}>) -> u32 {{ let n = *l.lock().unwrap(); n{} }}\n", ".0".repeat(200)),
        ),
        large("deep_calls", 0, {
            let chain = each(1000, |n| {
                format!("pub fn f{n}(l: &Mutex<u32>) -> u32 {{ let n = *l.lock().unwrap(); f{}(l) + n }}\n", n + 1)
            });
            format!("{chain}pub fn f1000(l: &Mutex<u32>) -> u32 {{ *l.lock().unwrap() }}\n")
        }),
        large("deep_helpers", 0, {
            let chain = each(1000, |n| format!("fn f{n}(n: &mut u32) -> u32 {{ *n += 1; f{}(n) }}\n", n + 1));
            format!(
                "{chain}fn f1000(n: &mut u32) -> u32 {{ *n }}\npub fn f(l: &Mutex<u32>) -> u32 {{ f0(&mut l.lock().unwrap()) }}\n"
            )
        }),
    ]
}

fn wide() -> Vec<Large> {
    let arms = each(3000, |n| format!("{n} => {},\n", n * 7 % 1001));
    let acting = each(300, |n| format!("{n} => {{ {STALE} }}\n"));
    let ways = each(400, |n| format!("if k == {n} {{ *l.lock().unwrap() = n; }} else "));
    let ring = each(40, |n| {
        let calls = each(40, |m| format!("{m} => f{m}(l, k - 1),\n"));
        format!("pub fn f{n}(l: &Mutex<u32>, k: u32) {{ {STALE} match k {{ {calls} _ => () }} }}\n")
    });
    let fields = each(500, |n| format!("pub a{n}: Mutex<u32>,\n"));
    let methods = each(500, |n| format!("pub fn m{n}(&self) {{ let l = &self.a{n};\n{STALE} }}\n"));
    let guards = each(300, |n| format!("let g{n} = l[{n}].lock().unwrap();\n"));
    vec![
        large("wide_match", 1, format!("pub fn f(l: &Mutex<u32>) {{ let n = *l.lock().unwrap();\nlet m = match n {{ {arms} _ => n }};\n*l.lock().unwrap() = m; }}\n")),
        large("wide_acts", 300, format!("pub fn f(l: &Mutex<u32>, k: u32) {{ match k {{ {acting} _ => () }} }}\n")),
        large("wide_else_if", 1, format!("pub fn f(l: &Mutex<u32>, k: u32) {{ let n = *l.lock().unwrap(); {ways} {{}} }}\n")),
        large("wide_ring", 40, ring),
        large("wide_struct", 500, format!("pub struct S {{ {fields} }}\nimpl S {{ {methods} }}\n")),
        large("wide_guards", 0, format!("pub fn f(l: &[Mutex<u32>; 300]) -> u32 {{ {guards} *g0 + *g299 }}\n")),
        large("wide_array", 1, "pub static A: [Mutex<u32>; 1 << 16] = [const { Mutex::new(0) }; 1 << 16];\npub fn f(i: usize) { let l = &A[i];\n".to_owned() + STALE + "}\n"),
    ]
}

fn long() -> Vec<Large> {
    let names = each(1000, |n| format!("f{n} "));
    let waits = each(60, |_| "n += a().await;\n*l.lock().unwrap() = n;\n".to_owned());
    vec![
        large(
            "long_body",
            1,
            format!(
                "pub fn f(l: &Mutex<u32>) {{ let mut n = *l.lock().unwrap();\n{}*l.lock().unwrap() = n; }}\n",
                "n = n.wrapping_mul(3);\n".repeat(5000)
            ),
        ),
        large("long_locks", 400, format!("pub fn f(l: &Mutex<u32>) {{ {} }}\n", STALE.repeat(400))),
        large(
            "long_macro",
            1,
            format!(
                "macro_rules! make {{ ($($name:ident)*) => {{ $(pub fn $name(l: &Mutex<u32>) {{ {STALE} }})* }} }}\nmake! {{ {names} }}\n"
            ),
        ),
        large(
            "long_async",
            60,
            format!(
                "async fn a() -> u32 {{ 1 }}\npub async fn f(l: &Mutex<u32>) {{ let mut n = *l.lock().unwrap();\n{waits} }}\n"
            ),
        ),
    ]
}

fn check(large: &Large) -> Left {
    Source::written(large.name, &large.text).check("large", &Settings::default())
}

fn all_are_walked(all: &[Large]) {
    for_all(all, |large| {
        let left = check(large);
        assert_eq!(left.skipped(), [], "{}", large.name);
        assert!(left.facts.functions_with_locks > 0, "{}", large.name);
        assert_eq!(left.facts.findings.len(), large.findings, "{}", large.name);
    });
}

#[test]
fn deep_code_is_walked() {
    all_are_walked(&deep());
}

#[test]
fn wide_code_is_walked() {
    all_are_walked(&wide());
}

#[test]
fn long_code_is_walked() {
    all_are_walked(&long());
}
