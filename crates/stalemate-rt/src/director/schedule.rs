//! Whose turn it is. A schedule is a list of steps; in each, one of two threads runs, up to a point or to its end. When
//! the list is through, both run as they like.
//!
//! A thread that cannot run in its step gives it up: it waits to be notified, which is its own doing, or for a lock that
//! the other one holds, which means that the schedule as planned is not one of the program's.

use super::event::{Access, Event, Kind};
use super::locks::Locks;
use super::proof::Proof;
use super::stack;
use super::waiting::Wakes;
use crate::site::{Gap, Site};
use std::backtrace::Backtrace;
use std::fmt;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    A,
    B,
}

impl Role {
    pub fn other(self) -> Role {
        match self {
            Role::A => Role::B,
            Role::B => Role::A,
        }
    }
}

/// How far a thread runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    End,
    /// Its point with this number, counted from 0 over the whole run.
    Point(usize),
    Gap(Gap),
    /// A lock is taken here, or anywhere, and not let go.
    Acquired(Option<Site>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub role: Role,
    pub stop: Stop,
}

/// Why a schedule was not played as planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// A thread ended before it came to where it was to stop.
    Missed,
    /// A thread needed a lock that the other one, held up, holds.
    Blocked,
    /// A thread did nothing for too long: it waits for something that is not seen.
    Stalled,
}

/// Two accesses of one atomic, side by side, at least one of them a write, with no lock around both. Steps that read and
/// write at once are what KISS calls atomic, and are left out as there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    pub first: String,
    pub second: String,
}

#[derive(Default)]
pub(super) struct Actor {
    pub(super) thread: Option<u32>,
    pub(super) ended: bool,
    pub(super) points: usize,
    /// How often it came through the start of the gap it is to stop in.
    armed: usize,
    last: Option<Event>,
    pub(super) waiting: Option<Waiting>,
    /// What it waits for now, or did last, is not known: see [`Wakes::Somehow`].
    pub(super) wakes_somehow: bool,
}

pub(super) struct Waiting {
    pub(super) notified: bool,
    pub(super) timed: bool,
    pub(super) wakes: Wakes,
    pub(super) site: String,
}

pub(super) struct Schedule {
    pub(super) id: u64,
    steps: Vec<Step>,
    at: usize,
    pub(super) actors: [Actor; 2],
    /// How many waits may still return without having been notified.
    pub(super) spurious: usize,
    pub(super) progress: u64,
    /// When a cycle was last seen that is still being looked into.
    pub(super) suspected: Option<Instant>,
    pub(super) hindrance: Option<Hindrance>,
    pub(super) deadlock: Option<Proof>,
    pub(super) pauses: Vec<String>,
    /// For each pause, if that is wanted.
    pub(super) stacks: Vec<Backtrace>,
    /// A thread waited to be notified, and the other one ran meanwhile.
    pub(super) yielded: bool,
    pub(super) races: Vec<Race>,
    pub(super) trace: Vec<(Role, Event)>,
}

impl Schedule {
    pub(super) fn new(id: u64, steps: Vec<Step>, spurious: usize) -> Schedule {
        Schedule {
            id,
            steps,
            at: 0,
            actors: [Actor::default(), Actor::default()],
            spurious,
            progress: 0,
            suspected: None,
            hindrance: None,
            deadlock: None,
            pauses: Vec::new(),
            stacks: Vec::new(),
            yielded: false,
            races: Vec::new(),
            trace: Vec::new(),
        }
    }

    pub(super) fn role_of(&self, thread: u32) -> Option<Role> {
        [Role::A, Role::B].into_iter().find(|role| self.actors[*role as usize].thread == Some(thread))
    }

    pub(super) fn turn(&self) -> Option<Role> {
        self.steps.get(self.at).map(|step| step.role)
    }

    pub(super) fn may_run(&self, role: Role) -> bool {
        self.deadlock.is_none() && self.turn().is_none_or(|turn| turn == role)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
        self.actors.iter_mut().for_each(|actor| actor.armed = 0);
    }

    /// An actor did something. It may be where it is to stop.
    pub(super) fn happens(&mut self, role: Role, event: Event, locks: &Locks) {
        self.progress += 1;
        self.trace.push((role, event));
        self.note_race(role, event, locks);
        let stops = self.turn() == Some(role) && self.stops(role, event);
        let actor = &mut self.actors[role as usize];
        actor.points += usize::from(event.kind.is_point());
        actor.last = Some(event);
        if stops {
            self.pauses.push(format!("{role:?} at {} ({})", event.site, event.kind.name()));
            self.stacks.extend(stack::here());
            self.advance();
        }
        self.settle(locks);
    }

