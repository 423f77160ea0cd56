//! Behind a handle that no two threads can have, and of which there is one, one thread writes.
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

struct Ends {
    front: AtomicIsize,
    back: AtomicIsize,
}

/// The owner's end.
pub struct Worker {
    ends: Arc<Ends>,
    cached: Cell<isize>,
}

/// The end of everybody else.
pub struct Stealer {
    ends: Arc<Ends>,
}

impl Worker {
    pub fn push_ok(&self) {
        let back = self.ends.back.load(Ordering::Relaxed);
        self.cached.set(back);
        self.ends.back.store(back + 1, Ordering::Relaxed);
    }

    pub fn pop_ok(&self) -> bool {
        let back = self.ends.back.load(Ordering::Relaxed) - 1;
        self.ends.back.store(back, Ordering::Relaxed);
        back >= self.ends.front.load(Ordering::SeqCst)
    }
}

impl Stealer {
    pub fn steal_bad(&self) {
        let front = self.ends.front.load(Ordering::Relaxed);
        self.ends.front.store(front + 1, Ordering::Relaxed); //~ split_atomic
    }

    pub fn steal_ok(&self) {
        self.ends.front.fetch_add(1, Ordering::Relaxed);
    }
}
