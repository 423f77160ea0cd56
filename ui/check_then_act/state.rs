//! A flag, a limit or a status is tested in one critical section and changed in the next.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Idle,
    Running,
    Open(u32),
    Closed,
}

struct Job {
    id: u32,
    done: bool,
}

#[derive(Default)]
struct Inner {
    started: bool,
    leader: Option<u32>,
    active: usize,
    waiting: Vec<u32>,
    jobs: VecDeque<u32>,
}

struct Service {
    connection: Mutex<Option<Arc<Mutex<Vec<u8>>>>>,
    inner: Mutex<Inner>,
    status: Mutex<Status>,
    shared_status: RwLock<Status>,
    other: Mutex<Inner>,
    limit: usize,
}

fn start_threads() {}

fn run(job: u32) -> u32 {
    job
}

/// A flag is tested, then set.
impl Service {
    fn start_bad(&self) {
        if self.inner.lock().unwrap().started {
            return;
        }
        start_threads();
        self.inner.lock().unwrap().started = true; //~ check_then_act
    }

    /// Set before the lock is let go.
    fn start_ok(&self) {
        let mut inner = self.inner.lock().unwrap();
        if inner.started {
            return;
        }
        inner.started = true;
        drop(inner);
        start_threads();
    }

    /// `mem::replace` tells what was there.
    fn start_replace_ok(&self) {
        if self.inner.lock().unwrap().started {
            return;
        }
        if !std::mem::replace(&mut self.inner.lock().unwrap().started, true) {
            start_threads();
        }
    }

    fn elect_bad(&self, me: u32) -> bool {
        if self.inner.lock().unwrap().leader.is_none() {
            self.inner.lock().unwrap().leader = Some(me); //~ check_then_act
            return true;
        }
        false
    }

    /// Tested again under the lock that is held for the change.
    fn elect_ok(&self, me: u32) -> bool {
        if self.inner.lock().unwrap().leader.is_none() {
            let mut inner = self.inner.lock().unwrap();
            if inner.leader.is_none() {
                inner.leader = Some(me);
                return true;
            }
        }
        false
    }

    /// `get_or_insert` looks for itself.
    fn elect_get_or_insert_ok(&self, me: u32) -> bool {
        if self.inner.lock().unwrap().leader.is_some() {
            return false;
        }
        *self.inner.lock().unwrap().leader.get_or_insert(me) == me
    }

    fn as_ref_bad(&self) -> Arc<Mutex<Vec<u8>>> {
        if let Some(connection) = self.connection.lock().unwrap().as_ref() {
            return connection.clone();
        }
        let connection = Arc::new(Mutex::new(Vec::new()));
        *self.connection.lock().unwrap() = Some(connection.clone()); //~ check_then_act
        connection
    }

    /// The same look, and whoever was faster is right.
    fn as_ref_ok(&self) -> Arc<Mutex<Vec<u8>>> {
        if let Some(connection) = self.connection.lock().unwrap().as_ref() {
            return connection.clone();
        }
        self.connection.lock().unwrap().get_or_insert_with(|| Arc::new(Mutex::new(Vec::new()))).clone()
    }

    /// The look and the change are of two locks.
    fn another_lock_ok(&self, me: u32) {
        if self.inner.lock().unwrap().leader.is_none() {
            self.other.lock().unwrap().leader = Some(me);
        }
    }

    /// Nobody else can have the lock.
    fn exclusive_ok(&mut self, me: u32) {
        if self.inner.lock().unwrap().leader.is_none() {
            self.inner.lock().unwrap().leader = Some(me);
        }
    }

    /// A test for the reader of the code: it stops a program that is wrong anyway.
    fn asserted_ok(&self, me: u32) {
        assert!(self.inner.lock().unwrap().leader.is_none(), "elected twice");
        self.inner.lock().unwrap().leader = Some(me);
    }

    fn debug_asserted_ok(&self) {
        debug_assert_eq!(*self.status.lock().unwrap(), Status::Idle);
        *self.status.lock().unwrap() = Status::Running;
    }
}

/// A limit is tested, then something is counted or added.
impl Service {
    fn admit_bad(&self) -> bool {
        if self.inner.lock().unwrap().active >= self.limit {
            return false;
        }
        self.inner.lock().unwrap().active += 1; //~ check_then_act
        true
    }

    fn admit_ok(&self) -> bool {
        let mut inner = self.inner.lock().unwrap();
        if inner.active >= self.limit {
            return false;
        }
        inner.active += 1;
        true
    }

    /// Counted first, given back if it was too much.
    fn admit_undo_ok(&self) -> bool {
        let active = {
            let mut inner = self.inner.lock().unwrap();
            inner.active += 1;
            inner.active
        };
        if active > self.limit {
            self.inner.lock().unwrap().active -= 1;
            return false;
        }
        true
    }

