//! What a witness says, read: the status, both orders, the interleaving, and whether it is the one that the finding is about.
//!
//! Two functions may fail to be atomic in more than one place. An interleaving counts for a finding if the gap that it names was
//! asked for, or if a thread was held up on the way from the first to the last of the finding's own steps.

use super::program;
use finding::document::ConfirmationStatus::{self, Confirmed, Infeasible, NotReproduced};
use finding::{Confirmation, Finding, Step, Thread};
use serde_json::Value;

/// With the word of the exit code on whether a deadlock is proven.
pub fn read(verdict: &Value, is_deadlock: bool) -> Confirmation {
    let status = match verdict["status"].as_str() {
        Some("confirmed") => Confirmed,
        _ if is_deadlock => Confirmed,
        Some("not-reproduced") => NotReproduced,
        _ => Infeasible,
    };
    let found = &verdict["interleaved"];
    let reason = text(&verdict["reason"]);
    let serial: Vec<String> = list(&verdict["serial"]).iter().map(outcome).collect();
    let is_refused = |outcome: &String| outcome.contains("panicked") && outcome.contains(&program::module_name(""));
    if status == NotReproduced && serial.iter().all(is_refused) && !serial.is_empty() {
        let why = "the values that were made up for it cannot be made: the witness panics";
        return Confirmation { serial, ..Confirmation::of(Infeasible, why) };
    }
    let proof = [&found["deadlock"], &verdict["cycle"]].into_iter().find(|proof| proof.is_array());
    Confirmation {
        status,
        reason: if reason.is_empty() { timed_out(status) } else { reason },
        serial,
        interleaved: found.as_object().map(|_| told(found)),
        pauses: list(&found["pauses"]).iter().map(text).collect(),
        cycle: proof.map(cycle).unwrap_or_default(),
    }
}

/// Whether the interleaving is that of the finding.
pub fn is_about(finding: &Finding, verdict: &Value) -> bool {
    let found = &verdict["interleaved"];
    let stacks = list(&found["stacks"]).into_iter().flat_map(|stack| list(&stack));
    let proof = [&found["deadlock"], &verdict["cycle"]].into_iter().flat_map(list).collect::<Vec<_>>();
    let waits = proof.iter().flat_map(|member| list(&member["stack"]).into_iter().chain([member["at"].clone()]));
    let mut lines = list(&found["pauses"]).into_iter().chain(stacks).chain(waits).map(|line| text(&line)).peekable();
    // Nobody was held up: a wait that returned too soon, or one order alone, is all there is to it.
    lines.peek().is_none() || lines.any(|line| is_on_the_way(finding, &line))
}

/// Whether a text names a place between the finding's own first and last step there.
fn is_on_the_way(finding: &Finding, text: &str) -> bool {
    // Where the two are alike, each of them is the finding's own.
    let both = ["lock_order", "racy_access", "inconsistent_guard"].contains(&finding.lint.as_str());
    let own = |step: &&Step| both || step.thread == Thread::A;
    let steps: Vec<&Step> = finding.trace.iter().filter(own).collect();
    let Some((file, line)) = place(text) else { return false };
    let lines = steps.iter().filter(|step| ends_alike(&step.place.file, file)).map(|step| step.place.line);
    lines.clone().min().is_some_and(|first| first <= line) && lines.max().is_some_and(|last| line <= last)
}

/// `.. ./src/a.rs:12:5 ..`: the file and the line.
fn place(text: &str) -> Option<(&str, u32)> {
    let word = text.split_whitespace().find(|word| word.contains(".rs:"))?;
    let (file, rest) = word.split_once(".rs:")?;
    let line = rest.split(':').next()?.parse().ok()?;
    Some((&word[..file.len() + 3], line))
}

