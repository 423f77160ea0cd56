//! Panics of the two functions are part of what a run comes to, not something to print: there may be hundreds.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a function. If it panics: its message and place.
pub(super) fn caught<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    keep_quiet();
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|payload| {
        let place = PLACE.take().map(|place| format!(" at {place}")).unwrap_or_default();
        format!("{}{place}", message(&*payload))
    })
}

fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| if QUIET.get() { note(info) } else { before(info) }));
    });
}

fn note(info: &PanicHookInfo<'_>) {
    PLACE.set(info.location().map(ToString::to_string));
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no message)")
}
