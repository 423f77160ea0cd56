//! Cells, raw pointers and statics that threads share, and what keeps the threads apart.
#![allow(dead_code, static_mut_refs)]

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once as StdOnce};

pub struct Counter {
    count: UnsafeCell<u64>,
}

unsafe impl Sync for Counter {}

impl Counter {
    pub fn add_bad(&self) {
        unsafe { *self.count.get() += 1 } //~ racy_access
    }

    pub fn only_one_ok(&mut self) {
        *self.count.get_mut() += 1;
    }

    /// # Safety
    /// The caller is alone.
    pub unsafe fn add_alone_ok(&self) {
        unsafe { *self.count.get() += 1 }
    }
}

/// No promise: the compiler keeps threads out.
pub struct Local {
    count: Cell<u64>,
}

impl Local {
    pub fn add_ok(&self) {
        self.count.set(self.count.get() + 1);
    }
}

/// A flag that is tested and set in two steps, and set before there is anything.
pub struct Sus<T> {
    initialized: AtomicBool,
    data: UnsafeCell<MaybeUninit<T>>,
}

unsafe impl<T: Send + Sync> Sync for Sus<T> {}

impl<T> Sus<T> {
    pub fn get_or_init_bad(&self, f: impl FnOnce() -> T) -> &T {
        if !self.initialized.load(Ordering::SeqCst) {
            self.initialized.store(true, Ordering::SeqCst);
            unsafe { self.data.get().write(MaybeUninit::new(f())) } //~ racy_access
        }
        unsafe { (*self.data.get()).assume_init_ref() }
    }
}

/// The same in one step, and told afterwards.
pub struct Cautious<T> {
    begun: AtomicBool,
    done: AtomicBool,
    data: UnsafeCell<MaybeUninit<T>>,
}

unsafe impl<T: Send + Sync> Sync for Cautious<T> {}

impl<T> Cautious<T> {
    pub fn init_ok(&self, f: impl FnOnce() -> T) {
        if self.begun.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            unsafe { self.data.get().write(MaybeUninit::new(f())) }
            self.done.store(true, Ordering::Release);
        }
    }

    pub fn get_ok(&self) -> Option<&T> {
        let done = self.done.load(Ordering::Acquire);
        done.then(|| unsafe { (*self.data.get()).assume_init_ref() })
    }

    pub fn wait_ok(&self) -> &T {
        while !self.done.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        unsafe { (*self.data.get()).assume_init_ref() }
    }
}

/// A lock of one's own.
pub struct Spin<T> {
    taken: AtomicBool,
    data: UnsafeCell<T>,
}

unsafe impl<T: Send> Sync for Spin<T> {}

impl<T> Spin<T> {
    fn take(&self) {
        while self.taken.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
    }

    fn let_go(&self) {
        self.taken.store(false, Ordering::Release);
    }

    fn replace_inside(&self, new: T) -> T {
        unsafe { std::mem::replace(&mut *self.data.get(), new) }
    }

    pub fn replace_ok(&self, new: T) -> T {
        self.take();
        let old = self.replace_inside(new);
        self.let_go();
        old
    }

    pub fn lock(&self) -> SpinGuard<'_, T> {
        self.take();
        SpinGuard { of: self }
    }
}

/// Who has a guard has the lock.
pub struct SpinGuard<'a, T> {
    of: &'a Spin<T>,
}

impl<T> std::ops::Deref for SpinGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { &*self.of.data.get() }
    }
}

impl<T> std::ops::DerefMut for SpinGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.of.data.get() }
    }
}

impl<'a, T> SpinGuard<'a, T> {
    pub fn leak_ok(this: Self) -> &'a mut T {
        let this = std::mem::ManuallyDrop::new(this);
        unsafe { &mut *this.of.data.get() }
    }
}

/// The claim is made by a guard of another type, through a function of a function.
pub struct State(AtomicUsize);

