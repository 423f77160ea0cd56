//! One finding as a block of text that looks like a diagnostic of the compiler:
//!
//! - the title and thread A's way through the code, numbered in time order, the point of the finding underlined `^^^`;
//! - what thread B does meanwhile;
//! - why it was reported, what speaks against it, and what to do.
//!
//! A place that cannot be shown in its source keeps its words and its `file:line:column`.

use super::source::Sources;
use super::spots::{Spot, Spots};
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Message, Origin, Padding, Renderer, Snippet,
};
use finding::facts::Recorded;
use finding::{Confidence, Finding, Place};
use std::ops::Range;

pub fn render(renderer: &Renderer, sources: &mut Sources, recorded: &Recorded) -> String {
    let Spots { primary, others, meanwhile } = Spots::new(recorded);
    let (others, mut lost): (Vec<Spot>, Vec<Spot>) = others.into_iter().partition(|spot| fits(sources, spot));
    let (meanwhile, lost_too): (Vec<Spot>, Vec<Spot>) = meanwhile.into_iter().partition(|spot| fits(sources, spot));
    lost.extend(lost_too);

    let mut notes: Vec<(usize, Group)> = lost.iter().map(|spot| (spot.time(), note_without_source(spot))).collect();
    notes.extend(other_thread(sources, meanwhile));
    notes.sort_by_key(|(time, _)| *time);

    let mut groups = vec![title(recorded).elements(way(sources, primary, others))];
    groups.extend(notes.into_iter().map(|(_, note)| note));
    if let Some(last) = groups.pop() {
        groups.push(last.elements(footers(&recorded.finding)));
    }
    renderer.render(&groups)
}

fn title(recorded: &Recorded) -> Group<'static> {
    let level = if recorded.denied { Level::ERROR } else { Level::WARNING };
    let Finding { message, lint, .. } = &recorded.finding;
    Group::with_title(level.primary_title(message.clone()).id(lint.clone()))
}

/// Thread A's way through the code, the primary place first.
fn way(sources: &mut Sources, primary: Spot, mut others: Vec<Spot>) -> Vec<Element<'static>> {
    let mut elements = Vec::new();
    if fits(sources, &primary) {
        others.insert(0, primary);
    } else {
        elements.push(origin(&primary.place).into());
        elements.extend(label(&primary).map(|label| Level::NOTE.message(label).into()));
    }
    elements.extend(snippets(sources, &others).into_iter().map(Element::from));
    elements
}

/// What thread B does, and when. A single step is said in the note itself; several are labelled, like those of thread A.
fn other_thread(sources: &mut Sources, mut spots: Vec<Spot>) -> Option<(usize, Group<'static>)> {
    let time = spots.first()?.time();
    let title = if let [only] = &mut spots[..] {
        let title = only.label();
        *only = Spot { steps: vec![], primary: true, ..only.clone() };
        title
    } else {
        "meanwhile, in another thread".to_owned()
    };
    Some((time, note(title).elements(snippets(sources, &spots)).element(Padding)))
}

fn footers(finding: &Finding) -> Vec<Message<'static>> {
    let notes = notes(finding).into_iter().map(|text| Level::NOTE.message(text));
    notes.chain(finding.help.iter().map(|text| Level::HELP.message(text.clone()))).collect()
}

/// Why it was reported, and what speaks against it.
pub fn notes(finding: &Finding) -> Vec<String> {
    let reasons = |wanted: fn(i32) -> bool| {
        let texts: Vec<_> = finding.reasons.iter().filter(|r| wanted(r.points)).map(|r| r.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    };
    let because = reasons(|points| points > 0).map(|texts| format!(" because {texts}")).unwrap_or_default();
    let why = format!("reported with {} confidence{because}", confidence(finding.confidence));
    let against = reasons(|points| points < 0).map(|texts| format!("speaking against it: {texts}"));
    [Some(why), against, finding.confirmation.as_ref().map(super::confirmed::line)].into_iter().flatten().collect()
}

pub fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
    }
}

fn note(title: String) -> Group<'static> {
    Group::with_title(Level::NOTE.secondary_title(title))
}

fn note_without_source(spot: &Spot) -> Group<'static> {
    note(spot.label()).element(origin(&spot.place))
}

fn origin(place: &Place) -> Origin<'static> {
    Origin::path(place.file.clone()).line(place.line as usize).char_column(place.column as usize)
}

fn fits(sources: &mut Sources, spot: &Spot) -> bool {
    sources.get(&spot.place.file).is_some_and(|source| source.span(&spot.place, spot.end).is_some())
}

/// One snippet per file, in the order of the spots.
fn snippets(sources: &mut Sources, spots: &[Spot]) -> Vec<Snippet<'static, Annotation<'static>>> {
    let mut files: Vec<&str> = Vec::new();
    for spot in spots {
        if !files.contains(&spot.place.file.as_str()) {
            files.push(&spot.place.file);
        }
    }
    files.into_iter().filter_map(|file| snippet(sources, file, spots)).collect()
}

/// Only the lines from the first spot to the last are handed on: the rest of the file would be folded away.
fn snippet(sources: &mut Sources, file: &str, spots: &[Spot]) -> Option<Snippet<'static, Annotation<'static>>> {
    let source = sources.get(file)?;
    let spots: Vec<&Spot> = spots.iter().filter(|spot| spot.place.file == file).collect();
    let lines = || spots.iter().map(|spot| spot.place.line);
    let (first, last) = (lines().min()?, lines().max()?);
    let (text, start) = source.lines(first..last + 1)?;
    let annotations = spots.iter().filter_map(|spot| {
        let span = source.span(&spot.place, spot.end)?;
        Some(annotation(spot, span.start - start..span.end - start))
    });
    let snippet = Snippet::source(text.to_owned()).path(file.to_owned()).line_start(first as usize);
    Some(snippet.annotations(annotations.collect::<Vec<_>>()))
}

fn annotation(spot: &Spot, span: Range<usize>) -> Annotation<'static> {
    let kind = if spot.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    kind.span(span).label(label(spot))
}

fn label(spot: &Spot) -> Option<String> {
    Some(spot.label()).filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests;
