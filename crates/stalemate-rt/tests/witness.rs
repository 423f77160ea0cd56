//! Each shape of bug that an interleaving shows, and its twin without the bug.

use stalemate_rt::site::{Gap, Site};
use stalemate_rt::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use stalemate_rt::sync::{Condvar, Mutex, RwLock};
use stalemate_rt::witness::{Ended, Pair, Status, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

fn returned(text: &str) -> Ended {
    Ended::Returned(text.to_owned())
}

type Account = Mutex<i64>;

fn deposit_bad(account: &Account, amount: i64) -> String {
    let balance = *account.lock().unwrap();
    *account.lock().unwrap() = balance + amount;
    "()".to_owned()
}

fn deposit_ok(account: &Account, amount: i64) -> String {
    *account.lock().unwrap() += amount;
    "()".to_owned()
}

fn deposits(deposit: fn(&Account, i64) -> String) -> Pair<Account> {
    Pair::new(|| Mutex::new(0), move |it| deposit(it, 1), move |it| deposit(it, 10))
        .observe(|account| format!("{}", account.lock().unwrap()))
}

#[test]
fn a_lost_update_is_confirmed() {
    let verdict = deposits(deposit_bad).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let found = verdict.found.unwrap();
    assert_eq!((found.outcome.state.as_str(), found.switches), ("1", 1));
    assert_eq!(verdict.serial.iter().map(|it| it.state.as_str()).collect::<Vec<_>>(), ["11", "11"]);
}

#[test]
fn one_guard_is_not() {
    let verdict = deposits(deposit_ok).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

/// Where `deposit_bad` takes its lock: the line is found, so that this file may change.
fn gap_of_deposit_bad() -> Gap {
    let text = include_str!("witness.rs");
    let line = 1 + text.lines().position(|line| line.contains("let balance = *account")).unwrap() as u32;
    Gap::new(Site::new("tests/witness.rs", line), Site::new("witness.rs", line + 1))
}

#[test]
fn a_gap_is_found_by_its_places() {
    let verdict = deposits(deposit_bad).gap(gap_of_deposit_bad()).run();
    assert_eq!((verdict.status, verdict.tried), (Status::Confirmed, 1), "{}", verdict.json());
    let found = verdict.found.unwrap();
    assert!(found.pauses[0].starts_with("A at "), "{:?}", found.pauses);
}

#[test]
fn a_gap_that_is_never_reached_is_infeasible() {
    let verdict = deposits(deposit_ok).gap(gap_of_deposit_bad()).run();
    assert_eq!(verdict.status, Status::Infeasible);
    assert_eq!(verdict.reason, "A never comes to the gap");
}

/// Another lock around both covers the gap.
#[test]
fn a_gap_under_another_lock_is_not_reproduced() {
    let deposit = |(outer, account): &(Mutex<()>, Account), amount| {
        let _outer = outer.lock().unwrap();
        deposit_bad(account, amount)
    };
    let pair = || {
        let pair = Pair::new(Default::default, move |it| deposit(it, 1), move |it| deposit(it, 10));
        pair.observe(|(_, account)| format!("{account:?}"))
    };
    let verdict = pair().gap(gap_of_deposit_bad()).run();
    assert_eq!(verdict.status, Status::NotReproduced);
    assert_eq!((verdict.reason.as_str(), verdict.hindered), ("B needs a lock that A holds in the gap", 1));
    assert_eq!(pair().run().status, Status::NotReproduced);
}

type Cache = RwLock<BTreeMap<u8, usize>>;

fn get_or_insert_bad(cache: &Cache, next: &AtomicUsize) -> String {
    if let Some(known) = cache.read().unwrap().get(&7) {
        return known.to_string();
    }
    let new = next.fetch_add(1, SeqCst);
    cache.write().unwrap().insert(7, new);
    new.to_string()
}

fn get_or_insert_ok(cache: &Cache, next: &AtomicUsize) -> String {
    if let Some(known) = cache.read().unwrap().get(&7) {
        return known.to_string();
    }
    cache.write().unwrap().entry(7).or_insert_with(|| next.fetch_add(1, SeqCst)).to_string()
}

fn lookups(lookup: fn(&Cache, &AtomicUsize) -> String) -> Verdict {
    let make = || (Cache::default(), AtomicUsize::new(0));
    let act = move |(cache, next): &(Cache, AtomicUsize)| lookup(cache, next);
    Pair::new(make, act, act).observe(|state| format!("{state:?}")).run()
}

#[test]
fn check_then_act_is_confirmed() {
    let verdict = lookups(get_or_insert_bad);
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    let outcome = verdict.found.unwrap().outcome;
    assert_ne!(outcome.a, outcome.b, "two callers got two values of one key");
}

#[test]
fn looking_again_is_not() {
    let verdict = lookups(get_or_insert_ok);
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn load_and_store_is_confirmed_and_fetch_add_is_not() {
    let observe = |count: &AtomicUsize| count.load(SeqCst).to_string();
    let split = |count: &AtomicUsize| {
        let seen = count.load(SeqCst);
        count.store(seen + 1, SeqCst);
        String::new()
    };
    let whole = |count: &AtomicUsize| count.fetch_add(1, SeqCst).to_string();
    assert_eq!(Pair::new(AtomicUsize::default, split, split).observe(observe).run().status, Status::Confirmed);
    assert_eq!(Pair::new(AtomicUsize::default, whole, whole).observe(observe).run().status, Status::NotReproduced);
}

/// A queue with a count of what is in it, and a consumer that waits.
#[derive(Default)]
struct Queue {
    items: Mutex<Vec<u8>>,
    filled: Condvar,
}

impl Queue {
    fn push(&self, item: u8) -> String {
        self.items.lock().unwrap().push(item);
        self.filled.notify_one();
        String::new()
    }

    /// A value from before the wait is used after it.
    fn pop_bad(&self) -> String {
        let mut items = self.items.lock().unwrap();
        let length = items.len();
        while items.is_empty() {
            items = self.filled.wait(items).unwrap();
        }
        format!("{length} {:?}", items.pop())
    }

    /// The predicate is not tested again.
    fn pop_once(&self) -> String {
        let mut items = self.items.lock().unwrap();
        if items.is_empty() {
            items = self.filled.wait(items).unwrap();
        }
        format!("{:?}", items.pop())
    }

    fn pop_ok(&self) -> String {
        let guard = self.items.lock().unwrap();
        format!("{:?}", self.filled.wait_while(guard, |items| items.is_empty()).unwrap().pop())
    }
}

#[test]
fn a_wait_is_left_by_a_notification_from_the_gap() {
    let verdict = Pair::new(Queue::default, Queue::pop_ok, |queue| queue.push(3)).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.serial.iter().all(|it| it.a == returned("Some(3)")), "{}", verdict.json());
}

#[test]
fn what_was_read_before_a_wait_is_part_of_the_outcome() {
    let verdict = Pair::new(Queue::default, Queue::pop_bad, |queue| queue.push(3)).run();
    let waited = verdict.serial.iter().map(|it| it.a.clone()).collect::<Vec<_>>();
    assert_eq!(waited, [returned("0 Some(3)"), returned("1 Some(3)")]);
}

#[test]
fn a_wait_that_returns_too_soon_is_found_on_demand() {
    let pops = |pop: fn(&Queue) -> String| Pair::new(Queue::default, pop, |queue| queue.push(3));
    assert_eq!(pops(Queue::pop_once).run().status, Status::NotReproduced);
    let verdict = pops(Queue::pop_once).spurious(1).run();
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    assert_eq!(verdict.found.unwrap().outcome.a, returned("None"));
    assert_eq!(pops(Queue::pop_ok).spurious(1).run().status, Status::NotReproduced);
}

/// The flag is set, and notified, without the mutex that the waiter tests it under.
#[test]
fn a_lost_wakeup_waits_for_ever() {
    let make = || (Mutex::new(()), Condvar::new(), AtomicUsize::new(0));
    type State = (Mutex<()>, Condvar, AtomicUsize);
    let wait = |(mutex, condvar, flag): &State| {
        let mut guard = mutex.lock().unwrap();
        while flag.load(SeqCst) == 0 {
            guard = condvar.wait(guard).unwrap();
        }
        String::new()
    };
    let set = |(_, condvar, flag): &State| {
        flag.store(1, SeqCst);
        condvar.notify_one();
        String::new()
    };
    let set_ok = move |state: &State| {
        let _guard = state.0.lock().unwrap();
        set(state)
    };
    let quick = |pair: Pair<State>| pair.patience(Duration::from_millis(50), Duration::from_millis(300)).run();
    let verdict = quick(Pair::new(make, wait, set));
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    assert!(verdict.found.unwrap().outcome.a.is_stuck());
    let verdict = quick(Pair::new(make, wait, set_ok));
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}

#[test]
fn panics_are_part_of_the_outcome() {
    let make = || Mutex::new(vec![1, 2]);
    let last = |list: &Mutex<Vec<u8>>| {
        let newest = list.lock().unwrap().len() - 1;
        list.lock().unwrap().remove(newest).to_string()
    };
    let verdict = Pair::new(make, last, last).run();
    let found = verdict.found.unwrap().outcome;
    assert!(matches!(&found.a, Ended::Panicked(text) if text.contains("removal index")), "{found}");
}

#[test]
fn what_differs_by_itself_is_infeasible() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let verdict = Pair::new(|| (), |()| RUNS.fetch_add(1, SeqCst).to_string(), |()| String::new()).run();
    assert_eq!(verdict.status, Status::Infeasible);
}

/// A lock made of an atomic: who spins on it is always about to do something.
#[test]
fn what_spins_is_given_up() {
    type Spin = (AtomicUsize, AtomicUsize);
    let add = |(lock, count): &Spin| {
        while lock.compare_exchange(0, 1, SeqCst, SeqCst).is_err() {}
        let seen = count.load(SeqCst);
        count.store(seen + 1, SeqCst);
        lock.store(0, SeqCst);
        String::new()
    };
    let pair = Pair::new(Spin::default, add, add).observe(|state| format!("{state:?}")).switches(1);
    let verdict = pair.patience(Duration::from_millis(20), Duration::from_millis(60)).run();
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
    assert!(verdict.hindered > 0);
}

#[test]
fn what_waits_for_the_unseen_is_given_up() {
    let (send, receive) = std::sync::mpsc::channel::<()>();
    let receive = std::sync::Mutex::new(receive);
    let stuck = move |(): &()| format!("{:?}", receive.lock().unwrap().recv());
    let pair = Pair::new(|| (), |()| "done".to_owned(), stuck).repeats(1);
    let verdict = pair.patience(Duration::from_millis(20), Duration::from_millis(60)).run();
    assert_eq!(verdict.serial[0].a, returned("done"));
    assert_eq!(verdict.serial[0].b, Ended::Stuck("does not end".to_owned()));
    drop(send);
}
