//! The first page: all findings, the surest first. The script groups them otherwise and collects what is accepted.

use super::cards::{Mark, marks};
use super::model::{Entry, Model};
use super::page::Page;
use super::places::{Link, Links, shown};
use super::prose::{Piece, pieces};
use crate::report::block::confidence;
use askama::Template;
use finding::{Confidence, Skipped};

/// The command that accepts findings. The script puts their fingerprints and the reason in.
pub const ACCEPT: &str = "cargo stalemate accept {fingerprints} --reason {reason}";

#[derive(Template)]
#[template(path = "index.html")]
pub struct IndexPage {
    page: Page,
    packages: String,
    summary: String,
    counts: Vec<(&'static str, usize)>,
    accepted: usize,
    accept: &'static str,
    groups: Vec<Group>,
    files: Vec<FileRow>,
    skipped: Vec<Skipped>,
}

struct Group {
    id: &'static str,
    name: &'static str,
    rows: Vec<Row>,
}

struct Row {
    id: String,
    href: String,
    fingerprint: String,
    lint: String,
    confidence: &'static str,
    score: u8,
    function: String,
    place: Link,
    lock: String,
    field: String,
    cause: String,
    message: Vec<Piece>,
    marks: Vec<Mark>,
}

struct FileRow {
    href: String,
    name: String,
    findings: usize,
    sections: usize,
}

pub fn index_page(model: &Model) -> IndexPage {
    let run = model.input.run;
    let is_open = |entry: &&Entry| entry.recorded.finding.suppressed.is_none();
    let count = |level: Confidence| {
        model.entries.iter().filter(is_open).filter(|entry| entry.recorded.finding.confidence == level).count()
    };
    IndexPage {
        page: Page::at_top("Findings"),
        packages: run.packages.join(", "),
        summary: model.input.summary.to_owned(),
        counts: LEVELS.map(|level| (confidence(level), count(level))).to_vec(),
        accepted: model.entries.iter().filter(|entry| !is_open(entry)).count(),
        accept: ACCEPT,
        groups: groups(model),
        files: files(model),
        skipped: run.skipped.clone(),
    }
}

const LEVELS: [Confidence; 3] = [Confidence::High, Confidence::Medium, Confidence::Low];

fn groups(model: &Model) -> Vec<Group> {
    let links = Links::from_top(&model.pages);
    let rows = |wanted: Option<Confidence>| -> Vec<Row> {
        model.entries.iter().filter(|entry| level(entry) == wanted).map(|entry| row(entry, links)).collect()
    };
    let groups = [
        Group { id: "high", name: "High confidence", rows: rows(Some(Confidence::High)) },
        Group { id: "medium", name: "Medium confidence", rows: rows(Some(Confidence::Medium)) },
        Group { id: "low", name: "Low confidence", rows: rows(Some(Confidence::Low)) },
        Group { id: "accepted", name: "Accepted before", rows: rows(None) },
    ];
    groups.into_iter().filter(|group| !group.rows.is_empty()).collect()
}

/// None for what someone accepted.
fn level(entry: &Entry) -> Option<Confidence> {
    let finding = &entry.recorded.finding;
    finding.suppressed.is_none().then_some(finding.confidence)
}

fn row(entry: &Entry, links: Links) -> Row {
    let finding = &entry.recorded.finding;
    Row {
        id: entry.id.clone(),
        href: links.finding(&finding.primary.file, &entry.id),
        fingerprint: finding.fingerprint.clone(),
        lint: finding.lint.clone(),
        confidence: confidence(finding.confidence),
        score: finding.score,
        function: finding.function.clone(),
        place: links.to(&finding.primary),
        lock: entry.lock.as_ref().map_or_else(|| "No single lock".to_owned(), |lock| format!("Lock `{lock}`")),
        field: entry.field.clone(),
        cause: entry.cause.clone(),
        message: pieces(&finding.message),
        marks: marks(entry.recorded),
    }
}

fn files(model: &Model) -> Vec<FileRow> {
    let links = Links::from_top(&model.pages);
    let sections = |file: &str| model.input.map.sections.iter().filter(|section| section.place.file == file).count();
    let row = |(file, _): (&str, &str)| FileRow {
        href: links.file(file),
        name: shown(file),
        findings: model.of_file(file).count(),
        sections: sections(file),
    };
    model.pages.iter().map(row).collect()
}
