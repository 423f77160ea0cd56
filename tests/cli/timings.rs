//! `--timings` tells where the time went, on standard error alone: the document is the same, and nothing is checked again
//! for it.

use crate::project::Project;
use crate::samples::{CLEAN, LOST_UPDATE};

fn two(name: &str) -> Project {
    Project::workspace(name, &[("one", LOST_UPDATE), ("two", CLEAN)])
}

/// The row of a table that begins with the word, without it.
fn row<'s>(text: &'s str, word: &str) -> Vec<&'s str> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.into_iter().find(|cells| cells.first() == Some(&word)).map(|cells| cells[1..].to_vec()).unwrap_or_default()
}

#[test]
fn every_unit_has_a_row_and_the_document_has_none_of_it() {
    let plain = two("timings_without").json("").exits(1);
    let timed = two("timings_with").json("--timings").exits(1);
    assert_eq!(timed.stdout, plain.stdout);
    assert!(row(&plain.stderr, "one").is_empty(), "{plain}");
    let head = ["choosing", "reading", "walking", "checks", "emit", "sum", "read", "walked", "steps", "carried"];
    assert_eq!(row(&timed.stderr, "crate"), head, "{timed}");
    let steps = |name: &str| row(&timed.stderr, name)[8].parse::<u64>().unwrap();
    assert!(steps("one") > 0 && steps("all") == steps("one") + steps("two"), "{timed}");
    assert!(timed.stderr.contains("s in all, of which cargo and the compiler took "), "{timed}");
}

#[test]
fn what_is_fresh_is_not_checked_again() {
    let project = two("timings_fresh");
    project.run("").exits(1);
    let again = project.run("--timings").exits(1);
    assert!(!again.compiled() && again.stderr.contains("everything was fresh"), "{again}");
}
