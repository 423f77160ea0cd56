//! Several versions at once. Cargo locks its whole build directory for as long as it builds, so two runs in one directory would
//! wait for each other: each worker has a directory of its own, and builds common dependencies once more.
//!
//! The pinned cargo can lock unit by unit instead (`-Z fine-grain-locking`), so that several runs share a directory. That was tried,
//! and two of them waited for each other for ever after sixty versions.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many versions are checked at once.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    at_once: usize,
}

impl Pace {
    /// Two, if nothing else is asked for: more need memory that compilers of large crates do not leave.
    pub fn new(asked: Option<u32>) -> Pace {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Pace { at_once: asked.map_or(cores.min(2), |asked| asked as usize) }
    }

    /// Works on all of them, in this order; the answers are in the same. Workers are numbered from 0.
    pub fn each<T: Sync, R: Send>(self, all: &[T], work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let worker = |number: usize| {
            let mut done = Vec::new();
            while let Some((at, one)) = take(&next, all) {
                done.push((at, work(number, one)));
            }
            done
        };
        let worker = &worker;
        let mut done: Vec<(usize, R)> = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.at_once.min(all.len())).map(|number| scope.spawn(move || worker(number))).collect();
            let joined = workers.into_iter().map(|worker| worker.join());
            joined.flat_map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, answer)| answer).collect()
    }
}

fn take<'a, T>(next: &AtomicUsize, all: &'a [T]) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    all.get(at).map(|one| (at, one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn answers_are_in_order_and_each_is_worked_on_once() {
        let all: Vec<_> = (0..50).collect();
        let count = AtomicUsize::new(0);
        for at_once in [1, 3, 80] {
            let doubled = Pace { at_once }.each(&all, |_, one| {
                count.fetch_add(1, Ordering::Relaxed);
                one * 2
            });
            assert_eq!(doubled, all.iter().map(|one| one * 2).collect::<Vec<_>>());
        }
        assert_eq!(count.into_inner(), 150);
        assert_eq!(Pace { at_once: 2 }.each(&[0; 0], |_, one| *one), [0; 0]);
    }

    #[test]
    fn two_are_worked_on_at_once() {
        // Neither goes on before the other is there.
        let both = Barrier::new(2);
        Pace { at_once: 2 }.each(&[1, 2], |_, _| both.wait());
    }

    #[test]
    fn workers_have_numbers() {
        let both = Barrier::new(2);
        let mut numbers = Pace { at_once: 2 }.each(&[1, 2], |number, _| {
            both.wait();
            number
        });
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1]);
    }
}
