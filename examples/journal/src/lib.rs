//! A journal that numbers what is written to it. Its counters are atomics that belong together, and a lock beside them keeps
//! them so: nothing in Rust's types says that, so the code does, with the attributes of `stalemate-attr`.
//!
//! Lines that end with `// reported` are wrong on purpose; what is right stands below them.

use stalemate_attr::{Guarded, atomic, benign, requires};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default, Guarded)]
pub struct Journal {
    /// Held while an entry gets its number and its place.
    order: Mutex<()>,
    #[guarded_by(order)]
    last: AtomicU64,
    #[guarded_by(order)]
    bytes: AtomicU64,
    entries: Mutex<Vec<(u64, String)>>,
    longest: AtomicU64,
}

impl Journal {
    pub fn new() -> Journal {
        Journal::default()
    }

    /// The number of the next entry, which is so many bytes long.
    #[requires(self.order)]
    fn advance(&self, bytes: usize) -> u64 {
        let number = self.last.load(Ordering::Relaxed) + 1;
        self.last.store(number, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        number
    }

    /// Two locks, taken one after the other and let go after the last use of either: as if at one point in time.
    #[atomic]
    pub fn append(&self, text: &str) -> u64 {
        let _order = self.order.lock().unwrap();
        let number = self.advance(text.len());
        self.entries.lock().unwrap().push((number, text.to_owned()));
        number
    }

    /// Each entry goes in whole, but another thread's may come between the two.
    #[atomic]
    pub fn append_pair(&self, first: &str, second: &str) -> (u64, u64) {
        let one = self.append(first);
        let two = self.append(second); // reported
        (one, two)
    }

    #[atomic]
    pub fn append_pair_fixed(&self, first: &str, second: &str) -> (u64, u64) {
        let _order = self.order.lock().unwrap();
        let (one, two) = (self.advance(first.len()), self.advance(second.len()));
        let mut entries = self.entries.lock().unwrap();
        entries.push((one, first.to_owned()));
        entries.push((two, second.to_owned()));
        (one, two)
    }

    /// The two counters need not belong to the same entry.
    pub fn mean_length(&self) -> u64 {
        let last = self.last.load(Ordering::Relaxed); // reported
        let bytes = self.bytes.load(Ordering::Relaxed); // reported
        bytes / last.max(1)
    }

    pub fn mean_length_fixed(&self) -> u64 {
        let _order = self.order.lock().unwrap();
        self.bytes.load(Ordering::Relaxed) / self.last.load(Ordering::Relaxed).max(1)
    }

    /// Two threads may get the same number.
    pub fn reserve(&self) -> u64 {
        self.advance(0) // reported
    }

    pub fn reserve_fixed(&self) -> u64 {
        let _order = self.order.lock().unwrap();
        self.advance(0)
    }

    /// Nobody else has it.
    pub fn clear(&mut self) {
        *self.last.get_mut() = 0;
        *self.bytes.get_mut() = 0;
        self.entries.get_mut().unwrap().clear();
    }

    #[benign(reason = "a figure for the log: one that is a little too small does no harm")]
    pub fn note_length(&self, bytes: u64) {
        let longest = self.longest.load(Ordering::Relaxed);
        self.longest.store(longest.max(bytes), Ordering::Relaxed);
    }
}
