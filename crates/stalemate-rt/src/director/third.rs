//! A third thread, which is stopped in the middle and left there: KISS's threads may end at any point (`RAISE`), and some states
//! are there only as long as somebody is on the way. It is stopped before A and B begin, and never goes on.

use super::{CHANGED, Directing, Event, director};
use crate::hook::{inside, switch_on, thread};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

pub(super) struct Third {
    thread: u32,
    /// Points until it is stopped.
    left: usize,
    /// Where it is, once it is stopped.
    stopped: Option<String>,
    ended: bool,
}

/// The current thread is the third one from here on. It is stopped at its point with this number, counted from 0.
pub(crate) fn enter_third(point: usize) {
    switch_on();
    inside(|| director().third = Some(Third { thread: thread(), left: point, stopped: None, ended: false }));
}

pub(crate) fn leave_third() {
    inside(|| {
        director().third.iter_mut().for_each(|third| third.ended = true);
        CHANGED.notify_all();
    });
}

/// Waits until it is stopped, or has ended, or does nothing for too long. Where it was stopped, if it was.
pub(crate) fn await_third(patience: Duration) -> Option<String> {
    inside(|| {
        let (start, mut directing) = (Instant::now(), director());
        loop {
            let is_over = directing.third.as_ref().is_some_and(|third| third.ended || third.stopped.is_some());
            if is_over || start.elapsed() >= patience {
                return directing.third.take().and_then(|third| third.stopped);
            }
            let soon = Duration::from_millis(10);
            directing = CHANGED.wait_timeout(directing, soon).unwrap_or_else(PoisonError::into_inner).0;
        }
    })
}

/// Whether the thread is stopped here. It is entered among those that stay.
pub(super) fn stops(directing: &mut Directing, event: Event) -> bool {
    let Some(third) = directing.third.as_mut().filter(|third| third.thread == event.thread) else { return false };
    if !event.kind.is_point() || third.stopped.is_some() {
        return false;
    }
    let Some(left) = third.left.checked_sub(1) else {
        third.stopped = Some(format!("C at {} ({})", event.site, event.kind.name()));
        directing.given_up.push(event.thread);
        CHANGED.notify_all();
        return true;
    };
    third.left = left;
    false
}