impl State {
    fn try_begin(&self) -> bool {
        self.0.fetch_or(1, Ordering::AcqRel) & 1 == 0
    }
}

pub struct Beginning<'a> {
    state: &'a State,
}

impl<'a> Beginning<'a> {
    fn of(state: &'a State) -> Option<Self> {
        state.try_begin().then_some(Beginning { state })
    }
}

pub struct Once<T> {
    state: State,
    data: UnsafeCell<Option<T>>,
}

unsafe impl<T: Send + Sync> Sync for Once<T> {}

impl<T> Once<T> {
    pub fn set_ok(&self, value: T) -> bool {
        let Some(_begun) = Beginning::of(&self.state) else { return false };
        unsafe { *self.data.get() = Some(value) }
        true
    }
}

/// The lock is asked for by the wrong object: `clone_from` looks whether it is initialised itself, and reads the other.
pub struct Lazily {
    done: AtomicBool,
    lock: Mutex<()>,
    value: UnsafeCell<u64>,
}

unsafe impl Sync for Lazily {}

impl Lazily {
    pub fn fill(&self, value: u64) {
        if !self.done.load(Ordering::Acquire) {
            let _held = self.lock.lock().unwrap();
            if !self.done.load(Ordering::Relaxed) {
                unsafe { *self.value.get() = value }
                self.done.store(true, Ordering::Release);
            }
        }
    }

    pub fn copy_from_bad(&mut self, source: &Self) {
        if self.done.load(Ordering::Acquire) {
            *self.value.get_mut() = unsafe { *source.value.get() }; //~ racy_access
        } else {
            let _held = source.lock.lock().unwrap();
            *self.value.get_mut() = unsafe { *source.value.get() };
        }
    }
}

pub struct LazilyMended {
    done: AtomicBool,
    lock: Mutex<()>,
    value: UnsafeCell<u64>,
}

unsafe impl Sync for LazilyMended {}

impl LazilyMended {
    pub fn fill_ok(&self, value: u64) {
        if !self.done.load(Ordering::Acquire) {
            let _held = self.lock.lock().unwrap();
            if !self.done.load(Ordering::Relaxed) {
                unsafe { *self.value.get() = value }
                self.done.store(true, Ordering::Release);
            }
        }
    }

    pub fn copy_from_ok(&mut self, source: &Self) {
        if source.done.load(Ordering::Acquire) {
            *self.value.get_mut() = unsafe { *source.value.get() };
        } else {
            let _held = source.lock.lock().unwrap();
            *self.value.get_mut() = unsafe { *source.value.get() };
        }
    }
}

/// Filled once, by who is first.
pub struct Lazy {
    once: StdOnce,
    data: UnsafeCell<u64>,
}

unsafe impl Sync for Lazy {}

impl Lazy {
    pub fn get_ok(&self) -> u64 {
        self.once.call_once(|| unsafe { *self.data.get() = 7 });
        unsafe { *self.data.get() }
    }
}

/// A queue with two ends that cannot be shared.
pub struct Ring {
    head: AtomicUsize,
    tail: AtomicUsize,
    slots: Box<[UnsafeCell<u64>]>,
}

unsafe impl Sync for Ring {}

pub struct Producer<'r> {
    ring: &'r Ring,
    alone: PhantomData<Cell<()>>,
}

impl Producer<'_> {
    pub fn push_ok(&self, value: u64) {
        let tail = self.ring.tail.load(Ordering::Relaxed);
        if tail - self.ring.head.load(Ordering::Acquire) < self.ring.slots.len() {
            unsafe { *self.ring.slots[tail % self.ring.slots.len()].get() = value }
            self.ring.tail.store(tail + 1, Ordering::Release);
        }
    }
}

pub struct Consumer<'r> {
    ring: &'r Ring,
    alone: PhantomData<Cell<()>>,
}

