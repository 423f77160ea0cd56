//! A thread that runs one future to its end, and does nothing else. While the future is pending the director is told what for:
//! with nobody else to wake it than one lock, the thread waits for that lock as if it had blocked on it.
//!
//! Whether somebody else could wake it is known by the wakers that are kept: each is a clone of the one that is given, and
//! they are counted. Futures with wakers of their own in between are not looked through.

use crate::director::{self, Awaited, Suspicion, Wanted};
use crate::hook::{self, stay_on_the_stack};
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::future::Future;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// What a future is pending for, as far as it is told.
#[derive(Clone)]
pub(crate) enum Leaf {
    /// With the stack of who asked.
    Lock(Wanted, Arc<Backtrace>),
    /// Somebody has to say so.
    Notice(&'static Location<'static>),
}

/// A future that is being polled here.
struct Polled {
    waker: Waker,
    leaves: Vec<Leaf>,
}

thread_local! {
    /// The innermost is last: a future may call a function that runs another one.
    static POLLED: RefCell<Vec<Polled>> = const { RefCell::new(Vec::new()) };
}

/// Whether what this thread takes now is held by what it runs, and by nobody that could go on elsewhere.
pub(crate) fn is_bound() -> bool {
    POLLED.with_borrow(|all| !all.is_empty()) || director::is_actor()
}

/// A future that is told of is pending.
pub(crate) fn is_pending(waker: &Waker, leaf: impl FnOnce() -> Leaf) {
    let is_own = |polled: &Polled| polled.waker.will_wake(waker);
    if POLLED.with_borrow(|all| all.last().is_some_and(is_own)) {
        let leaf = leaf();
        POLLED.with_borrow_mut(|all| {
            if let Some(polled) = all.last_mut() {
                polled.leaves.push(leaf);
            }
        });
    }
}

/// Wakes a thread.
pub(crate) struct Signal {
    is_given: AtomicBool,
    thread: u32,
}

impl Signal {
    pub(crate) fn is_given(&self) -> bool {
        self.is_given.load(Ordering::Acquire)
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_given.store(true, Ordering::Release);
        director::woken(self.thread);
    }
}

/// Runs a future to its end.
pub fn wait_for<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let signal = Arc::new(Signal { is_given: AtomicBool::new(false), thread: hook::thread() });
    let waker = Waker::from(signal.clone());
    let mut suspicion = None::<Suspicion>;
    loop {
        signal.is_given.store(false, Ordering::Release);
        let (polled, leaves) = poll(future.as_mut(), &waker);
        if let Poll::Ready(result) = polled {
            director::goes_on();
            return result;
        }
        // One is the signal here, one its waker.
        let kept = Arc::strong_count(&signal).saturating_sub(2);
        director::rest(&signal, awaited(&leaves, kept), &mut suspicion);
    }
}

fn poll<F: Future>(future: Pin<&mut F>, waker: &Waker) -> (Poll<F::Output>, Vec<Leaf>) {
    POLLED.with_borrow_mut(|all| all.push(Polled { waker: waker.clone(), leaves: Vec::new() }));
    let _innermost = Innermost;
    let mut polled = Poll::Pending;
    let mut future = Some(future);
    stalemate_polls(&mut || {
        polled = future.take().map_or(Poll::Pending, |it| it.poll(&mut Context::from_waker(waker)))
    });
    let leaves = POLLED.with_borrow_mut(|all| all.last_mut().map(|own| std::mem::take(&mut own.leaves)));
    (polled, leaves.unwrap_or_default())
}

/// Found on stacks by its name: above are frames of the future, below of who runs it.
#[inline(never)]
fn stalemate_polls(poll: &mut dyn FnMut()) {
    poll();
    stay_on_the_stack();
}

/// It is no longer polled, even if there is a panic.
struct Innermost;

impl Drop for Innermost {
    fn drop(&mut self) {
        drop(POLLED.with_borrow_mut(Vec::pop));
    }
}

/// With as many wakers kept as there are leaves, nobody else has one.
fn awaited(leaves: &[Leaf], kept: usize) -> Awaited {
    let is_all = kept == leaves.len();
    match leaves {
        [Leaf::Lock(wanted, stack)] if is_all => Awaited::Lock(*wanted, stack.clone()),
        _ if kept == 0 => Awaited::Nothing,
        leaves => {
            let site = leaves.iter().find_map(|leaf| if let Leaf::Notice(site) = leaf { Some(*site) } else { None });
            let is_told = is_all && leaves.iter().all(|leaf| matches!(leaf, Leaf::Notice(_)));
            Awaited::Notice { site, is_told }
        }
    }
}

/// For a call that blocks until a future is done: the thread is known to wait, if anybody directs.
pub async fn blocking<F: Future>(future: F) -> F::Output {
    if hook::active() { wait_for(future) } else { future.await }
}
