//! Everything in the code that accepts findings, and whether it accepted any.

use crate::emit::record::{Heard, heard};
use crate::emit::story::Story;
use crate::mir::{Sites, accepted, benign_functions, position};
use finding::acceptance::Acceptance;
use finding::{Place, SuppressedBy};
use rustc_lint_defs::Lint;
use rustc_middle::ty::TyCtxt;
use rustc_span::Span;
use std::collections::HashSet;

/// `stories` are all that there was to tell, `lints` all lints by name, and `tests` says whether test code was looked at.
pub fn acceptances(
    tcx: TyCtxt<'_>,
    sites: &Sites,
    stories: &[(&'static Lint, Story)],
    lints: &[(&'static Lint, &'static str)],
    tests: bool,
) -> Vec<Acceptance> {
    let used = used(tcx, sites, stories);
    let listed = |span: Span, by, lint: &str| {
        let at = position(tcx, span);
        let place = Place { file: at.file, line: at.line, column: at.column };
        let used = used.iter().any(|&(known, of)| known == span && (of == lint || lint.is_empty()));
        Acceptance { place, by, lint: lint.to_owned(), used, mistake: None }
    };
    let comments = sites.comments().iter().flat_map(|comment| {
        let mistake = comment.mistake;
        comment.lints.iter().map(move |lint| (comment.at, lint, mistake))
    });
    let comments =
        comments.map(|(at, lint, mistake)| Acceptance { mistake, ..listed(at, SuppressedBy::Comment, lint) });
    let known: Vec<&'static Lint> = lints.iter().map(|(lint, _)| *lint).collect();
    let name = |lint: &Lint| lints.iter().find(|(known, _)| known.name == lint.name).map_or("", |(_, name)| name);
    let attributes = accepted::attributes(tcx, &known, tests).into_iter();
    let attributes = attributes.map(|(lint, at)| listed(at, SuppressedBy::Attribute, name(lint)));
    let marks = benign_functions(tcx).into_iter().map(|(_, at)| listed(at, SuppressedBy::Attribute, ""));
    let mut all: Vec<Acceptance> = comments.chain(attributes).chain(marks).collect();
    all.sort();
    all.dedup();
    all
}

fn used(tcx: TyCtxt<'_>, sites: &Sites, stories: &[(&'static Lint, Story)]) -> HashSet<(Span, &'static str)> {
    let accepted = stories.iter().filter_map(|(lint, story)| match heard(tcx, sites, lint, story) {
        Heard::Accepted { at, .. } => Some((at?, story.lint)),
        Heard::Told { .. } | Heard::Off => None,
    });
    accepted.collect()
}
