//! Waits on condition variables: that a wait returned says nothing about the condition.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

#[derive(Default)]
struct Queue {
    jobs: VecDeque<u32>,
    closed: bool,
    running: usize,
}

struct Workers {
    queue: Mutex<Queue>,
    changed: Condvar,
}

fn run(job: u32) {
    println!("{job}");
}

impl Workers {
    fn push(&self, job: u32) {
        self.queue.lock().unwrap().jobs.push_back(job);
        self.changed.notify_one();
    }

    fn close(&self) {
        let mut queue = self.queue.lock().unwrap();
        queue.closed = true;
        queue.running = 0;
        self.changed.notify_all();
    }

    fn pop_in_if_bad(&self) -> u32 {
        let mut queue = self.queue.lock().unwrap();
        if queue.jobs.is_empty() {
            queue = self.changed.wait(queue).unwrap(); //~ wait_without_recheck
        }
        queue.jobs.pop_front().unwrap()
    }

    fn pop_in_while_ok(&self) -> u32 {
        let mut queue = self.queue.lock().unwrap();
        while queue.jobs.is_empty() {
            queue = self.changed.wait(queue).unwrap();
        }
        queue.jobs.pop_front().unwrap()
    }

    /// Once, and then what is there is looked at: nobody is wrong about it.
    fn pop_in_if_looks_ok(&self) -> Option<u32> {
        let mut queue = self.queue.lock().unwrap();
        if queue.jobs.is_empty() {
            queue = self.changed.wait(queue).unwrap();
        }
        match queue.jobs.pop_front() {
            Some(job) if !queue.closed => Some(job),
            _ => None,
        }
    }

    fn wait_closed_in_if_bad(&self) {
        let queue = self.queue.lock().unwrap();
        if !queue.closed {
            drop(self.changed.wait(queue).unwrap()); //~ wait_without_recheck
        }
        println!("closed");
    }

    /// `wait_while` tests for itself.
    fn wait_closed_ok(&self) {
        let queue = self.queue.lock().unwrap();
        drop(self.changed.wait_while(queue, |queue| !queue.closed).unwrap());
        println!("closed");
    }

    fn unconditional_bad(&self) {
        let queue = self.queue.lock().unwrap();
        let _queue = self.changed.wait(queue).unwrap(); //~ wait_without_recheck
        println!("something has changed");
    }

    fn unconditional_then_used_bad(&self) -> Option<u32> {
        let queue = self.queue.lock().unwrap();
        let mut queue = self.changed.wait(queue).unwrap(); //~ wait_without_recheck
        queue.running += 1;
        queue.jobs.pop_front()
    }

    fn else_branch_bad(&self) -> u32 {
        let mut queue = self.queue.lock().unwrap();
        if let Some(job) = queue.jobs.pop_front() {
            job
        } else {
            let mut queue = self.changed.wait(queue).unwrap(); //~ wait_without_recheck
            queue.jobs.pop_front().unwrap()
        }
    }

    fn else_branch_ok(&self) -> u32 {
        let mut queue = self.queue.lock().unwrap();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return job;
            }
            queue = self.changed.wait(queue).unwrap();
        }
    }

    /// The worker looks at the queue after each wait.
    fn worker_ok(&self) {
        let mut queue = self.queue.lock().unwrap();
        loop {
            match queue.jobs.pop_front() {
                Some(job) => {
                    drop(queue);
                    run(job);
                    queue = self.queue.lock().unwrap();
                }
                None if queue.closed => return,
                None => queue = self.changed.wait(queue).unwrap(),
            }
        }
    }

    /// Waits at the end of each round, and looks at the start of the next.
    fn relocking_worker_ok(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            if queue.jobs.is_empty() && !queue.closed {
                queue = self.changed.wait(queue).unwrap();
            }
            if queue.closed {
                return;
            }
            if let Some(job) = queue.jobs.pop_front() {
                drop(queue);
                run(job);
            }
        }
    }

    /// The lock is let go after the wait, but the next round tests again before anything is done.
    fn tests_next_round_ok(&self) {
        loop {
            let mut queue = self.queue.lock().unwrap();
            if let Some(job) = queue.jobs.pop_front() {
                drop(queue);
                run(job);
                continue;
            }
            if queue.closed {
                return;
            }
            drop(self.changed.wait(queue).unwrap());
        }
    }

    /// Two conditions in one loop.
    fn two_conditions_ok(&self) -> bool {
        let mut queue = self.queue.lock().unwrap();
        while queue.running > 0 && !queue.closed {
            queue = self.changed.wait(queue).unwrap();
        }
        queue.closed
    }

    /// `break` out of an endless loop is a test like any other.
    fn break_ok(&self) {
        let mut queue = self.queue.lock().unwrap();
        loop {
            if queue.running == 0 {
                break;
            }
            queue = self.changed.wait(queue).unwrap();
        }
        queue.closed = true;
    }

    // Counts notifications, as if each were for it and none could come before: going round a loop is taken for a test.
    fn fn_notifications_counted(&self) {
        let mut queue = self.queue.lock().unwrap();
        for _ in 0..2 {
            queue = self.changed.wait(queue).unwrap();
        }
        queue.closed = true;
    }
}

