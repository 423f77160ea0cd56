//! A test of the user's, perturbed: a thread that comes into one of the given gaps is held up until another thread has
//! passed a place that interferes, or a bound is over. How often that is done is bounded too, and the front-end lets that
//! number grow as KISS lets `ts`.
//!
//! A test can fail because a thread is slow, and not because somebody came between. So there are two controls
//! ([`Control`]): the same delays, with the way through the gap made atomic by keeping everybody else out of it.

use super::watched::{self, Watched};
use super::{Access, CHANGED, Directing, Event, Kind, Place, director};
use crate::json::Json;
use crate::watchdog;
use std::env;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// `gap@place,place;gap@place`. A gap without a place waits for any other thread's step. With `held:` before it the gap is
/// the time in which the lock is held that is taken at its start.
pub const VARIABLE: &str = "STALEMATE_PERTURB";
/// How long a thread is held up, in milliseconds.
pub const BOUND: &str = "STALEMATE_PERTURB_MS";
/// How many times somebody is let in between, over all threads.
pub const TIMES: &str = "STALEMATE_PERTURB_TIMES";
/// `slow` or `late`: nobody is let in between.
pub const CONTROL: &str = "STALEMATE_PERTURB_CONTROL";

/// If it is set: who interferes waits for somebody to come into the gap.
pub const INVITE: &str = "STALEMATE_PERTURB_INVITE";

/// Waiting that came to nothing, over all threads.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    /// A thread is held up in the gap for all the time, and the others stay out: A before B.
    Slow,
    /// A thread is held up before it comes to the gap, until another one has passed: B before A.
    Late,
}

pub(super) struct Perturb {
    gaps: Vec<Watched>,
    control: Option<Control>,
    invites: bool,
    bound: Duration,
    left: usize,
    patience: Duration,
    holds: Vec<Hold>,
}

/// A thread that is being held up, and who has passed since.
struct Hold {
    thread: u32,
    at: usize,
    objects: [usize; 2],
    by: Option<Place>,
}

/// Whether the environment asks for anything, and it has been prepared.
pub(crate) fn perturb_as_told() -> bool {
    let limit = watchdog::start_as_told();
    let Ok(text) = env::var(VARIABLE) else { return limit };
    match watched::parse(&text).and_then(|gaps| Ok((gaps, control()?))) {
        Ok((gaps, control)) => {
            let bound = Duration::from_millis(number(BOUND, 50));
            let left = usize::try_from(number(TIMES, 1)).unwrap_or(usize::MAX);
            let (invites, patience, holds) = (env::var_os(INVITE).is_some(), PATIENCE, Vec::new());
            director().perturb = Some(Perturb { gaps, control, invites, bound, left, patience, holds });
        }
        Err(wrong) => {
            watchdog::end(watchdog::MISUSE, Json::object([("status", Json::text(format!("{VARIABLE}: {wrong}")))]))
        }
    }
    true
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn control() -> Result<Option<Control>, String> {
    match env::var(CONTROL).ok().as_deref() {
        None => Ok(None),
        Some("slow") => Ok(Some(Control::Slow)),
        Some("late") => Ok(Some(Control::Late)),
        Some(other) => Err(format!("`{other}` is no control: expected `slow` or `late`")),
    }
}

/// Notes a step of a thread, and holds the thread up if it is to be.
pub(super) fn delay(mut directing: Directing, event: Event) {
    let Some(perturb) = &mut directing.perturb else { return };
    perturb.note(event);
    let control = perturb.control;
    let before = perturb.before_gap(event).filter(|_| control == Some(Control::Late));
    let within = perturb.gap_of(event).filter(|_| control != Some(Control::Late));
    let invited = perturb.interferes(event).filter(|_| within.is_none() && control != Some(Control::Late));
    CHANGED.notify_all();
    if let Some(at) = invited {
        directing = invite(directing, at);
    }
    if let Some(at) = before {
        directing = held_up(directing, at, event);
    }
    if control.is_some() {
        directing = kept_out(directing, event);
    }
    if let Some(at) = within {
        drop(held_up(directing, at, event));
    }
}

/// Holds a thread up until somebody has passed; in a slow control, for all of its time.
fn held_up(mut directing: Directing, at: usize, event: Event) -> Directing {
    let Some(bound) = directing.perturb.as_mut().and_then(|perturb| perturb.start(at, event)) else {
        return directing;
    };
    let end = Instant::now() + bound;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let is_over = left.is_zero() || directing.perturb.as_ref().is_none_or(|perturb| perturb.may_go(event.thread));
        if is_over {
            break;
        }
        directing = changed_within(directing, left);
    }
    if let Some(perturb) = &mut directing.perturb {
        perturb.finish(event);
    }
    directing
}

/// Who would interfere waits for somebody to be in the gap, lest it be over before that.
fn invite(mut directing: Directing, at: usize) -> Directing {
    let start = Instant::now();
    while let Some(left) = directing.perturb.as_mut().and_then(|perturb| perturb.is_expected(at, start)) {
        directing = changed_within(directing, left);
    }
    directing
}

