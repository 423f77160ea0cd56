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
    text: Vec<Piece>,
    refuted_at: Option<Link>,
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
    GuessView { holds: guess.holds, text: pieces(&guess.text), refuted_at }
}
