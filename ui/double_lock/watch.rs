//! What `borrow` of a `watch` channel gives is a guard: who sends while it lives waits for itself.
#![allow(dead_code)]

use tokio::sync::watch;

pub struct Level {
    level: watch::Sender<u64>,
    seen: watch::Receiver<u64>,
}

impl Level {
    pub fn raise_bad(&self) {
        let _ = self.level.send(*self.level.borrow() + 1); //~ double_lock
    }

    pub fn raise_ok(&self) {
        self.level.send_modify(|level| *level += 1);
    }

    pub fn reset_bad(&self) {
        let level = self.level.borrow();
        if *level > 10 {
            self.level.send_replace(0); //~ double_lock
        }
    }

    pub fn reset_ok(&self) {
        self.level.send_if_modified(|level| std::mem::take(level) > 0);
    }

    /// The two are one lock, but nothing in the types says so.
    pub fn fn_both_ends(&self) {
        let seen = self.seen.borrow();
        let _ = self.level.send(*seen + 1);
    }

    pub fn one_after_the_other_ok(&self) -> bool {
        let first = *self.seen.borrow();
        first == *self.seen.borrow()
    }
}
