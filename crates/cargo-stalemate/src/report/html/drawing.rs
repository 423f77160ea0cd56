//! Where the locks and arrows of a graph stand in the picture: layers from top to bottom, so that most arrows lead down
//! and those that lead back up stand out.

use super::colours::Colours;
use super::graph::{Arrow, Graph};
use super::places::Links;
use super::prose::plural;
use std::collections::{BTreeMap, BTreeSet};

const BOX: usize = 34;
const LAYER: usize = 96;
const GAP: usize = 28;
const MARGIN: usize = 24;
const CHARACTER: usize = 8;
/// A layer with more locks than this goes on in the next one.
const WIDEST: usize = 4;
/// Longer names lose their beginning.
const LONGEST: usize = 26;
/// From the middle of a box to where an arrow stands.
const BESIDE: usize = 9;
/// Room at the side for a lock that waits for itself.
const SIDE: usize = 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    pub width: usize,
    pub height: usize,
    pub boxes: Vec<LockBox>,
    pub arrows: Vec<Line>,
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockBox {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub name: String,
    pub short: String,
    pub class: String,
    pub in_cycle: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub path: String,
    /// The point of the arrow.
    pub head: String,
    pub href: String,
    pub title: String,
    pub in_cycle: bool,
}

pub fn draw(graph: &Graph, shown: &BTreeSet<usize>, links: Links, colours: &Colours) -> Drawing {
    let arrows: Vec<&Arrow> =
        graph.arrows.iter().filter(|arrow| shown.contains(&arrow.held) && shown.contains(&arrow.wanted)).collect();
    let layers = layers(graph, shown, &arrows);
    let widest = layers.iter().map(|layer| layer_width(graph, layer)).max().unwrap_or(0);
    let boxes = boxes(graph, &layers, widest, colours);
    let lines = arrows.iter().map(|arrow| {
        let (path, head) = path(&boxes[&arrow.held], &boxes[&arrow.wanted]);
        let href = links.to(&arrow.orders[0].wanted_at).href;
        Line { path, head, href, title: title(graph, arrow), in_cycle: arrow.in_cycle }
    });
    Drawing {
        width: widest + 2 * MARGIN + SIDE,
        height: layers.len() * LAYER - (LAYER - BOX) + 2 * MARGIN,
        arrows: lines.collect(),
        boxes: boxes.into_values().collect(),
        words: format!("{}, {}", plural(shown.len(), "lock"), plural(arrows.len(), "arrow")),
    }
}

/// Each below all that lead to it, except on a cycle: there those that are rather held than waited for stand above.
fn layers(graph: &Graph, shown: &BTreeSet<usize>, arrows: &[&Arrow]) -> Vec<Vec<usize>> {
    let lead = |lock: &usize| {
        let held = arrows.iter().filter(|arrow| arrow.held == *lock).count();
        let wanted = arrows.iter().filter(|arrow| arrow.wanted == *lock).count();
        wanted.cast_signed() - held.cast_signed()
    };
    let mut order: Vec<usize> = shown.iter().copied().collect();
    order.sort_by_key(|lock| (graph.ranks[*lock], lead(lock), *lock));
    let mut layer_of = BTreeMap::<usize, usize>::new();
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for lock in order {
        let above = arrows.iter().filter(|arrow| arrow.wanted == lock).filter_map(|arrow| layer_of.get(&arrow.held));
        let mut layer = above.max().map_or(0, |layer| layer + 1);
        while layers.get(layer).is_some_and(|locks| locks.len() >= WIDEST) {
            layer += 1;
        }
        layers.resize(layers.len().max(layer + 1), Vec::new());
        layers[layer].push(lock);
        layer_of.insert(lock, layer);
    }
    // Room that an order with many layers left empty.
    layers.retain(|layer| !layer.is_empty());
    under_their_neighbours(&mut layers, arrows);
    layers
}

/// One way down: each lock moves to the middle of those above that lead to it.
fn under_their_neighbours(layers: &mut [Vec<usize>], arrows: &[&Arrow]) {
    for number in 1..layers.len() {
        let (above, below) = layers.split_at_mut(number);
        let spot = |lock: &usize| above.iter().find_map(|layer| layer.iter().position(|one| one == lock));
        let middle = |lock: &usize| {
            let spots: Vec<usize> =
                arrows.iter().filter(|arrow| arrow.wanted == *lock).filter_map(|arrow| spot(&arrow.held)).collect();
            (spots.iter().sum::<usize>() * 100).checked_div(spots.len()).unwrap_or(0)
        };
        below[0].sort_by_key(|lock| (middle(lock), *lock));
    }
}

fn boxes(graph: &Graph, layers: &[Vec<usize>], widest: usize, colours: &Colours) -> BTreeMap<usize, LockBox> {
    let mut boxes = BTreeMap::new();
    for (number, layer) in layers.iter().enumerate() {
        let mut x = MARGIN + (widest - layer_width(graph, layer)) / 2;
        for &lock in layer {
            let name = graph.locks[lock];
            let width = box_width(name);
            let in_cycle = graph.cycles.iter().any(|cycle| cycle.contains(&lock));
            let (y, class) = (MARGIN + number * LAYER, colours.class(name));
            boxes.insert(lock, LockBox { x, y, width, name: name.to_owned(), short: short(name), class, in_cycle });
            x += width + GAP;
        }
    }
    boxes
}