    fn stops(&mut self, role: Role, event: Event) -> bool {
        let actor = &mut self.actors[role as usize];
        match &self.steps[self.at].stop {
            Stop::End => false,
            Stop::Point(number) => event.kind.is_point() && actor.points == *number,
            Stop::Gap(gap) => in_gap(gap, event, &mut actor.armed),
            Stop::Acquired(site) => {
                event.kind == Kind::Acquired && site.as_ref().is_none_or(|site| site.is(event.site))
            }
        }
    }

    /// Ends the steps that cannot go on.
    pub(super) fn settle(&mut self, locks: &Locks) {
        while let Some(step) = self.steps.get(self.at) {
            let (actor, other) = (&self.actors[step.role as usize], &self.actors[step.role.other() as usize]);
            let blocked = match (actor.thread, other.thread) {
                (Some(thread), Some(other)) => locks.blockers_of(thread).contains(&other),
                _ => false,
            };
            if actor.ended {
                let missed = step.stop != Stop::End;
                self.hindrance = self.hindrance.or(missed.then_some(Hindrance::Missed));
            } else if blocked {
                self.hindrance = self.hindrance.or(Some(Hindrance::Blocked));
            } else if self.is_waiting(actor) {
                self.yielded = true;
            } else {
                return;
            }
            self.advance();
        }
    }

    fn is_waiting(&self, actor: &Actor) -> bool {
        let sleeps = |waiting: &Waiting| self.spurious == 0 || waiting.wakes != Wakes::Spuriously;
        actor.waiting.as_ref().is_some_and(|waiting| sleeps(waiting) && !waiting.notified)
    }

    /// Whether nothing that is seen can make an actor go on. Others of the program might.
    pub(super) fn is_hopeless(&self, locks: &Locks) -> bool {
        self.actors.iter().filter(|actor| !actor.ended).all(|actor| {
            let timed = actor.waiting.as_ref().is_some_and(|waiting| waiting.timed);
            let blocked = actor.thread.is_some_and(|thread| locks.is_surely_blocked(thread));
            blocked || self.is_waiting(actor) && !timed
        })
    }

    /// Whether somebody looks into a cycle: the run is not over before that is settled.
    pub(super) fn is_suspected(&self) -> bool {
        self.suspected.is_some_and(|seen| seen.elapsed() < Duration::from_millis(50))
    }

    fn note_race(&mut self, role: Role, event: Event, locks: &Locks) {
        let (Some(held_up), Kind::Touch(access)) = (self.actors[role.other() as usize].last, event.kind) else {
            return;
        };
        let Kind::Touch(other) = held_up.kind else { return };
        let plain = access != Access::Both && other != Access::Both;
        let written = access == Access::Write || other == Access::Write;
        let common = locks.held_by(event.thread).iter().any(|lock| locks.held_by(held_up.thread).contains(lock));
        if held_up.object == event.object && plain && written && !common {
            let race = Race { first: held_up.site.to_string(), second: event.site.to_string() };
            if !self.races.contains(&race) {
                self.races.push(race);
            }
        }
    }
}

/// Whether an event is where a gap's visitor is held up. `armed` counts how often the gap was entered.
pub(super) fn in_gap(gap: &Gap, event: Event, armed: &mut usize) -> bool {
    let enters = gap.after.is(event.site);
    if event.kind == Kind::Waiting && enters {
        *armed += 1;
        return *armed == gap.nth;
    }
    if event.kind.is_done() && enters {
        *armed += 1;
        return gap.before.is_none() && *armed == gap.nth;
    }
    let leaves = gap.before.as_ref().is_some_and(|before| before.is(event.site));
    leaves && event.kind.is_point() && *armed >= gap.nth
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stop {
            Stop::End => write!(f, "{:?} to its end", self.role),
            Stop::Point(number) => write!(f, "{:?} to point {number}", self.role),
            Stop::Gap(gap) => write!(f, "{:?} to the gap {gap}", self.role),
            Stop::Acquired(None) => write!(f, "{:?} to its first lock", self.role),
            Stop::Acquired(Some(site)) => write!(f, "{:?} to the lock at {site}", self.role),
        }
    }
}
