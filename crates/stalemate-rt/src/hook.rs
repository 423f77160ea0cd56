//! Whether anybody directs. Asked at every operation, so the answer is one relaxed load.

use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

const NOT_ASKED: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static ASKED: Once = Once::new();
static STATE: AtomicU8 = AtomicU8::new(NOT_ASKED);
static THREADS: AtomicU32 = AtomicU32::new(1);

thread_local! {
    // Neither needs a destructor: they can be asked until the very end of a thread.
    static NUMBER: Cell<u32> = const { Cell::new(0) };
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

#[inline]
pub(crate) fn active() -> bool {
    match STATE.load(Ordering::Relaxed) {
        OFF => false,
        ON => !INSIDE.get(),
        _ => !INSIDE.get() && ask(),
    }
}

/// The first operation of the process looks at what the environment wants. If two threads come first, one of them asks: what
/// the other has done by then must not be forgotten.
#[cold]
fn ask() -> bool {
    inside(|| {
        ASKED.call_once(|| {
            let on = crate::director::perturb_as_told();
            let _ = STATE.compare_exchange(NOT_ASKED, if on { ON } else { OFF }, Ordering::Relaxed, Ordering::Relaxed);
        });
    });
    STATE.load(Ordering::Relaxed) == ON && !INSIDE.get()
}

pub(crate) fn switch_on() {
    STATE.store(ON, Ordering::Relaxed);
}

/// Runs the director's own code: what it does itself is nobody's event. An allocator of the user that counts in atomics
/// would otherwise call the director from within the director.
pub(crate) fn inside<R>(run: impl FnOnce() -> R) -> R {
    let before = INSIDE.replace(true);
    let result = run();
    INSIDE.set(before);
    result
}

/// At the end of a function that is found on stacks by its name: with nothing left to do after its last call, that call
/// would take its place.
pub(crate) fn stay_on_the_stack() {
    std::hint::black_box(());
}

/// A small number for the current thread.
pub(crate) fn thread() -> u32 {
    if NUMBER.get() == 0 {
        NUMBER.set(THREADS.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.get()
}
