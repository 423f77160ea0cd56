//! When a finding counts as the known bug. It has to be shown by default, be of a lint that is about that kind of
//! mistake, and lie where the bug is: near a recorded line, or in a recorded function.
//!
//! In a fixed version lines have moved, so there only the functions count. Functions are told apart by their name alone
//! and only in the recorded files: `drop` is in every crate.

use super::list::{Item, Kind, Site};
use crate::shown::{STALE_USE, is_above_low};
use finding::{Confidence, Finding, Place, Thread};

/// How far from a recorded line is still near.
const NEAR: u32 = 3;

/// The lints that are about a kind of mistake. Four rows are wider than their kind: some bugs of kind a check a lock and
/// then change an atomic, or queue up because of what they saw in an earlier section; some of kind b go to sleep on a value
/// from before, or are counted too late by those who wake; one of kind c puts itself into a concurrent map too late to be found there; and a blocking guard that a
/// sleeping task keeps is a deadlock, too, where one thread runs all tasks.
const FITTING: &[(Kind, &[&str])] = &[
    (Kind::A, &["stale_value", "check_then_act", "split_atomic", "lost_wakeup"]),
    (
        Kind::B,
        &["stale_after_wait", "wait_without_recheck", "lost_wakeup", "stale_value", "check_then_act", "split_atomic"],
    ),
    (Kind::C, &["split_atomic", "check_then_act", "not_atomic", "lost_wakeup"]),
    (Kind::D, &["double_lock", "lock_order", "wait_holding_lock", "guard_across_await"]),
    (Kind::E, &["inconsistent_guard", "racy_access", "split_atomic"]),
];

/// In the version that has the recorded lines: the bug is found, or correct code is reported.
pub fn is_at(item: &Item, finding: &Finding) -> bool {
    counts(item.kind, finding) && (is_near(item, finding) || is_inside(item, finding))
}

/// In the version that has the recorded lines: what would count if it were shown.
pub fn is_low_at(item: &Item, finding: &Finding) -> bool {
    let is_low = finding.confidence == Confidence::Low && finding.suppressed.is_none();
    is_low && fits(item.kind, &finding.lint) && (is_near(item, finding) || is_inside(item, finding))
}

/// In another version: the functions are still reported.
pub fn is_still_inside(item: &Item, finding: &Finding) -> bool {
    counts(item.kind, finding) && is_inside(item, finding)
}

fn counts(kind: Kind, finding: &Finding) -> bool {
    is_above_low(finding) && fits(kind, &finding.lint)
}

/// The kinds of mistake that a lint is about.
pub fn kinds_of(lint: &str) -> impl Iterator<Item = Kind> {
    FITTING.iter().filter(move |(_, lints)| lints.contains(&lint)).map(|(kind, _)| *kind)
}

/// Any lint is wrong about correct code, except the one that only claims an order.
fn fits(kind: Kind, lint: &str) -> bool {
    match FITTING.iter().find(|(fitting, _)| *fitting == kind) {
        Some((_, lints)) => lints.contains(&lint),
        None => lint != STALE_USE,
    }
}

/// The places of thread A: the other thread's may be anywhere.
fn is_near(item: &Item, finding: &Finding) -> bool {
    let steps = finding.trace.iter().filter(|step| step.thread == Thread::A).map(|step| &step.place);
    let near = |site: &Site, place: &Place| site.file == place.file && site.line.abs_diff(place.line) <= NEAR;
    [&finding.primary].into_iter().chain(steps).any(|place| item.sites.iter().any(|site| near(site, place)))
}

fn is_inside(item: &Item, finding: &Finding) -> bool {
    let name = last_name(&finding.function);
    let in_file = item.sites.iter().any(|site| site.file == finding.primary.file);
    in_file && item.functions.contains(&name)
}

