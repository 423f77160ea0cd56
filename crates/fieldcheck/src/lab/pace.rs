//! Several versions at once. Cargo locks its whole build directory for as long as it builds, so two runs in one directory
//! would wait for each other, and in two directories they would build their common dependencies twice. The pinned cargo can
//! lock unit by unit instead: then several runs share one directory, and whoever comes first builds what both need.
//!
//! Measured once, on two busy cores, with four small crates and nothing built before (shred, tiny_http, cadence, xtra): one at a
//! time 396 s, two at once in one directory 223 s, in a directory each 186 s; 16 s of CPU in each way. So two at once
//! help, and of these few common dependencies either way of having two costs the same; with many, two directories build
//! them twice.

use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Switches the locks unit by unit on. What was built without them is used all the same.
const FINE_LOCKS: (&str, &str) = ("CARGO_UNSTABLE_FINE_GRAIN_LOCKING", "true");

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

    pub fn prepare(self, command: &mut Command) {
        if self.at_once > 1 {
            command.env(FINE_LOCKS.0, FINE_LOCKS.1);
        }
    }

    /// Works on all of them, in this order; the answers are in the same.
    pub fn each<T: Sync, R: Send>(self, all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut done = Vec::new();
            while let Some((at, one)) = take(&next, all) {
                done.push((at, work(one)));
            }
            done
        };
        let mut done: Vec<(usize, R)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.at_once.min(all.len())).map(|_| scope.spawn(worker)).collect();
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
            let doubled = Pace { at_once }.each(&all, |one| {
                count.fetch_add(1, Ordering::Relaxed);
                one * 2
            });
            assert_eq!(doubled, all.iter().map(|one| one * 2).collect::<Vec<_>>());
        }
        assert_eq!(count.into_inner(), 150);
        assert_eq!(Pace { at_once: 2 }.each(&[0; 0], |one| *one), [0; 0]);
    }

    #[test]
    fn two_are_worked_on_at_once() {
        // Neither goes on before the other is there.
        let both = Barrier::new(2);
        Pace { at_once: 2 }.each(&[1, 2], |_| both.wait());
    }

    #[test]
    fn one_at_a_time_needs_no_special_locks() {
        let [mut one, mut two] = [Command::new("cargo"), Command::new("cargo")];
        Pace::new(Some(1)).prepare(&mut one);
        Pace::new(Some(2)).prepare(&mut two);
        assert_eq!((one.get_envs().count(), two.get_envs().count()), (0, 1));
    }
}
