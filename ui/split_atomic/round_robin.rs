//! A number that is counted down and set anew when it has come to its end: two operations, and others count in between.
#![allow(dead_code)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Servers {
    names: Vec<String>,
    next: AtomicUsize,
    asked: AtomicUsize,
    turns: Mutex<()>,
}

impl Servers {
    pub fn select_bad(&self) -> &str {
        let _ = self.next.compare_exchange(0, self.names.len(), Ordering::Relaxed, Ordering::Relaxed);
        let at = self.next.fetch_sub(1, Ordering::Relaxed); //~ split_atomic
        &self.names[at - 1]
    }

    pub fn select_ok(&self) -> &str {
        let down = |at: usize| Some(if at == 0 { self.names.len() - 1 } else { at - 1 });
        let at = self.next.try_update(Ordering::Relaxed, Ordering::Relaxed, down).unwrap();
        &self.names[if at == 0 { self.names.len() - 1 } else { at - 1 }]
    }

    pub fn select_up_bad(&self) -> &str {
        self.next.compare_exchange(self.names.len(), 0, Ordering::Relaxed, Ordering::Relaxed).ok();
        let at = self.next.fetch_add(1, Ordering::Relaxed); //~ split_atomic
        &self.names[at]
    }

    /// The number grows for ever, and is made to fit where it is used.
    pub fn modulo_ok(&self) -> &str {
        &self.names[self.next.fetch_add(1, Ordering::Relaxed) % self.names.len()]
    }

    /// One at a time.
    pub fn in_turns_ok(&self) -> &str {
        let _turn = self.turns.lock().unwrap();
        let _ = self.next.compare_exchange(0, self.names.len(), Ordering::Relaxed, Ordering::Relaxed);
        &self.names[self.next.fetch_sub(1, Ordering::Relaxed) - 1]
    }

    /// Nobody uses what it was: a little more or less does no harm.
    pub fn statistics_ok(&self) {
        let _ = self.asked.compare_exchange(usize::MAX, 0, Ordering::Relaxed, Ordering::Relaxed);
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Two numbers.
    pub fn other_ok(&self) -> usize {
        let _ = self.next.compare_exchange(0, self.names.len(), Ordering::Relaxed, Ordering::Relaxed);
        self.asked.fetch_add(1, Ordering::Relaxed)
    }

    /// It is asked whether it was done.
    pub fn asked_ok(&self) -> usize {
        if self.next.compare_exchange(0, 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            return 0;
        }
        self.next.fetch_add(1, Ordering::AcqRel)
    }
}
