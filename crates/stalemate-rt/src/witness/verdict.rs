//! What all the runs come to, in one line.

use super::outcome::Outcome;
use super::play::Played;
use crate::director::{Proof, Race};
use crate::json::Json;
use crate::watchdog;
use std::process;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An interleaving came to what no serial order comes to, or to a deadlock.
    Confirmed,
    NotReproduced,
    /// There is nothing to compare: A never comes to the gap, or the serial orders come to this one time and that another.
    Infeasible,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Confirmed => "confirmed",
            Status::NotReproduced => "not-reproduced",
            Status::Infeasible => "infeasible",
        }
    }
}

/// The interleaving.
#[derive(Clone, Debug)]
pub struct Found {
    /// As planned, such as `A to point 1, B to its end, A to its end`.
    pub schedule: String,
    /// How many times a thread was left before its end.
    pub switches: usize,
    /// How many waits were allowed to return without having been notified.
    pub spurious: usize,
    /// Where the threads were held up.
    pub pauses: Vec<String>,
    /// The user's frames at each of these, where they could be told.
    pub stacks: Vec<String>,
    pub outcome: Outcome,
    pub deadlock: Option<Proof>,
    /// The steps of both, in the order in which they happened.
    pub trace: Vec<String>,
}

impl Found {
    pub(super) fn new(played: Played, schedule: String, switches: usize, spurious: usize) -> Found {
        let Played { outcome, pauses, stacks, deadlock, trace, .. } = played;
        Found { schedule, switches, spurious, pauses, stacks, outcome, deadlock, trace }
    }

    fn json(&self) -> Json {
        Json::object([
            ("schedule", Json::text(&self.schedule)),
            ("switches", Json::number(self.switches)),
            ("spurious", Json::number(self.spurious)),
            ("pauses", Json::list(self.pauses.iter().map(Json::text))),
            ("stacks", Json::list(self.stacks.iter().map(|stack| Json::list(stack.lines().map(Json::text))))),
            ("outcome", self.outcome.json()),
            ("deadlock", self.deadlock.as_ref().map_or(Json::Null, Proof::json)),
            ("trace", Json::list(self.trace.iter().map(Json::text))),
        ])
    }
}

#[derive(Clone, Debug)]
pub struct Verdict {
    pub status: Status,
    pub reason: String,
    /// A;B and B;A, as far as they were run.
    pub serial: Vec<Outcome>,
    pub found: Option<Found>,
    /// Interleavings that were run, and those among them that did not go as planned.
    pub tried: usize,
    pub hindered: usize,
    pub races: Vec<Race>,
}

impl Verdict {
    /// One line, after [`watchdog::MARK`] on standard output.
    pub fn json(&self) -> String {
        let race = |race: &Race| Json::list([Json::text(&race.first), Json::text(&race.second)]);
        let verdict = Json::object([
            ("status", Json::text(self.status.name())),
            ("reason", Json::text(&self.reason)),
            ("serial", Json::list(self.serial.iter().map(Outcome::json))),
            ("interleaved", self.found.as_ref().map_or(Json::Null, Found::json)),
            ("tried", Json::number(self.tried)),
            ("hindered", Json::number(self.hindered)),
            ("races", Json::list(self.races.iter().map(race))),
        ]);
        verdict.to_string()
    }

    pub fn print(&self) {
        println!("{}{}", watchdog::MARK, self.json());
    }

    /// Ends the process, and with it the threads of runs that were given up.
    pub fn end(&self) -> ! {
        self.print();
        let deadlock = self.found.as_ref().is_some_and(|found| found.deadlock.is_some());
        process::exit(if deadlock { watchdog::DEADLOCK } else { 0 })
    }
}
