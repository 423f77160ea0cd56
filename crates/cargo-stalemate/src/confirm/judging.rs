//! What a test says of a finding. It is run with more and more forced switches; a failure counts only if somebody really came
//! into the gap, if it comes again, and if the test passes with the same delays and nobody in between: a test that fails
//! because a thread is slow shows nothing.

use super::perturbed::{self, Control, Disturbance, Ended, Held, Outcome, Spot};
use super::suite::OwnTest;
use finding::Confirmation;
use finding::document::ConfirmationStatus::{Confirmed, Infeasible, NotReproduced};
use std::time::{Duration, Instant};

/// How often a test is run undisturbed before anything else, and at the end.
const CALM: usize = 4;
const CALM_AGAIN: usize = 4;

/// What a run may take at least. One that takes ten times as long as an undisturbed one hangs.
const LIMIT: Duration = Duration::from_secs(5);
const TIMES_LONGER: u32 = 10;
/// With tests that are slower, a hang cannot be told.
const LONGEST: Duration = Duration::from_secs(30);

/// How many switches are forced, KISS's `ts`; for how long a thread is held up; and how often that is repeated.
const SWITCHES: std::ops::RangeInclusive<usize> = 1..=4;
const BOUNDS: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(200)];
const REPEATED: usize = 2;

/// Of this many runs with one and the same disturbance and somebody in the gap, so many must fail. A test that fails now and
/// then by itself must not look like one that fails for a reason.
const RUNS: usize = 4;
const MUST_FAIL: usize = 3;
/// How many runs it may take until somebody was in the gap so often.
const MOST_RUNS: usize = 8;
/// How often each control is run.
const CONTROLS: usize = 3;
const FIRST: &str = "whenever the other thread comes first";

/// A test that passes by itself.
pub struct Steady<'a> {
    pub test: &'a OwnTest,
    limit: Duration,
    can_hang: bool,
}

/// Runs it undisturbed. The error: why nothing can be learnt from it.
pub fn steady(test: &OwnTest) -> Result<Steady<'_>, String> {
    let mut longest = Duration::ZERO;
    for number in 1..=CALM {
        let limit = if number == 1 { LONGEST } else { limit(longest) };
        let outcome = perturbed::run(test, limit, None);
        if outcome.ended != Ended::Passed {
            return Err(format!("{}, undisturbed", told(&test.name, &outcome.ended)));
        }
        longest = longest.max(outcome.took);
    }
    Ok(Steady { test, limit: limit(longest), can_hang: longest * TIMES_LONGER <= LONGEST })
}

fn limit(longest: Duration) -> Duration {
    (longest * TIMES_LONGER).clamp(LIMIT, LONGEST)
}

/// What was seen so far, short of a proof.
#[derive(Default)]
struct Seen {
    is_reached: bool,
    is_switched: bool,
    runs: usize,
}

/// Tries all spots in turn until one shows the bug, or the time is over.
pub fn judge(steady: &Steady<'_>, spots: &[Spot], end: Instant) -> Confirmation {
    let mut seen = Seen::default();
    for spot in spots {
        if let Some(confirmation) = steady.search(spot, end, &mut seen) {
            return confirmation;
        }
    }
    let name = &steady.test.name;
    let runs = seen.runs;
    match seen {
        Seen { is_reached: false, .. } => {
            Confirmation::of(Infeasible, format!("the test `{name}` never comes to the gap ({runs} runs)"))
        }
        Seen { is_switched: false, .. } => {
            let why = format!(
                "in the test `{name}` nobody comes into the gap, however long a thread waits there ({runs} runs)"
            );
            Confirmation::of(NotReproduced, why)
        }
        _ => {
            let why = format!("the test `{name}` passes with another thread in the gap ({runs} runs)");
            Confirmation::of(NotReproduced, why)
        }
    }
}

