//! The page of a source file: its findings, and its lines with the sections that hold them and the steps that pass them.

use super::bands::{Band, Bands, last_line};
use super::cards::{Card, LockTag, card};
use super::model::{Model, places};
use super::page::Page;
use super::places::{Links, shown};
use super::sites::Sites;
use super::syntax::{Token, lines};
use crate::report::source::Sources;
use askama::Template;
use finding::Place;
use std::collections::{BTreeMap, BTreeSet};

/// Longer files show only what is near to something worth showing.
const WHOLE: usize = 4000;
const NEAR: u32 = 30;
/// More steps than this on one line are counted.
const NOTES: usize = 4;

#[derive(Template)]
#[template(path = "source.html")]
pub struct SourcePage {
    page: Page,
    file: String,
    cards: Vec<Card>,
    legend: Vec<Legend>,
    rows: Vec<Row>,
    /// The class that makes room for the bars.
    columns: usize,
    is_readable: bool,
}

/// A lock of this file.
struct Legend {
    tag: LockTag,
    sections: usize,
    href: String,
}

#[derive(Default)]
struct Row {
    number: u32,
    /// Lines before this one that are not shown.
    left_out: u32,
    bands: Vec<Band>,
    words: String,
    tokens: Vec<Token>,
    notes: Vec<Note>,
    more: usize,
}

/// A link from a line to what is said about it.
#[derive(Clone)]
struct Note {
    href: String,
    text: String,
    title: String,
    class: &'static str,
}

pub fn source_page(model: &Model, remarks: &Remarks, sources: &mut Sources, file: &str) -> SourcePage {
    let links = Links::from_source(&model.pages);
    let cards: Vec<Card> = model.of_file(file).map(|entry| card(model, sources, links, entry)).collect();
    let sections = || model.input.map.sections.iter().filter(|section| section.place.file == file);
    let bands = Bands::new(sections(), &model.colours);
    let mut interest: BTreeSet<u32> = remarks.notes.lines(file).collect();
    interest.extend(places(model.input).filter(|place| place.file == file).map(|place| place.line));
    let text = sources.get(file).map(|source| source.text().to_owned());
    let tokens = text.as_deref().map(lines).unwrap_or_default();
    let tokens = (1..).zip(&tokens).map(|(line, tokens)| remarks.sites.mark(file, line, tokens));
    let tokens: Vec<Vec<Token>> = tokens.collect();
    let inside = sections().flat_map(|section| section.place.line..=last_line(section));
    let shown_lines = lines_shown(&tokens, &interest, inside);
    let name = shown(file);
    SourcePage {
        page: Page::below(&name),
        file: name,
        cards,
        legend: legend(model, file),
        columns: bands.columns,
        rows: rows(&shown_lines, &tokens, &bands, |line| remarks.notes.on(file, line)),
        is_readable: text.is_some(),
    }
}

/// All lines, or those near to something. A line that is linked to is always there, even if the file has lost it.
fn lines_shown(tokens: &[Vec<Token>], interest: &BTreeSet<u32>, inside: impl Iterator<Item = u32>) -> BTreeSet<u32> {
    let count = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
    let mut shown = interest.clone();
    if tokens.len() <= WHOLE {
        shown.extend(1..=count);
    } else {
        let inside: BTreeSet<u32> = inside.collect();
        let near = interest.union(&inside).flat_map(|line| line.saturating_sub(NEAR).max(1)..=(line + NEAR).min(count));
        shown.extend(near.collect::<BTreeSet<u32>>());
    }
    shown
}

fn rows(shown: &BTreeSet<u32>, tokens: &[Vec<Token>], bands: &Bands, notes: impl Fn(u32) -> Vec<Note>) -> Vec<Row> {
    let mut before = 0;
    let mut row = |&number: &u32| {
        let mut notes = notes(number);
        let more = notes.len().saturating_sub(NOTES);
        notes.truncate(NOTES);
        let left_out = number - before - 1;
        before = number;
        let tokens = usize::try_from(number).ok().and_then(|number| tokens.get(number.checked_sub(1)?));
        let tokens = tokens.cloned().unwrap_or_default();
        Row { number, left_out, bands: bands.on(number).to_vec(), words: bands.words(number), tokens, notes, more }
    };
    shown.iter().filter(|number| **number > 0).map(&mut row).collect()
}

