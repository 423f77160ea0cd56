//! The page of locks: the order in which they are taken, as a picture, in words and as a table.

use super::cards::LockTag;
use super::drawing::{Drawing, draw};
use super::graph::{Arrow, Graph};
use super::model::Model;
use super::page::Page;
use super::places::{Link, Links};
use super::prose::plural;
use askama::Template;
use finding::map::Order;
use std::collections::{BTreeMap, BTreeSet};

/// A picture with more locks is a knot of wool.
const FIRST_PICTURE: usize = 24;
const WHOLE_PICTURE: usize = 40;

#[derive(Template)]
#[template(path = "locks.html")]
pub struct LocksPage {
    page: Page,
    first: Option<Drawing>,
    whole: Option<Drawing>,
    locks_with_order: usize,
    left_out: usize,
    /// Some lock is taken while one of its name is held.
    has_loops: bool,
    cycles: Vec<Cycle>,
    arrows: Vec<ArrowView>,
    locks: Vec<LockRow>,
}

/// Locks that wait for each other, and where.
struct Cycle {
    locks: Vec<LockTag>,
    arrows: Vec<ArrowView>,
}

struct ArrowView {
    held: LockTag,
    wanted: LockTag,
    in_cycle: bool,
    places: Vec<OrderView>,
}

struct OrderView {
    function: String,
    held_at: Link,
    wanted_at: Link,
}

/// A lock, and how often it is taken.
struct LockRow {
    tag: LockTag,
    sections: usize,
    shared: usize,
    first: Link,
    functions: String,
}

pub fn locks_page(model: &Model) -> LocksPage {
    let graph = Graph::new(&model.input.map.orders);
    let links = Links::from_top(&model.pages);
    let core = graph.core(FIRST_PICTURE);
    let all: BTreeSet<usize> = (0..graph.locks.len()).collect();
    let picture = |shown: &BTreeSet<usize>| draw(&graph, shown, links, &model.colours);
    let has_more = core.len() < all.len() && all.len() <= WHOLE_PICTURE;
    LocksPage {
        page: Page::at_top("Locks"),
        first: (!core.is_empty()).then(|| picture(&core)),
        whole: has_more.then(|| picture(&all)),
        locks_with_order: all.len(),
        left_out: all.len() - core.len(),
        has_loops: graph.arrows.iter().any(|arrow| arrow.held == arrow.wanted),
        cycles: graph.cycles.iter().map(|cycle| cycle_view(model, &graph, cycle)).collect(),
        arrows: graph.arrows.iter().map(|arrow| arrow_view(model, &graph, arrow)).collect(),
        locks: lock_rows(model, links),
    }
}

fn cycle_view(model: &Model, graph: &Graph, cycle: &[usize]) -> Cycle {
    let inside = graph.arrows.iter().filter(|arrow| cycle.contains(&arrow.held) && cycle.contains(&arrow.wanted));
    Cycle {
        locks: cycle.iter().map(|lock| tag(model, graph.locks[*lock])).collect(),
        arrows: inside.map(|arrow| arrow_view(model, graph, arrow)).collect(),
    }
}

fn arrow_view(model: &Model, graph: &Graph, arrow: &Arrow) -> ArrowView {
    let links = Links::from_top(&model.pages);
    let place = |order: &&Order| OrderView {
        function: order.function.clone(),
        held_at: links.to(&order.held_at),
        wanted_at: links.to(&order.wanted_at),
    };
    ArrowView {
        held: tag(model, graph.locks[arrow.held]),
        wanted: tag(model, graph.locks[arrow.wanted]),
        in_cycle: arrow.in_cycle,
        places: arrow.orders.iter().map(place).collect(),
    }
}

fn tag(model: &Model, name: &str) -> LockTag {
    LockTag { class: model.colours.class(name), name: name.to_owned(), type_name: String::new() }
}

fn lock_rows(model: &Model, links: Links) -> Vec<LockRow> {
    let mut locks = BTreeMap::<&str, Vec<_>>::new();
    for section in &model.input.map.sections {
        locks.entry(&section.lock).or_default().push(section);
    }
    let row = |(name, sections): (&str, Vec<&finding::map::Section>)| {
        let functions: BTreeSet<&str> = sections.iter().map(|section| section.function.as_str()).collect();
        LockRow {
            tag: tag(model, name),
            sections: sections.len(),
            shared: sections.iter().filter(|section| section.shared).count(),
            first: links.to(&sections[0].place),
            functions: plural(functions.len(), "function"),
        }
    };
    locks.into_iter().map(row).collect()
}
