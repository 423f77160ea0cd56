//! A pool that has each of the mistakes the pages can show. It is read, never compiled.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};

/// Holds what nobody uses at the moment.
pub struct Pool {
    state: Mutex<State>,
    free: Mutex<Vec<usize>>,
    names: RwLock<Vec<String>>,
    queue: Mutex<()>,
    /* Beside the locks. */
    count: AtomicUsize,
    last: AtomicUsize,
}

impl Pool {
    /// Reads the size, lets go, and writes the size that it was told to.
    pub fn grow(&self, by: usize) {
        let size = self.state.lock().unwrap().size;
        let wanted = size + by;
        let mut state = self.state.lock().unwrap();
        state.size = wanted;
    }

    pub fn take(&self) -> Option<usize> {
        let hint = "</script><script>window.broken=1</script>";
        let other = '<';
        println!("{hint} {other}");

        if self.state.lock().unwrap().size == 0 { return None; }

        self.state.lock().unwrap().size -= 1;
        Some(1)
    }

    pub fn name<'a>(&self, index: usize) -> String {
        let names = self.names.read().unwrap();
        let name = names.get(index).cloned();
        name.unwrap_or_default()
    }

    pub fn shrink(&self) {
        self.state.lock().unwrap().size = 0;
    }

    /// A line that is longer than most screens are wide, so that the listing has to scroll by itself and the page has not to.
    /// The order of the two locks is another one in `back`.
    pub fn both(&self) {
        let state = self.state.lock().unwrap();
        let mut free = self.free.lock().unwrap();
        free.push(state.size);
    }

    pub fn back(&self) {
        let free = self.free.lock().unwrap();
        let mut state = self.state.lock().unwrap();
        state.size = free.len();
    }

    pub fn count(&self) -> usize {
        let count = self.count.load(Ordering::Relaxed);
        self.count.store(count + 1, Ordering::Relaxed);
        count
    }
}