impl Steady<'_> {
    fn run(&self, disturbance: &Disturbance<'_>) -> Outcome {
        perturbed::run(self.test, self.limit, Some(disturbance))
    }

    /// `None` if nothing was shown, one way or the other.
    fn search(&self, spot: &Spot, end: Instant, seen: &mut Seen) -> Option<Confirmation> {
        let mut is_switched = false;
        for switches in SWITCHES {
            for bound in BOUNDS.into_iter().flat_map(|bound| [bound; REPEATED]) {
                if Instant::now() >= end {
                    return None;
                }
                let disturbance = Disturbance { spot, switches, bound, from: 1, control: None };
                let outcome = self.run(&disturbance);
                seen.runs += 1;
                seen.is_reached |= !outcome.holds.is_empty();
                is_switched |= outcome.is_switched();
                seen.is_switched |= is_switched;
                if self.counts(&outcome) {
                    return Some(self.verify(&disturbance, &outcome));
                }
            }
            // With more switches nobody comes, either.
            if !is_switched {
                return None;
            }
        }
        None
    }

    /// A failure with somebody in the gap.
    fn counts(&self, outcome: &Outcome) -> bool {
        outcome.is_bad() && outcome.is_switched() && (outcome.ended != Ended::Hung || self.can_hang)
    }

    fn verify(&self, disturbance: &Disturbance<'_>, outcome: &Outcome) -> Confirmation {
        let (failed, runs) = self.again(disturbance);
        if failed < MUST_FAIL {
            let why =
                format!("the test `{}` failed in {failed} of {runs} equal runs: that may be chance", self.test.name);
            return Confirmation::of(NotReproduced, why);
        }
        if let Err(why) = self.controls(disturbance, outcome) {
            return Confirmation::of(NotReproduced, why);
        }
        for _ in 0..CALM_AGAIN {
            let again = perturbed::run(self.test, self.limit, None);
            if again.ended != Ended::Passed {
                let why = format!("{}, undisturbed, though not always", told(&self.test.name, &again.ended));
                return Confirmation::of(Infeasible, why);
            }
        }
        confirmed(&self.test.name, disturbance.switches, (failed, runs), outcome)
    }

    /// How many runs failed, of how many in which somebody was in the gap; with the one that is known to have failed.
    fn again(&self, disturbance: &Disturbance<'_>) -> (usize, usize) {
        let (mut failed, mut runs) = (1, 1);
        for _ in 0..MOST_RUNS {
            let outcome = self.run(disturbance);
            runs += usize::from(outcome.is_switched());
            failed += usize::from(self.counts(&outcome));
            if runs == RUNS || runs - failed > RUNS - MUST_FAIL {
                break;
            }
        }
        (failed, runs)
    }

    /// The test passes with threads just as slow, if nobody comes between: with A first, and with B first. A cycle of
    /// threads that wait for one another is a proof whatever else there is.
    fn controls(&self, disturbance: &Disturbance<'_>, outcome: &Outcome) -> Result<(), String> {
        let slow = Disturbance { control: Some(Control::Slow), switches: outcome.holds.len(), ..disturbance.clone() };
        let late = Disturbance { control: Some(Control::Late), ..disturbance.clone() };
        self.passes(&slow, "whenever a thread is slow there")?;
        let mut holds = self.passes(&late, FIRST)?;
        // The first time somebody came may have been a later one of the thread.
        let (visit, by) = switch(outcome);
        if visit > 1 {
            holds = self.passes(&Disturbance { from: visit, ..late }, FIRST)?;
        }
        // Who had to wait for the gap may come first by itself, and has passed before the thread is held up.
        let came_earlier = |held: &Held| disturbance.spot.invites && held.earlier.iter().any(|site| Some(site) == by);
        let is_late = holds.iter().any(|held| held.by.is_some() || came_earlier(held));
        if is_late || matches!(outcome.ended, Ended::Deadlocked(_)) {
            return Ok(());
        }
        let name = &self.test.name;
        Err(format!(
            "the test `{name}` fails with another thread in the gap, and could not be run with that thread first"
        ))
    }

    /// The threads that were held up. The error: the test does not pass, or not by that way.
    fn passes(&self, control: &Disturbance<'_>, when: &str) -> Result<Vec<Held>, String> {
        let name = &self.test.name;
        let mut holds = Vec::new();
        for _ in 0..CONTROLS {
            let outcome = self.run(control);
            if outcome.ended != Ended::Passed {
                return Err(format!("the test `{name}` fails {when}, with nobody in the gap"));
            }
            if outcome.holds.is_empty() {
                return Err(format!("the test `{name}` does not come to the gap when nobody is let into it"));
            }
            holds.extend(outcome.holds);
        }
        Ok(holds)
    }
}

