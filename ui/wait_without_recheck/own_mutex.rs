//! A mutex that was made for the wait is nobody's: whoever notifies cannot hold it, and comes in vain before the wait has begun.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

struct Bell(Condvar);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.notify_one();
    }
}

pub fn run_bad<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let bell = Arc::new(Bell(Condvar::new()));
    let waker = Waker::from(bell.clone());
    let mut context = Context::from_waker(&waker);
    let mutex = Mutex::new(());
    let mut guard = mutex.lock().unwrap();
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => guard = bell.0.wait(guard).unwrap(), //~ wait_without_recheck
        }
    }
}

#[derive(Default)]
struct Signal {
    rung: Mutex<bool>,
    heard: Condvar,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        *self.rung.lock().unwrap() = true;
        self.heard.notify_one();
    }
}

pub fn run_ok<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let signal = Arc::new(Signal::default());
    let waker = Waker::from(signal.clone());
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        let mut rung = signal.rung.lock().unwrap();
        while !*rung {
            rung = signal.heard.wait(rung).unwrap();
        }
        *rung = false;
    }
}

/// It looks again after a while in any case.
pub fn pause_ok(bell: &Condvar) {
    let mutex = Mutex::new(());
    let guard = mutex.lock().unwrap();
    drop(bell.wait_timeout(guard, Duration::from_millis(5)).unwrap());
}

/// The thread that it starts has the mutex, too.
pub fn with_helper_ok() -> u32 {
    let (mutex, condition) = (Mutex::new(None), Condvar::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            *mutex.lock().unwrap() = Some(7);
            condition.notify_one();
        });
        let result = condition.wait_while(mutex.lock().unwrap(), |result| result.is_none());
        result.unwrap().unwrap_or_default()
    })
}
