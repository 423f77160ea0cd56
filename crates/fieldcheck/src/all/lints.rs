//! What each lint is worth: how often it speaks, how often it is right, and how many of the known bugs it finds.

use super::field::{Field, checked};
use crate::crates::{Group, Totals};
use crate::known::kinds_of;
use crate::lab::Subject;
use crate::state::{Checked, Said, Seen, State, Version};
use crate::table::{Align, Table, density, percent};
use std::collections::BTreeSet;

type Counted<'s> = [(Version, &'s Checked)];

fn lines(counted: &Counted<'_>) -> usize {
    counted.iter().map(|(_, checked)| checked.lines).sum()
}

fn findings<'a>(counted: &'a Counted<'_>) -> impl Iterator<Item = (&'a Version, &'a Seen)> {
    counted.iter().flat_map(|(version, checked)| checked.findings.iter().map(move |seen| (version, seen)))
}

fn totals(field: &Field, counted: &Counted<'_>, lint: Option<&str>) -> Totals {
    let of_lint = findings(counted).filter(|(_, seen)| lint.is_none_or(|lint| seen.lint == lint));
    Totals::of_verdicts(of_lint.map(|(version, seen)| field.verdict(version, seen)))
}

fn columns(left: &[&'static str], right: &[&'static str]) -> Vec<(&'static str, Align)> {
    let left = left.iter().map(|name| (*name, Align::Left));
    left.chain(right.iter().map(|name| (*name, Align::Right))).collect()
}

/// Shares of what was decided: true, and true or harmless.
fn shares(totals: &Totals) -> [String; 2] {
    let decided = totals.decided();
    [percent(totals.right, decided), percent(totals.right + totals.benign, decided)]
}

/// One row for each lint that says something about these crates, or finds a bug; and one for all.
pub fn table(field: &Field, state: &State, subjects: &[&Subject]) -> Table {
    let counted = checked(state, subjects);
    let numbers = [
        "findings",
        "per 10,000 lines",
        "true",
        "benign",
        "false",
        "unknown",
        "not read",
        "true of decided",
        "true or benign",
    ];
    let mut table = Table::new(&columns(&["lint"], &[&numbers[..], &["known bugs"]].concat()));
    let mut row = |name: &str, lint: Option<&str>| {
        let totals = totals(field, &counted, lint);
        let mut cells = vec![name.to_owned(), totals.findings.to_string(), density(totals.findings, lines(&counted))];
        let counts = [totals.right, totals.benign, totals.wrong, totals.unknown, totals.missing];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend(shares(&totals));
        cells.push(found_by(field, state, lint));
        table.row(cells);
    };
    let found = state.bugs.values().filter_map(|answer| shown_lint(&answer.at));
    let lints: BTreeSet<_> = findings(&counted).map(|(_, seen)| seen.lint.as_str()).chain(found).collect();
    lints.into_iter().for_each(|lint| row(lint, Some(lint)));
    row("all", None);
    table
}

fn shown_lint(said: &Said) -> Option<&str> {
    match said {
        Said::Reported { lint, .. } if said.is_shown() => Some(lint),
        _ => None,
    }
}

/// Of the bugs of the kinds that the lint is about. Several lints may be about a kind, so these numbers overlap.
fn found_by(field: &Field, state: &State, lint: Option<&str>) -> String {
    let bugs = field.items.iter().filter(|item| item.is_bug());
    let fitting = bugs.filter(|item| lint.is_none_or(|lint| kinds_of(lint).any(|kind| kind == item.kind)));
    let answers: Vec<_> = fitting.filter_map(|item| state.bugs.get(&item.id)).collect();
    let is_found = |said: &Said| shown_lint(said).is_some_and(|by| lint.is_none_or(|lint| by == lint));
    match answers.len() {
        0 => "-".to_owned(),
        count => format!("{} of {count}", answers.iter().filter(|answer| is_found(&answer.at)).count()),
    }
}

/// One row for each of these crates that was checked, and one for all.
pub fn crates(field: &Field, state: &State, subjects: &[&Subject]) -> Table {
    let counted = checked(state, subjects);
    let mut table =
        Table::new(&columns(&["crate", "version"], &["lines", "findings", "per 10,000 lines", "true", "read"]));
    let mut row = |name: &str, version: &str, of: &Counted<'_>| {
        let totals = totals(field, of, None);
        let read = totals.findings - totals.missing;
        let mut cells = vec![name.to_owned(), version.to_owned(), lines(of).to_string(), totals.findings.to_string()];
        cells.extend([density(totals.findings, lines(of)), totals.right.to_string(), read.to_string()]);
        table.row(cells);
    };
    for one in counted.chunks(1) {
        row(&one[0].0.name, &one[0].0.version, one);
    }
    row("all", "", &counted);
    table
}

