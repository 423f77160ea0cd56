//! A test of the user's, perturbed: a thread that comes into one of the given gaps is held up until another thread has
//! passed a place that interferes, or a bound is over. How often that is done at all is bounded too, and the front-end
//! lets that number grow as KISS lets `ts`.

use super::schedule::in_gap;
use super::{CHANGED, Directing, Event, director};
use crate::json::Json;
use crate::site::{Gap, Site};
use crate::watchdog;
use std::env;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// `gap@place,place;gap@place`. A gap without a place waits for any other thread's step.
pub const VARIABLE: &str = "STALEMATE_PERTURB";
/// How long a thread is held up, in milliseconds.
pub const BOUND: &str = "STALEMATE_PERTURB_MS";
/// How many times, over all threads.
pub const TIMES: &str = "STALEMATE_PERTURB_TIMES";

pub(super) struct Perturb {
    gaps: Vec<Watched>,
    bound: Duration,
    left: usize,
}

struct Watched {
    gap: Gap,
    interferers: Vec<Site>,
    /// Who passed last, and how many have.
    passed: Vec<u32>,
    /// How often each thread entered the gap.
    armed: Vec<(u32, usize)>,
}

/// Whether the environment asks for anything, and it has been prepared.
pub(crate) fn perturb_as_told() -> bool {
    let limit = watchdog::start_as_told();
    let Ok(text) = env::var(VARIABLE) else { return limit };
    let number = |name: &str, otherwise| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    match parse(&text) {
        Ok(gaps) => {
            let bound = Duration::from_millis(number(BOUND, 50));
            let left = usize::try_from(number(TIMES, 1)).unwrap_or(usize::MAX);
            director().perturb = Some(Perturb { gaps, bound, left });
        }
        Err(wrong) => {
            watchdog::end(watchdog::MISUSE, Json::object([("status", Json::text(format!("{VARIABLE}: {wrong}")))]))
        }
    }
    true
}

fn parse(text: &str) -> Result<Vec<Watched>, String> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (gap, places) = part.split_once('@').unwrap_or((part, ""));
            let places = places.split(',').filter(|place| !place.is_empty());
            let interferers = places.map(str::parse).collect::<Result<_, _>>()?;
            Ok(Watched { gap: gap.parse()?, interferers, passed: Vec::new(), armed: Vec::new() })
        })
        .collect()
}

/// Notes a step of a thread, and holds the thread up if it is in a gap.
pub(super) fn delay(mut directing: Directing, event: Event) {
    let Some(perturb) = &mut directing.perturb else { return };
    perturb.note(event);
    let Some(at) = perturb.gap_of(event).filter(|_| perturb.left > 0) else {
        CHANGED.notify_all();
        return;
    };
    perturb.left -= 1;
    let (seen, start, bound) = (perturb.gaps[at].others(event.thread), Instant::now(), perturb.bound);
    loop {
        let passed = directing.perturb.as_ref().is_some_and(|perturb| perturb.gaps[at].others(event.thread) > seen);
        let left = bound.saturating_sub(start.elapsed());
        if passed || left.is_zero() {
            return told(&directing, at, passed);
        }
        directing = CHANGED.wait_timeout(directing, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// One line for each time, for who started the test.
fn told(directing: &Directing, at: usize, passed: bool) {
    let Some(watched) = directing.perturb.as_ref().map(|perturb| &perturb.gaps[at]) else { return };
    let gap = Json::text(watched.gap.to_string());
    eprintln!("stalemate-perturb: {}", Json::object([("gap", gap), ("passed", Json::Bool(passed))]));
}

impl Perturb {
    fn note(&mut self, event: Event) {
        for watched in self.gaps.iter_mut().filter(|_| event.kind.is_done()) {
            let named = watched.interferers.iter().any(|site| site.is(event.site));
            if named || watched.interferers.is_empty() {
                watched.passed.push(event.thread);
            }
        }
    }

    fn gap_of(&mut self, event: Event) -> Option<usize> {
        self.gaps.iter_mut().position(|watched| {
            let at = watched.armed.iter().position(|(thread, _)| *thread == event.thread).unwrap_or_else(|| {
                watched.armed.push((event.thread, 0));
                watched.armed.len() - 1
            });
            in_gap(&watched.gap, event, &mut watched.armed[at].1)
        })
    }
}

impl Watched {
    fn others(&self, thread: u32) -> usize {
        self.passed.iter().filter(|other| **other != thread).count()
    }
}
