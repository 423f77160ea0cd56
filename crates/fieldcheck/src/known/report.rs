//! The tables about known bugs: each item, then everything that is not as it should be with its reason, then the numbers.

use super::judge::{Judged, Reported};
use super::list::Item;
use super::misses::Misses;
use super::totals;
use crate::Report;
use crate::lab::{Outcome, Subject};
use crate::table::{Align, Table};
use crate::words::{confidence, place, section, troubles};
use finding::Finding;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Something that is not as the list says.
struct Disagreement<'a> {
    what: String,
    reason: Option<&'a String>,
    /// A row for the file with the reasons.
    row: String,
}

impl Disagreement<'_> {
    fn line(&self) -> String {
        format!("{}: {}", self.what, self.reason.map_or("no reason given", String::as_str))
    }
}

pub fn report(judged: &[Judged<'_>], misses: &Misses, outcomes: &BTreeMap<Subject, Outcome>) -> Report {
    let (missed, wrong) = (missed(judged, misses), wrong(judged, misses));
    let lines = |all: &[Disagreement<'_>]| all.iter().map(Disagreement::line).collect::<Vec<_>>();
    let troubles = troubles(outcomes);
    let mut text = items(judged, outcomes).to_string();
    section(&mut text, "Missed", &lines(&missed));
    section(&mut text, "Reported, though fixed or correct", &lines(&wrong));
    section(&mut text, "Not checked", &troubles);
    section(&mut text, "Reasons that are no longer needed", &unneeded(judged, misses));
    text += &blanks("missed", &missed);
    text += &blanks("reported", &wrong);
    let _ = write!(text, "\n{}", totals::table(judged));
    let is_explained = missed.iter().chain(&wrong).all(|disagreement| disagreement.reason.is_some());
    Report { text, is_complete: troubles.is_empty() && is_explained }
}

fn items(judged: &[Judged<'_>], outcomes: &BTreeMap<Subject, Outcome>) -> Table {
    let columns = ["id", "kind", "crate", "buggy", "fixed", "benign"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    for judged in judged {
        let item = judged.item;
        let trouble = |version: &Subject| outcomes.get(version).and_then(|outcome| outcome.as_ref().err());
        let not_checked = |version| trouble(version).map_or("not checked", |trouble| &trouble.what);
        let [mut buggy, mut fixed, mut benign] = [String::new(), String::new(), String::new()];
        if item.is_bug() {
            buggy = cell(&judged.at, ["found", "missed", not_checked(&item.subject)]);
            let version = item.fixed.as_ref().zip(judged.fixed.as_ref());
            fixed = version.map_or("-".to_owned(), |(version, reported)| {
                cell(reported, ["still reported", "silent", not_checked(version)])
            });
        } else {
            benign = cell(&judged.at, ["reported", "silent", not_checked(&item.subject)]);
        }
        table.row(vec![item.id.clone(), item.kind.to_string(), item.subject.name.clone(), buggy, fixed, benign]);
    }
    table
}

/// What one version says, with a word for something, nothing and no run.
fn cell(reported: &Reported<'_>, [something, nothing, not_checked]: [&str; 3]) -> String {
    match reported.as_deref() {
        Some([finding]) => format!("{something}: {}", tell(finding)),
        Some([finding, others @ ..]) => format!("{something}: {} and {} more", tell(finding), others.len()),
        Some([]) => nothing.to_owned(),
        None => not_checked.to_owned(),
    }
}

fn tell(finding: &Finding) -> String {
    format!("{}, {}, {}", finding.lint, confidence(finding.confidence), place(finding))
}

fn missed<'a>(judged: &[Judged<'_>], misses: &'a Misses) -> Vec<Disagreement<'a>> {
    let missed = judged.iter().filter(|judged| judged.is_missed()).map(|judged| judged.item);
    let disagreements = missed.map(|item| Disagreement {
        what: format!("{} {}", item.id, item.subject.title()),
        reason: misses.missed.get(&item.id),
        row: row(item, &item.subject),
    });
    disagreements.collect()
}

fn wrong<'a>(judged: &[Judged<'_>], misses: &'a Misses) -> Vec<Disagreement<'a>> {
    let wrong = judged.iter().flat_map(|judged| judged.wrong().into_iter().map(move |wrong| (judged.item, wrong)));
    let disagreements = wrong.map(|(item, (version, finding))| Disagreement {
        what: format!("{} {}: {} in `{}`", item.id, version.title(), tell(finding), finding.function),
        reason: misses.reported.get(&item.id),
        row: row(item, version),
    });
    disagreements.collect()
}

fn row(item: &Item, version: &Subject) -> String {
    format!("# {}: {}\n{} = \"\"\n", version.title(), item.what.replace('\n', " "), item.id)
}

/// For everything without a reason, to be pasted and filled in: hence without indentation.
fn blanks(table: &str, all: &[Disagreement<'_>]) -> String {
    let mut rows: Vec<_> = all.iter().filter(|one| one.reason.is_none()).map(|one| one.row.as_str()).collect();
    rows.dedup();
    if rows.is_empty() { String::new() } else { format!("\nNo reason yet:\n\n[{table}]\n{}", rows.concat()) }
}

/// Only of items that were asked for and could be checked.
fn unneeded(judged: &[Judged<'_>], misses: &Misses) -> Vec<String> {
    let found = judged.iter().filter(|judged| judged.is_found() && misses.missed.contains_key(&judged.item.id));
    let found = found.map(|judged| format!("{}: the bug is found", judged.item.id));
    let was_checked = |judged: &&Judged<'_>| judged.at.is_some() && !matches!(judged.fixed, Some(None));
    let silent = judged.iter().filter(was_checked).filter(|judged| judged.wrong().is_empty());
    let silent = silent.filter(|judged| misses.reported.contains_key(&judged.item.id));
    found.chain(silent.map(|judged| format!("{}: nothing is reported", judged.item.id))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::list::Kind;
    use super::*;
    use crate::lab::Trouble;
    use crate::samples;
    use finding::Confidence;

    fn item(id: &str, kind: Kind, fixed: Option<&str>) -> Item {
        let subject = Subject::new("pool", "1.0.0", "");
        let fixed = fixed.map(|version| Subject::new("pool", version, ""));
        Item {
            id: id.to_owned(),
            kind,
            what: "a test and a set".to_owned(),
            subject,
            fixed,
            sites: Vec::new(),
            functions: Vec::new(),
        }
    }

    fn misses(missed: &[&str], reported: &[&str]) -> Misses {
        let reasons = |ids: &[&str]| ids.iter().map(|id| (id.to_string(), format!("why {id}"))).collect();
        Misses { missed: reasons(missed), reported: reasons(reported) }
    }

    fn found() -> Finding {
        samples::finding("stale_value", Confidence::High, "Pool::get", samples::place("src/lib.rs", 7))
    }

    #[test]
    fn every_disagreement_needs_a_reason() {
        let (missed, benign) = (item("A1", Kind::A, Some("1.0.1")), item("N1", Kind::Benign, None));
        let finding = found();
        let judged = [
            Judged { item: &missed, at: Some(Vec::new()), fixed: Some(Some(Vec::new())) },
            Judged { item: &benign, at: Some(vec![&finding]), fixed: None },
        ];
        let report = |misses: Misses| report(&judged, &misses, &BTreeMap::new());
        assert!(report(misses(&["A1"], &["N1"])).is_complete);
        assert!(!report(misses(&["A1"], &[])).is_complete);
        let bare = report(misses(&[], &["N1"]));
        assert!(!bare.is_complete);
        assert!(bare.text.contains("\n  A1 pool 1.0.0: no reason given\n"), "{}", bare.text);
        let row = "\nNo reason yet:\n\n[missed]\n# pool 1.0.0: a test and a set\nA1 = \"\"\n";
        assert!(bare.text.contains(row) && !bare.text.contains("[reported]"), "{}", bare.text);
        let place = "stale_value, high, src/lib.rs:7 in `Pool::get`";
        assert!(bare.text.contains(&format!("\n  N1 pool 1.0.0: {place}: why N1\n")), "{}", bare.text);
    }

    #[test]
    fn each_item_is_a_row() {
        let (bug, benign) = (item("A1", Kind::A, Some("1.0.1")), item("N1", Kind::Benign, None));
        let finding = found();
        let judged = [
            Judged { item: &bug, at: Some(vec![&finding, &finding]), fixed: Some(None) },
            Judged { item: &benign, at: Some(Vec::new()), fixed: None },
        ];
        let outcomes = [(Subject::new("pool", "1.0.1", ""), Err(Trouble::new("does not compile", "")))].into();
        let expected = "\
id  kind    crate  buggy                                           fixed             benign
A1  a       pool   found: stale_value, high, src/lib.rs:7 and 1 more  does not compile
N1  benign  pool                                                                     silent
";
        let squeezed = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(squeezed(&items(&judged, &outcomes).to_string()), squeezed(expected));
        assert!(!report(&judged, &misses(&[], &[]), &outcomes).is_complete);
    }

    #[test]
    fn old_reasons_are_listed() {
        let (bug, benign) = (item("A1", Kind::A, None), item("N1", Kind::Benign, None));
        let finding = found();
        let judged = [
            Judged { item: &bug, at: Some(vec![&finding]), fixed: None },
            Judged { item: &benign, at: Some(Vec::new()), fixed: None },
        ];
        let lines = unneeded(&judged, &misses(&["A1", "A2"], &["N1", "N2"]));
        assert_eq!(lines, ["A1: the bug is found", "N1: nothing is reported"]);
    }
}