/// Waits with a time limit.
impl Workers {
    /// "Not timed out" does not say that there is a job.
    fn timed_out_only_bad(&self) -> Option<u32> {
        let mut queue = self.queue.lock().unwrap();
        if queue.jobs.is_empty() {
            let (again, result) = self.changed.wait_timeout(queue, Duration::from_secs(1)).unwrap(); //~ wait_without_recheck
            if result.timed_out() {
                return None;
            }
            queue = again;
        }
        Some(queue.jobs.pop_front().unwrap())
    }

    fn timed_out_only_ok(&self) -> Option<u32> {
        let queue = self.queue.lock().unwrap();
        let second = Duration::from_secs(1);
        let (mut queue, result) =
            self.changed.wait_timeout_while(queue, second, |queue| queue.jobs.is_empty()).unwrap();
        if result.timed_out() {
            return None;
        }
        Some(queue.jobs.pop_front().unwrap())
    }

    /// `pop_front` is the test.
    fn timed_pop_ok(&self) -> Option<u32> {
        let mut queue = self.queue.lock().unwrap();
        if queue.jobs.is_empty() {
            queue = self.changed.wait_timeout(queue, Duration::from_secs(1)).unwrap().0;
        }
        queue.jobs.pop_front()
    }

    fn timed_pop_negated_ok(&self) -> Option<u32> {
        let mut queue = self.queue.lock().unwrap();
        if !queue.closed {
            queue = self.changed.wait_timeout(queue, Duration::from_secs(1)).unwrap().0;
        }
        queue.jobs.pop_front()
    }

    /// Until it is so or the time is over.
    fn deadline_ok(&self, deadline: Instant) -> bool {
        let mut queue = self.queue.lock().unwrap();
        while !queue.closed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            queue = self.changed.wait_timeout(queue, left).unwrap().0;
        }
        true
    }

    /// Only delays the thread, unless it is to end: an early return does no harm.
    fn interruptible_sleep_ok(&self) {
        let queue = self.queue.lock().unwrap();
        let _ = self.changed.wait_timeout(queue, Duration::from_secs(10)).unwrap();
    }

    /// The same in a loop: each round does its work and looks whether it is the last.
    fn flusher_ok(&self) {
        let mut queue = self.queue.lock().unwrap();
        while !queue.closed {
            let (again, _) = self.changed.wait_timeout(queue, Duration::from_secs(10)).unwrap();
            queue = again;
            println!("flush");
        }
    }

    /// Tells what it found, not what it hoped for.
    fn timed_state_ok(&self) -> bool {
        let mut queue = self.queue.lock().unwrap();
        if !queue.closed {
            queue = self.changed.wait_timeout(queue, Duration::from_secs(1)).unwrap().0;
        }
        queue.closed
    }
}

/// The wait stands in a function of its own.
impl Workers {
    /// The caller tests.
    fn sleep_ok<'a>(&'a self, queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        self.changed.wait(queue).unwrap()
    }

    fn helper_in_while_ok(&self) -> u32 {
        let mut queue = self.queue.lock().unwrap();
        while queue.jobs.is_empty() {
            queue = self.sleep_ok(queue);
        }
        queue.jobs.pop_front().unwrap()
    }

    /// The helper takes the guard and tests itself.
    fn until_closed_ok<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        while !queue.closed {
            queue = self.changed.wait(queue).unwrap();
        }
        queue
    }
}

/// The condition is an atomic.
struct Gate {
    lock: Mutex<()>,
    opened: Condvar,
    open: AtomicBool,
    pending: AtomicUsize,
}

impl Gate {
    fn open(&self) {
        let _lock = self.lock.lock().unwrap();
        self.open.store(true, Ordering::Release);
        self.pending.fetch_sub(1, Ordering::AcqRel);
        self.opened.notify_all();
    }

    /// Between the load and the lock the gate may open: the notification is lost.
    fn read_before_lock_bad(&self) {
        if !self.open.load(Ordering::Acquire) {
            let lock = self.lock.lock().unwrap();
            let _lock = self.opened.wait(lock).unwrap(); //~ wait_without_recheck
        }
    }

    /// The load is only a fast path.
    fn fast_path_ok(&self) {
        if !self.open.load(Ordering::Acquire) {
            let mut lock = self.lock.lock().unwrap();
            while !self.open.load(Ordering::Acquire) {
                lock = self.opened.wait(lock).unwrap();
            }
        }
    }

    /// A loop around it does not help: the lock is taken after the load.
    fn loop_before_lock_bad(&self) {
        while self.pending.load(Ordering::Acquire) > 0 {
            let lock = self.lock.lock().unwrap();
            drop(self.opened.wait(lock).unwrap()); //~ wait_without_recheck
        }
    }

