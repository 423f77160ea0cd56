//! One run: a fresh state, two threads, a schedule.

use super::left;
use super::outcome::{Ended, Outcome};
use super::panics::caught;
use super::standing;
use super::{Act, Pair};
use crate::director::{self, Event, Hindrance, Proof, Race, Report, Role, Run, Step, stack};
use crate::hook::stay_on_the_stack;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What a run came to, and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) outcome: Outcome,
    pub(super) points: [usize; 2],
    pub(super) hindrance: Option<Hindrance>,
    pub(super) deadlock: Option<Proof>,
    pub(super) pauses: Vec<String>,
    pub(super) stacks: Vec<String>,
    pub(super) yielded: bool,
    pub(super) races: Vec<Race>,
    pub(super) trace: Vec<String>,
}

/// So many steps are kept to be shown.
const SHOWN: usize = 200;

pub(super) fn play<F: Send + Sync + 'static>(pair: &Pair<F>, steps: &[Step], spurious: usize) -> Played {
    director::count_threads();
    standing::begin();
    let fixture = match caught(|| (pair.make)()) {
        Ok(fixture) => Arc::new(fixture),
        Err(panic) => return Played::not_started(&panic),
    };
    let third = left::drop_rest(pair.third, pair.bounds.stuck);
    let run = Run::start(steps.to_vec(), spurious);
    let results = [Role::A, Role::B].map(|role| start(role, &fixture, &pair.acts[role as usize]));
    let report = run.watch(pair.bounds);
    let [a, b] = [Role::A, Role::B].map(|role| {
        let result = results[role as usize].lock().unwrap_or_else(PoisonError::into_inner).take();
        result.unwrap_or_else(|| stuck(&report, role))
    });
    let state = if a.is_stuck() || b.is_stuck() { String::new() } else { observed(pair, fixture) };
    let mut played = Played::new(Outcome { a, b, state }, report);
    played.pauses.splice(0..0, third);
    played
}

type Slot = Arc<Mutex<Option<Ended>>>;

/// Starts a thread that nobody joins: if it never ends, the run is over without it.
fn start<F: Send + Sync + 'static>(role: Role, fixture: &Arc<F>, act: &Act<F>) -> Slot {
    let slot = Slot::default();
    let (fixture, act, result) = (fixture.clone(), act.clone(), slot.clone());
    thread::spawn(move || {
        standing::enter(role);
        director::enter(role);
        let ended = caught(|| stalemate_acts(&act, &fixture)).map_or_else(Ended::Panicked, Ended::Returned);
        drop(fixture);
        *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        director::leave(role);
    });
    slot
}

/// Found on stacks by its name: the user's frames are above.
#[inline(never)]
fn stalemate_acts<F>(act: &Act<F>, fixture: &F) -> String {
    let result = act(fixture);
    stay_on_the_stack();
    result
}

fn stuck(report: &Report, role: Role) -> Ended {
    Ended::Stuck(report.stuck[role as usize].clone().unwrap_or_default())
}

/// On a thread too: a lock that was never let go would hold up everybody.
fn observed<F: Send + Sync + 'static>(pair: &Pair<F>, fixture: Arc<F>) -> String {
    let observe = pair.observe.clone();
    let seen: Receiver<String> = {
        let (send, receive) = channel();
        thread::spawn(move || {
            let state = caught(|| observe(&fixture)).unwrap_or_else(|panic| format!("panicked: {panic}"));
            drop(fixture);
            let _ = send.send(state);
        });
        receive
    };
    seen.recv_timeout(pair.bounds.stuck)
        .unwrap_or_else(|_| "cannot be looked at: it does not come to an end".to_owned())
}

impl Played {
    fn new(outcome: Outcome, report: Report) -> Played {
        let Report { points, hindrance, deadlock, pauses, stacks, yielded, races, trace, .. } = report;
        let stacks = stacks.iter().map(stack::shown).collect();
        let trace = trace.into_iter().take(SHOWN).map(|(role, event)| shown(role, event)).collect();
        Played { outcome, points, hindrance, deadlock, pauses, stacks, yielded, races, trace }
    }

    pub(super) fn without_report(outcome: Outcome) -> Played {
        Played {
            outcome,
            points: [0; 2],
            hindrance: None,
            deadlock: None,
            pauses: Vec::new(),
            stacks: Vec::new(),
            yielded: false,
            races: Vec::new(),
            trace: Vec::new(),
        }
    }

    fn not_started(panic: &str) -> Played {
        let ended = Ended::Stuck(format!("not started: the state cannot be made: {panic}"));
        Played::without_report(Outcome { a: ended.clone(), b: ended, state: String::new() })
    }
}

fn shown(role: Role, event: Event) -> String {
    format!("{role:?} {} {}", event.kind.name(), event.site)
}