/// In a control: nobody interferes, or comes into the gap, while another thread is on its way through.
fn kept_out(mut directing: Directing, event: Event) -> Directing {
    let gaps = directing.perturb.as_ref().map_or(0, |perturb| perturb.gaps.len());
    for at in (0..gaps).filter(|_| event.kind.is_point()) {
        let start = Instant::now();
        while let Some(left) = directing.perturb.as_mut().and_then(|perturb| perturb.in_the_way(at, event, start)) {
            directing = changed_within(directing, left);
        }
        if let Some(watched) = directing.perturb.as_mut().map(|perturb| &mut perturb.gaps[at]) {
            watched.enter(event);
        }
    }
    directing
}

fn changed_within(directing: Directing, time: Duration) -> Directing {
    CHANGED.wait_timeout(directing, time).unwrap_or_else(PoisonError::into_inner).0
}

impl Perturb {
    /// Who is held up for this step learns of it, and who has come through a gap is out of it.
    fn note(&mut self, event: Event) {
        let is_change = event.kind.is_done() && event.kind != Kind::Touched(Access::Read);
        for hold in self.holds.iter_mut().filter(|hold| hold.thread != event.thread && hold.by.is_none()) {
            let watched = &self.gaps[hold.at];
            let is_held = watched.is_held && self.control.is_none();
            let is_kind = if is_held { event.kind == Kind::Acquired } else { is_change };
            let is_object = watched.is_held || hold.objects.contains(&event.object);
            if is_kind && is_object && watched.is_interferer(event.site) {
                hold.by = Some(event.site);
            }
        }
        for watched in &mut self.gaps {
            if is_change && self.control == Some(Control::Late) {
                watched.pass(event);
            }
            watched.leave(event);
        }
    }

    /// The gap that this step may interfere with.
    fn interferes(&self, event: Event) -> Option<usize> {
        self.gaps
            .iter()
            .position(|watched| watched.is_named(event.site))
            .filter(|_| self.invites && event.kind.is_point())
    }

    /// How long to wait on for somebody to come into the gap.
    fn is_expected(&mut self, at: usize, start: Instant) -> Option<Duration> {
        if self.left == 0 || self.holds.iter().any(|hold| hold.at == at) {
            return None;
        }
        let most = self.bound.min(self.patience);
        let left = most.saturating_sub(start.elapsed());
        if left.is_zero() {
            self.patience = self.patience.saturating_sub(most);
            return None;
        }
        Some(left)
    }

    /// The gap whose start a thread is about to come to, as often as the gap asks for.
    fn before_gap(&self, event: Event) -> Option<usize> {
        self.gaps.iter().position(|watched| watched.is_start(event))
    }

    /// The gap that a thread is in.
    fn gap_of(&mut self, event: Event) -> Option<usize> {
        self.gaps.iter_mut().position(|watched| watched.is_in(event))
    }

    /// For how long the thread may be held up, if it may be.
    fn start(&mut self, at: usize, event: Event) -> Option<Duration> {
        let bound = if self.control == Some(Control::Slow) { self.bound } else { self.bound.min(self.patience) };
        if self.left == 0 || bound.is_zero() {
            return None;
        }
        self.left -= 1;
        let objects = [self.gaps[at].visit(event.thread).map_or(event.object, |visit| visit.object), event.object];
        self.holds.push(Hold { thread: event.thread, at, objects, by: None });
        CHANGED.notify_all();
        Some(bound)
    }

    fn may_go(&self, thread: u32) -> bool {
        let passed = self.holds.iter().any(|hold| hold.thread == thread && hold.by.is_some());
        passed && self.control != Some(Control::Slow)
    }

    /// A switch that did not come about is given back, and the time it took is gone.
    fn finish(&mut self, event: Event) {
        let Some(at) = self.holds.iter().position(|hold| hold.thread == event.thread) else { return };
        let hold = self.holds.remove(at);
        if hold.by.is_none() && self.control != Some(Control::Slow) {
            self.left += 1;
            self.patience = self.patience.saturating_sub(self.bound);
        }
        self.tell(&hold, event);
    }

    /// One line for each time, for who started the test.
    fn tell(&self, hold: &Hold, event: Event) {
        let watched = &self.gaps[hold.at];
        let visit = watched.visit(event.thread).map_or(0, |visit| visit.armed);
        let earlier = watched.passed_by(event.thread, hold.objects).map(|site| Json::text(site.to_string()));
        let told = Json::object([
            ("gap", Json::text(watched.gap.to_string())),
            ("at", Json::text(event.site.to_string())),
            ("visit", Json::number(visit)),
            ("by", hold.by.map_or(Json::Null, |site| Json::text(site.to_string()))),
            ("earlier", Json::list(earlier)),
            ("passed", Json::Bool(hold.by.is_some())),
        ]);
        eprintln!("stalemate-perturb: {told}");
    }

    /// How long this thread is still kept out. Who is inside may have left on another way: that is not waited for long.
    fn in_the_way(&mut self, at: usize, event: Event, start: Instant) -> Option<Duration> {
        let watched = &mut self.gaps[at];
        if !watched.is_closed_to(event) {
            return None;
        }
        let most = (self.bound * 3).min(self.patience);
        let left = most.saturating_sub(start.elapsed());
        if left.is_zero() {
            watched.inside = None;
            self.patience = self.patience.saturating_sub(most);
            return None;
        }
        Some(left)
    }
}