    fn enqueue_bad(&self, job: u32) -> Result<(), u32> {
        let full = self.inner.lock().unwrap().jobs.len() >= self.limit;
        if full {
            return Err(job);
        }
        self.inner.lock().unwrap().jobs.push_back(job); //~ check_then_act
        Ok(())
    }

    fn enqueue_ok(&self, job: u32) -> Result<(), u32> {
        let mut inner = self.inner.lock().unwrap();
        let full = inner.jobs.len() >= self.limit;
        if full {
            return Err(job);
        }
        inner.jobs.push_back(job);
        Ok(())
    }

    fn question_mark_bad(&self, who: u32) -> Option<()> {
        let inner = self.inner.lock().unwrap();
        self.limit.checked_sub(inner.waiting.len() + 1)?;
        drop(inner);
        self.inner.lock().unwrap().waiting.push(who); //~ check_then_act
        Some(())
    }

    fn question_mark_ok(&self, who: u32) -> Option<()> {
        let mut inner = self.inner.lock().unwrap();
        self.limit.checked_sub(inner.waiting.len() + 1)?;
        inner.waiting.push(who);
        Some(())
    }

    fn nested_bad(&self, who: u32, urgent: bool) {
        let waiting = self.inner.lock().unwrap().waiting.len();
        if urgent {
            if waiting < self.limit {
                if who != 0 {
                    self.inner.lock().unwrap().waiting.push(who); //~ check_then_act
                }
            }
        }
    }

    fn nested_ok(&self, who: u32, urgent: bool) {
        let waiting = self.inner.lock().unwrap().waiting.len();
        if urgent {
            if waiting < self.limit {
                let mut inner = self.inner.lock().unwrap();
                if inner.waiting.len() < self.limit {
                    inner.waiting.push(who);
                }
            }
        }
    }

    fn not_empty_bad(&self) -> Option<u32> {
        if self.inner.lock().unwrap().jobs.is_empty() {
            return None;
        }
        Some(self.inner.lock().unwrap().jobs.pop_front().unwrap()) //~ check_then_act
    }

    /// `pop_front` says whether there was one.
    fn not_empty_ok(&self) -> Option<u32> {
        if self.inner.lock().unwrap().jobs.is_empty() {
            return None;
        }
        self.inner.lock().unwrap().jobs.pop_front()
    }

    /// What was tested is how many wait; who is active is another matter, and is set to the same by all.
    fn other_field_ok(&self) {
        if self.inner.lock().unwrap().waiting.is_empty() {
            println!("nobody");
        }
        self.inner.lock().unwrap().started = false;
    }
}

/// A status that goes from one state to the next.
impl Service {
    fn launch_bad(&self) -> Result<(), Status> {
        match *self.status.lock().unwrap() {
            Status::Idle => {}
            other => return Err(other),
        }
        start_threads();
        *self.status.lock().unwrap() = Status::Running; //~ check_then_act
        Ok(())
    }

    fn launch_ok(&self) -> Result<(), Status> {
        let mut status = self.status.lock().unwrap();
        match *status {
            Status::Idle => {}
            other => return Err(other),
        }
        *status = Status::Running;
        drop(status);
        start_threads();
        Ok(())
    }

    fn trip_bad(&self) {
        let open = matches!(*self.shared_status.read().unwrap(), Status::Open(failures) if failures > 3);
        if open {
            *self.shared_status.write().unwrap() = Status::Closed; //~ check_then_act
        }
    }

    fn trip_ok(&self) {
        let open = matches!(*self.shared_status.read().unwrap(), Status::Open(failures) if failures > 3);
        if open {
            let mut status = self.shared_status.write().unwrap();
            if matches!(*status, Status::Open(failures) if failures > 3) {
                *status = Status::Closed;
            }
        }
    }

    fn copied_bad(&self) {
        let status = *self.status.lock().unwrap();
        if status != Status::Closed {
            start_threads();
            *self.status.lock().unwrap() = Status::Open(0); //~ check_then_act
        }
    }

    /// The status is compared with what it was.
    fn copied_ok(&self) {
        let before = *self.status.lock().unwrap();
        if before != Status::Closed {
            start_threads();
            let mut status = self.status.lock().unwrap();
            if *status == before {
                *status = Status::Open(0);
            }
        }
    }

    /// Idle to running is claimed under the lock: only the one who did it comes back to set it idle.
    fn claimed_ok(&self) {
        {
            let mut status = self.status.lock().unwrap();
            if *status != Status::Idle {
                return;
            }
            *status = Status::Running;
        }
        start_threads();
        *self.status.lock().unwrap() = Status::Idle;
    }
}

