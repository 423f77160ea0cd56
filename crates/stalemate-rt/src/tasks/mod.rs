//! Locks that futures wait for, as the changed sources of `tokio` tell of them. Beside what is told of other [foreign] locks:
//!
//! - The user calls a function that gives a future, and what takes the lock is polled later, deep below. So the place of the
//!   call is put [around](at) the future, and is known to whatever is polled in it.
//! - A future that is pending lets its thread go on. Only [who polls](polling) can say that a thread does nothing but wait.
//! - Guards may be sent, and tasks move between threads. Who holds a lock is known only where a thread runs one future to its
//!   end; elsewhere nobody is ever said to be waited for.
//!
//! [foreign]: crate::foreign

mod notice;
pub(crate) mod polling;

use crate::director::{self, Access};
pub use crate::director::{Mode, Own};
use crate::foreign::Foreign;
use crate::hook;
pub use notice::{Asked, Notice, notifies, unseen};
use polling::{Leaf, is_pending};
pub use polling::{blocking, wait_for};
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

type Place = &'static Location<'static>;

thread_local! {
    /// Where the user asked for what is being polled.
    static PLACE: Cell<Option<Place>> = const { Cell::new(None) };
}

#[track_caller]
fn place() -> Place {
    PLACE.get().unwrap_or(Location::caller())
}

/// A future, and where the user asked for it.
pub fn at<F: Future>(place: Place, future: F) -> At<F> {
    At { place, future }
}

#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct At<F> {
    place: Place,
    future: F,
}

impl<F: Future> Future for At<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // SAFETY: the future stays where it is, here and elsewhere; the rest may be moved.
        let (place, future) = unsafe {
            let me = self.get_unchecked_mut();
            (me.place, Pin::new_unchecked(&mut me.future))
        };
        let _before = Before(PLACE.replace(Some(place)));
        future.poll(context)
    }
}

/// Puts the place back, even if there is a panic.
struct Before(Option<Place>);

impl Drop for Before {
    fn drop(&mut self) {
        PLACE.set(self.0);
    }
}

/// Stands between a lock and those of its methods that are told.
pub trait Tell: Sized {
    /// By a future that gives an error if the lock can never be had.
    #[track_caller]
    fn stalemate_acquire<'a, F, T, E>(&'a self, mode: Mode, acquire: impl FnOnce(&'a Self) -> F) -> Told<F>
    where
        F: Future<Output = Result<T, E>>,
    {
        Told::new(Asks::Lock(Foreign::new(self, Own::Blocks, place()), mode), acquire(self))
    }

    #[track_caller]
    fn stalemate_try<T, E>(&self, mode: Mode, attempt: impl FnOnce(&Self) -> Result<T, E>) -> Result<T, E> {
        let mut refusal = None;
        let given = Foreign::new(self, Own::Blocks, place())
            .attempt(mode, || attempt(self).map_err(|error| refusal = Some(error)).ok());
        match (given, refusal) {
            (Some(given), _) => Ok(given),
            (None, Some(refusal)) => Err(refusal),
            (None, None) => unreachable!("it is given or refused"),
        }
    }

    #[track_caller]
    fn stalemate_release<T>(&self, mode: Mode, release: impl FnOnce(&Self) -> T) -> T {
        Foreign::new(self, Own::Blocks, place()).unlock(mode, || release(self))
    }

    /// Who writes is a reader from here on.
    #[track_caller]
    fn stalemate_downgrade<T>(&self, change: impl FnOnce(&Self) -> T) -> T {
        Foreign::new(self, Own::Blocks, place()).change(Mode::Write, Mode::Read, || change(self))
    }

    /// Permits, which nobody holds: who takes them need not give them back.
    #[track_caller]
    fn stalemate_permits<'a, F, T, E>(&'a self, acquire: impl FnOnce(&'a Self) -> F) -> Told<F>
    where
        F: Future<Output = Result<T, E>>,
    {
        Told::new(Asks::Permits(std::ptr::from_ref(self) as usize, place()), acquire(self))
    }

    /// A step with such permits that does not wait.
    #[track_caller]
    fn stalemate_step<T>(&self, step: impl FnOnce(&Self) -> T) -> T {
        let (object, place) = (std::ptr::from_ref(self) as usize, place());
        if !hook::active() {
            return step(self);
        }
        director::touching(object, Access::Both, place);
        let result = hook::inside(|| step(self));
        director::touched(object, Access::Both, place);
        result
    }
}

impl<S> Tell for S {}

/// What a future waits for.
#[derive(Clone, Copy)]
enum Asks {
    Lock(Foreign, Mode),
    Permits(usize, Place),
}

/// A future of the other crate that is told of.
#[must_use = "futures do nothing unless you `.await` or poll them"]
pub struct Told<F> {
    asks: Asks,
    has_asked: bool,
    /// Of the first time that it had to wait.
    stack: Option<Arc<Backtrace>>,
    future: F,
}

impl<F> Told<F> {
    fn new(asks: Asks, future: F) -> Told<F> {
        Told { asks, has_asked: false, stack: None, future }
    }
}

impl<T, E, F: Future<Output = Result<T, E>>> Future for Told<F> {
    type Output = Result<T, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T, E>> {
        // SAFETY: the future stays where it is, here and elsewhere; the rest may be moved.
        let (asks, has_asked, stack, future) = unsafe {
            let me = self.get_unchecked_mut();
            let has_asked = std::mem::replace(&mut me.has_asked, true);
            (me.asks, has_asked, &mut me.stack, Pin::new_unchecked(&mut me.future))
        };
        if !hook::active() {
            return future.poll(context);
        }
        if !has_asked {
            asks.begin();
        }
        let polled = hook::inside(|| future.poll(context));
        match &polled {
            Poll::Ready(Ok(_)) => asks.end(),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => is_pending(context.waker(), || asks.leaf(stack)),
        }
        polled
    }
}

impl Asks {
    fn begin(self) {
        match self {
            Asks::Lock(lock, mode) => director::trying_foreign(lock.wanted_now(mode)),
            Asks::Permits(object, place) => director::touching(object, Access::Both, place),
        }
    }

    fn end(self) {
        match self {
            Asks::Lock(lock, mode) => director::acquired_foreign(lock.wanted_now(mode)),
            Asks::Permits(object, place) => director::touched(object, Access::Both, place),
        }
    }

    fn leaf(self, stack: &mut Option<Arc<Backtrace>>) -> Leaf {
        let mut stack = || stack.get_or_insert_with(|| Arc::new(Backtrace::force_capture())).clone();
        match self {
            Asks::Lock(lock, mode) => Leaf::Lock(lock.wanted_now(mode), hook::inside(&mut stack)),
            Asks::Permits(_, place) => Leaf::Notice(place),
        }
    }
}
