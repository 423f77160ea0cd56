//! A notification that is not kept, and tasks that look at nothing which would tell whether it was given.
#![allow(dead_code)]

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;

async fn within(_limit: Duration, wanted: impl Future<Output = ()>) -> bool {
    wanted.await;
    true
}

#[derive(Default)]
pub struct Server {
    stopped: Notify,
    idle: Notify,
    ticked: Notify,
    is_stopped: AtomicBool,
}

impl Server {
    pub fn stop(&self) {
        self.stopped.notify_waiters();
    }

    pub async fn wait_bad(&self) {
        self.stopped.notified().await; //~ lost_wakeup
    }

    /// What was not there yet is waited for by time, too.
    pub async fn wait_timed_ok(&self) -> bool {
        within(Duration::from_secs(1), self.stopped.notified()).await
    }

    pub fn rest(&self) {
        self.idle.notify_one();
    }

    /// `notify_one` is kept for who comes later.
    pub async fn wait_idle_ok(&self) {
        self.idle.notified().await;
    }

    pub fn tick(&self) {
        self.ticked.notify_waiters();
    }

    /// One time after the other: what is missed comes again.
    pub async fn run_ok(&self) {
        loop {
            self.ticked.notified().await;
            println!("tick");
        }
    }
}

/// Who is told makes the future first, and looks then.
#[derive(Default)]
pub struct Flagged {
    done: AtomicBool,
    finished: Notify,
}

impl Flagged {
    pub fn finish(&self) {
        self.done.store(true, Ordering::Release);
        self.finished.notify_waiters();
    }

    pub async fn wait_ok(&self) {
        let finished = self.finished.notified();
        if !self.done.load(Ordering::Acquire) {
            finished.await;
        }
    }
}

pub struct Once {
    message: Option<String>,
    answered: Arc<Notify>,
}

impl Once {
    pub fn answer(&mut self) -> impl Future<Output = ()> + Send + 'static {
        let answered = self.answered.clone();
        async move { answered.notify_waiters() }
    }

    /// That there is no message left is nothing that the answer changes.
    pub async fn next_bad(&mut self) -> Option<String> {
        if self.message.is_none() {
            self.answered.notified().await; //~ lost_wakeup
        }
        self.message.take()
    }
}
