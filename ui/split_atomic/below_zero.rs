//! Counted down because something was left: two threads that see the last one both take it, and the number wraps around.
#![allow(deprecated)]
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

#[derive(Default)]
pub struct Tokens {
    left: AtomicU64,
    most: u64,
    balance: AtomicI64,
    queued: AtomicUsize,
}

impl Tokens {
    pub fn take_bad(&self) -> bool {
        if self.left.load(Ordering::Acquire) > 0 {
            self.left.fetch_sub(1, Ordering::AcqRel); //~ split_atomic
            return true;
        }
        false
    }

    pub fn take_ok(&self) -> bool {
        self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1)).is_ok()
    }

    pub fn take_unless_empty_bad(&self) -> Option<u64> {
        let left = self.left.load(Ordering::Acquire);
        if left == 0 {
            return None;
        }
        self.left.fetch_sub(1, Ordering::AcqRel); //~ split_atomic
        Some(left)
    }

    /// What it was tells who was too late, and that is mended.
    pub fn take_and_look_ok(&self) -> bool {
        if self.left.load(Ordering::Acquire) == 0 {
            return false;
        }
        if self.left.fetch_sub(1, Ordering::AcqRel) == 0 {
            self.left.fetch_add(1, Ordering::AcqRel);
            return false;
        }
        true
    }

    pub fn give(&self) {
        self.left.fetch_add(1, Ordering::AcqRel);
        self.balance.fetch_add(1, Ordering::AcqRel);
        self.queued.fetch_add(1, Ordering::AcqRel);
    }

    /// Below zero is a number like others.
    pub fn spend_ok(&self) -> bool {
        if self.balance.load(Ordering::Acquire) > 0 {
            self.balance.fetch_sub(1, Ordering::AcqRel);
            return true;
        }
        false
    }

    /// There is more than nothing left however many see that it is too much.
    pub fn shrink_ok(&self) {
        if self.left.load(Ordering::Acquire) > self.most {
            self.left.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// As many as were done: these were counted before.
    pub fn done_ok(&self, jobs: &mut Vec<u32>) {
        if self.queued.load(Ordering::Acquire) > 0 {
            let done = jobs.len();
            jobs.clear();
            self.queued.fetch_sub(done, Ordering::AcqRel);
        }
    }

    /// Some bits of a word say which of two locks it is; who has one gives it back.
    pub fn unlock_ok(&self) {
        if self.queued.load(Ordering::Acquire) & 1 != 0 {
            self.queued.fetch_and(!1, Ordering::Release);
        } else {
            self.queued.fetch_sub(2, Ordering::Release);
        }
    }

    /// Nobody else comes here.
    pub fn pop_ok(&mut self) -> bool {
        if self.queued.load(Ordering::Acquire) > 0 {
            self.queued.fetch_sub(1, Ordering::AcqRel);
            return true;
        }
        false
    }
}