/// `drop` of `<pool::Pool<T> as Drop>::drop`: the last segment, without what stands in angle brackets. Segments in braces
/// are closures and the like, which belong to the function they stand in.
fn last_name(path: &str) -> String {
    let mut depth = 0_u32;
    let mut plain = String::new();
    for c in path.replace("->", "").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let mut names = plain.rsplit("::").filter(|name| !name.is_empty() && !name.starts_with('{'));
    names.next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Subject;
    use crate::samples::{finding, place, step};

    fn item(kind: Kind) -> Item {
        Item {
            id: "X1".to_owned(),
            kind,
            what: String::new(),
            subject: Subject::new("pool", "1.0.0", ""),
            fixed: None,
            sites: vec![
                Site { file: "src/pool.rs".to_owned(), line: 100 },
                Site { file: "src/pool.rs".to_owned(), line: 120 },
            ],
            functions: vec!["drop".to_owned(), "get_or_create".to_owned()],
        }
    }

    fn at(file: &str, line: u32) -> Finding {
        finding("stale_value", Confidence::Medium, "other", place(file, line))
    }

    fn inside(function: &str, file: &str) -> Finding {
        finding("stale_value", Confidence::High, function, place(file, 1))
    }

    #[test]
    fn three_lines_away_is_near_and_four_are_not() {
        for line in [97, 100, 103, 117, 123] {
            assert!(is_at(&item(Kind::A), &at("src/pool.rs", line)), "{line}");
        }
        for line in [96, 104, 116, 124] {
            assert!(!is_at(&item(Kind::A), &at("src/pool.rs", line)), "{line}");
        }
        assert!(!is_at(&item(Kind::A), &at("src/lib.rs", 100)));
    }

    #[test]
    fn every_step_of_the_first_thread_is_a_site() {
        let mut away = at("src/pool.rs", 500);
        away.trace = vec![step(Thread::B, place("src/pool.rs", 100))];
        assert!(!is_at(&item(Kind::A), &away));
        away.trace.push(step(Thread::A, place("src/pool.rs", 101)));
        assert!(is_at(&item(Kind::A), &away));
        assert!(!is_still_inside(&item(Kind::A), &away));
    }

    #[test]
    fn functions_count_in_the_recorded_files_only() {
        for function in ["<pool::Pool as Drop>::drop", "metrics::family::Family::get_or_create"] {
            assert!(is_at(&item(Kind::A), &inside(function, "src/pool.rs")), "{function}");
            assert!(is_still_inside(&item(Kind::A), &inside(function, "src/pool.rs")), "{function}");
            assert!(!is_at(&item(Kind::A), &inside(function, "src/lib.rs")), "{function}");
        }
        assert!(!is_at(&item(Kind::A), &inside("drop::Pool::undrop", "src/pool.rs")));
    }

    #[test]
    fn names_are_found_behind_generics_and_closures() {
        for (path, name) in [
            ("drop", "drop"),
            ("<pool::Pool as Drop>::drop", "drop"),
            ("<pool::Pool<a::T> as From<Box<dyn Fn() -> u8>>>::from", "from"),
            ("map::get::<a::Key, b::Value>", "get"),
            ("map::Map<K>::get<T>", "get"),
            ("pool::run::{closure#0}::{closure#1}", "run"),
            ("", ""),
        ] {
            assert_eq!(last_name(path), name, "{path}");
        }
    }

    #[test]
    fn low_findings_do_not_count() {
        let mut found = at("src/pool.rs", 100);
        assert!(is_at(&item(Kind::A), &found));
        assert!(!is_low_at(&item(Kind::A), &found));
        found.confidence = Confidence::Low;
        assert!(!is_at(&item(Kind::A), &found));
        assert!(is_low_at(&item(Kind::A), &found) && !is_low_at(&item(Kind::D), &found));
    }

    #[test]
    fn the_lint_has_to_fit_the_kind() {
        let with = |lint: &str| finding(lint, Confidence::High, "other", place("src/pool.rs", 100));
        assert!(is_at(&item(Kind::D), &with("lock_order")));
        assert!(!is_at(&item(Kind::D), &with("stale_value")));
        assert!(is_at(&item(Kind::B), &with("stale_value")));
        assert!(is_at(&item(Kind::A), &with("split_atomic")));
        assert!(is_at(&item(Kind::Benign), &with("lock_order")));
        assert!(!is_at(&item(Kind::Benign), &with(STALE_USE)));
        assert!(!is_at(&item(Kind::A), &with(STALE_USE)));
    }
}
