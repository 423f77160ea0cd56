//! `tokio::sync::Notify`: who waits for it is woken by a call of another, and by nothing else.

use super::Place;
use super::polling::{Leaf, is_pending};
use crate::director::{self, Kind};
use crate::hook;
use std::cell::Cell;
use std::panic::Location;
use std::task::{Context, Poll, Waker};

/// What a future that waits carries: where the user asked for it.
#[derive(Debug)]
pub struct Notice {
    place: Place,
    has_asked: Cell<bool>,
}

impl Notice {
    #[track_caller]
    pub fn here() -> Notice {
        Notice { place: Location::caller(), has_asked: Cell::new(false) }
    }

    /// The future is about to be polled.
    pub fn begin(&self, object: usize, context: &Context<'_>) -> Asked {
        let is_first = hook::active() && !self.has_asked.replace(true);
        if is_first {
            director::tell(Kind::Wait, object, self.place);
        }
        Asked { object, place: self.place, is_first, waker: context.waker().clone() }
    }
}

/// A poll that is under way.
pub struct Asked {
    object: usize,
    place: Place,
    is_first: bool,
    waker: Waker,
}

impl Asked {
    pub fn end(self, polled: Poll<()>) -> Poll<()> {
        if polled.is_pending() && hook::active() {
            if self.is_first {
                director::tell(Kind::Waiting, self.object, self.place);
            }
            is_pending(&self.waker, || Leaf::Notice(self.place));
        }
        polled
    }
}

/// Somebody wakes who waits, and what is done for it is no news.
#[track_caller]
pub fn notifies<T>(object: usize, notify: impl FnOnce() -> T) -> T {
    if !hook::active() {
        return notify();
    }
    director::tell(Kind::Notify, object, Location::caller());
    hook::inside(notify)
}

/// What is done in there is no news.
pub fn unseen<T>(run: impl FnOnce() -> T) -> T {
    if hook::active() { hook::inside(run) } else { run() }
}
