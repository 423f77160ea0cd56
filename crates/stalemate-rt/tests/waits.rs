//! A thread that waits should go on as if it came only when it was woken.

use stalemate_rt::sync::{Condvar, Mutex};
use stalemate_rt::witness::{Pair, Status, Verdict};

/// A ring that grows when it is full.
struct Queue {
    state: Mutex<(Vec<u32>, usize, usize)>,
    not_empty: Condvar,
}

fn queue() -> Queue {
    Queue { state: Mutex::new((vec![0; 2], 1, 0)), not_empty: Condvar::new() }
}

fn put(queue: &Queue) {
    let mut state = queue.state.lock().unwrap();
    if state.2 == state.0.len() {
        let size = state.0.len() * 2;
        state.0.resize(size, 0);
    }
    state.2 += 1;
    queue.not_empty.notify_one();
}

fn take_bad(queue: &Queue) -> String {
    let mut state = queue.state.lock().unwrap();
    let size = state.0.len();
    while state.2 == 0 {
        state = queue.not_empty.wait(state).unwrap();
    }
    state.1 = (state.1 + 1) % size;
    state.2 -= 1;
    String::new()
}

fn take_ok(queue: &Queue) -> String {
    let mut state = queue.state.lock().unwrap();
    while state.2 == 0 {
        state = queue.not_empty.wait(state).unwrap();
    }
    let size = state.0.len();
    state.1 = (state.1 + 1) % size;
    state.2 -= 1;
    String::new()
}

fn played(take: fn(&Queue) -> String) -> Verdict {
    let put_three = |queue: &Queue| {
        (0..3).for_each(|_| put(queue));
        String::new()
    };
    let pair = Pair::new(queue, move |it: &Queue| take(it), put_three);
    pair.observe(|it| format!("{:?}", it.state.lock().unwrap())).whole_orders().switches(0).run()
}

#[test]
fn what_is_used_from_before_the_wait_shows() {
    let verdict = played(take_bad);
    assert_eq!(verdict.status, Status::Confirmed, "{}", verdict.json());
    assert_eq!(verdict.serial.len(), 1);
}

#[test]
fn what_is_read_after_it_does_not() {
    let verdict = played(take_ok);
    assert_eq!(verdict.status, Status::NotReproduced, "{}", verdict.json());
}
