//! What all pages share: the findings in the order of their rank, and for locks and files their names and colours.

use super::Input;
use super::colours::Colours;
use super::naming::LockNames;
use super::places::Pages;
use finding::Place;
use finding::facts::Recorded;
use finding::guards::LocationGuards;
use std::collections::{BTreeMap, BTreeSet};

pub struct Model<'a> {
    pub input: &'a Input<'a>,
    pub entries: Vec<Entry<'a>>,
    pub names: LockNames<'a>,
    pub colours: Colours,
    pub pages: Pages,
}

/// A finding, and what it is grouped by.
#[derive(Debug)]
pub struct Entry<'a> {
    pub recorded: &'a Recorded,
    /// The anchor, in every page.
    pub id: String,
    pub lock: Option<String>,
    pub field: String,
    pub cause: String,
}

impl<'a> Model<'a> {
    pub fn new(input: &'a Input<'a>) -> Model<'a> {
        let names = LockNames::new(input.map);
        let entries = entries(input.findings, &names);
        let locks: BTreeSet<&str> =
            entries.iter().filter_map(|entry| entry.lock.as_deref()).chain(locks(input)).collect();
        let colours = Colours::new(locks);
        let pages = Pages::new(&places(input).map(|place| place.file.as_str()).collect());
        Model { input, entries, names, colours, pages }
    }

    /// The findings whose details stand in the page of a file.
    pub fn of_file(&self, file: &str) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |entry| entry.recorded.finding.primary.file == file)
    }
}

/// The surest first; those that someone accepted at the end. Among equals the order of the source.
fn entries<'a>(findings: &'a [Recorded], names: &LockNames) -> Vec<Entry<'a>> {
    let mut ranked: Vec<&Recorded> = findings.iter().collect();
    ranked.sort_by(|one, other| rank(one).cmp(&rank(other)));
    let mut seen = BTreeMap::<&str, usize>::new();
    let mut id = |fingerprint: &'a str| {
        let times = seen.entry(fingerprint).and_modify(|times| *times += 1).or_insert(1);
        if *times == 1 { format!("f-{fingerprint}") } else { format!("f-{fingerprint}-{times}") }
    };
    let entry = |recorded: &'a Recorded| Entry {
        recorded,
        id: id(&recorded.finding.fingerprint),
        lock: names.lock(&recorded.finding),
        field: names.field(&recorded.finding),
        cause: names.cause(&recorded.finding),
    };
    ranked.into_iter().map(entry).collect()
}

fn rank(recorded: &Recorded) -> impl Ord + '_ {
    let finding = &recorded.finding;
    let score = std::cmp::Reverse((finding.confidence, finding.score));
    (finding.suppressed.is_some(), score, finding.order())
}

fn locks<'a>(input: &'a Input) -> impl Iterator<Item = &'a str> {
    let orders = input.map.orders.iter().flat_map(|order| [order.held.as_str(), order.wanted.as_str()]);
    input.map.sections.iter().map(|section| section.lock.as_str()).chain(orders)
}

/// Every place that some page links to.
pub fn places<'a>(input: &'a Input) -> impl Iterator<Item = &'a Place> {
    let findings = input.findings.iter().map(|recorded| &recorded.finding);
    let of_findings = findings.flat_map(|one| one.trace.iter().map(|step| &step.place).chain([&one.primary]));
    let sections = input.map.sections.iter().map(|section| &section.place);
    let orders = input.map.orders.iter().flat_map(|order| [&order.held_at, &order.wanted_at]);
    of_findings.chain(sections).chain(orders).chain(input.guards.iter().flat_map(guard_places))
}

fn guard_places(location: &LocationGuards) -> impl Iterator<Item = &Place> {
    let of_functions = location.functions.iter().flat_map(|function| &function.guesses);
    let refuted = location.guesses.iter().chain(of_functions).filter_map(|guess| guess.refuted_at.as_ref());
    refuted.chain([&location.place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::recorded;
    use finding::{Confidence, Suppressed, SuppressedBy};

    #[test]
    fn the_surest_come_first_and_the_accepted_last() {
        let with = |line: u32, confidence: Confidence, score: u8| {
            let mut recorded = recorded("src/a.rs", line);
            (recorded.finding.confidence, recorded.finding.score) = (confidence, score);
            recorded
        };
        let mut findings = vec![
            with(1, Confidence::Medium, 50),
            with(2, Confidence::High, 90),
            with(3, Confidence::High, 70),
            with(4, Confidence::High, 90),
        ];
        findings[1].finding.suppressed = Some(Suppressed { by: SuppressedBy::Baseline, reason: String::new() });
        let entries = entries(&findings, &LockNames::default());
        let lines: Vec<u32> = entries.iter().map(|entry| entry.recorded.finding.primary.line).collect();
        assert_eq!(lines, [4, 3, 1, 2]);
    }

    #[test]
    fn anchors_differ_even_if_fingerprints_do_not() {
        let findings = [recorded("src/a.rs", 1), recorded("src/a.rs", 2)];
        let entries = entries(&findings, &LockNames::default());
        assert_eq!([&entries[0].id, &entries[1].id], ["f-00000000deadbeef", "f-00000000deadbeef-2"]);
    }
}
