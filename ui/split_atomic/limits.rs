//! A limit that is an error to pass is meant: two that find one place left must not both have it.
#![allow(deprecated)]
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub struct TooMany {
    pub used: usize,
}

#[derive(Default)]
pub struct Budget {
    calls: AtomicUsize,
    most: usize,
}

impl Budget {
    pub fn reserve_bad(&self) -> Result<(), TooMany> {
        let used = self.calls.load(Ordering::Acquire);
        if used >= self.most {
            return Err(TooMany { used });
        }
        self.calls.fetch_add(1, Ordering::AcqRel); //~ split_atomic
        Ok(())
    }

    pub fn reserve_ok(&self) -> Result<(), TooMany> {
        let more = |used: usize| (used < self.most).then_some(used + 1);
        let counted = self.calls.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        counted.map(|_| ()).map_err(|used| TooMany { used })
    }

    /// The first test only spares the count.
    pub fn reserve_and_test_ok(&self) -> Result<(), TooMany> {
        let used = self.calls.load(Ordering::Acquire);
        if used >= self.most {
            return Err(TooMany { used });
        }
        let used = self.calls.fetch_add(1, Ordering::AcqRel);
        if used >= self.most {
            self.calls.fetch_sub(1, Ordering::AcqRel);
            return Err(TooMany { used });
        }
        Ok(())
    }

    /// It has counted first, and takes it back when nothing comes of it.
    pub fn open_ok(&self, open: &dyn Fn() -> Option<u32>) -> Result<u32, TooMany> {
        let used = self.calls.fetch_add(1, Ordering::AcqRel);
        if used >= self.most {
            self.calls.fetch_sub(1, Ordering::AcqRel);
            return Err(TooMany { used });
        }
        match open() {
            Some(opened) => Ok(opened),
            None => {
                self.calls.fetch_sub(1, Ordering::AcqRel);
                Err(TooMany { used })
            }
        }
    }

    /// A few too many do no harm: who is late only hears that it was not counted.
    pub fn try_reserve_ok(&self) -> bool {
        if self.calls.load(Ordering::Relaxed) >= self.most {
            return false;
        }
        self.calls.fetch_add(1, Ordering::Relaxed);
        true
    }

    pub fn release(&self) {
        self.calls.fetch_sub(1, Ordering::AcqRel);
    }
}
