//! Locks of other crates: who holds them is noted as for std's, but a release may go unseen, where somebody forgets a guard
//! and lets the lock go by other means. So the notes are never believed against the lock itself.
//!
//! - Who is in the way by the notes is asked about: an attempt that succeeds puts the notes right.
//! - A cycle is a proof only if the locks are refused all the time while nobody in it moves.
//! - Who would block asks again and again instead, so that it is known to be refused. Only a writer for whom readers have
//!   to queue waits in the lock's own queue.

use super::locks::{Ask, Standing};
use super::{CHANGED, Directing, Keeper, Kind, Mode, Own, Place, deadlocked, director, happens, stay};
use crate::hook::{inside, thread};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// For how long a cycle must stand still, and how often each of its locks must be refused meanwhile.
const STANDSTILL: Duration = Duration::from_millis(300);
const REFUSALS: usize = 10;

/// How long until a lock is asked for again, if nothing is heard before.
pub(super) const AGAIN: Duration = Duration::from_millis(2);

/// How long a writer may need from saying that it waits to being in the lock's queue.
const TO_QUEUE: Duration = Duration::from_millis(3);

/// A lock of another crate, and how it is wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) object: usize,
    pub(crate) mode: Mode,
    pub(crate) own: Own,
    /// The type of the lock.
    pub(crate) name: &'static str,
    /// It is not asked whether the lock does what it should.
    pub(crate) trusted: bool,
    /// Others have to wait behind who waits for it.
    pub(crate) queues: bool,
    pub(crate) keeper: Keeper,
    pub(crate) site: Place,
}

impl Wanted {
    pub(super) fn ask(self) -> Ask {
        let Wanted { object, mode, own, name, keeper, site, .. } = self;
        Ask { thread: thread(), object, mode, own, foreign: Some(name), keeper, site }
    }
}

/// About to take a lock. Returns whether that has been done here, by an attempt; if not, it is to be done by the call that
/// blocks.
pub(crate) fn acquiring_foreign(wanted: Wanted, attempt: &mut dyn FnMut() -> bool) -> bool {
    inside(|| {
        happens(Kind::Acquire, wanted.object, wanted.site);
        let is_taken = wait_for(wanted, attempt);
        if is_taken {
            acquired(wanted);
        }
        is_taken
    })
}

/// About to make an attempt that does not block, or not for long.
pub(crate) fn trying_foreign(wanted: Wanted) {
    inside(|| happens(Kind::Acquire, wanted.object, wanted.site));
}

pub(crate) fn acquired_foreign(wanted: Wanted) {
    inside(|| acquired(wanted));
}

fn acquired(wanted: Wanted) {
    director().locks.got(wanted.ask());
    happens(Kind::Acquired, wanted.object, wanted.site);
}

/// About to let it go: from here on nobody is said to wait for this thread. Returns where it was taken.
pub(crate) fn letting_go(object: usize, mode: Mode) -> Option<Place> {
    inside(|| director().locks.let_go(thread(), object, mode))
}

pub(crate) fn let_go(object: usize, site: Place) {
    inside(|| happens(Kind::Released, object, site));
}

/// It is held in another mode from here on, and was never let go.
pub(crate) fn become_other(object: usize, from: Mode, to: Mode) {
    inside(|| {
        let mut directing = director();
        directing.locks.changed(thread(), object, from, to);
        directing.settle();
    });
}

fn wait_for(wanted: Wanted, attempt: &mut dyn FnMut() -> bool) -> bool {
    let is_blocked = !director().locks.blockers(&wanted.ask()).is_empty();
    if is_blocked {
        if wanted.mode != Mode::Write {
            std::thread::sleep(TO_QUEUE);
        }
        if attempt() {
            return true;
        }
    } else if !wanted.trusted {
        // Two may come through at once: then neither waits for the other.
        return false;
    }
    let mut directing = director();
    let is_cycle = directing.locks.wait(wanted.ask()).is_some();
    directing.settle();
    drop(directing);
    (is_cycle || is_blocked && !wanted.queues) && ask_again(wanted, attempt)
}

/// Asks until the lock is given, or it turns out that it never will be. Returns false if it is time for the lock's own
/// queue.
fn ask_again(wanted: Wanted, attempt: &mut dyn FnMut() -> bool) -> bool {
    let mut suspicion: Option<Suspicion> = None;
    loop {
        let mut directing = director();
        if directing.given_up.contains(&thread()) {
            stay(directing);
        }
        directing = suspect(directing, &mut suspicion);
        if suspicion.is_none() && wanted.queues {
            return false;
        }
        drop(CHANGED.wait_timeout(directing, AGAIN).unwrap_or_else(PoisonError::into_inner));
        if attempt() {
            return true;
        }
    }
}

/// The current thread has been refused once more. Looks whether it is part of a cycle that stands still, and for how long.
pub(super) fn suspect(mut directing: Directing, suspicion: &mut Option<Suspicion>) -> Directing {
    directing.locks.refused(thread());
    let standing = directing.standstill(thread());
    let proof = directing.locks.proof(thread());
    *suspicion = standing.map(|standing| Suspicion::go_on(suspicion.take(), standing));
    match (&suspicion, proof) {
        (Some(suspicion), Some(proof)) if suspicion.is_proven() => deadlocked(directing, proof),
        (Some(_), _) => directing.schedule.iter_mut().for_each(|it| it.suspected = Some(Instant::now())),
        (None, _) => {}
    }
    directing
}

/// A cycle, and since when it stands still.
pub(crate) struct Suspicion {
    since: Instant,
    first: Vec<Standing>,
    last: Vec<Standing>,
}

impl Suspicion {
    /// If somebody has moved it is another cycle.
    fn go_on(before: Option<Suspicion>, seen: Vec<Standing>) -> Suspicion {
        let numbers = |standing: &[Standing]| standing.iter().map(|(number, _)| *number).collect::<Vec<_>>();
        match before.filter(|before| numbers(&before.first) == numbers(&seen)) {
            Some(before) => Suspicion { last: seen, ..before },
            None => Suspicion { since: Instant::now(), first: seen.clone(), last: seen },
        }
    }

    /// Those who ask again and again have been refused since; the others sleep in queues.
    fn is_proven(&self) -> bool {
        let mut pairs = self.first.iter().zip(&self.last);
        let are_refused =
            pairs.all(|((_, first), (_, last))| last.is_none_or(|last| last >= first.unwrap_or(0) + REFUSALS));
        are_refused && self.since.elapsed() >= STANDSTILL
    }
}
