//! A witness that was built is run: each way of it in a process of its own, until one shows the bug or the time is over.

use super::bounded;
use super::program;
use super::verdict;
use finding::document::ConfirmationStatus::{Confirmed, Infeasible, NotReproduced};
use finding::recipe::Recipe;
use finding::{Confirmation, Finding, Step, StepKind, Thread};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Before the line that a witness ends with.
pub(super) const MARK: &str = "stalemate-witness: ";

/// Exit code of a witness that proves a deadlock.
pub(super) const DEADLOCK: i32 = 86;

/// For one finding, over all; and for one run.
const BUDGET: Duration = Duration::from_secs(20);
const LIMIT: Duration = Duration::from_secs(22);

/// How many combinations are tried with the gap that the finding names, with one switch anywhere, and with two.
const WITH_GAP: usize = 40;
const WITH_ONE: usize = 12;
const WITH_TWO: usize = 3;

/// At how many points a third thread is stopped.
const THIRD: usize = 8;

/// Stands in attempts that hold A up where the finding says.
const NAMED_GAP: &str = "gap=";

/// One way of running it, as the environment of the witness has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub ways: [usize; 3],
    pub how: String,
}

/// What was found out, and by which attempt.
pub struct Tried {
    pub confirmation: Confirmation,
    pub attempt: Option<Attempt>,
}

/// Runs attempts in turn. The first that shows something ends it; otherwise the most that was learnt is told.
pub fn run(executable: &Path, directory: &Path, finding: &Finding, recipe: &Recipe) -> Tried {
    let start = Instant::now();
    let mut best = Tried { confirmation: Confirmation::of(Infeasible, "it was not run"), attempt: None };
    let mut is_told = false;
    let Some(test) = program::test_name(recipe) else { return best };
    for attempt in attempts(finding, recipe) {
        if start.elapsed() >= BUDGET {
            break;
        }
        let witness = Played { executable, directory, test: &test, finding };
        let Some(mut confirmation) = witness.play(&attempt, false) else { continue };
        if confirmation.status == Confirmed && !recipe.items.is_empty() {
            confirmation = as_others_might(confirmation, witness.play(&attempt, true));
        }
        let is_better = confirmation.status == NotReproduced && best.confirmation.status != NotReproduced;
        let is_proof = confirmation.status == Confirmed;
        if is_proof || is_better || !is_told {
            is_told = true;
            best = Tried { confirmation, attempt: Some(attempt) };
        }
        if is_proof {
            break;
        }
    }
    best
}

/// A program, and what it is run for.
struct Played<'a> {
    executable: &'a Path,
    directory: &'a Path,
    test: &'a str,
    finding: &'a Finding,
}

impl Played<'_> {
    /// Stand-ins give the same each time, or never the same.
    fn play(&self, attempt: &Attempt, is_varied: bool) -> Option<Confirmation> {
        let ways = attempt.ways.map(|way| way.to_string()).join(",");
        let mut witness = Command::new(self.executable);
        witness.current_dir(self.directory).args(["--exact", self.test, "--nocapture", "--test-threads=1"]);
        witness.env("STALEMATE_ATTEMPT", ways).env("STALEMATE_HOW", &attempt.how);
        if is_varied {
            witness.env("STALEMATE_STAND_INS", "varied");
        }
        let said = bounded::run(&mut witness, LIMIT).ok()?;
        let told = said.stdout.lines().find_map(|line| line.split_once(MARK)).map(|(_, told)| told);
        let Some(told) = told.and_then(|told| serde_json::from_str::<Value>(told).ok()) else {
            let why = format!("the witness ended without a word{}", last(&said.stderr));
            return Some(Confirmation::of(Infeasible, why));
        };
        let confirmation = verdict::read(&told, said.code == Some(DEADLOCK));
        let is_elsewhere = confirmation.status == Confirmed
            && !attempt.how.contains(NAMED_GAP)
            && !verdict::is_about(self.finding, &told);
        Some(if is_elsewhere { elsewhere(confirmation) } else { confirmation })
    }
}

/// What is shown with a stand-in that always gives the same counts only if one that never does shows it, too: whoever implements
/// the trait may promise either.
fn as_others_might(confirmation: Confirmation, varied: Option<Confirmation>) -> Confirmation {
    if varied.is_some_and(|varied| varied.status == Confirmed) {
        return confirmation;
    }
    let reason = format!("{}, but only with a stand-in that always gives the same", confirmation.reason);
    Confirmation { status: NotReproduced, reason, ..confirmation }
}

/// The two are not atomic, and it is not this finding that shows it.
fn elsewhere(confirmation: Confirmation) -> Confirmation {
    let at = confirmation.pauses.join(", ");
    let reason = format!("only another gap of the same functions shows a difference: {at}");
    Confirmation { status: NotReproduced, reason, ..confirmation }
}

fn last(stderr: &str) -> String {
    let line = stderr.lines().rev().find(|line| !line.trim().is_empty());
    line.map(|line| format!(": {}", line.trim())).unwrap_or_default()
}

