//! One run of a test of the user's, in a process of its own, and what came of it. How it is disturbed is told to the facade
//! by variables of the environment (`stalemate-rt/src/director/perturb.rs`).

use super::bounded::{self, Said};
use super::suite::OwnTest;
use super::trial::{DEADLOCK, MARK};
use super::verdict;
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};

/// Exit codes of the facade: the time is over; what it is told makes no sense.
const TIMEOUT: i32 = 87;
const MISUSE: i32 = 88;

/// Before each line about a thread that was held up.
const HELD_UP: &str = "stalemate-perturb: ";

/// Beyond its own limit, a process is ended after this.
const GRACE: Duration = Duration::from_secs(2);

/// Where threads are to be held up, and whose steps they are to wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub gaps: Vec<Gap>,
    /// Who interferes waits for somebody to come into the gap.
    pub invites: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// `file:line>file:line`, or `held:file:line>` for the time in which a lock is held.
    pub way: String,
    /// `file:line` each. None: whoever uses the same lock or atomic.
    pub interferers: Vec<String>,
}

/// What keeps the others out: see the facade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    Slow,
    Late,
}

#[derive(Clone, Debug)]
pub struct Disturbance<'a> {
    pub spot: &'a Spot,
    /// How often somebody is let in between.
    pub switches: usize,
    pub bound: Duration,
    /// From which time on that a thread comes to the gap.
    pub from: usize,
    pub control: Option<Control>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Passed,
    /// With its last panic, or how else it ended.
    Failed(String),
    /// With those who wait for one another: where each waits, what it holds, and through which functions it came.
    Deadlocked(Vec<String>),
    Hung,
    /// It is not known whether the test would pass.
    NotRun(String),
}

/// A thread that was held up, and the place that somebody passed meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub at: String,
    pub visit: usize,
    pub by: Option<String>,
    /// Of a late thread: what others had passed before it came.
    pub earlier: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub ended: Ended,
    pub holds: Vec<Held>,
    pub took: Duration,
}

impl Outcome {
    /// Somebody came in between.
    pub fn is_switched(&self) -> bool {
        self.holds.iter().any(|held| held.by.is_some())
    }

    pub fn is_bad(&self) -> bool {
        matches!(self.ended, Ended::Failed(_) | Ended::Deadlocked(_) | Ended::Hung)
    }
}

pub fn run(test: &OwnTest, limit: Duration, disturbance: Option<&Disturbance<'_>>) -> Outcome {
    let mut program = Command::new(&test.executable);
    program.current_dir(&test.directory).env("CARGO_MANIFEST_DIR", &test.directory).env("RUST_BACKTRACE", "0");
    program.args([test.name.as_str(), "--exact", "--include-ignored", "--nocapture", "--test-threads=1"]);
    program.env("STALEMATE_LIMIT_MS", limit.as_millis().to_string());
    if let Some(disturbance) = disturbance {
        disturb(&mut program, disturbance);
    }
    let start = Instant::now();
    let said = bounded::run(&mut program, limit + GRACE);
    let took = start.elapsed();
    match said {
        Ok(said) => Outcome { ended: ended(&said, took >= limit), holds: holds(&said.stderr), took },
        Err(error) => Outcome { ended: Ended::NotRun(error.to_string()), holds: Vec::new(), took },
    }
}

fn disturb(program: &mut Command, how: &Disturbance<'_>) {
    let from = if how.from > 1 { format!("#{}", how.from) } else { String::new() };
    let gap = |gap: &Gap| format!("{}{from}@{}", gap.way, gap.interferers.join(","));
    let gaps: Vec<String> = how.spot.gaps.iter().map(gap).collect();
    if how.spot.invites {
        program.env("STALEMATE_PERTURB_INVITE", "1");
    }
    program.env("STALEMATE_PERTURB", gaps.join(";")).env("STALEMATE_PERTURB_TIMES", how.switches.to_string());
    program.env("STALEMATE_PERTURB_MS", how.bound.as_millis().to_string());
    match how.control {
        Some(Control::Slow) => program.env("STALEMATE_PERTURB_CONTROL", "slow"),
        Some(Control::Late) => program.env("STALEMATE_PERTURB_CONTROL", "late"),
        None => program,
    };
}

