//! Locks of other crates: what is noted of them is held against the locks themselves.

use stalemate_rt::foreign::{Foreign, Mode, Own};
use stalemate_rt::witness::{Pair, Status};
use std::panic::Location;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// As simple as a lock can be. Types of which a release has gone unseen are no longer believed, so each test has its own.
#[derive(Default)]
struct Raw<const TEST: u8>(AtomicBool);

impl<const TEST: u8> Raw<TEST> {
    fn try_now(&self) -> bool {
        !self.0.swap(true, Ordering::Acquire)
    }

    fn free(&self) {
        self.0.store(false, Ordering::Release);
    }

    #[track_caller]
    fn lock(&self) {
        let wait = || {
            while !self.try_now() {
                thread::yield_now();
            }
        };
        self.told(Location::caller()).lock(Mode::Write, || self.try_now().then_some(()), wait);
    }

    #[track_caller]
    fn unlock(&self) {
        self.told(Location::caller()).unlock(Mode::Write, || self.free());
    }

    fn told(&self, site: &'static Location<'static>) -> Foreign {
        Foreign::new(self, Own::Blocks, site)
    }

    /// Somebody else has it from now on, for a while, and nobody is told.
    fn hand_over(self: &Arc<Self>, time: Duration) {
        let lock = self.clone();
        thread::spawn(move || {
            thread::sleep(time);
            lock.free();
        });
    }
}

type Two<const TEST: u8> = (Arc<Raw<TEST>>, Arc<Raw<TEST>>);

fn nested<const TEST: u8>(one: &Raw<TEST>, two: &Raw<TEST>) -> String {
    one.lock();
    two.lock();
    two.unlock();
    one.unlock();
    String::new()
}

/// Never holds one lock while it waits for the other.
fn unseen(one: &Raw<2>, two: &Raw<2>) -> String {
    one.lock();
    one.free();
    two.lock();
    two.free();
    String::new()
}

#[test]
fn two_orders_are_proven() {
    let pair = Pair::new(Two::default, |it: &Two<0>| nested(&it.0, &it.1), |it: &Two<0>| nested(&it.1, &it.0));
    let verdict = pair.first_locks(None, None).run();
    assert_eq!((verdict.status, verdict.tried), (Status::Confirmed, 1), "{}", verdict.json());
    let members = verdict.found.unwrap().deadlock.unwrap().members;
    assert_eq!(members.iter().map(|member| member.holds.len()).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn one_order_is_fine() {
    let pair = Pair::new(Two::default, |it: &Two<1>| nested(&it.0, &it.1), |it: &Two<1>| nested(&it.0, &it.1));
    let verdict = pair.run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.hindered > 0, "who is in the way is known: {}", verdict.json());
}

#[test]
fn a_release_that_went_unseen_is_found_out() {
    let pair = || Pair::new(Two::default, |it: &Two<2>| unseen(&it.0, &it.1), |it: &Two<2>| unseen(&it.1, &it.0));
    for verdict in [pair().run(), pair().first_locks(None, None).switches(0).run()] {
        assert_eq!((verdict.status, verdict.hindered), (Status::NotReproduced, 0), "{}", verdict.json());
    }
}

/// By what is noted each waits for the other, but somebody else has both locks, and will let them go. The serial orders
/// come first, and hide nothing: so the type is still believed.
#[test]
fn a_cycle_that_comes_undone_proves_nothing() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let act = |one: &Arc<Raw<3>>, two: &Arc<Raw<3>>| {
        one.lock();
        let hides = RUNS.load(Ordering::Relaxed) > 2;
        if hides {
            one.hand_over(Duration::from_millis(200))
        } else {
            one.unlock()
        }
        two.lock();
        two.unlock();
        String::new()
    };
    let make = || {
        RUNS.fetch_add(1, Ordering::Relaxed);
        Two::default()
    };
    let pair = Pair::new(make, move |it: &Two<3>| act(&it.0, &it.1), move |it: &Two<3>| act(&it.1, &it.0));
    let verdict = pair.repeats(1).first_locks(None, None).switches(0).run();
    assert_eq!((verdict.status, verdict.tried), (Status::NotReproduced, 1), "{}", verdict.json());
}

#[test]
fn who_may_have_it_again_does_not_wait_for_himself() {
    let again = |raw: &Raw<4>| {
        raw.lock();
        let told = Foreign::new(raw, Own::Nests, Location::caller());
        told.lock(Mode::Write, || None, || ());
        told.unlock(Mode::Write, || ());
        raw.unlock();
        String::new()
    };
    let verdict = Pair::new(Raw::default, again, again).switches(0).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    let twice = |raw: &Raw<4>| {
        raw.lock();
        raw.lock();
        String::new()
    };
    let verdict = Pair::new(Raw::default, twice, |_: &Raw<4>| String::new()).switches(0).run();
    assert_eq!(verdict.reason, "a thread waits for a lock that it holds itself");
}
