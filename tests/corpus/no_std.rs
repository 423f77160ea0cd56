//! Without the standard library: a lock of its own, as embedded code has it.
#![no_std]
#![feature(sync_unsafe_cell)]
extern crate alloc;
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::cell::{Cell, RefCell, SyncUnsafeCell, UnsafeCell};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub struct Critical<T>(UnsafeCell<T>);
unsafe impl<T: Send> Sync for Critical<T> {}

static BUSY: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicUsize = AtomicUsize::new(0);
static CELL: SyncUnsafeCell<u32> = SyncUnsafeCell::new(0);
static TICKS: Critical<RefCell<Option<Box<u32>>>> = Critical(UnsafeCell::new(RefCell::new(None)));
static mut OLD: u32 = 0;

pub fn free<R>(work: impl FnOnce(&Critical<RefCell<Option<Box<u32>>>>) -> R) -> R {
    while BUSY.swap(true, Ordering::Acquire) {}
    let result = work(&TICKS);
    BUSY.store(false, Ordering::Release);
    result
}

pub fn interrupt() {
    free(|ticks| {
        let mut ticks = unsafe { &*ticks.0.get() }.borrow_mut();
        **ticks.get_or_insert_with(|| Box::new(0)) += 1;
    });
    let n = COUNT.load(Ordering::Relaxed);
    COUNT.store(n + 1, Ordering::Relaxed);
    unsafe {
        *CELL.get() += 1;
        OLD += 1;
    }
}

pub fn shared(all: &Arc<[AtomicUsize]>, own: &Cell<u32>) -> Vec<usize> {
    own.set(own.get() + 1);
    all.iter().map(|each| each.fetch_add(1, Ordering::AcqRel)).collect()
}

pub fn check_then_act() -> bool {
    if !BUSY.load(Ordering::SeqCst) {
        BUSY.store(true, Ordering::SeqCst);
        return true;
    }
    false
}