fn legend(model: &Model, file: &str) -> Vec<Legend> {
    let mut locks = BTreeMap::<&str, (usize, u32)>::new();
    for section in model.input.map.sections.iter().filter(|section| section.place.file == file) {
        let line = section.place.line;
        let (count, first) = locks.entry(&section.lock).or_insert((0, line));
        (*count, *first) = (*count + 1, line.min(*first));
    }
    let tag =
        |name: &str| LockTag { class: model.colours.class(name), name: name.to_owned(), type_name: String::new() };
    let legend = locks.into_iter();
    legend.map(|(name, (sections, first))| Legend { tag: tag(name), sections, href: format!("#L{first}") }).collect()
}

/// What is said about the lines of all files.
pub struct Remarks<'a> {
    notes: Notes,
    sites: Sites<'a>,
}

impl<'a> Remarks<'a> {
    pub fn new(model: &Model<'a>) -> Remarks<'a> {
        Remarks { notes: Notes::new(model), sites: Sites::new(&model.entries) }
    }
}

/// The links beside the lines.
#[derive(Default)]
struct Notes {
    files: BTreeMap<String, BTreeMap<u32, Vec<Note>>>,
}

impl Notes {
    fn new(model: &Model) -> Notes {
        let mut notes = Notes::default();
        let links = Links::from_source(&model.pages);
        for entry in &model.entries {
            let finding = &entry.recorded.finding;
            let href = links.finding(&finding.primary.file, &entry.id);
            let note = |text: String| Note { href: href.clone(), text, title: finding.message.clone(), class: "" };
            if !finding.trace.iter().any(|step| step.place == finding.primary) {
                notes.add(&finding.primary, Note { class: "primary", ..note("finding".to_owned()) });
            }
            for (number, step) in (1..).zip(&finding.trace) {
                let class = if step.place == finding.primary { "primary" } else { "" };
                notes.add(&step.place, Note { class, ..note(format!("({number})")) });
            }
        }
        notes.add_refuted(model);
        notes
    }

    /// The way back from an access to the guesses that it shows to be wrong.
    fn add_refuted(&mut self, model: &Model) {
        for (number, location) in (1..).zip(model.input.guards) {
            for guess in &location.guesses {
                let Some(place) = &guess.refuted_at else { continue };
                let title = format!("{}: {}", location.location, guess.text);
                let href = format!("../guards.html#g-{number}");
                self.add(place, Note { href, text: "refutes".to_owned(), title, class: "refutes" });
            }
        }
    }

    /// Steps of one finding on one line share a note.
    fn add(&mut self, place: &Place, note: Note) {
        let line = self.files.entry(place.file.clone()).or_default().entry(place.line).or_default();
        match line.last_mut() {
            Some(last) if last.href == note.href && note.class == "refutes" => {}
            Some(last) if last.href == note.href => {
                last.text.push_str(&note.text);
                last.class = if note.class == "primary" { "primary" } else { last.class };
            }
            _ => line.push(note),
        }
    }

    fn on(&self, file: &str, line: u32) -> Vec<Note> {
        self.files.get(file).and_then(|lines| lines.get(&line)).cloned().unwrap_or_default()
    }

    fn lines(&self, file: &str) -> impl Iterator<Item = u32> {
        self.files.get(file).into_iter().flat_map(|lines| lines.keys().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_cut_to_what_is_near() {
        let tokens = vec![Vec::new(); 10_000];
        let shown = lines_shown(&tokens, &BTreeSet::from([5, 9_000]), std::iter::empty());
        assert!(shown.contains(&1) && shown.contains(&8_970) && !shown.contains(&5_000));
        let rows = rows(&shown, &tokens, &Bands::default(), |_| Vec::new());
        assert_eq!(rows.iter().map(|row| row.left_out).max(), Some(8_934));
    }

    #[test]
    fn a_line_that_is_linked_to_is_there_even_if_the_file_has_lost_it() {
        let tokens = vec![Vec::new(); 3];
        let shown = lines_shown(&tokens, &BTreeSet::from([0, 7]), std::iter::empty());
        let rows = rows(&shown, &tokens, &Bands::default(), |_| Vec::new());
        assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [1, 2, 3, 7]);
    }
}
