//! An exchange that may fail, and what is counted as if it had not.
#![allow(dead_code, deprecated)]

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Bucket {
    refilled: AtomicU64,
    tokens: AtomicU64,
}

impl Bucket {
    pub fn refill_bad(&self, now: u64) {
        let last = self.refilled.load(Ordering::Acquire);
        let fresh = now - last;
        if fresh > 0 {
            let _ = self.refilled.compare_exchange(last, now, Ordering::AcqRel, Ordering::Acquire);
            self.tokens.fetch_add(fresh, Ordering::AcqRel); //~ split_atomic
        }
    }

    pub fn refill_by_closure_bad(&self, now: u64) {
        let last = self.refilled.load(Ordering::Acquire);
        let fresh = now - last;
        let _ = self.refilled.fetch_update(Ordering::AcqRel, Ordering::Acquire, |there| (there == last).then_some(now));
        self.tokens.fetch_add(fresh, Ordering::AcqRel); //~ split_atomic
    }

    /// Only if it was exchanged.
    pub fn refill_ok(&self, now: u64) {
        let last = self.refilled.load(Ordering::Acquire);
        let fresh = now - last;
        if self.refilled.compare_exchange(last, now, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            self.tokens.fetch_add(fresh, Ordering::AcqRel);
        }
    }

    /// `swap` gives what was there to exactly one of them.
    pub fn swap_ok(&self, now: u64) {
        let last = self.refilled.swap(now, Ordering::AcqRel);
        self.tokens.fetch_add(now - last, Ordering::AcqRel);
    }

    /// Nobody else has it.
    pub fn alone_ok(&mut self, now: u64) {
        let last = self.refilled.load(Ordering::Acquire);
        let _ = self.refilled.compare_exchange(last, now, Ordering::AcqRel, Ordering::Acquire);
        self.tokens.fetch_add(now - last, Ordering::AcqRel);
    }

    pub fn take(&self) -> bool {
        let tokens = self.tokens.load(Ordering::Acquire);
        tokens > 0 && self.tokens.compare_exchange(tokens, tokens - 1, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}
