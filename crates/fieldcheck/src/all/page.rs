//! The tables of docs/field.md, made of the state and of what people have written down.

use super::field::Field;
use super::{lints, recall};
use crate::failure::Failure;
use crate::input::shipped;
use crate::marks::{Mark, Page};
use crate::state::State;
use std::path::PathBuf;

const KINDS: Mark = "<!-- bugs by kind: made by ./x field --write -->";
const BUGS: Mark = "<!-- bugs: made by ./x field --write -->";
const GROUPS: Mark = "<!-- groups of crates: made by ./x field --write -->";
const LINTS: Mark = "<!-- lints: made by ./x field --write -->";
const CRATES: Mark = "<!-- crates: made by ./x field --write -->";

pub fn shipped_page() -> PathBuf {
    shipped("../../docs/field.md")
}

pub fn open(file: PathBuf) -> Result<Page, Failure> {
    Page::open(file, &[KINDS, BUGS, GROUPS, LINTS, CRATES])
}

pub fn parts(field: &Field, state: &State) -> Vec<(Mark, String)> {
    let listed = field.listed();
    vec![
        (KINDS, format!("{}\n{}", recall::kinds(field, state).markdown(), recall::benign(field, state))),
        (BUGS, recall::bugs(field, state).markdown()),
        (GROUPS, lints::groups(field, state).markdown()),
        (LINTS, lints::table(field, state, &listed).markdown()),
        (CRATES, lints::crates(field, state, &listed).markdown()),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use crate::input;

    /// With BLESS set, the page is written.
    #[test]
    fn pages_say_what_the_state_says() {
        let state = read(&shipped("state.txt")).unwrap();
        let parts = parts(&Field::shipped().unwrap(), &state);
        let page = open(shipped_page()).unwrap();
        if std::env::var_os("BLESS").is_some() {
            page.write(&parts).unwrap();
        }
        let is_same = page.with(&parts).unwrap() == input::text(&shipped_page()).unwrap();
        assert!(is_same, "docs/field.md differs from state.txt, verdicts and reasons: run `./x bless`");
    }
}
