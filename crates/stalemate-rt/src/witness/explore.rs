//! Which schedules are played, in which order, and what is made of them.

use super::Pair;
use super::outcome::Outcome;
use super::play::Played;
use super::verdict::{Found, Status, Verdict};
use crate::director::{Hindrance, Role, Step, Stop, stack};
use std::time::Instant;

pub(super) fn explore<F: Send + Sync + 'static>(pair: &Pair<F>) -> Verdict {
    let mut search = Search::new(pair);
    let ended = search.serial().or_else(|| search.interleaved());
    let (status, reason) = ended.unwrap_or_else(|| search.nothing_found());
    let Search { serial, found, tried, hindered, races, .. } = search;
    Verdict { status, reason, serial, found, tried, hindered: hindered.len(), races }
}

struct Search<'a, F> {
    pair: &'a Pair<F>,
    start: Instant,
    serial: Vec<Outcome>,
    /// Of each: whether a thread waited in the middle.
    yielded: Vec<bool>,
    points: [usize; 2],
    found: Option<Found>,
    tried: usize,
    hindered: Vec<Hindrance>,
    races: Vec<crate::director::Race>,
    cut_short: bool,
    /// How many runs that stalled may still be played again.
    second_chances: usize,
}

/// Where a thread really waits for something unseen, every run of it stalls, and a few are enough to learn that.
const SECOND_CHANCES: usize = 3;

type End = (Status, String);

impl<'a, F: Send + Sync + 'static> Search<'a, F> {
    fn new(pair: &'a Pair<F>) -> Self {
        Search {
            pair,
            start: Instant::now(),
            serial: Vec::new(),
            yielded: Vec::new(),
            points: [0; 2],
            found: None,
            tried: 0,
            hindered: Vec::new(),
            races: Vec::new(),
            cut_short: false,
            second_chances: SECOND_CHANCES,
        }
    }

    /// A thread that does nothing for a while may wait for something that is not seen, or for a busy machine. Nobody can tell
    /// by one run, and what stalled shows nothing, so it is played again.
    fn play(&mut self, steps: &[Step], spurious: usize) -> Played {
        loop {
            let played = self.pair.play(steps, spurious);
            let has_stalled = played.hindrance == Some(Hindrance::Stalled) && played.deadlock.is_none();
            if !has_stalled || self.second_chances == 0 || self.start.elapsed() >= self.pair.limit {
                return played;
            }
            self.second_chances -= 1;
        }
    }

    /// Both orders, more than once each: what does not always come to the same is nothing to compare with.
    fn serial(&mut self) -> Option<End> {
        for first in [Role::A, Role::B] {
            let steps = [to_end(first), to_end(first.other())];
            for again in 0..self.pair.repeats {
                let played = self.play(&steps, 0);
                self.points[first as usize] = self.points[first as usize].max(played.points[first as usize]);
                if played.deadlock.is_some() {
                    return Some(self.confirm(played, &steps, 0));
                }
                if again == 0 {
                    self.yielded.push(played.yielded);
                    self.serial.push(played.outcome);
                } else if self.serial.last() != Some(&played.outcome) {
                    return Some((Status::Infeasible, differs(first, self.serial.last(), &played.outcome)));
                }
            }
        }
        if self.serial.iter().any(Outcome::lacks_runtime) {
            return Some((Status::Infeasible, "it needs a runtime of tokio, and there is none around it".to_owned()));
        }
        if let Some(end) = self.waited() {
            return Some(end);
        }
        let stuck = self.serial.iter().all(|outcome| outcome.a.is_stuck() && outcome.b.is_stuck());
        stuck.then(|| (Status::Infeasible, "neither order comes to an end".to_owned()))
    }

    /// One order in which a thread waits in the middle, and one in which nobody does: they have to come to the same.
    fn waited(&mut self) -> Option<End> {
        let [in_parts, whole] = match self.yielded[..] {
            [true, false] if self.pair.whole => [0, 1],
            [false, true] if self.pair.whole => [1, 0],
            _ => return None,
        };
        let is_same = self.serial[in_parts] == self.serial[whole];
        if is_same || self.serial[in_parts].a.is_stuck() || self.serial[in_parts].b.is_stuck() {
            return None;
        }
        let first = [Role::A, Role::B][in_parts];
        let steps = [to_end(first), to_end(first.other())];
        stack::want(true);
        let played = self.play(&steps, 0);
        stack::want(false);
        let is_again = played.outcome == self.serial[in_parts];
        self.serial.remove(in_parts);
        is_again.then(|| self.confirm(played, &steps, 0))
    }

    /// Schedules are made one after the other, as long as none has shown anything.
    fn interleaved(&mut self) -> Option<End> {
        let (pair, points) = (self.pair, self.points);
        let orders = [Role::A, Role::B].map(|first| vec![to_end(first), to_end(first.other())]);
        let orders = orders.into_iter().filter(|_| pair.spurious > 0);
        let first_locks = pair
            .first_locks
            .iter()
            .map(|[a, b]| vec![step(Role::A, Stop::Acquired(a.clone())), step(Role::B, Stop::Acquired(b.clone()))]);
        let gaps = pair.gaps.iter().map(|gap| once(Role::A, Stop::Gap(gap.clone())));
        let mut given = orders.chain(first_locks).chain(gaps);
        let given = given.find_map(|steps| self.attempt(&steps));
        if given.is_some() || !pair.gaps.is_empty() {
            return given;
        }
        let once = (1..=pair.switches.min(1)).flat_map(|_| everywhere_once(points));
        let twice = (2..=pair.switches.min(2)).flat_map(|_| everywhere_twice(points));
        once.chain(twice).find_map(|steps| self.attempt(&steps))
    }

    /// Plays a schedule, with waits as they should be, and then, if that is asked for, with some that return too soon.
    fn attempt(&mut self, steps: &[Step]) -> Option<End> {
        let spurious = self.pair.spurious;
        [0, spurious].into_iter().take(1 + usize::from(spurious > 0)).find_map(|spurious| self.judge(steps, spurious))
    }

    fn judge(&mut self, steps: &[Step], spurious: usize) -> Option<End> {
        self.cut_short = self.tried >= self.pair.most || self.start.elapsed() >= self.pair.limit;
        if self.cut_short {
            return None;
        }
        self.tried += 1;
        let played = self.play(steps, spurious);
        self.note_races(&played);
        if played.deadlock.is_some() {
            return Some(self.confirm(played, steps, spurious));
        }
        self.hindered.extend(played.hindrance);
        if !self.is_new(&played) {
            return None;
        }
        // Once more: what does not come back may have had another reason. This time it is told where threads were.
        stack::want(true);
        let again = self.play(steps, spurious);
        stack::want(false);
        self.is_new(&again).then(|| self.confirm(again, steps, spurious))
    }

    fn is_new(&self, played: &Played) -> bool {
        let is_whole = played.hindrance.is_none() && !played.outcome.lacks_runtime();
        is_whole && !self.serial.contains(&played.outcome)
    }

    fn confirm(&mut self, played: Played, steps: &[Step], spurious: usize) -> End {
        let reason = match &played.deadlock {
            Some(proof) if proof.members.len() == 1 => "a thread waits for a lock that it holds itself",
            Some(_) => "threads wait for one another in a cycle",
            None => "the interleaving comes to what no serial order comes to",
        };
        let schedule = steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let switches = steps.iter().filter(|step| step.stop != Stop::End).count();
        self.found = Some(Found::new(played, schedule, switches, spurious));
        (Status::Confirmed, reason.to_owned())
    }

    fn note_races(&mut self, played: &Played) {
        for race in &played.races {
            if !self.races.contains(race) {
                self.races.push(race.clone());
            }
        }
    }

    fn nothing_found(&self) -> End {
        let all =
            |what: Hindrance| self.tried > 0 && self.hindered.iter().filter(|it| **it == what).count() == self.tried;
        let given = !self.pair.gaps.is_empty();
        match () {
            () if given && all(Hindrance::Missed) => (Status::Infeasible, "A never comes to the gap".to_owned()),
            () if given && all(Hindrance::Blocked) => {
                (Status::NotReproduced, "B needs a lock that A holds in the gap".to_owned())
            }
            () if given && all(Hindrance::Stalled) => (Status::NotReproduced, "B does not end in the gap".to_owned()),
            () if self.cut_short => {
                (Status::NotReproduced, format!("no difference in {} interleavings; more are left", self.tried))
            }
            () => (Status::NotReproduced, format!("no difference in {} interleavings", self.tried)),
        }
    }
}