impl Consumer<'_> {
    pub fn pop_ok(&self) -> Option<u64> {
        let head = self.ring.head.load(Ordering::Relaxed);
        if head == self.ring.tail.load(Ordering::Acquire) {
            return None;
        }
        let value = unsafe { *self.ring.slots[head % self.ring.slots.len()].get() };
        self.ring.head.store(head + 1, Ordering::Release);
        Some(value)
    }
}

/// The caller shows that it holds the lock.
pub struct Beside {
    lock: Mutex<()>,
    data: UnsafeCell<u64>,
}

unsafe impl Sync for Beside {}

impl Beside {
    pub fn set_ok(&self, _held: &MutexGuard<'_, ()>, value: u64) {
        unsafe { *self.data.get() = value }
    }

    pub fn get_ok(&self) -> u64 {
        let _held = self.lock.lock().unwrap();
        unsafe { *self.data.get() }
    }
}

/// A node is filled before others see it; who follows the raw pointer vouches for that.
pub struct Retired {
    epoch: UnsafeCell<u64>,
}

unsafe impl Sync for Retired {}

impl Retired {
    fn set_epoch(&self, epoch: u64) {
        unsafe { *self.epoch.get() = epoch }
    }
}

/// # Safety
/// Nobody else has the node.
pub fn retire_ok(node: *mut Retired) {
    unsafe { (*node).set_epoch(7) }
}

/// What a raw pointer leads to.
pub struct Node {
    value: *mut u64,
}

unsafe impl Sync for Node {}
unsafe impl Send for Node {}

impl Node {
    pub fn set_bad(&self, value: u64) {
        unsafe { *self.value = value } //~ racy_access
    }

    pub fn get(&self) -> u64 {
        unsafe { *self.value }
    }
}

/// Written only when it is made.
pub struct Fixed {
    value: *mut u64,
}

unsafe impl Sync for Fixed {}

impl Fixed {
    pub fn new_ok(value: u64) -> Fixed {
        let made = Fixed { value: Box::into_raw(Box::new(0)) };
        unsafe { *made.value = value }
        made
    }

    pub fn get_ok(&self) -> u64 {
        unsafe { *self.value }
    }
}

static mut HITS: u64 = 0;

pub fn hit_bad() {
    unsafe { HITS += 1 } //~ racy_access
}

static mut GUARDED: u64 = 0;
static ORDER: Mutex<()> = Mutex::new(());

pub fn guarded_ok() {
    let _held = ORDER.lock().unwrap();
    unsafe { GUARDED += 1 }
}

static mut ONLY_READ: u64 = 0;

pub fn read_ok() -> u64 {
    unsafe { ONLY_READ }
}

/// Whether it is made is asked and told in two steps: two threads that both find nothing both write.
pub struct MadeTwice {
    made: AtomicBool,
    text: UnsafeCell<Option<String>>,
}

unsafe impl Sync for MadeTwice {}

impl MadeTwice {
    pub fn get_bad(&self) -> Option<&str> {
        if !self.made.load(Ordering::Acquire) {
            unsafe { *self.text.get() = Some("made".to_owned()) } //~ racy_access
            self.made.store(true, Ordering::Release);
        }
        unsafe { (*self.text.get()).as_deref() }
    }

    /// One thread tells, the others ask.
    pub fn ask_ok(&self) -> Option<&str> {
        if self.made.load(Ordering::Acquire) { unsafe { (*self.text.get()).as_deref() } } else { None }
    }
}

/// Of a ring for one writer and one reader each has its end: what is counted on tells which slots are whose.
pub struct Ends {
    slots: [UnsafeCell<u64>; 8],
    written: AtomicUsize,
    read: AtomicUsize,
}

unsafe impl Sync for Ends {}

impl Ends {
    pub fn push_ok(&self, value: u64) -> bool {
        let written = self.written.load(Ordering::Relaxed);
        if written - self.read.load(Ordering::Acquire) == 8 {
            return false;
        }
        unsafe { *self.slots[written % 8].get() = value }
        self.written.store(written + 1, Ordering::Release);
        true
    }
}
