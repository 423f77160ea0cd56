//! States that are there only while a third thread is on the way: it is stopped there, and two others meet.

use stalemate_rt::sync::Arc;
use stalemate_rt::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use stalemate_rt::witness::{Pair, Scope, Status, Verdict, left};

#[derive(Default)]
struct Channel {
    owners: AtomicUsize,
    closed: AtomicBool,
}

struct Owner(Arc<Channel>);

impl Owner {
    fn new() -> Owner {
        let channel = Channel::default();
        channel.owners.store(1, SeqCst);
        Owner(Arc::new(channel))
    }

    fn weak(&self) -> Arc<Channel> {
        self.0.clone()
    }
}

/// The last owner counts itself out in one step, and closes in another.
impl Drop for Owner {
    fn drop(&mut self) {
        if self.0.owners.fetch_sub(1, SeqCst) == 1 {
            self.0.closed.store(true, SeqCst);
        }
    }
}

fn upgrade_bad(channel: &Channel) -> String {
    if channel.closed.load(SeqCst) {
        return "none".into();
    }
    if channel.owners.fetch_add(1, SeqCst) == 0 {
        channel.owners.store(0, SeqCst);
        return "none".into();
    }
    "some".into()
}

fn upgrade_ok(channel: &Channel) -> String {
    let counted = channel.owners.fetch_update(SeqCst, SeqCst, |owners| (owners > 0).then_some(owners + 1));
    if counted.is_ok() { "some".into() } else { "none".into() }
}

fn played(upgrade: fn(&Channel) -> String, third: Option<usize>) -> Verdict {
    let make = || {
        let scope = Scope;
        left(&scope, Owner::new()).weak()
    };
    let pair = Pair::new(make, move |it: &Arc<Channel>| upgrade(it), move |it| upgrade(it));
    let pair = pair.observe(|it| it.owners.load(SeqCst).to_string());
    match third {
        Some(point) => pair.third(point).run(),
        None => pair.run(),
    }
}

#[test]
fn without_it_the_state_is_never_there() {
    assert_eq!(played(upgrade_bad, None).status, Status::NotReproduced);
}

#[test]
fn between_its_two_steps_two_others_meet() {
    let verdict = played(upgrade_bad, Some(1));
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let found = verdict.found.unwrap();
    assert!(found.pauses[0].starts_with("C at "), "{:?}", found.pauses);
    assert!(found.outcome.to_string().contains("some"), "{}", found.outcome);
}

#[test]
fn one_step_is_not_confirmed_wherever_it_is_stopped() {
    for point in 0..4 {
        let verdict = played(upgrade_ok, Some(point));
        assert_eq!(verdict.status, Status::NotReproduced, "{point}: {}", verdict.json());
    }
}
