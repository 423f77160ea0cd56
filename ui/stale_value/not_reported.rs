//! Code that looks like a stale value and is none. Each function names the reason.
#![allow(dead_code)]

use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct State {
    n: u32,
    next_id: u32,
    generation: u64,
    total: u32,
    title: String,
    busy: bool,
    items: Vec<(u32, String)>,
}

struct Shared {
    outer: Mutex<()>,
    state: Mutex<State>,
    guarded: Mutex<u32>,
}

impl Shared {
    /// Where the bug is, for comparison: all the functions below differ from it by their reason.
    fn plain_bad(&self) {
        let n = self.state.lock().unwrap().n;
        self.state.lock().unwrap().n = n + 1; //~ stale_value
    }

    /// `&mut self`: no other thread can have the lock.
    fn exclusive_ok(&mut self) {
        let n = self.state.lock().unwrap().n;
        self.state.lock().unwrap().n = n + 1;
    }

    /// The old value is compared with the present one.
    fn compared_ok(&self) {
        let n = self.state.lock().unwrap().n;
        let mut state = self.state.lock().unwrap();
        if state.n == n {
            state.n = n + 1;
        }
    }

    /// Tries again until nobody got in between.
    fn retried_ok(&self) {
        loop {
            let n = self.state.lock().unwrap().n;
            let doubled = n * 2;
            let mut state = self.state.lock().unwrap();
            if state.n != n {
                continue;
            }
            state.n = doubled;
            break;
        }
    }

    /// A generation says whether anything has changed.
    fn generation_ok(&self) {
        let (n, generation) = {
            let state = self.state.lock().unwrap();
            (state.n, state.generation)
        };
        let mut state = self.state.lock().unwrap();
        if state.generation == generation {
            state.n = n + 1;
            state.generation += 1;
        }
    }

    /// The present value is part of the new one: nothing is lost.
    fn adjusted_ok(&self) {
        let n = self.state.lock().unwrap().n;
        self.state.lock().unwrap().total += n;
        self.state.lock().unwrap().n -= n;
    }

    /// A number that was counted up belongs to this thread.
    fn reserved_id_ok(&self, name: String) {
        let id = {
            let mut state = self.state.lock().unwrap();
            state.next_id += 1;
            state.next_id
        };
        self.state.lock().unwrap().items.push((id, name));
    }

    fn reserved_before_counting_ok(&self, name: String) {
        let mut state = self.state.lock().unwrap();
        let id = state.next_id;
        state.next_id += 1;
        drop(state);
        self.state.lock().unwrap().items.push((id, name));
    }

    /// Nobody writes the title: an old look at it is as good as a new one.
    fn read_only_ok(&self) {
        let title = self.state.lock().unwrap().title.clone();
        self.state.lock().unwrap().items.push((0, title));
    }

    /// Whoever writes `guarded` holds `outer`, and so does this function all the time.
    fn covered_by_another_lock_ok(&self) {
        let _outer = self.outer.lock().unwrap();
        let n = *self.guarded.lock().unwrap();
        *self.guarded.lock().unwrap() = n + 1;
    }

    fn other_writer_under_the_same_cover_ok(&self) {
        let _outer = self.outer.lock().unwrap();
        *self.guarded.lock().unwrap() = 7;
    }

    /// The flag is tested and set in the first section: nobody else comes this far until it is cleared.
    fn claimed_by_a_flag_ok(&self) {
        let mut state = self.state.lock().unwrap();
        if state.busy {
            return;
        }
        state.busy = true;
        let n = state.items.len();
        drop(state);
        let mut state = self.state.lock().unwrap();
        state.items.drain(..n);
        state.busy = false;
    }

    fn not_claimed_bad(&self) {
        let state = self.state.lock().unwrap();
        let n = state.items.len();
        drop(state);
        let mut state = self.state.lock().unwrap();
        state.items.drain(..n); //~ stale_value
        state.busy = false;
    }

    /// A message about the old state.
    fn printed_ok(&self) {
        let n = self.state.lock().unwrap().n;
        let mut state = self.state.lock().unwrap();
        println!("was {n}");
        state.generation += 1;
    }
}

/// Nobody else has it yet.
fn not_shared_ok() {
    let counter = Mutex::new(0);
    let n = *counter.lock().unwrap();
    *counter.lock().unwrap() = n + 1;
}

fn not_shared_arc_ok() -> u32 {
    let counter = Arc::new(Mutex::new(0));
    let n = *counter.lock().unwrap();
    *counter.lock().unwrap() = n + 1;
    *counter.lock().unwrap()
}

/// Two different locks.
fn two_locks_ok(from: &Mutex<u32>, to: &Mutex<u32>) {
    let n = *from.lock().unwrap();
    *to.lock().unwrap() = n;
}

/// Different elements, as far as anyone can tell.
fn shards_ok(shards: &[Mutex<u32>], i: usize, j: usize) {
    let n = *shards[i].lock().unwrap();
    *shards[j].lock().unwrap() = n;
}

#[allow(stale_value, reason = "one thread only, see the caller")]
fn allowed_ok(counter: &Mutex<u32>) {
    let n = *counter.lock().unwrap();
    *counter.lock().unwrap() = n + 1;
}

fn expected_ok(counter: &Mutex<u32>) {
    let n = *counter.lock().unwrap();
    #[expect(stale_value)]
    {
        *counter.lock().unwrap() = n + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_test_ok() {
        let counter = Arc::new(Mutex::new(0));
        let other = Arc::clone(&counter);
        thread::spawn(move || *other.lock().unwrap() += 1);
        let n = *counter.lock().unwrap();
        *counter.lock().unwrap() = n + 1;
    }
}

fn uses(counter: Arc<Mutex<u32>>) {
    thread::spawn(move || *counter.lock().unwrap() += 1);
}
