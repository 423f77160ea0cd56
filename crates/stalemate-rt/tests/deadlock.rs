//! Cycles are proven before anybody blocks.

use stalemate_rt::sync::{Mutex, RwLock};
use stalemate_rt::witness::{Pair, Status, Verdict};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

type Two = (Mutex<u8>, Mutex<u8>);

fn forwards((one, two): &Two) -> String {
    let first = one.lock().unwrap();
    let second = two.lock().unwrap();
    format!("{}", *first + *second)
}

fn backwards((one, two): &Two) -> String {
    let first = two.lock().unwrap();
    let second = one.lock().unwrap();
    format!("{}", *first + *second)
}

/// The places of a proof, as lines of this file.
fn lines(verdict: &Verdict) -> Vec<(usize, Vec<usize>)> {
    let line = |site: &str| site.rsplit(':').nth(1).unwrap().parse().unwrap();
    let proof = verdict.found.as_ref().and_then(|found| found.deadlock.as_ref()).expect("a proof");
    let held = |holds: &[(usize, String)]| holds.iter().map(|(_, site)| line(site)).collect();
    proof.members.iter().map(|member| (line(&member.wait_site), held(&member.holds))).collect()
}

fn line_of(text: &str, nth: usize) -> usize {
    let lines = include_str!("deadlock.rs").lines().enumerate();
    lines.filter(|(_, line)| line.contains(text)).nth(nth).unwrap().0 + 1
}

#[test]
fn two_orders_are_a_cycle() {
    let verdict = Pair::new(Two::default, forwards, backwards).first_locks(None, None).run();
    assert_eq!((verdict.status, verdict.tried), (Status::Confirmed, 1), "{}", verdict.json());
    assert_eq!(verdict.reason, "threads wait for one another in a cycle");
    let (forward, backward) = (line_of("let first = one.lock()", 0), line_of("let first = two.lock()", 0));
    let mut lines = lines(&verdict);
    lines.sort();
    assert_eq!(lines, [(forward + 1, vec![forward]), (backward + 1, vec![backward])]);
}

#[test]
fn both_stacks_are_shown() {
    let verdict = Pair::new(Two::default, forwards, backwards).first_locks(None, None).run();
    let proof = verdict.found.unwrap().deadlock.unwrap();
    let stacks: Vec<_> = proof.members.iter().map(|member| member.stack.as_str()).collect();
    assert!(stacks.iter().any(|stack| stack.contains("forwards")), "{stacks:?}");
    assert!(stacks.iter().any(|stack| stack.contains("backwards")), "{stacks:?}");
    assert!(stacks.iter().all(|stack| !stack.contains("stalemate_rt::director")), "{stacks:?}");
}

#[test]
fn two_orders_are_found_without_places() {
    assert_eq!(Pair::new(Two::default, forwards, backwards).run().status, Status::Confirmed);
}

#[test]
fn a_thread_that_was_late_once_gets_another_chance() {
    // Two serial orders come first. The third call is late, as a thread is on a busy machine: the schedule is lost.
    let calls = AtomicUsize::new(0);
    let late_once = move |two: &Two| {
        if calls.fetch_add(1, Ordering::Relaxed) == 2 {
            thread::sleep(Duration::from_millis(400));
        }
        forwards(two)
    };
    let pair = Pair::new(Two::default, late_once, backwards).repeats(1).first_locks(None, None);
    let verdict = pair.run();
    assert_eq!((verdict.status, verdict.tried), (Status::Confirmed, 1), "{}", verdict.json());
}

#[test]
fn one_order_is_no_cycle() {
    let verdict = Pair::new(Two::default, forwards, forwards).first_locks(None, None).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn a_lock_taken_twice_needs_no_other_thread() {
    let twice = |(one, _): &Two| {
        let first = one.lock().unwrap();
        let again = one.lock().unwrap();
        format!("{}", *first + *again)
    };
    let verdict = Pair::new(Two::default, twice, |_| String::new()).run();
    assert_eq!(verdict.status, Status::Confirmed);
    assert_eq!(verdict.reason, "a thread waits for a lock that it holds itself");
    let first = line_of("let again = one.lock()", 0) - 1;
    assert_eq!(lines(&verdict), [(first + 1, vec![first])]);
}

#[test]
fn reading_inside_reading_needs_a_writer() {
    let read = |lock: &RwLock<u8>| {
        let first = lock.read().unwrap();
        let again = lock.read().unwrap();
        format!("{}", *first + *again)
    };
    let write = |lock: &RwLock<u8>| {
        *lock.write().unwrap() = 1;
        String::new()
    };
    let alone = Pair::new(RwLock::<u8>::default, read, read).run();
    assert_eq!(alone.status, Status::NotReproduced, "{}", alone.json());
    let verdict = Pair::new(RwLock::<u8>::default, read, write).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    assert_eq!(lines(&verdict).len(), 2);
}

#[test]
fn three_threads_are_a_cycle_too() {
    // The third one is nobody's role: it is started by A and waits for what B holds.
    type Three = (Mutex<()>, Mutex<()>, std::sync::Barrier);
    let make = || (Mutex::new(()), Mutex::new(()), std::sync::Barrier::new(1));
    let a = |(one, two, _): &Three| {
        let _one = one.lock().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| drop(two.lock()));
        });
        String::new()
    };
    let b = |(one, two, _): &Three| {
        let _two = two.lock().unwrap();
        drop(one.lock());
        String::new()
    };
    // A waits for its thread, which is not seen: no cycle can be proven, and nothing hangs.
    let verdict = Pair::new(make, a, b).first_locks(None, None).run();
    assert!(verdict.found.is_none_or(|found| found.deadlock.is_none()));
}