/// The first time somebody came into the gap: how often the thread had come there, and where the other passed.
fn switch(outcome: &Outcome) -> (usize, Option<&String>) {
    let held = outcome.holds.iter().find(|held| held.by.is_some());
    held.map_or((1, None), |held| (held.visit, held.by.as_ref()))
}

fn confirmed(name: &str, switches: usize, (failed, runs): (usize, usize), outcome: &Outcome) -> Confirmation {
    let what = if switches == 1 { "1 forced switch".to_owned() } else { format!("at most {switches} forced switches") };
    let reason = format!(
        "the test `{name}` {} when another thread comes into the gap ({what}, {failed} of {runs} runs); it passes \
         undisturbed, and with the same delays and nobody in the gap",
        verb(&outcome.ended)
    );
    Confirmation {
        serial: vec!["the test passes".to_owned(); 2],
        interleaved: Some(told(name, &outcome.ended)),
        pauses: outcome.holds.iter().filter_map(pause).collect(),
        cycle: cycle(&outcome.ended).to_vec(),
        ..Confirmation::of(Confirmed, reason)
    }
}

fn cycle(ended: &Ended) -> &[String] {
    if let Ended::Deadlocked(who) = ended { who } else { &[] }
}

fn pause(held: &Held) -> Option<String> {
    let by = held.by.as_ref()?;
    Some(format!("a thread at {}, until another had passed {by}", held.at))
}

fn verb(ended: &Ended) -> &'static str {
    match ended {
        Ended::Passed => "passes",
        Ended::Failed(_) => "fails",
        Ended::Deadlocked(_) => "deadlocks",
        Ended::Hung => "hangs",
        Ended::NotRun(_) => "cannot be run",
    }
}

fn told(name: &str, ended: &Ended) -> String {
    let verb = verb(ended);
    match ended {
        Ended::Failed(why) | Ended::NotRun(why) => format!("the test `{name}` {verb}: {why}"),
        Ended::Deadlocked(who) => format!("the test `{name}` {verb}: {}; nobody can go on", waiting(who)),
        Ended::Passed | Ended::Hung => format!("the test `{name}` {verb}"),
    }
}

/// Only where each waits: the rest is told elsewhere.
fn waiting(who: &[String]) -> String {
    let places = who.iter().filter_map(|one| one.split([',', ';']).next());
    places.map(|place| format!("one {place}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hang_is_told_by_the_time_an_undisturbed_run_takes() {
        assert_eq!(limit(Duration::from_millis(10)), LIMIT);
        assert_eq!(limit(Duration::from_secs(1)), Duration::from_secs(10));
        assert_eq!(limit(Duration::from_secs(9)), LONGEST);
    }

    #[test]
    fn a_proof_names_test_place_and_switches() {
        let held =
            |by: Option<&str>| Held { at: "a.rs:9:5".into(), visit: 1, by: by.map(str::to_owned), earlier: Vec::new() };
        let ended = Ended::Failed("left: 1 (a.rs:20:9)".into());
        let outcome = Outcome { ended, holds: vec![held(None), held(Some("a.rs:10:5"))], took: Duration::ZERO };
        let it = confirmed("tests::sum", 1, (3, 4), &outcome);
        assert_eq!((it.status, it.serial.len(), it.pauses.len()), (Confirmed, 2, 1));
        assert!(it.reason.contains("`tests::sum` fails") && it.reason.contains("1 forced switch, 3 of 4 runs"));
        assert_eq!(it.interleaved.unwrap(), "the test `tests::sum` fails: left: 1 (a.rs:20:9)");
    }

    #[test]
    fn a_cycle_is_told_in_short_and_kept_in_full() {
        let who = ["waits at a.rs:1:2, holds what it took at a.rs:9:9; in one, called by two", "waits at b.rs:3:4"];
        let ended = Ended::Deadlocked(who.map(str::to_owned).into());
        let it = confirmed("t", 1, (3, 4), &Outcome { ended, holds: Vec::new(), took: Duration::ZERO });
        assert_eq!(it.cycle, who);
        let told = "the test `t` deadlocks: one waits at a.rs:1:2, one waits at b.rs:3:4; nobody can go on";
        assert_eq!(it.interleaved.unwrap(), told);
    }
}
