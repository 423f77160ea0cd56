//! A run in a process of its own: this program, started again with the schedule in a variable. It plays that alone, tells
//! how it went on a line, and ends.

use super::Pair;
use super::codec;
use super::outcome::{Ended, Outcome};
use super::play::{self, Played};
use crate::director::{Step, stack};
use crate::watchdog;
use std::env;
use std::io::Write;
use std::process::{self, Command, Output, Stdio};

/// The schedule that a process is to play.
pub const VARIABLE: &str = "STALEMATE_SCHEDULE";

/// Before the line that tells how it went.
const MARK: &str = "stalemate-run: ";

pub(super) fn asked_for() -> Option<(Vec<Step>, usize)> {
    codec::read_steps(&env::var(VARIABLE).ok()?)
}

/// Plays what was asked for, and ends.
pub(super) fn answer<F: Send + Sync + 'static>(pair: &Pair<F>, (steps, spurious): (Vec<Step>, usize)) -> ! {
    let played = play::play(pair, &steps, spurious);
    let mut out = std::io::stdout().lock();
    // What the user printed may have left a line unfinished.
    let _ = writeln!(out, "\n{MARK}{}", codec::write(&played)).and_then(|()| out.flush());
    process::exit(0)
}

pub(super) fn play<F>(_: &Pair<F>, steps: &[Step], spurious: usize) -> Played {
    let output = env::current_exe().and_then(|program| {
        let mut again = Command::new(program);
        again.args(env::args_os().skip(1)).env(VARIABLE, codec::write_steps(steps, spurious)).envs(stack::variable());
        again.stdin(Stdio::null()).output()
    });
    match output {
        Ok(output) if output.status.code() == Some(watchdog::REFUSED) => {
            let text = String::from_utf8_lossy(&output.stdout);
            println!("{}", text.lines().find(|line| line.contains(watchdog::MARK)).unwrap_or_default());
            process::exit(watchdog::REFUSED)
        }
        Ok(output) => told(&output).unwrap_or_else(|| died(output.status.to_string(), output.status.code())),
        Err(error) => died(format!("it could not be started: {error}"), None),
    }
}

fn told(output: &Output) -> Option<Played> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut played = codec::read(text.lines().find_map(|line| line.strip_prefix(MARK))?)?;
    let printed: Vec<&str> = text.lines().filter_map(users).collect();
    if !printed.is_empty() {
        played.outcome.state.push_str(&format!(" printed {printed:?}"));
    }
    Some(played)
}

/// What is printed is part of what comes of a run; what the harness of the tests prints is not.
fn users(line: &str) -> Option<&str> {
    let line = if line.starts_with("test ") { line.split_once(" ... ").map_or("", |(_, rest)| rest) } else { line };
    let is_harness = line.starts_with("running ") || line.starts_with(MARK);
    Some(line).filter(|line| !line.trim().is_empty() && !is_harness)
}

/// Nothing was told. If the watchdog ended it, it hung; otherwise something else did.
fn died(how: String, code: Option<i32>) -> Played {
    let ended =
        if code == Some(watchdog::TIMEOUT) { Ended::Stuck("does not end".to_owned()) } else { Ended::Died(how) };
    Played::without_report(Outcome { a: ended.clone(), b: ended, state: String::new() })
}
