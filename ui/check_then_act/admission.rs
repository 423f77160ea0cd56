//! Functions that are given what a lock protects, and say whether the caller may go on. Some of them set a flag that keeps others
//! out; what they saw on a way without it grows old like any look.
#![allow(dead_code)]

use std::sync::Mutex;

#[derive(Default)]
struct Breaker {
    open: bool,
    opened: u64,
    finished: usize,
    failed: usize,
    running: usize,
    busy: bool,
}

impl Breaker {
    fn half_open(&mut self) {
        if !self.open {
            return;
        }
        self.open = false;
        self.finished = 0;
        self.failed = 0;
    }

    /// Who finds it open long enough closes it by half. Whoever comes then is counted when its work is done.
    fn may_run(&mut self, now: u64, most: usize) -> bool {
        match self.open {
            true if now - self.opened > 30 => {
                self.half_open();
                true
            }
            true => false,
            false => self.finished + self.failed < most,
        }
    }

    /// The same, counted at once.
    fn enter(&mut self, now: u64, most: usize) -> bool {
        match self.open {
            true if now - self.opened > 30 => {
                self.half_open();
                self.running += 1;
                true
            }
            true => false,
            false => {
                let permitted = self.running < most;
                if permitted {
                    self.running += 1;
                }
                permitted
            }
        }
    }

    /// One at a time, and what it gives was seen after the flag was set.
    fn claim(&mut self) -> Option<usize> {
        if self.busy {
            return None;
        }
        self.busy = true;
        Some(self.finished)
    }

    /// The test is one value, and the flag is set because of it.
    fn claim_at_most(&mut self, most: usize) -> bool {
        let free = !self.busy && self.finished < most;
        if free {
            self.busy = true;
        }
        free
    }

    fn count(&mut self, good: bool) {
        if good {
            self.finished += 1;
        } else {
            self.failed += 1;
        }
    }

    fn leave(&mut self) {
        self.running -= 1;
    }
}

struct Service {
    breaker: Mutex<Breaker>,
    work: fn() -> bool,
}

impl Service {
    fn trip(&self, now: u64) {
        let mut breaker = self.breaker.lock().unwrap();
        breaker.open = true;
        breaker.opened = now;
    }

    /// tower-resilience: everybody who comes before the first is done finds room.
    fn counted_when_done_bad(&self, now: u64) -> bool {
        let permitted = self.breaker.lock().unwrap().may_run(now, 1);
        if !permitted {
            return false;
        }
        let good = (self.work)();
        self.breaker.lock().unwrap().count(good); //~ check_then_act
        true
    }

    fn counted_at_once_ok(&self, now: u64) -> bool {
        let permitted = self.breaker.lock().unwrap().enter(now, 1);
        if !permitted {
            return false;
        }
        let _ = (self.work)();
        self.breaker.lock().unwrap().leave();
        true
    }

    fn under_one_guard_ok(&self, now: u64) -> bool {
        let mut breaker = self.breaker.lock().unwrap();
        if !breaker.may_run(now, 1) {
            return false;
        }
        breaker.count((self.work)());
        true
    }

    fn one_at_a_time_ok(&self) {
        let claimed = self.breaker.lock().unwrap().claim();
        if claimed.is_none_or(|before| before > 5) {
            return;
        }
        let good = (self.work)();
        let mut breaker = self.breaker.lock().unwrap();
        breaker.count(good);
        breaker.busy = false;
    }

    fn one_at_a_time_and_few_ok(&self) {
        if !self.breaker.lock().unwrap().claim_at_most(3) {
            return;
        }
        let good = (self.work)();
        let mut breaker = self.breaker.lock().unwrap();
        breaker.count(good);
        breaker.busy = false;
    }
}