/// One row for each way that a version comes to be looked at.
pub fn groups(field: &Field, state: &State) -> Table {
    let numbers =
        ["crates", "lines", "findings", "per 10,000 lines", "read", "decided", "true of decided", "true or benign"];
    let mut table = Table::new(&columns(&["which"], &numbers));
    let groups = Group::ALL.map(|group| (group.title(), field.group(group)));
    let others = [("the list", field.listed()), ("versions with the known bugs", field.buggy())];
    for (name, subjects) in groups.into_iter().chain(others) {
        let counted = checked(state, &subjects);
        let totals = totals(field, &counted, None);
        let of = if counted.len() < subjects.len() {
            format!("{} of {}", counted.len(), subjects.len())
        } else {
            counted.len().to_string()
        };
        let mut cells = vec![name.to_owned(), of, lines(&counted).to_string(), totals.findings.to_string()];
        let read = totals.findings - totals.missing;
        cells.extend([density(totals.findings, lines(&counted)), read.to_string(), totals.decided().to_string()]);
        cells.extend(shares(&totals));
        table.row(cells);
    }
    table.row(once(field, state));
    table
}

/// The list and the versions with the bugs together. Most findings are in several versions of a crate, and count once.
fn once(field: &Field, state: &State) -> Vec<String> {
    let subjects: Vec<&Subject> = field.listed().into_iter().chain(field.buggy()).collect();
    let counted = checked(state, &subjects);
    let mut known = BTreeSet::new();
    let new = findings(&counted).filter(|(version, seen)| known.insert((&version.name, &seen.lint, &seen.fingerprint)));
    let totals = Totals::of_verdicts(new.map(|(version, seen)| field.verdict(version, seen)));
    let read = totals.findings - totals.missing;
    let mut cells = ["both, each finding once", "", "", &totals.findings.to_string(), ""].map(str::to_owned).to_vec();
    cells.extend([read.to_string(), totals.decided().to_string()]);
    cells.extend(shares(&totals));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::Verdict;
    use crate::known::{Item, Kind};
    use crate::samples::verdict;
    use std::path::Path;

    fn item(id: &str, kind: Kind) -> Item {
        Item {
            id: id.to_owned(),
            kind,
            what: String::new(),
            subject: Subject::new("pool", "0.9.0", ""),
            fixed: None,
            sites: Vec::new(),
            functions: Vec::new(),
        }
    }

    fn field() -> Field {
        Field {
            crates: vec![
                (Group::Fixed, Subject::new("pool", "1.0.0", "")),
                (Group::FirstSight, Subject::new("other", "1.0.0", "")),
            ],
            items: vec![item("A1", Kind::A), item("A2", Kind::A), item("D1", Kind::D)],
            verdicts: vec![verdict(Verdict::True, "stale_value", "01"), verdict(Verdict::False, "stale_value", "02")],
            ..Field::default()
        }
    }

    const STATE: &str = "version pool 1.0.0 20000\n- stale_value 01 high src/a.rs:1\n- stale_value 02 high src/a.rs:2\n\
        - stale_value 03 high src/a.rs:3\nversion other 1.0.0 20000\n- lock_order 01 high src/a.rs:1\n\
        bug A1 stale_value:high\nbug A2 stale_value:low\nbug D1 silent\n";

    fn rows(table: &Table) -> Vec<String> {
        let text = table.to_string();
        text.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    fn state() -> State {
        State::parse(Path::new("state.txt"), STATE).unwrap()
    }

    #[test]
    fn each_lint_has_its_numbers() {
        let field = field();
        let table = table(&field, &state(), &field.listed());
        let expected = [
            "lock_order 1 0.25 0 0 0 0 1 - - 0 of 1",
            "stale_value 3 0.75 1 0 1 0 1 50% 50% 1 of 2",
            "all 4 1.00 1 0 1 0 2 50% 50% 1 of 3",
        ];
        assert_eq!(rows(&table), expected);
    }

    #[test]
    fn crates_and_groups_are_counted_apart() {
        let field = field();
        let crates = crates(&field, &state(), &field.listed());
        assert_eq!(
            rows(&crates),
            ["pool 1.0.0 20000 3 1.50 1 2", "other 1.0.0 20000 1 0.50 0 0", "all 40000 4 1.00 1 2"]
        );
        let groups = rows(&groups(&field, &state()));
        assert_eq!(groups[0], "worked with 0 0 0 - 0 0 - -");
        assert_eq!(groups[1], "fixed 1 20000 3 1.50 2 2 50% 50%");
        assert_eq!(groups[3], "the list 2 40000 4 1.00 2 2 50% 50%");
        assert_eq!(groups[4], "versions with the known bugs 0 of 1 0 0 - 0 0 - -");
    }

    #[test]
    fn what_is_in_two_versions_counts_once_for_both() {
        let older = "version pool 0.9.0 10000\n- stale_value 01 high src/a.rs:1\n- lock_order 09 high src/a.rs:9\n";
        let state = State::parse(Path::new("state.txt"), &format!("{older}{STATE}")).unwrap();
        let groups = rows(&groups(&field(), &state));
        assert_eq!(groups[4], "versions with the known bugs 1 10000 2 2.00 1 1 100% 100%");
        assert_eq!(groups[5], "both, each finding once 5 2 2 50% 50%");
    }
}
