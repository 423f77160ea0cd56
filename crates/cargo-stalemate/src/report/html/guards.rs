//! The page of guards: of each location what guards it, and of each guess that is wrong the access that shows it.

use super::model::Model;
use super::page::Page;
use super::places::{Link, Links};
use super::prose::{Piece, pieces, plural};
use askama::Template;
use finding::guards::{FunctionGuards, Guess, LocationGuards};

#[derive(Template)]
#[template(path = "guards.html")]
pub struct GuardsPage {
    page: Page,
    guarded: usize,
    locations: Vec<LocationView>,
}

struct LocationView {
    id: String,
    name: String,
    kind: &'static str,
    package: String,
    place: Link,
    uses: String,
    alone: usize,
    is_guarded: bool,
    guesses: Vec<GuessView>,
    functions: Vec<FunctionView>,
}

struct GuessView {
    holds: bool,
    before: Vec<Piece>,
    refuted_at: Option<Link>,
    after: Vec<Piece>,
}

struct FunctionView {
    name: String,
    guesses: Vec<GuessView>,
}

pub fn guards_page(model: &Model) -> GuardsPage {
    let links = Links::from_top(&model.pages);
    let locations = model.input.guards;
    GuardsPage {
        page: Page::at_top("Guards"),
        guarded: locations.iter().filter(|one| one.is_guarded()).count(),
        locations: (1..).zip(locations).map(|(number, one)| location(number, one, links)).collect(),
    }
}

fn location(number: usize, one: &LocationGuards, links: Links) -> LocationView {
    let function = |one: &FunctionGuards| FunctionView {
        name: one.function.clone(),
        guesses: one.guesses.iter().map(|guess| view(guess, links)).collect(),
    };
    LocationView {
        id: format!("g-{number}"),
        name: one.location.clone(),
        kind: one.kind.name(),
        package: one.package.clone(),
        place: links.to(&one.place),
        uses: plural(one.uses, "place"),
        alone: one.alone,
        is_guarded: one.is_guarded(),
        guesses: one.guesses.iter().map(|guess| view(guess, links)).collect(),
        functions: one.functions.iter().map(function).collect(),
    }
}

fn view(guess: &Guess, links: Links) -> GuessView {
    let refuted_at = guess.refuted_at.as_ref().map(|place| links.to(place));
    // The words may name the place: then that is the link.
    let named = refuted_at.as_ref().and_then(|link| guess.text.split_once(&link.text));
    let appended = || if refuted_at.is_some() { format!("{} ", guess.text) } else { guess.text.clone() };
    let (before, after) =
        named.map_or_else(|| (pieces(&appended()), Vec::new()), |(before, after)| (pieces(before), pieces(after)));
    GuessView { holds: guess.holds, before, refuted_at, after }
}

#[cfg(test)]
mod tests {
    use super::super::places::Pages;
    use super::*;
    use crate::report::samples::place;
    use finding::guards::GuessKind;
    use std::collections::BTreeSet;

    #[test]
    fn a_place_that_the_words_name_is_named_once() {
        let guess = |text: &str| Guess {
            guess: GuessKind::ReadOnly,
            lock: None,
            holds: false,
            text: text.to_owned(),
            refuted_at: Some(place("a.rs", 3)),
        };
        let pages = Pages::new(&BTreeSet::from(["a.rs"]));
        let said = |text: &str| {
            let view = view(&guess(text), Links::from_top(&pages));
            let words = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.as_str()).collect::<String>();
            [words(&view.before), view.refuted_at.unwrap().text, words(&view.after)].concat()
        };
        assert_eq!(said("written at a.rs:3, in `f`"), "written at a.rs:3, in f");
        assert_eq!(said("not so"), "not so a.rs:3");
    }
}