fn differs(first: Role, one: Option<&Outcome>, other: &Outcome) -> String {
    let one = one.map(ToString::to_string).unwrap_or_default();
    format!("{first:?} before {:?} comes to this one time ({one}) and that another ({other})", first.other())
}

fn step(role: Role, stop: Stop) -> Step {
    Step { role, stop }
}

fn to_end(role: Role) -> Step {
    step(role, Stop::End)
}

/// One thread is held up, the other runs to its end.
fn once(role: Role, stop: Stop) -> Vec<Step> {
    vec![step(role, stop), to_end(role.other()), to_end(role)]
}

/// One thread at each of its points. Nothing has been done before the first one, but a race can show there.
fn everywhere_once(points: [usize; 2]) -> impl Iterator<Item = Vec<Step>> {
    let at = move |role: Role| (0..points[role as usize]).map(move |point| once(role, Stop::Point(point)));
    at(Role::A).chain(at(Role::B))
}

/// One thread at a point, then the other; the first one goes on to its end, then the other.
fn everywhere_twice(points: [usize; 2]) -> impl Iterator<Item = Vec<Step>> {
    let at = move |role: Role, point: usize| step(role, Stop::Point(point));
    let both = move |role: Role| {
        let second = move |point| (1..points[role.other() as usize]).map(move |other| (point, other));
        (1..points[role as usize]).flat_map(second).map(move |(point, other)| {
            vec![at(role, point), at(role.other(), other), to_end(role), to_end(role.other())]
        })
    };
    both(Role::A).chain(both(Role::B))
}
