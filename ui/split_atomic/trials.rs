//! Counts on trial: counted first, taken back when it was too much. And values that are set up once, by a flag.
#![allow(dead_code, deprecated)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU64, AtomicUsize, Ordering};

pub struct Limiter {
    used: AtomicUsize,
    most: usize,
}

impl Limiter {
    pub fn enter_ok(&self) -> bool {
        if self.used.fetch_add(1, Ordering::SeqCst) >= self.most {
            self.used.fetch_sub(1, Ordering::SeqCst);
            return false;
        }
        true
    }

    /// Between the two operations above this makes the count wrap.
    pub fn restart_bad(&self) {
        self.used.store(0, Ordering::SeqCst); //~ split_atomic
    }

    pub fn leave_ok(&self) {
        self.used.fetch_sub(1, Ordering::SeqCst);
    }

    pub fn restart_ok(&mut self) {
        self.used.store(0, Ordering::SeqCst);
    }
}

/// Nothing is taken back.
pub struct Hits {
    hits: AtomicUsize,
}

impl Hits {
    pub fn hit_ok(&self) -> bool {
        self.hits.fetch_add(1, Ordering::Relaxed) % 100 == 0
    }

    pub fn restart_ok(&self) {
        self.hits.store(0, Ordering::Relaxed);
    }
}

/// A lock keeps the two apart.
pub struct Window {
    used: AtomicUsize,
    turn: Mutex<()>,
}

impl Window {
    pub fn enter_ok(&self) -> bool {
        let _turn = self.turn.lock().unwrap();
        if self.used.fetch_add(1, Ordering::Relaxed) >= 10 {
            self.used.fetch_sub(1, Ordering::Relaxed);
            return false;
        }
        true
    }

    pub fn restart_ok(&self) {
        let _turn = self.turn.lock().unwrap();
        self.used.store(0, Ordering::Relaxed);
    }
}

pub struct Ids {
    next: AtomicI16,
}

impl Ids {
    /// The count has just changed it, so the exchange finds something else.
    pub fn next_bad(&self) -> i16 {
        loop {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            if id >= 0 {
                return id;
            }
            if self.next.compare_exchange(id, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() { //~ split_atomic
                return 0;
            }
        }
    }

    pub fn next_ok(&self) -> i16 {
        loop {
            let id = self.next.fetch_add(1, Ordering::Relaxed);
            if id >= 0 {
                return id;
            }
            let now = id.wrapping_add(1);
            if self.next.compare_exchange(now, 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return 0;
            }
        }
    }
}

pub struct Nonces {
    ready: AtomicBool,
    next: AtomicU64,
}

impl Nonces {
    pub fn next_ok(&self) -> u64 {
        self.next.fetch_add(1, Ordering::SeqCst)
    }

    /// Who comes second starts over with numbers that were given out.
    pub fn start_bad(&self, at: impl FnOnce() -> u64) {
        if !self.ready.load(Ordering::SeqCst) {
            self.next.store(at(), Ordering::SeqCst);
            self.ready.store(true, Ordering::SeqCst); //~ split_atomic
        }
    }
}

/// What is set up never changes again.
pub struct Epoch {
    ready: AtomicBool,
    start: AtomicU64,
}

impl Epoch {
    pub fn start_ok(&self, at: impl FnOnce() -> u64) -> u64 {
        if !self.ready.load(Ordering::Acquire) {
            self.start.store(at(), Ordering::Relaxed);
            self.ready.store(true, Ordering::Release);
        }
        self.start.load(Ordering::Relaxed)
    }
}

/// Each of them can be called by anybody, so nobody makes them take turns.
pub struct Budget {
    limit: AtomicUsize,
}

impl Budget {
    pub fn raise_bad(&self) {
        let limit = self.limit.load(Ordering::Relaxed);
        self.limit.store((limit + 1).min(100), Ordering::Relaxed); //~ split_atomic
    }

    pub fn halve_bad(&self) {
        let limit = self.limit.load(Ordering::Relaxed);
        self.limit.store((limit / 2).max(1), Ordering::Relaxed); //~ split_atomic
    }

    pub fn raise_by_bad(&self, much: usize) {
        let limit = self.limit.load(Ordering::Relaxed);
        self.limit.store(limit.saturating_add(much), Ordering::Relaxed); //~ split_atomic
    }

    pub fn raise_ok(&self) {
        let more = |limit: usize| Some((limit + 1).min(100));
        let _ = self.limit.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    }
}
