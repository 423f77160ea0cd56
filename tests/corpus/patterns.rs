//! Patterns of every kind over what stands behind locks.
use std::ops::ControlFlow;
use std::sync::{Mutex, RwLock};

pub const LIMIT: u32 = 9;
pub const NAMES: &[&str] = &["a", "b"];

pub struct Point {
    pub x: u32,
    pub y: Option<[u8; 4]>,
}

pub fn all(lock: &Mutex<(Point, &'static str, Result<u32, char>)>) -> u32 {
    let guard = lock.lock().unwrap();
    let first = match &*guard {
        (Point { x: LIMIT, .. }, "a" | "b", Ok(_)) => 1,
        (Point { x: 0..5 | 7..=8, y: Some([first, .., last]) }, _, _) if first == last => 2,
        (Point { x, y: Some(whole @ [1, rest @ ..]) }, name, Err('a'..='z')) => *x + (whole.len() + rest.len() + name.len()) as u32,
        (Point { x: n @ (10 | 20..), y: None }, _, Ok(_) | Err('0')) if *n % 2 == 0 => 3,
        _ => 4,
    };
    drop(guard);
    lock.lock().unwrap().0.x = first;
    first
}

pub fn slices(lock: &RwLock<Vec<u32>>) -> u32 {
    let found = match lock.read().unwrap().as_slice() {
        [] => 0,
        [one] => *one,
        [first, .., last] if first < last => *last,
        [.., a, b] => a + b,
    };
    if let [first, ..] = &mut lock.write().unwrap()[..] {
        *first = found;
    }
    found
}

pub fn references(lock: &Mutex<Option<Box<Option<u32>>>>) -> u32 {
    let mut guard = lock.lock().unwrap();
    let &mut ref mut slot = &mut *guard;
    let Some(inner) = slot.as_deref_mut() else { return 0 };
    let (Ok(n) | Err(n)) = inner.ok_or(7);
    *inner = Some(n + 1);
    n
}

pub fn flow(lock: &Mutex<Vec<u32>>) -> Option<u32> {
    let found = lock.lock().unwrap().iter().try_for_each(|&n| {
        if n > 3 { ControlFlow::Break(n) } else { ControlFlow::Continue(()) }
    });
    let ControlFlow::Break(n) = found else { return None };
    lock.lock().unwrap().retain(|&m| m != n);
    lock.lock().unwrap().first().copied()
}
