//! Futures that are polled by hand: who polls one with a lock held that its waker takes waits for itself if the future wakes itself.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Wake, Waker};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Default)]
pub struct Executor {
    tasks: Mutex<VecDeque<Task>>,
    woken: Mutex<usize>,
}

impl Wake for Executor {
    fn wake(self: Arc<Self>) {
        let waiting = self.tasks.lock().unwrap().len();
        *self.woken.lock().unwrap() += waiting;
    }
}

fn poll_once(task: &mut Task, cx: &mut Context<'_>) -> bool {
    task.as_mut().poll(cx).is_pending()
}

impl Executor {
    pub fn run_bad(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        let mut tasks = self.tasks.lock().unwrap();
        tasks.retain_mut(|task| task.as_mut().poll(&mut cx).is_pending()); //~ double_lock
    }

    pub fn first_bad(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        let mut tasks = self.tasks.lock().unwrap();
        if let Some(task) = tasks.front_mut() {
            poll_once(task, &mut cx); //~ double_lock
        }
    }

    /// Taken out before it is polled.
    pub fn first_ok(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        let task = self.tasks.lock().unwrap().pop_front();
        if let Some(mut task) = task
            && poll_once(&mut task, &mut cx)
        {
            self.tasks.lock().unwrap().push_back(task);
        }
    }
}

/// One lock for the task, which whoever wakes it does not take.
pub struct Own {
    task: Mutex<Task>,
    ready: Mutex<usize>,
}

impl Wake for Own {
    fn wake(self: Arc<Self>) {
        *self.ready.lock().unwrap() += 1;
    }
}

impl Own {
    pub fn run_ok(self: Arc<Self>) -> bool {
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        self.task.lock().unwrap().as_mut().poll(&mut cx).is_ready()
    }
}

/// The waker only tries.
#[derive(Default)]
pub struct Trying {
    tasks: Mutex<VecDeque<Task>>,
}

impl Wake for Trying {
    fn wake(self: Arc<Self>) {
        if let Ok(tasks) = self.tasks.try_lock() {
            println!("{}", tasks.len());
        }
    }
}

impl Trying {
    pub fn first_ok(self: Arc<Self>) {
        let waker = Waker::from(self.clone());
        let mut cx = Context::from_waker(&waker);
        let mut tasks = self.tasks.lock().unwrap();
        if let Some(task) = tasks.front_mut() {
            poll_once(task, &mut cx);
        }
    }
}

#[derive(Default)]
pub struct Parker {
    lock: Mutex<()>,
    woken: Condvar,
}

impl Parker {
    fn wake_now(&self) {
        let _guard = self.lock.lock().unwrap();
        self.woken.notify_all();
    }

    fn as_waker(self: &Arc<Self>) -> Waker {
        let parker: *const Parker = Arc::into_raw(self.clone());
        unsafe { Waker::from_raw(RawWaker::new(parker.cast(), &TABLE)) }
    }

    pub fn block_on_bad<T>(task: impl Future<Output = T>) -> T {
        let parker = Arc::new(Parker::default());
        let waker = parker.as_waker();
        let mut task = pin!(task);
        loop {
            let guard = parker.lock.lock().unwrap();
            if let Poll::Ready(value) = task.as_mut().poll(&mut Context::from_waker(&waker)) { //~ double_lock
                return value;
            }
            drop(parker.woken.wait(guard));
        }
    }
}

const TABLE: RawWakerVTable = RawWakerVTable::new(
    |parker| {
        unsafe { Arc::increment_strong_count(parker.cast::<Parker>()) };
        RawWaker::new(parker, &TABLE)
    },
    |parker| unsafe { Arc::from_raw(parker.cast::<Parker>()) }.wake_now(),
    |parker| unsafe { &*parker.cast::<Parker>() }.wake_now(),
    |parker| drop(unsafe { Arc::from_raw(parker.cast::<Parker>()) }),
);