    /// A time limit makes it a poll.
    fn poll_ok(&self) {
        while self.pending.load(Ordering::Acquire) > 0 {
            let lock = self.lock.lock().unwrap();
            let _ = self.opened.wait_timeout(lock, Duration::from_millis(50)).unwrap();
        }
    }

    fn load_under_lock_ok(&self) {
        let mut lock = self.lock.lock().unwrap();
        while self.pending.load(Ordering::Acquire) > 0 {
            lock = self.opened.wait(lock).unwrap();
        }
    }
}

/// The condition was read in an earlier section of the same mutex.
impl Workers {
    fn is_closed(&self) -> bool {
        self.queue.lock().unwrap().closed
    }

    fn earlier_section_bad(&self) {
        let closed = self.queue.lock().unwrap().closed;
        if !closed {
            let queue = self.queue.lock().unwrap();
            let _queue = self.changed.wait(queue).unwrap(); //~ wait_without_recheck
        }
    }

    fn earlier_section_loop_bad(&self) {
        while !self.is_closed() {
            let queue = self.queue.lock().unwrap();
            drop(self.changed.wait(queue).unwrap()); //~ wait_without_recheck
        }
    }

    fn earlier_section_ok(&self) {
        if !self.is_closed() {
            let queue = self.queue.lock().unwrap();
            drop(self.changed.wait_while(queue, |queue| !queue.closed).unwrap());
        }
    }
}

/// parking_lot lends the guard.
struct Slots {
    free: parking_lot::Mutex<usize>,
    freed: parking_lot::Condvar,
}

impl Slots {
    fn release(&self) {
        *self.free.lock() += 1;
        self.freed.notify_one();
    }

    fn acquire_bad(&self) {
        let mut free = self.free.lock();
        if *free == 0 {
            self.freed.wait(&mut free); //~ wait_without_recheck
        }
        *free -= 1;
    }

    /// The same condition, the other way round.
    fn acquire_negated_bad(&self) {
        let mut free = self.free.lock();
        if !(*free > 0) {
            self.freed.wait(&mut free); //~ wait_without_recheck
        }
        *free -= 1;
    }

    fn acquire_ok(&self) {
        let mut free = self.free.lock();
        while *free == 0 {
            self.freed.wait(&mut free);
        }
        *free -= 1;
    }

    fn acquire_wait_while_ok(&self) {
        let mut free = self.free.lock();
        self.freed.wait_while(&mut free, |free| *free == 0);
        *free -= 1;
    }

    fn acquire_until_bad(&self, deadline: Instant) -> bool {
        let mut free = self.free.lock();
        if *free == 0 && self.freed.wait_until(&mut free, deadline).timed_out() {
            //~^ wait_without_recheck
            return false;
        }
        *free -= 1;
        true
    }

    /// The caller looks at the count.
    fn wait_in_helper_ok(&self, free: &mut parking_lot::MutexGuard<'_, usize>) {
        self.freed.wait(free);
    }
}

/// Whoever notifies has the lock and has just left the answer there, and this library wakes nobody without it.
struct Answer {
    answer: parking_lot::Mutex<Option<u32>>,
    given: parking_lot::Condvar,
}

impl Answer {
    fn give(&self, answer: u32) {
        let mut slot = self.answer.lock();
        *slot = Some(answer);
        self.given.notify_all();
    }

    fn wait_ok(&self) {
        let mut answer = self.answer.lock();
        if answer.is_none() {
            self.given.wait(&mut answer);
        }
    }
}

/// One condition variable, two mutexes.
struct Pair {
    left: Mutex<bool>,
    right: Mutex<bool>,
    either: Condvar,
    own: Condvar,
}

impl Pair {
    fn left_ok(&self) {
        let left = self.left.lock().unwrap();
        drop(self.either.wait_while(left, |left| !*left).unwrap());
    }

    fn right_bad(&self) {
        let right = self.right.lock().unwrap();
        drop(self.either.wait_while(right, |right| !*right).unwrap()); //~ wait_without_recheck
    }

    /// With its own.
    fn right_ok(&self) {
        let right = self.right.lock().unwrap();
        drop(self.own.wait_while(right, |right| !*right).unwrap());
    }
}

/// A barrier: the generation tells whether the round is over.
struct Barrier {
    round: Mutex<(usize, u64)>,
    over: Condvar,
    size: usize,
}

impl Barrier {
    fn wait_ok(&self) -> bool {
        let mut round = self.round.lock().unwrap();
        let generation = round.1;
        round.0 += 1;
        if round.0 == self.size {
            round.0 = 0;
            round.1 += 1;
            self.over.notify_all();
            return true;
        }
        while round.1 == generation {
            round = self.over.wait(round).unwrap();
        }
        false
    }

    fn wait_bad(&self) -> bool {
        let mut round = self.round.lock().unwrap();
        round.0 += 1;
        if round.0 == self.size {
            round.0 = 0;
            round.1 += 1;
            self.over.notify_all();
            return true;
        }
        let _round = self.over.wait(round).unwrap(); //~ wait_without_recheck
        false
    }
}
