//! Futures by hand: what is looked at before the waker is left where it can be found has to be looked at again after it.

use futures_util::task::AtomicWaker;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread::Thread;

fn main() {}

pub struct Done {
    done: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
}

impl Done {
    pub fn finish(&self) {
        self.done.store(true, Ordering::Release);
        self.wakers.lock().unwrap().drain(..).for_each(Waker::wake);
    }

    pub fn poll_bad(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.done.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        self.wakers.lock().unwrap().push(cx.waker().clone()); //~ lost_wakeup
        Poll::Pending
    }

    pub fn poll_ok(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.done.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        self.wakers.lock().unwrap().push(cx.waker().clone());
        if self.done.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }

    /// First the word, then the look.
    pub fn poll_registers_first_ok(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.wakers.lock().unwrap().push(cx.waker().clone());
        if self.done.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// The same in small functions.
#[derive(Clone, Default)]
pub struct Wakers {
    list: Arc<Mutex<Vec<Waker>>>,
}

impl Wakers {
    fn register(&self, waker: &Waker) {
        self.list.lock().unwrap().push(waker.clone());
    }

    fn wake(&self) {
        for waker in std::mem::take(&mut *self.list.lock().unwrap()) {
            waker.wake();
        }
    }
}

pub struct Notifier {
    ready: Arc<AtomicBool>,
    wakers: Wakers,
}

impl Notifier {
    pub fn notify(&self) {
        self.ready.store(true, Ordering::Release);
        self.wakers.wake();
    }

    fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    pub fn poll_through_functions_bad(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_ready() {
            Poll::Ready(())
        } else {
            self.wakers.register(cx.waker()); //~ lost_wakeup
            Poll::Pending
        }
    }

    pub fn poll_through_functions_ok(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_ready() {
            return Poll::Ready(());
        }
        self.wakers.register(cx.waker());
        if self.is_ready() { Poll::Ready(()) } else { Poll::Pending }
    }
}

pub struct State {
    queue: VecDeque<u32>,
    closed: bool,
    waker: Option<Waker>,
}

pub struct Channel {
    state: Mutex<State>,
    cancelled: AtomicBool,
}

impl Channel {
    pub fn send(&self, item: u32) {
        let mut state = self.state.lock().unwrap();
        state.queue.push_back(item);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    pub fn close(&self) {
        let mut state = self.state.lock().unwrap();
        state.closed = true;
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        if let Some(waker) = self.state.lock().unwrap().waker.take() {
            waker.wake();
        }
    }

    fn pop(&self) -> Option<u32> {
        self.state.lock().unwrap().queue.pop_front()
    }

    /// Looks in one section, leaves its waker in the next one.
    pub fn recv_in_two_sections_bad(&self, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(item) = self.pop() {
            return Poll::Ready(item);
        }
        self.state.lock().unwrap().waker = Some(cx.waker().clone()); //~ lost_wakeup
        Poll::Pending
    }

    pub fn recv_in_one_section_ok(&self, cx: &mut Context<'_>) -> Poll<u32> {
        let mut state = self.state.lock().unwrap();
        if let Some(item) = state.queue.pop_front() {
            return Poll::Ready(item);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    pub fn recv_looks_again_ok(&self, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(item) = self.pop() {
            return Poll::Ready(item);
        }
        let mut state = self.state.lock().unwrap();
        if let Some(item) = state.queue.pop_front() {
            return Poll::Ready(item);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    pub fn recv_tries_again_ok(&self, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(item) = self.pop() {
            return Poll::Ready(item);
        }
        self.state.lock().unwrap().waker = Some(cx.waker().clone());
        self.pop().map_or(Poll::Pending, Poll::Ready)
    }

    /// Only the flag was looked at too early.
    pub fn recv_unless_cancelled_bad(&self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        if self.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(None);
        }
        let mut state = self.state.lock().unwrap();
        if let Some(item) = state.queue.pop_front() {
            return Poll::Ready(Some(item));
        }
        state.waker = Some(cx.waker().clone()); //~ lost_wakeup
        Poll::Pending
    }

    pub fn recv_unless_cancelled_ok(&self, cx: &mut Context<'_>) -> Poll<Option<u32>> {
        let mut state = self.state.lock().unwrap();
        if self.cancelled.load(Ordering::Acquire) {
            return Poll::Ready(None);
        }
        if let Some(item) = state.queue.pop_front() {
            return Poll::Ready(Some(item));
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Puts the waker away, and waits for nothing.
    pub fn forget_ok(&self) {
        if self.pop().is_none() {
            self.state.lock().unwrap().waker = None;
        }
    }
}

/// A flag that only this side ever sets, and nobody wakes for.
pub struct Quiet {
    verbose: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Quiet {
    pub fn set_verbose(&self) {
        self.verbose.store(true, Ordering::Relaxed);
    }

    pub fn wake(&self) {
        if let Some(waker) = self.waker.lock().unwrap().take() {
            waker.wake();
        }
    }

    pub fn poll_tells_ok(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.verbose.load(Ordering::Relaxed) {
            *self.waker.lock().unwrap() = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

pub struct Once {
    set: AtomicBool,
    task: AtomicWaker,
    thread: Mutex<Option<Thread>>,
}

impl Once {
    pub fn set(&self) {
        self.set.store(true, Ordering::Release);
        self.task.wake();
    }

    pub fn set_for_thread(&self) {
        self.set.store(true, Ordering::Release);
        if let Some(thread) = self.thread.lock().unwrap().take() {
            thread.unpark();
        }
    }

    pub fn poll_set_bad(&self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.set.load(Ordering::Acquire) {
            self.task.register(cx.waker()); //~ lost_wakeup
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    pub fn poll_set_ok(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.task.register(cx.waker());
        if self.set.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }

    pub fn wait_parked_bad(&self) {
        while !self.set.load(Ordering::Acquire) {
            *self.thread.lock().unwrap() = Some(std::thread::current()); //~ lost_wakeup
            std::thread::park();
        }
    }

    pub fn wait_parked_ok(&self) {
        *self.thread.lock().unwrap() = Some(std::thread::current());
        while !self.set.load(Ordering::Acquire) {
            std::thread::park();
        }
    }
}

pub struct Copying {
    copied: bool,
    wakers: Vec<Waker>,
}

/// Whether it waits, and for what, is decided where it leaves word.
pub struct Table {
    resizing: AtomicBool,
    copying: Mutex<Copying>,
}

impl Table {
    fn poll_copied(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut copying = self.copying.lock().unwrap();
        if copying.copied {
            return Poll::Ready(());
        }
        copying.wakers.push(cx.waker().clone());
        Poll::Pending
    }

    pub fn poll_insert_ok(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.resizing.load(Ordering::Acquire) {
            return self.poll_copied(cx);
        }
        Poll::Ready(())
    }

    pub fn resize(&self) {
        self.resizing.store(true, Ordering::Release);
        self.copying.lock().unwrap().copied = false;
    }

    pub fn finish(&self) {
        let mut copying = self.copying.lock().unwrap();
        copying.copied = true;
        copying.wakers.drain(..).for_each(Waker::wake);
    }
}

/// The one who leaves word only asks whether it has done so already.
#[derive(Default)]
pub struct Registered {
    done: AtomicBool,
    wakers: Mutex<Vec<Waker>>,
}

impl Registered {
    fn register(&self, waker: &Waker) {
        let mut wakers = self.wakers.lock().unwrap();
        for one in wakers.iter() {
            if one.will_wake(waker) {
                return;
            }
        }
        wakers.push(waker.clone());
    }

    pub fn poll_bad(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.done.load(Ordering::Acquire) {
            return Poll::Ready(());
        }
        self.register(cx.waker()); //~ lost_wakeup
        Poll::Pending
    }

    pub fn finish(&self) {
        self.done.store(true, Ordering::Release);
        self.wakers.lock().unwrap().drain(..).for_each(Waker::wake);
    }
}