/// Loops.
impl Service {
    /// The test belongs to the iteration before: each takes what it finds.
    fn worker_ok(&self) {
        loop {
            let job = self.inner.lock().unwrap().jobs.pop_front();
            let Some(job) = job else { break };
            run(job);
            self.inner.lock().unwrap().active += 1;
        }
    }

    fn drain_bad(&self) {
        while !self.inner.lock().unwrap().jobs.is_empty() {
            let job = self.inner.lock().unwrap().jobs.pop_front().unwrap(); //~ check_then_act
            run(job);
        }
    }

    fn drain_ok(&self) {
        while !self.inner.lock().unwrap().jobs.is_empty() {
            let Some(job) = self.inner.lock().unwrap().jobs.pop_front() else { break };
            run(job);
        }
    }

    /// Waits for its turn and then takes it in the same section.
    fn poll_ok(&self, me: u32) {
        loop {
            let mut inner = self.inner.lock().unwrap();
            if inner.leader.is_none() {
                inner.leader = Some(me);
                return;
            }
            drop(inner);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn poll_inside_bad(&self, me: u32) {
        loop {
            if self.inner.lock().unwrap().leader.is_none() {
                self.inner.lock().unwrap().leader = Some(me); //~ check_then_act
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn poll_bad(&self, me: u32) {
        while self.inner.lock().unwrap().leader.is_some() {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.inner.lock().unwrap().leader = Some(me); //~ check_then_act
    }
}

/// A variable remembers what was seen.
struct Members {
    names: Mutex<Vec<String>>,
    jobs: Mutex<Vec<Job>>,
}

impl Members {
    fn join_bad(&self, name: &str) {
        let names = self.names.lock().unwrap();
        let known = names.iter().any(|known| known == name);
        drop(names);
        if !known {
            self.names.lock().unwrap().push(name.to_owned()); //~ check_then_act
        }
    }

    fn join_ok(&self, name: &str) {
        let mut names = self.names.lock().unwrap();
        let known = names.iter().any(|known| known == name);
        if !known {
            names.push(name.to_owned());
        }
    }

    fn found_bad(&self, id: u32) {
        let mut found = false;
        for job in self.jobs.lock().unwrap().iter() {
            if job.id == id {
                found = true;
            }
        }
        if !found {
            self.jobs.lock().unwrap().push(Job { id, done: false }); //~ check_then_act
        }
    }

    fn found_ok(&self, id: u32) {
        let mut jobs = self.jobs.lock().unwrap();
        let mut found = false;
        for job in jobs.iter() {
            if job.id == id {
                found = true;
            }
        }
        if !found {
            jobs.push(Job { id, done: false });
        }
    }

    /// The second section looks for the id itself.
    fn found_again_ok(&self, id: u32) {
        let known = self.jobs.lock().unwrap().iter().any(|job| job.id == id);
        if !known {
            println!("{id} is new");
        }
        let mut jobs = self.jobs.lock().unwrap();
        if !jobs.iter().any(|job| job.id == id) {
            jobs.push(Job { id, done: false });
        }
    }

    /// What was seen decides about a message only.
    fn message_ok(&self, id: u32) {
        if self.jobs.lock().unwrap().len() > 100 {
            eprintln!("many jobs");
        }
        self.jobs.lock().unwrap().push(Job { id, done: false });
    }

    /// Removed is removed: `retain` looks at each.
    fn retain_ok(&self) {
        if self.jobs.lock().unwrap().iter().any(|job| job.done) {
            self.jobs.lock().unwrap().retain(|job| !job.done);
        }
    }
}

/// Two steps under an outer lock that all writers of the inner one hold.
struct Covered {
    outer: Mutex<()>,
    owner: Mutex<Option<u32>>,
}

impl Covered {
    fn take_ok(&self, me: u32) {
        let _outer = self.outer.lock().unwrap();
        if self.owner.lock().unwrap().is_none() {
            self.owner.lock().unwrap().replace(me);
        }
    }

    fn give_ok(&self) {
        let _outer = self.outer.lock().unwrap();
        *self.owner.lock().unwrap() = None;
    }
}

/// Atomics beside a lock.
struct Breaker {
    window: Mutex<Vec<Instant>>,
    failures: AtomicUsize,
    stopped: AtomicBool,
    broken: AtomicBool,
    paused: AtomicBool,
    refreshing: AtomicBool,
    token: Mutex<String>,
}

impl Breaker {
    fn fail_bad(&self) {
        let window = self.window.lock().unwrap();
        let few = self.failures.load(Ordering::SeqCst) < 10;
        drop(window);
        if few {
            self.failures.fetch_add(1, Ordering::SeqCst); //~ check_then_act
        }
    }

    fn fail_ok(&self) {
        let _window = self.window.lock().unwrap();
        let few = self.failures.load(Ordering::SeqCst) < 10;
        if few {
            self.failures.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn reset_ok(&self) {
        let _window = self.window.lock().unwrap();
        self.failures.store(0, Ordering::SeqCst);
    }

    /// Set here and there and never cleared: to set it twice does no harm.
    fn give_up_ok(&self) {
        let window = self.window.lock().unwrap();
        if self.broken.load(Ordering::SeqCst) {
            return;
        }
        drop(window);
        self.broken.store(true, Ordering::SeqCst);
    }

    fn pause_bad(&self) {
        let window = self.window.lock().unwrap();
        if self.paused.load(Ordering::SeqCst) {
            return;
        }
        drop(window);
        self.paused.store(true, Ordering::SeqCst); //~ check_then_act
    }

    fn resume(&self) {
        let _window = self.window.lock().unwrap();
        self.paused.store(false, Ordering::SeqCst);
    }

    /// The one who changes the flag may refresh: nobody else looks until it is cleared.
    fn refresh_claimed_ok(&self) {
        if self.refreshing.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return;
        }
        if self.token.lock().unwrap().is_empty() {
            let token = format!("{:?}", Instant::now());
            *self.token.lock().unwrap() = token;
        }
        self.refreshing.store(false, Ordering::Release);
    }

    /// Looked at before the claim: whoever had the flag may be done with it by now.
    fn refresh_claimed_late_bad(&self) {
        if !self.token.lock().unwrap().is_empty() {
            return;
        }
        if self.refreshing.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return;
        }
        let token = format!("{:?}", Instant::now());
        *self.token.lock().unwrap() = token; //~ check_then_act
        self.refreshing.store(false, Ordering::Release);
    }

    fn refresh_bad(&self) {
        if !self.token.lock().unwrap().is_empty() {
            return;
        }
        let token = format!("{:?}", Instant::now());
        *self.token.lock().unwrap() = token; //~ check_then_act
    }

    /// `swap` decides.
    fn stop_ok(&self) {
        if self.stopped.swap(true, Ordering::SeqCst) {
            return;
        }
        self.window.lock().unwrap().clear();
    }
}

/// `.await` stands between the two sections.
struct Tokens {
    token: tokio::sync::Mutex<Option<Arc<String>>>,
    users: tokio::sync::RwLock<Vec<u32>>,
    plain: parking_lot::Mutex<Inner>,
    shared: parking_lot::RwLock<Inner>,
}

async fn fetch() -> String {
    String::new()
}

impl Tokens {
    async fn token_bad(&self) -> Arc<String> {
        if let Some(token) = self.token.lock().await.as_ref() {
            return token.clone();
        }
        let token = Arc::new(fetch().await);
        *self.token.lock().await = Some(token.clone()); //~ check_then_act
        token
    }

    /// The guard of tokio may be held over an `.await`.
    async fn token_ok(&self) -> Arc<String> {
        let mut guard = self.token.lock().await;
        if let Some(token) = guard.as_ref() {
            return token.clone();
        }
        let token = Arc::new(fetch().await);
        *guard = Some(token.clone());
        token
    }

    /// Whoever was faster is right.
    async fn token_get_or_insert_ok(&self) -> Arc<String> {
        if let Some(token) = self.token.lock().await.as_ref() {
            return token.clone();
        }
        let token = Arc::new(fetch().await);
        self.token.lock().await.get_or_insert(token).clone()
    }

    async fn seat_bad(&self, user: u32) -> bool {
        if self.users.read().await.len() >= 8 {
            return false;
        }
        self.users.write().await.push(user); //~ check_then_act
        true
    }

    async fn seat_ok(&self, user: u32) -> bool {
        if self.users.read().await.len() >= 8 {
            return false;
        }
        let mut users = self.users.write().await;
        if users.len() >= 8 {
            return false;
        }
        users.push(user);
        true
    }

    fn plain_bad(&self) {
        let inner = self.plain.lock();
        if inner.active < 4 {
            drop(inner);
            self.plain.lock().active += 1; //~ check_then_act
        }
    }

    fn plain_ok(&self) {
        let mut inner = self.plain.lock();
        if inner.active < 4 {
            inner.active += 1;
        }
    }

    fn upgraded_bad(&self, me: u32) {
        let inner = self.shared.read();
        if inner.leader.is_none() {
            drop(inner);
            self.shared.write().leader = Some(me); //~ check_then_act
        }
    }

    /// An upgradable guard is never let go.
    fn upgraded_ok(&self, me: u32) {
        let inner = self.shared.upgradable_read();
        if inner.leader.is_none() {
            let mut inner = parking_lot::RwLockUpgradableReadGuard::upgrade(inner);
            inner.leader = Some(me);
        }
    }
}
