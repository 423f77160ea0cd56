//! A gap that a perturbed test is watched for: who has come into it, who is on the way through, and who interferes.

use super::schedule::in_gap;
use super::{Event, Kind, Place};
use crate::site::{Gap, Site};

const HELD: &str = "held:";

/// How many steps of others are kept.
const KEPT: usize = 256;

pub(super) struct Watched {
    pub(super) gap: Gap,
    /// The lock at its start is still held in it.
    pub(super) is_held: bool,
    interferers: Vec<Site>,
    visits: Vec<Visit>,
    /// Who has interfered so far: threads, with what and where. Only the first so many are kept.
    passed: Vec<(u32, usize, Place)>,
    /// Who is on the way through. Only controls keep others out.
    pub(super) inside: Option<Inside>,
}

/// How often a thread entered the gap, and by which lock or atomic.
pub(super) struct Visit {
    thread: u32,
    pub(super) armed: usize,
    pub(super) object: usize,
}

/// A thread on its way through a gap, and by which lock or atomic it came.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    thread: u32,
    object: usize,
    /// How many steps at the end of the gap it takes to be out: where the start is on the same line, that is one of them.
    steps: usize,
}

/// As the environment has it: see [`perturb`](super::perturb).
pub(super) fn parse(text: &str) -> Result<Vec<Watched>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (gap, places) = part.split_once('@').unwrap_or((part, ""));
            let (is_held, gap) = gap.strip_prefix(HELD).map_or((false, gap), |gap| (true, gap));
            let places = places.split(',').filter(|place| !place.is_empty());
            let interferers = places.map(str::parse).collect::<Result<_, _>>()?;
            Ok(Watched {
                gap: gap.parse()?,
                is_held,
                interferers,
                visits: Vec::new(),
                passed: Vec::new(),
                inside: None,
            })
        })
        .collect()
}

impl Watched {
    pub(super) fn visit(&self, thread: u32) -> Option<&Visit> {
        self.visits.iter().find(|visit| visit.thread == thread)
    }

    /// Whether a thread is about to come to the start, as often as the gap asks for.
    pub(super) fn is_start(&self, event: Event) -> bool {
        let is_end = self.is_one_line() && self.is_inside(event.thread);
        let is_start = event.kind.is_point() && self.gap.after.is(event.site) && !is_end;
        is_start && self.visit(event.thread).map_or(0, |visit| visit.armed) + 1 >= self.gap.nth
    }

    /// Notes how far a thread has come, and says whether it is in the gap.
    pub(super) fn is_in(&mut self, event: Event) -> bool {
        let at = self.visits.iter().position(|visit| visit.thread == event.thread).unwrap_or_else(|| {
            self.visits.push(Visit { thread: event.thread, armed: 0, object: event.object });
            self.visits.len() - 1
        });
        let visit = &mut self.visits[at];
        let armed = visit.armed;
        let is_in = if self.is_held {
            visit.armed += usize::from(event.kind == Kind::Acquired && self.gap.after.is(event.site));
            visit.armed > armed && visit.armed >= self.gap.nth
        } else {
            in_gap(&self.gap, event, &mut visit.armed)
        };
        visit.object = if visit.armed > armed { event.object } else { visit.object };
        is_in
    }

    fn is_inside(&self, thread: u32) -> bool {
        self.inside.is_some_and(|inside| inside.thread == thread)
    }

    /// Its start and its end cannot be told apart by their places.
    fn is_one_line(&self) -> bool {
        !self.is_held && self.gap.before.as_ref() == Some(&self.gap.after)
    }

    /// A thread that comes to the start of the gap is on its way through.
    pub(super) fn enter(&mut self, event: Event) {
        if self.gap.after.is(event.site) && !self.is_inside(event.thread) {
            let steps = if self.is_one_line() { 2 } else { 1 };
            self.inside = Some(Inside { thread: event.thread, object: event.object, steps });
        }
    }

    /// Notes a step that may have interfered.
    pub(super) fn pass(&mut self, event: Event) {
        let step = (event.thread, event.object, event.site);
        if self.passed.len() < KEPT && self.is_named(event.site) && !self.passed.contains(&step) {
            self.passed.push(step);
        }
    }

    /// Where other threads have interfered with one of these objects.
    pub(super) fn passed_by(&self, thread: u32, objects: [usize; 2]) -> impl Iterator<Item = Place> {
        let others = self.passed.iter().filter(move |(other, object, _)| *other != thread && objects.contains(object));
        others.map(|(_, _, site)| *site)
    }

    /// Who has come to the end is out again.
    pub(super) fn leave(&mut self, event: Event) {
        let end = self.gap.before.as_ref().filter(|_| !self.is_held).unwrap_or(&self.gap.after);
        let is_step = event.kind.is_done() && end.is(event.site);
        if let Some(inside) = self.inside.filter(|inside| is_step && inside.thread == event.thread) {
            let steps = inside.steps - 1;
            self.inside = (steps > 0).then_some(Inside { steps, ..inside });
        }
    }

    /// Whether another thread is inside that this step would disturb.
    pub(super) fn is_closed_to(&self, event: Event) -> bool {
        let Some(inside) = self.inside.filter(|inside| inside.thread != event.thread) else { return false };
        let is_anybody = self.interferers.is_empty() && inside.object == event.object;
        is_anybody || self.is_named(event.site) || self.gap.after.is(event.site)
    }

    pub(super) fn is_named(&self, site: Place) -> bool {
        self.interferers.iter().any(|it| it.is(site))
    }

    /// Without a place everything that others do is meant.
    pub(super) fn is_interferer(&self, site: Place) -> bool {
        self.interferers.is_empty() || self.is_named(site)
    }
}
