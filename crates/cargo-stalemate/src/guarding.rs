//! `cargo stalemate guards`: which lock guards what no type ties to one, and what shows that the others do not. To be told
//! why a guess is wrong helps more than to be told that it is.

use crate::args::ListFormat;
use crate::errors::{Failure, Request};
use crate::facts::Checked;
use crate::listing::is_below;
use crate::suggest::nearest;
use crate::toolchain::TOOLCHAIN;
use crate::{VERSION, report};
use finding::Tool;
use finding::document::SCHEMA;
use finding::guards::{GuardsDocument, LocationGuards};
use std::io::{self, Write};

#[derive(Debug)]
pub struct Guarding {
    locations: Vec<LocationGuards>,
}

impl Guarding {
    /// The locations of all units, or those below a path. A library that is compiled again with its tests counts once.
    pub fn new(units: &[Checked], path: Option<&str>) -> Result<Guarding, Failure> {
        let Guarding { locations: all } = Guarding::all(units);
        let Some(path) = path else { return Ok(Guarding { locations: all }) };
        let locations: Vec<LocationGuards> = all.iter().filter(|one| is_meant(one, path)).cloned().collect();
        if !locations.is_empty() {
            return Ok(Guarding { locations });
        }
        let known: Vec<&str> = all.iter().flat_map(|one| [owner(one), one.place.file.as_str()]).collect();
        Err(Request::NoSuchLocation { path: path.to_owned(), nearest: nearest(path, &known).map(str::to_owned) }.into())
    }

    pub fn all(units: &[Checked]) -> Guarding {
        let mut locations: Vec<LocationGuards> = units.iter().flat_map(|(_, facts)| facts.guards.clone()).collect();
        locations.sort();
        locations.dedup_by(|one, other| (&one.place, &one.location) == (&other.place, &other.location));
        Guarding { locations }
    }

    pub fn into_locations(self) -> Vec<LocationGuards> {
        self.locations
    }

    pub fn print(&self, format: ListFormat) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let written = match format {
            ListFormat::Json => self.json(&mut out),
            ListFormat::Text => self.text(&mut out),
        };
        report::unless_closed(written.and_then(|()| out.flush()))?;
        let _ = writeln!(io::stderr(), "stalemate: {}", self.summary());
        Ok(())
    }

    fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let tool = Tool { name: "stalemate".to_owned(), version: VERSION.to_owned(), toolchain: TOOLCHAIN.to_owned() };
        let document = GuardsDocument { schema: SCHEMA, tool, locations: self.locations.clone() };
        serde_json::to_writer_pretty(&mut *out, &document)?;
        writeln!(out)
    }

    fn text(&self, out: &mut impl Write) -> io::Result<()> {
        for one in &self.locations {
            let places = if one.uses == 1 { "place" } else { "places" };
            let alone = if one.alone > 0 { format!(", {} of them alone with it", one.alone) } else { String::new() };
            let found = if one.is_guarded() { "" } else { ": nothing guards it" };
            let kind = one.kind.name();
            writeln!(
                out,
                "{}:{}: `{}`, {kind}, used in {} {places}{alone}{found}",
                one.place.file, one.place.line, one.location, one.uses
            )?;
            for guess in &one.guesses {
                writeln!(out, "    {}", guess.text)?;
            }
            for function in &one.functions {
                writeln!(out, "  `{}`", function.function)?;
                for guess in &function.guesses {
                    writeln!(out, "    {}", guess.text)?;
                }
            }
        }
        Ok(())
    }

    /// `3 locations: 2 guarded, 1 not; 14 guesses, 5 hold`.
    fn summary(&self) -> String {
        let guarded = self.locations.iter().filter(|one| one.is_guarded()).count();
        let of_functions = |one: &LocationGuards| one.functions.iter().map(|it| it.guesses.len()).sum::<usize>();
        let guesses: usize = self.locations.iter().map(|one| one.guesses.len() + of_functions(one)).sum();
        let all = self
            .locations
            .iter()
            .flat_map(|one| one.guesses.iter().chain(one.functions.iter().flat_map(|it| &it.guesses)));
        let hold = all.filter(|guess| guess.holds).count();
        let locations = if self.locations.len() == 1 { "location" } else { "locations" };
        let count = self.locations.len();
        format!("{count} {locations}: {guarded} guarded, {} not; {guesses} guesses, {hold} hold", count - guarded)
    }
}

/// The type, or the static.
fn owner(one: &LocationGuards) -> &str {
    one.location.split_once('.').map_or(one.location.as_str(), |(owner, _)| owner)
}

fn is_meant(one: &LocationGuards, path: &str) -> bool {
    let name = one.location.replace('.', "::");
    is_below(&one.place.file, &one.package, &name, &path.replace(".rs", "\0").replace('.', "::").replace('\0', ".rs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Target;
    use crate::report::samples::{place, unit_facts};
    use finding::guards::{FunctionGuards, Guess, GuessKind, LocationKind};

    fn guess(holds: bool, text: &str) -> Guess {
        let refuted_at = (!holds).then(|| place("src/account.rs", 9));
        Guess { guess: GuessKind::GuardedBy, lock: Some("self.lock".into()), holds, text: text.to_owned(), refuted_at }
    }

    fn units() -> Vec<Checked> {
        let mut facts = unit_facts("bank");
        let location = |name: &str, line: u32, holds: bool| LocationGuards {
            place: place("src/account.rs", line),
            package: "bank".to_owned(),
            location: name.to_owned(),
            kind: LocationKind::Cell,
            uses: 2,
            alone: 0,
            guesses: vec![
                guess(false, "not read-only: written at src/account.rs:9"),
                guess(holds, "guarded by self.lock"),
            ],
            functions: vec![FunctionGuards { function: "f".into(), guesses: vec![guess(true, "requires self.lock")] }],
        };
        facts.guards = vec![location("account::Bad.balance", 3, false), location("account::Account.balance", 7, true)];
        let target = Target { package: "bank".into(), name: "bank".into(), kind: "lib".into() };
        vec![(target.clone(), facts.clone()), (target, facts)]
    }

    fn names(path: Option<&str>) -> Vec<String> {
        Guarding::new(&units(), path).unwrap().locations.into_iter().map(|one| one.location).collect()
    }

    #[test]
    fn paths_are_those_of_types_and_of_files() {
        assert_eq!(names(None).len(), 2);
        for path in ["account::Bad", "account::Bad.balance", "bank::account::Bad"] {
            assert_eq!(names(Some(path)), ["account::Bad.balance"], "{path}");
        }
        assert_eq!(names(Some("src/account.rs")).len(), 2);
    }

    #[test]
    fn a_path_to_nothing_is_told_with_the_nearest() {
        let failure = Guarding::new(&units(), Some("account::Bda")).unwrap_err();
        assert!(
            matches!(failure, Failure::Request(Request::NoSuchLocation { nearest: Some(name), .. }) if name == "account::Bad")
        );
    }

    #[test]
    fn the_text_says_what_is_not_guarded() {
        let list = Guarding::new(&units(), None).unwrap();
        let mut out = Vec::new();
        list.text(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("src/account.rs:3: `account::Bad.balance`, cell, used in 2 places: nothing guards it\n"),
            "{text}"
        );
        assert!(text.contains("    not read-only: written at src/account.rs:9\n"), "{text}");
        assert!(text.contains("  `f`\n    requires self.lock\n"), "{text}");
        assert_eq!(list.summary(), "2 locations: 1 guarded, 1 not; 6 guesses, 3 hold");
    }
}
