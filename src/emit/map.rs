//! Where each lock is held and in which order locks are taken, for the pictures of the HTML report.

use crate::checks::lock_order::own_edges;
use crate::domain::facts::BodyFacts;
use crate::domain::path::{PathId, Root, Step};
use crate::emit::{lock_name, words};
use crate::events::{DefinitionId, Mode, Site};
use crate::mir::Position;
use crate::summary::Crate;
use finding::Place;
use finding::facts::End;
use finding::map::{LockMap, Order, Section};

/// `type_name` gives the name of a type, whichever crate it is of.
pub fn map(
    all: &Crate,
    package: &str,
    position: impl Fn(Site) -> Position,
    type_name: impl Fn(DefinitionId) -> Option<String>,
) -> LockMap {
    let teller = Teller { package, position, type_name };
    let mut map = LockMap::default();
    for facts in all.bodies.iter().filter(|facts| !facts.function.is_empty()) {
        map.sections.extend(facts.sections.iter().map(|section| teller.section(facts, section)));
    }
    map.orders.extend(own_edges(all).filter(|(edge, ..)| !edge.facts.function.is_empty()).map(|(edge, ..)| Order {
        held: teller.known_as(edge.facts, edge.pair.held),
        wanted: teller.known_as(edge.facts, edge.pair.wanted),
        held_at: teller.place(edge.pair.taken),
        wanted_at: teller.place(edge.pair.site),
        package: package.to_owned(),
        function: edge.facts.function.clone(),
    }));
    let mut sorted = LockMap::default();
    sorted.add(&map);
    sorted
}

struct Teller<'a, P, T> {
    package: &'a str,
    position: P,
    type_name: T,
}

impl<P: Fn(Site) -> Position, T: Fn(DefinitionId) -> Option<String>> Teller<'_, P, T> {
    fn section(&self, facts: &BodyFacts, section: &crate::domain::facts::SectionSpan) -> Section {
        let start = (self.position)(section.taken);
        let ends = section.left.iter().map(|&site| (self.position)(site));
        let ends = ends.filter(|at| at.file == start.file).map(|at| End { line: at.end_line, column: at.end_column });
        let own_end = End { line: start.end_line, column: start.end_column };
        Section {
            end: ends.chain([own_end]).max().unwrap_or(own_end),
            place: Place { file: start.file, line: start.line, column: start.column },
            lock: self.known_as(facts, section.lock),
            name: lock_name(facts, section.lock),
            shared: section.mode == Mode::Shared,
            package: self.package.to_owned(),
            function: facts.function.clone(),
        }
    }

    fn place(&self, site: Site) -> Place {
        let at = (self.position)(site);
        Place { file: at.file, line: at.line, column: at.column }
    }

    /// By its type and field, or its static; what only the function knows goes by the function's name. A field of a
    /// wrapper says little: the way starts at the last pointer, as it does where locks are compared.
    fn known_as(&self, facts: &BodyFacts, lock: PathId) -> String {
        let from_lock = facts.paths.ancestry(lock).map_while(|at| facts.paths.step(at));
        let behind = from_lock.skip_while(|step| !matches!(step, Step::Field(_)));
        let mut fields: Vec<_> = behind
            .map_while(|step| match step {
                Step::Field(field) => Some((field.owner, field.name.to_string())),
                Step::Pointee { .. } | Step::Element | Step::At(_) | Step::Chosen { .. } | Step::Data => None,
            })
            .collect();
        let owned = fields.iter().rposition(|(owner, _)| owner.is_some()).map_or(0, |last| last + 1);
        fields.truncate(owned);
        let of = fields.last().and_then(|(owner, _)| (self.type_name)((*owner)?));
        let is_inside = facts.paths.steps(lock).contains(&&Step::Data);
        match (of, facts.paths.root_of(lock)) {
            (Some(of), _) => {
                let name = words::lock_of_type(&of, fields.iter().rev().map(|(_, name)| name.as_str()));
                if is_inside { words::lock_inside(&name) } else { name }
            }
            (None, Root::Static(_, name)) => name.to_string(),
            (None, Root::Local(_)) => words::lock_of_function(&facts.function, &lock_name(facts, lock)),
        }
    }
}