/// One may be relative to the workspace, the other to a package, or to nothing.
fn ends_alike(one: &str, other: &str) -> bool {
    let parts = |path: &str| path.rsplit('/').filter(|part| *part != ".").map(str::to_owned).collect::<Vec<_>>();
    parts(one).iter().zip(&parts(other)).all(|(one, other)| one == other)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn timed_out(status: ConfirmationStatus) -> String {
    if status == Confirmed {
        "threads wait for one another".to_owned()
    } else {
        "it does not come to an end".to_owned()
    }
}

/// Those who wait for one another.
pub fn cycle(proof: &Value) -> Vec<String> {
    list(proof).iter().map(member).collect()
}

/// `waits at src/a.rs:3:9 and holds what it took at src/a.rs:2:9; through one at .., two at ..`.
fn member(value: &Value) -> String {
    let holds: Vec<String> = list(&value["holds"]).iter().map(|hold| text(&hold["taken_at"])).collect();
    let stack: Vec<String> = list(&value["stack"]).iter().map(text).collect();
    let mut told = format!("waits at {}", text(&value["at"]));
    if !holds.is_empty() {
        told.push_str(&format!(", holds what it took at {}", holds.join(" and ")));
    }
    if !stack.is_empty() {
        told.push_str(&format!("; in {}", stack.join(", called by ")));
    }
    told
}

/// A deadlock has no outcome but itself.
fn told(found: &Value) -> String {
    match &found["deadlock"] {
        Value::Null => outcome(&found["outcome"]),
        _ => format!("{}; nobody can go on", outcome(&found["outcome"])),
    }
}

/// `A returned 3, B returned (), state 7`.
fn outcome(value: &Value) -> String {
    let ended = |name: &str, value: &Value| {
        let (way, text) = value
            .as_object()
            .and_then(|way| way.iter().next())
            .map_or(("", ""), |(way, text)| (way.as_str(), text.as_str().unwrap_or_default()));
        if text.is_empty() { format!("{name} {way}") } else { format!("{name} {way} {text}") }
    };
    let mut parts = vec![ended("A", &value["a"]), ended("B", &value["b"])];
    parts.extend(value["state"].as_str().filter(|state| !state.is_empty()).map(|state| format!("state {state}")));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{recorded, step};
    use serde_json::json;

    #[test]
    fn verdicts_are_read() {
        let outcome = json!({ "a": { "returned": "()" }, "b": { "panicked": "no" }, "state": "7" });
        let verdict = json!({ "status": "confirmed", "reason": "new", "serial": [outcome, outcome],
                              "interleaved": { "outcome": outcome, "deadlock": null, "pauses": ["A at x"] } });
        let told = read(&verdict, false);
        assert_eq!((told.status, told.serial.len(), told.pauses.len()), (Confirmed, 2, 1));
        assert_eq!(told.interleaved.unwrap(), "A returned (), B panicked no, state 7");
        assert_eq!(read(&json!({ "status": "timeout" }), false).status, Infeasible);
        assert_eq!(read(&json!({ "status": "timeout" }), true).status, Confirmed);
    }

    #[test]
    fn a_cycle_is_told_with_both_stacks() {
        let member =
            |at: &str| json!({ "at": at, "holds": [{ "taken_at": "src/a.rs:1:1" }], "stack": ["f at src/a.rs:2:2"] });
        let verdict = json!({ "status": "confirmed",
            "interleaved": { "outcome": {}, "deadlock": [member("src/a.rs:2:2"), member("src/a.rs:9:2")] } });
        let told = read(&verdict, true);
        assert_eq!(told.cycle.len(), 2);
        assert_eq!(told.cycle[0], "waits at src/a.rs:2:2, holds what it took at src/a.rs:1:1; in f at src/a.rs:2:2");
    }

    #[test]
    fn another_gap_is_not_this_one() {
        let mut finding = recorded("src/a.rs", 12).finding;
        finding.trace = vec![step(Thread::A, "src/a.rs", 10, ""), step(Thread::A, "src/a.rs", 12, "")];
        let held_up =
            |stack: &str| json!({ "interleaved": { "pauses": ["A at /r/lock.rs:1:1 (atomic)"], "stacks": [[stack]] } });
        assert!(is_about(&finding, &held_up("f at ./src/a.rs:11:3")));
        assert!(!is_about(&finding, &held_up("f at ./src/a.rs:13:3")));
        assert!(!is_about(&finding, &held_up("f at ./src/b.rs:11:3")));
        assert!(is_about(&finding, &json!({ "interleaved": { "pauses": [] } })));
    }
}