fn ended(said: &Said, is_late: bool) -> Ended {
    let last_word = said.stdout.lines().find_map(|line| line.split_once(MARK)).map(|(_, told)| told);
    let last_word = last_word.and_then(|told| serde_json::from_str::<Value>(told).ok());
    match (said.code, last_word) {
        (Some(0), _) if said.stdout.contains("test result: ok. 1 passed") => Ended::Passed,
        (Some(0), _) => Ended::NotRun("the harness of the test ran nothing".to_owned()),
        (Some(DEADLOCK), Some(told)) => Ended::Deadlocked(verdict::cycle(&told["cycle"])),
        (Some(TIMEOUT), Some(_)) => Ended::Hung,
        (Some(MISUSE), Some(told)) => Ended::NotRun(told["status"].as_str().unwrap_or_default().to_owned()),
        (None, _) if is_late => Ended::Hung,
        (None, _) => Ended::Failed(panic_of(&said.stderr).unwrap_or("the process was ended by a signal".to_owned())),
        (Some(code), _) => {
            Ended::Failed(panic_of(&said.stderr).unwrap_or_else(|| format!("the process ended with code {code}")))
        }
    }
}

/// The last panic: what, and where.
fn panic_of(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let at = lines.iter().rposition(|line| line.contains(" panicked at "))?;
    let place = lines[at].split_once(" panicked at ")?.1.trim_end_matches(':');
    let is_more = |line: &&&str| !line.starts_with("note: ") && !line.starts_with("stack backtrace:");
    let is_ours = |line: &&&str| !line.is_empty() && !line.starts_with(HELD_UP) && !line.starts_with("test result");
    let message: Vec<&str> =
        lines[at + 1..].iter().take_while(is_more).take_while(is_ours).take(4).map(|line| line.trim()).collect();
    Some(format!("{} ({place})", message.join("; ")))
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

fn holds(stderr: &str) -> Vec<Held> {
    let lines = stderr.lines().filter_map(|line| line.split_once(HELD_UP)).map(|(_, told)| told);
    let values = lines.filter_map(|told| serde_json::from_str::<Value>(told).ok());
    values
        .map(|told| Held {
            at: told["at"].as_str().unwrap_or_default().to_owned(),
            visit: told["visit"].as_u64().and_then(|visit| usize::try_from(visit).ok()).unwrap_or_default(),
            by: told["by"].as_str().map(str::to_owned),
            earlier: texts(&told["earlier"]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: Option<i32>, stdout: &str, stderr: &str) -> Said {
        Said { code, stdout: stdout.into(), stderr: stderr.into() }
    }

    #[test]
    fn the_last_panic_is_told() {
        let stderr = "thread 'a' panicked at src/lib.rs:1:2:\nfirst\nnote: run with `RUST_BACKTRACE=1`\n\
                      thread 'sum' (7) panicked at tests/it.rs:9:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n\
                      stalemate-perturb: {}\n";
        let told = "assertion `left == right` failed; left: 1; right: 2 (tests/it.rs:9:5)";
        assert_eq!(ended(&said(Some(101), "", stderr), false), Ended::Failed(told.into()));
        assert_eq!(ended(&said(Some(3), "", ""), false), Ended::Failed("the process ended with code 3".into()));
    }

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(ended(&said(Some(0), "test result: ok. 1 passed; 0 failed", ""), false), Ended::Passed);
        assert!(matches!(ended(&said(Some(0), "test result: ok. 0 passed", ""), false), Ended::NotRun(_)));
        let proof = r#"stalemate-witness: {"status":"deadlock","cycle":[{"at":"a.rs:1:2"},{"at":"b.rs:3:4"}]}"#;
        let told = ["waits at a.rs:1:2", "waits at b.rs:3:4"].map(str::to_owned);
        assert_eq!(ended(&said(Some(86), proof, ""), false), Ended::Deadlocked(told.into()));
        // Without the proof it is a code like any other.
        assert!(matches!(ended(&said(Some(86), "", ""), false), Ended::Failed(_)));
        assert_eq!(ended(&said(None, "", ""), true), Ended::Hung);
        assert!(matches!(ended(&said(None, "", ""), false), Ended::Failed(_)));
    }

    #[test]
    fn who_was_held_up_is_read() {
        let stderr = "mine: stalemate-perturb: {\"gap\":\"a:1>a:2\",\"at\":\"a:2:9\",\"visit\":3,\"by\":null,\"earlier\":[\"a:7:1\"],\"passed\":false}\n";
        assert_eq!(holds(stderr), [Held { at: "a:2:9".into(), visit: 3, by: None, earlier: vec!["a:7:1".into()] }]);
    }
}
