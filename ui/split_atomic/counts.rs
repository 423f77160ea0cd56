//! Counts: what is computed from one load is stored later, and what others counted meanwhile is lost.
#![allow(dead_code, deprecated)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

fn seconds() -> u64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0, |passed| passed.as_secs())
}

pub struct Stats {
    hits: AtomicU64,
    peak: AtomicU64,
    senders: AtomicUsize,
    users: AtomicUsize,
    log: Mutex<Vec<u64>>,
}

impl Stats {
    pub fn hit_bad(&self) {
        let hits = self.hits.load(Ordering::Relaxed);
        self.hits.store(hits + 1, Ordering::Relaxed); //~ split_atomic
    }

    pub fn hit_in_one_line_bad(&self) {
        self.hits.store(self.hits.load(Ordering::SeqCst) + 1, Ordering::SeqCst); //~ split_atomic
    }

    /// Only adds.
    pub fn hit_ok(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    pub fn hit_under_lock_ok(&self) {
        let mut log = self.log.lock().unwrap();
        let hits = self.hits.load(Ordering::Relaxed);
        log.push(hits);
        self.hits.store(hits + 1, Ordering::Relaxed);
    }

    pub fn report_ok(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// A higher peak of another thread is lost.
    pub fn peak_bad(&self, seen: u64) {
        let peak = self.peak.load(Ordering::SeqCst);
        self.peak.store(peak.max(seen), Ordering::SeqCst); //~ split_atomic
    }

    pub fn peak_max_ok(&self, seen: u64) {
        self.peak.fetch_max(seen, Ordering::SeqCst);
    }

    pub fn peak_update_ok(&self, seen: u64) {
        let _ = self.peak.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |peak| (seen > peak).then_some(seen));
    }

    pub fn peak_loop_ok(&self, seen: u64) {
        let mut peak = self.peak.load(Ordering::Relaxed);
        while peak < seen {
            match self.peak.compare_exchange_weak(peak, seen, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => peak = now,
            }
        }
    }

    /// Loaded once, expected for ever.
    pub fn peak_loop_bad(&self, seen: u64) {
        let peak = self.peak.load(Ordering::Relaxed);
        while self.peak.compare_exchange(peak, seen, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            //~^ split_atomic
            std::hint::spin_loop();
        }
    }

    pub fn peak_reload_ok(&self, seen: u64) {
        loop {
            let peak = self.peak.load(Ordering::Relaxed);
            if self.peak.compare_exchange(peak, seen, Ordering::SeqCst, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// The count of another thread that was faster makes this one disappear.
    pub fn add_ignored_bad(&self, much: u64) {
        let hits = self.hits.load(Ordering::SeqCst);
        let _ = self.hits.compare_exchange(hits, hits + much, Ordering::SeqCst, Ordering::SeqCst); //~ split_atomic
    }

    pub fn add_ok_bad(&self, much: u64) {
        let hits = self.hits.load(Ordering::SeqCst);
        self.hits.compare_exchange(hits, hits + much, Ordering::SeqCst, Ordering::SeqCst).ok(); //~ split_atomic
    }

    /// Whoever is first starts the next round.
    pub fn next_round_ok(&self) {
        let round = self.peak.load(Ordering::SeqCst);
        let _ = self.peak.compare_exchange(round, round + 1, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Who was too late returns a number that was never there, and the next one gets it again.
    pub fn catch_up_bad(&self) -> u64 {
        let now = seconds();
        let number = self.peak.fetch_add(1, Ordering::SeqCst);
        if number + 300 < now {
            let _ = self.peak.compare_exchange(number + 1, now, Ordering::SeqCst, Ordering::SeqCst); //~ split_atomic
            now
        } else {
            number
        }
    }

    pub fn catch_up_ok(&self) -> u64 {
        let now = seconds();
        let before = self.peak.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |number| Some(now.max(number + 1)));
        before.map_or(now, |number| now.max(number + 1))
    }

    /// If it was not 0 any more, someone has set it: that is all that is wanted.
    pub fn set_if_unset_ok(&self, to: u64) {
        let _ = self.peak.compare_exchange(0, to, Ordering::SeqCst, Ordering::SeqCst);
    }

    pub fn set_if_unset_bad(&self, to: u64) {
        let _ = self.peak.compare_exchange_weak(0, to, Ordering::SeqCst, Ordering::SeqCst); //~ split_atomic
    }

    /// A second one that saw 1 has its sender, and the count says 0.
    pub fn upgrade_bad(&self) -> bool {
        let before = self.senders.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            self.senders.store(0, Ordering::Release); //~ split_atomic
            false
        } else {
            true
        }
    }

    pub fn upgrade_ok(&self) -> bool {
        let more = |count: usize| if count == 0 { None } else { Some(count + 1) };
        self.senders.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// A few users too many do no harm here.
    pub fn enter_ok(&self) -> bool {
        if self.users.load(Ordering::Relaxed) >= 100 {
            return false;
        }
        self.users.fetch_add(1, Ordering::Relaxed);
        true
    }

    pub fn leave(&self) {
        self.users.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One side of a queue: it alone moves the tail, and the other side only reads it.
pub struct Producer {
    tail: AtomicUsize,
}

impl Producer {
    pub fn push_ok(&self) {
        let tail = self.tail.load(Ordering::Relaxed);
        self.tail.store(tail.wrapping_add(1), Ordering::Release);
    }

    pub fn len(&self) -> usize {
        self.tail.load(Ordering::Acquire)
    }
}

/// The words of a bucket, which only the one writes who has its lock: each function does it this way, so someone sees to it.
struct Bucket {
    len: AtomicUsize,
}

impl Bucket {
    fn put_ok(&self) {
        self.len.store(self.len.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    fn take_ok(&self) {
        self.len.store(self.len.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
    }

    fn halve_ok(&self) {
        self.len.store(self.len.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
    }
}
