//! What is drawn for the traces that lints tell.

use super::*;
use crate::report::samples::{recorded, step};
use finding::Lock;

fn finding(steps: &[(Thread, StepKind, &str)]) -> Finding {
    let mut finding = recorded("src/a.rs", 5).finding;
    finding.lock = Some(Lock { path: "self.m".into(), type_name: "Mutex".into() });
    let told = |(line, (thread, kind, text)): (u32, &(Thread, StepKind, &str))| {
        let mut step = step(*thread, "src/a.rs", line, text);
        step.step = *kind;
        step
    };
    finding.trace = (1..).zip(steps).map(told).collect();
    finding
}

fn spans(finding: &Finding) -> Vec<(Thread, &str, usize, usize)> {
    let bars = held(finding);
    let name = |name: &str| if name == "self.m" { "m" } else { "other" };
    bars.iter().map(|held| (held.thread, name(&held.name), held.from, held.to)).collect()
}

#[test]
fn a_section_ends_where_it_is_let_go_and_the_last_one_stays_open() {
    use {StepKind::*, Thread::*};
    let steps = [
        (A, Acquire, "locks `self.m`"),
        (A, Read, "reads"),
        (A, Release, "unlocks"),
        (B, Write, "writes"),
        (A, Acquire, "locks"),
        (A, Write, "writes"),
    ];
    assert_eq!(spans(&finding(&steps)), [(A, "m", 0, 4), (A, "m", 8, 11)]);
}

#[test]
fn what_is_read_and_let_go_was_held() {
    use {StepKind::*, Thread::*};
    assert_eq!(spans(&finding(&[(A, Read, "looks under the lock"), (A, Release, "unlocks")])), [(A, "m", 0, 2)]);
    assert_eq!(spans(&finding(&[(A, Read, "reads"), (A, Write, "writes")])), []);
}

#[test]
fn a_wait_is_a_gap() {
    use {StepKind::*, Thread::*};
    let steps = [(A, Acquire, "locks"), (A, Wait, "waits"), (A, Use, "uses")];
    assert_eq!(spans(&finding(&steps)), [(A, "m", 0, 2), (A, "m", 3, 5)]);
}

#[test]
fn locks_held_together_stand_one_over_the_other() {
    use {StepKind::*, Thread::*};
    let steps = [(A, Acquire, "locks `a`"), (A, Acquire, "locks `self.m`"), (B, Acquire, "locks `self.m`")];
    let bars = held(&finding(&steps));
    assert_eq!(bars.iter().map(|held| held.depth).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(bars.iter().map(|held| held.thread).collect::<Vec<_>>(), [A, A, B]);
}

#[test]
fn what_a_thread_waits_for_in_vain_is_not_held() {
    use {StepKind::*, Thread::*};
    let mut finding = finding(&[
        (A, Acquire, "takes `self.m`"),
        (B, Acquire, "takes `b`"),
        (A, Acquire, "waits for `b`"),
        (B, Acquire, "too"),
    ]);
    finding.lint = "lock_order".into();
    assert_eq!(spans(&finding), [(A, "m", 0, 5), (B, "other", 2, 7)]);
    let lanes = lanes(&finding, &LockNames::default(), &Colours::default());
    assert_eq!(lanes.dots.iter().map(|dot| dot.verb).collect::<Vec<_>>(), ["locks", "locks", "wants", "wants"]);
}

#[test]
fn the_picture_has_words_and_stays_within_its_frame() {
    use {StepKind::*, Thread::*};
    let finding = finding(&[(A, Acquire, "locks `self.m`"), (B, Write, "writes"), (A, Write, "writes")]);
    let lanes = lanes(&finding, &LockNames::default(), &Colours::default());
    assert!(lanes.words.contains("2. Thread B: writes"), "{}", lanes.words);
    assert!(lanes.dots.iter().all(|dot| dot.x < lanes.width && dot.y < lanes.height));
    assert!(lanes.bars.iter().all(|bar| bar.x + bar.width <= lanes.width));
    assert_eq!((lanes.lanes.len(), lanes.switches.len()), (2, 2));
}

#[test]
fn nothing_told_is_nothing_drawn() {
    let lanes = lanes(&finding(&[]), &LockNames::default(), &Colours::default());
    assert_eq!(lanes, Lanes::default());
}
