//! Where a thread of a test is to be held up for a finding, and whose step it is to wait for.
//!
//! A trace names the line of B's write; at run time a section is known by the line that takes its lock. That line is looked
//! for in the text. A's own change counts too: the finding names one B, and the test may have two threads in A.

use super::perturbed::{Gap, Spot};
use super::trial;
use finding::{Finding, Place, Step, StepKind, Thread};
use std::fs;
use std::path::Path;

/// How far above a write its lock is looked for.
const ABOVE: usize = 60;

/// What takes a lock, or is an operation on an atomic.
const TAKES: &[&str] = &["lock(", "write(", "read(", "store(", "swap(", "fetch_", "compare_exchange", "load("];

/// The likeliest first. None if there is no gap that a thread could be held up in.
pub fn spots(root: &Path, finding: &Finding) -> Vec<Spot> {
    let trace = &finding.trace;
    if finding.lint == "lock_order" {
        return holding(trace).into_iter().collect();
    }
    let Some(way) = trial::gap(trace).filter(|way| can_be_told(way)) else { return Vec::new() };
    let own = way.split_once('>').map(|(_, before)| before.to_owned());
    let others = trace.iter().filter(|step| step.thread == Thread::B).map(|step| section(root, &step.place));
    let mut interferers: Vec<String> = others.chain(own).filter(|site| can_be_told(site)).collect();
    interferers.sort();
    interferers.dedup();
    let named = vec![Gap { way: way.clone(), interferers }];
    let anybody = vec![Gap { way, interferers: Vec::new() }];
    // Whoever else uses the same lock comes last: that is not always somebody who changes anything.
    let all = [(named.clone(), false), (named, true), (anybody, false)];
    all.map(|(gaps, invites)| Spot { gaps, invites }).into()
}

/// A with its first lock held until B has its own, and the other way round: whoever comes first.
fn holding(trace: &[Step]) -> Option<Spot> {
    let first = |thread| trace.iter().find(|step| step.thread == thread && step.step == StepKind::Acquire);
    let (a, b) = (site(&first(Thread::A)?.place), site(&first(Thread::B)?.place));
    let gap = |own: &str, other: &str| Gap { way: format!("held:{own}>"), interferers: vec![other.to_owned()] };
    let gaps = vec![gap(&a, &b), gap(&b, &a)];
    (can_be_told(&a) && can_be_told(&b)).then_some(Spot { gaps, invites: false })
}

fn site(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn can_be_told(site: &str) -> bool {
    !site.contains([',', ';', '@', '#'])
}

/// The line that takes the lock under which the place is, as far as the text tells.
fn section(root: &Path, place: &Place) -> String {
    let text = fs::read_to_string(root.join(&place.file)).unwrap_or_default();
    let line = lock_line(&text, place.line as usize).unwrap_or(place.line as usize);
    format!("{}:{line}", place.file)
}

/// The nearest line upwards, within the function.
fn lock_line(text: &str, line: usize) -> Option<usize> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let above = lines.iter().enumerate().rev().take(ABOVE);
    let is_function = |line: &str| line.split_whitespace().any(|word| word == "fn");
    for (number, line) in above {
        if TAKES.iter().any(|word| line.contains(word)) {
            return Some(number + 1);
        }
        if is_function(line) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{place, recorded};

    #[test]
    fn a_write_is_known_by_its_lock() {
        let text = "fn a() {\n    let mut all = self.all.lock().unwrap();\n    // more\n    all.push(1);\n}\nfn b() {\n    all.pop();\n}\n";
        assert_eq!(lock_line(text, 4), Some(2));
        assert_eq!(lock_line(text, 2), Some(2));
        assert_eq!(lock_line(text, 7), None);
    }

    #[test]
    fn two_locks_are_held_against_each_other() {
        let step =
            |thread, line| Step { thread, step: StepKind::Acquire, place: place("a.rs", line), text: String::new() };
        let mut finding = recorded("a.rs", 2).finding;
        finding.lint = "lock_order".into();
        finding.trace = vec![step(Thread::A, 1), step(Thread::A, 2), step(Thread::B, 7), step(Thread::B, 8)];
        let gap = |way: &str, other: &str| Gap { way: way.into(), interferers: vec![other.into()] };
        let gaps = vec![gap("held:a.rs:1>", "a.rs:7"), gap("held:a.rs:7>", "a.rs:1")];
        assert_eq!(spots(Path::new("."), &finding), [Spot { gaps, invites: false }]);
        finding.trace.clear();
        assert!(spots(Path::new("."), &finding).is_empty());
    }
}
