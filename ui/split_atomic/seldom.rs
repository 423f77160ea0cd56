//! Stores that hardly any thread comes to: the one that has won an exchange, the one that has counted to the end, and the only
//! one that writes.
#![allow(dead_code)]

use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32, AtomicU64, Ordering};

static NEXT: AtomicI64 = AtomicI64::new(1);

/// Nobody makes so many.
pub fn request_id_ok() -> i64 {
    let id = NEXT.fetch_add(2, Ordering::Relaxed);
    if id > i64::MAX - 1000 {
        NEXT.store(1, Ordering::SeqCst);
    }
    id
}

static SLOT: AtomicU32 = AtomicU32::new(0);

pub fn slot_bad() -> u32 {
    let slot = SLOT.fetch_add(1, Ordering::Relaxed);
    if slot > 1000 {
        SLOT.store(0, Ordering::SeqCst); //~ split_atomic
    }
    slot
}

const HALF_OPEN: u8 = 1;
const CLOSED: u8 = 0;

pub struct Breaker {
    state: AtomicU8,
    successes: AtomicU32,
}

impl Breaker {
    /// The exchange lets one through.
    pub fn on_success_ok(&self) {
        let successes = self.successes.fetch_add(1, Ordering::Relaxed) + 1;
        if successes >= 3
            && self.state.compare_exchange(HALF_OPEN, CLOSED, Ordering::AcqRel, Ordering::Acquire).is_ok()
        {
            self.successes.store(0, Ordering::Relaxed);
        }
    }
}

pub struct Window {
    seen: AtomicU32,
}

impl Window {
    pub fn on_success_bad(&self) {
        let seen = self.seen.fetch_add(1, Ordering::Relaxed) + 1;
        if seen >= 3 {
            self.seen.store(0, Ordering::Relaxed); //~ split_atomic
        }
    }
}

/// What is loaded `Relaxed` and in the end stored `Release` has one writer.
pub struct Period {
    state: AtomicU64,
}

impl Period {
    pub fn end_ok(&self, now: u64) {
        let state = self.state.load(Ordering::Relaxed);
        self.state.store(state | 2, Ordering::Relaxed);
        let total = (state >> 2).wrapping_add(now);
        self.state.store(total << 2, Ordering::Release);
    }
}