/// The likeliest first: the gap of the finding in all ways, then one switch anywhere, then two.
fn attempts(finding: &Finding, recipe: &Recipe) -> Vec<Attempt> {
    let ways = combinations(program::ways(recipe));
    let always = if recipe.state.in_statics { "isolated,seconds=5" } else { "seconds=5" };
    let with = |how: &str, most: usize| {
        let how = format!("{always},{how}");
        ways.iter().take(most).map(move |&ways| Attempt { ways, how: how.clone() }).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    match finding.lint.as_str() {
        "double_lock" => all.extend(with("switches=0", WITH_ONE)),
        "lock_order" | "wait_holding_lock" => all.extend(with("first-locks,switches=0", WITH_ONE)),
        "stale_after_wait" | "wait_without_recheck" => {
            if finding.lint == "stale_after_wait" {
                // Who waited should go on as if it came only now.
                let ways = [0, program::compounds(recipe).next().unwrap_or(0)];
                let ways = ways.into_iter().flat_map(|b| [0, program::BOTH].map(|first| [first, 0, b]));
                all.extend(ways.map(|ways| Attempt { ways, how: format!("{always},whole,switches=0") }));
            }
            all.extend(with("spurious=1,switches=1", 2));
            let more = program::compounds(recipe).flat_map(|b| [0, program::BOTH].map(|first| [first, 0, b]));
            all.extend(more.map(|ways| Attempt { ways, how: format!("{always},spurious=1,switches=1") }));
        }
        _ => {}
    }
    if let Some(gap) = gap(&finding.trace) {
        all.extend(with(&format!("{NAMED_GAP}{gap}"), WITH_GAP));
        // In a process of its own what is printed shows, too.
        all.extend(with(&format!("isolated,{NAMED_GAP}{gap}"), 1));
    }
    if recipe.leaves_something() {
        // Somebody is still on the way out.
        all.extend((0..THIRD).flat_map(|point| with(&format!("third={point},switches=1"), 1)));
    }
    all.extend(with("patience=30/200,seconds=10,switches=1", WITH_ONE));
    all.extend(with("patience=30/200,switches=2,most=150", WITH_TWO));
    all
}

/// All of them, those with small numbers first.
fn combinations([preparations, a, b]: [usize; 3]) -> Vec<[usize; 3]> {
    let all = (0..preparations.max(1))
        .flat_map(|first| (0..a.max(1)).flat_map(move |a| (0..b.max(1)).map(move |b| [first, a, b])));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|ways| (ways.iter().sum::<usize>(), *ways));
    all
}

/// From the section in which A looks to the one in which it acts: `file:line>file:line`. Columns are those of expressions in
/// a trace, and those of methods at run time, so they are left out.
pub fn gap(trace: &[Step]) -> Option<String> {
    let other = trace.iter().position(|step| step.thread == Thread::B);
    let release = trace.iter().rposition(|step| step.step == StepKind::Release);
    let cut = other.or(release)?;
    let is_own = |step: &&Step| step.thread == Thread::A;
    let opens = |step: &&Step| step.step == StepKind::Acquire;
    let looks = |step: &&Step| !matches!(step.step, StepKind::Release | StepKind::Branch);
    let before = || trace[..cut].iter().filter(is_own);
    let after = || trace[cut..].iter().filter(is_own).filter(looks);
    let first = before().rfind(opens).or_else(|| before().find(looks))?;
    let second = after().find(opens).or_else(|| after().next())?;
    let at = |step: &Step| format!("{}:{}", step.place.file, step.place.line);
    let can_be_told = |file: &str| !file.contains([',', '>', '#']);
    (can_be_told(&first.place.file) && can_be_told(&second.place.file)).then(|| format!("{}>{}", at(first), at(second)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::program::samples;
    use crate::report::samples::{place, recorded};

    fn step(thread: Thread, step: StepKind, line: u32) -> Step {
        Step { thread, step, place: place("src/a.rs", line), text: String::new() }
    }

    #[test]
    fn the_gap_is_between_two_sections_of_a() {
        use StepKind::*;
        let a = |kind, line| step(Thread::A, kind, line);
        let trace = [a(Acquire, 1), a(Read, 2), a(Release, 3), step(Thread::B, Write, 9), a(Acquire, 5), a(Write, 6)];
        assert_eq!(gap(&trace).unwrap(), "src/a.rs:1>src/a.rs:5");
        assert_eq!(gap(&[a(Read, 2), a(Release, 3), a(Write, 6)]).unwrap(), "src/a.rs:2>src/a.rs:6");
        assert_eq!(gap(&[a(Read, 2), a(Write, 6)]), None);
    }

    #[test]
    fn the_likeliest_ways_come_first() {
        let all = combinations([2, 1, 2]);
        assert_eq!(all, [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]);
        let mut finding = recorded("src/a.rs", 3).finding;
        finding.lint = "lock_order".into();
        assert!(attempts(&finding, &samples::recipe())[0].how.contains("first-locks"));
    }
}
