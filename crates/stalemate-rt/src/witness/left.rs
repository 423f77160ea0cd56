//! What is left over when a state has been made: a sender whose channel is looked at, an owner whose weak handle is kept. It is
//! dropped when the state is ready, and that may be played too: by a third thread, which is stopped on the way.

use super::panics::caught;
use crate::director;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

type Rest = Box<dyn FnOnce() + Send>;

/// There is one third thread at a time, whatever else is played in this process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

thread_local! {
    static LEFT: RefCell<Vec<Rest>> = const { RefCell::new(Vec::new()) };
}

/// What is lent in it does not outlive the making: a state that holds on to what is left over does not compile.
pub struct Scope;

/// Keeps a value until the state is ready.
pub fn left<T: Send + 'static>(_: &Scope, value: T) -> &T {
    let place = Box::into_raw(Box::new(value));
    let address = place as usize;
    // SAFETY: it comes from the box above and is dropped once; whoever has the reference is done with it by then.
    let rest = move || drop(unsafe { Box::from_raw(address as *mut T) });
    LEFT.with_borrow_mut(|all| all.push(Box::new(rest)));
    // SAFETY: it was made a moment ago, and stays until the rest is dropped.
    unsafe { &*place }
}

/// Drops what this thread has left over; or has it dropped by a thread that stops at that point, and tells where.
pub(super) fn drop_rest(stop: Option<usize>, patience: Duration) -> Option<String> {
    let rest = LEFT.take();
    let drop_all = move || rest.into_iter().rev().for_each(|one| drop(caught(one)));
    let Some(point) = stop else {
        drop_all();
        return None;
    };
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    thread::spawn(move || {
        director::enter_third(point);
        drop_all();
        director::leave_third();
    });
    director::await_third(patience)
}