fn layer_width(graph: &Graph, layer: &[usize]) -> usize {
    layer.iter().map(|lock| box_width(graph.locks[*lock])).sum::<usize>() + GAP * layer.len().saturating_sub(1)
}

fn box_width(name: &str) -> usize {
    short(name).chars().count() * CHARACTER + 30
}

/// The end of a name says more than its beginning.
fn short(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= LONGEST {
        return name.to_owned();
    }
    std::iter::once('…').chain(characters[characters.len() - LONGEST + 1..].iter().copied()).collect()
}

/// Down a little left of the middle and up a little right of it, so that an arrow and the one back are two; to itself
/// along the side.
fn path(from: &LockBox, to: &LockBox) -> (String, String) {
    if from == to {
        let (x, y) = (from.x + from.width, from.y + BOX / 2);
        let path = format!("M{x} {}C{} {} {} {} {} {}", y - 8, x + 26, y - 16, x + 26, y + 12, x + 7, y + 8);
        return (path, format!("M{} {}L{} {}L{} {}Z", x + 10, y + 3, x + 1, y + 8, x + 10, y + 13));
    }
    let leads_down = to.y > from.y;
    let aside = |x: usize| if leads_down { x - BESIDE } else { x + BESIDE };
    let (x1, x2) = (aside(port(from, to)), aside(port(to, from)));
    if to.y < from.y {
        let (y1, y2) = (from.y, to.y + BOX + 1);
        let head = format!("M{} {}L{x2} {y2}L{} {}Z", x2 - 5, y2 + 9, x2 + 5, y2 + 9);
        return (curve(x1, y1, x2, y2 + 7, (y1 + y2) / 2), head);
    }
    // Those on one layer go over the gap above it.
    let y2 = to.y - 1;
    let (y1, bend) =
        if leads_down { (from.y + BOX, (from.y + BOX + y2) / 2) } else { (from.y, from.y.saturating_sub(MARGIN)) };
    let head = format!("M{} {}L{x2} {y2}L{} {}Z", x2 - 5, y2 - 9, x2 + 5, y2 - 9);
    (curve(x1, y1, x2, y2 - 7, bend), head)
}

fn curve(x1: usize, y1: usize, x2: usize, y2: usize, bend: usize) -> String {
    format!("M{x1} {y1}C{x1} {bend} {x2} {bend} {x2} {y2}")
}

/// Where an arrow touches a box: near the middle, on the side that the other box is on, so that few arrows meet.
fn port(of: &LockBox, other: &LockBox) -> usize {
    let middle = |it: &LockBox| (it.x + it.width / 2).cast_signed();
    let most = (of.width / 2).cast_signed() - 2 * BESIDE.cast_signed();
    let lean = ((middle(other) - middle(of)) / 6).clamp(-most, most);
    (middle(of) + lean).cast_unsigned()
}

fn title(graph: &Graph, arrow: &Arrow) -> String {
    let (held, wanted) = (graph.locks[arrow.held], graph.locks[arrow.wanted]);
    let places = plural(arrow.orders.len(), "place");
    let cycle = if arrow.in_cycle { ", part of a cycle" } else { "" };
    format!("{held} is held and {wanted} is taken, in {places}{cycle}")
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::orders;
    use super::super::places::Pages;
    use super::*;

    fn drawing(pairs: &[(&str, &str)]) -> Drawing {
        let orders = orders(pairs);
        let graph = Graph::new(&orders);
        let pages = Pages::new(&BTreeSet::from(["src/a.rs"]));
        draw(&graph, &graph.core(40), Links::from_top(&pages), &Colours::default())
    }

    fn y(drawing: &Drawing, name: &str) -> usize {
        drawing.boxes.iter().find(|it| it.name == name).unwrap().y
    }

    #[test]
    fn what_is_held_stands_above_what_is_waited_for() {
        let drawing = drawing(&[("z", "b"), ("b", "c"), ("z", "c"), ("c", "b"), ("c", "a")]);
        assert!(y(&drawing, "z") < y(&drawing, "b").min(y(&drawing, "c")));
        assert!(y(&drawing, "a") > y(&drawing, "c"));
        assert_eq!(drawing.arrows.iter().filter(|line| line.in_cycle).count(), 2);
        assert!(drawing.arrows.iter().all(|line| line.href.starts_with("files/src-a.rs.html#L")));
    }

    #[test]
    fn boxes_do_not_touch_and_stay_within_the_picture() {
        let pairs: Vec<(String, String)> =
            (0..30).map(|n| (format!("m::Type{}.lock", n % 7), format!("m::Type{}.lock", (n * 3 + 1) % 11))).collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let drawing = drawing(&pairs);
        for (index, one) in drawing.boxes.iter().enumerate() {
            assert!(one.x + one.width <= drawing.width && one.y + BOX <= drawing.height);
            for other in &drawing.boxes[index + 1..] {
                assert!(one.y != other.y || one.x + one.width < other.x || other.x + other.width < one.x);
            }
        }
    }

    #[test]
    fn the_order_of_the_input_does_not_show() {
        let pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "b")];
        let mut turned = pairs;
        turned.reverse();
        assert_eq!(drawing(&pairs).boxes, drawing(&turned).boxes);
        assert_eq!(drawing(&[("a", "a")]).boxes.len(), 1);
    }

    #[test]
    fn long_names_keep_their_end() {
        assert_eq!(short("bank::ledger::accounts::Ledger.entries").chars().count(), LONGEST);
        assert!(short("bank::ledger::accounts::Ledger.entries").ends_with("Ledger.entries"));
    }
}
