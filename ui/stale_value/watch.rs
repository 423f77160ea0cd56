//! The value of a `watch` channel is behind a lock: what was read of it is old once somebody else may have sent.
#![allow(dead_code)]

use tokio::sync::watch;

pub struct Epoch {
    number: watch::Sender<u64>,
    name: watch::Sender<String>,
}

impl Epoch {
    pub fn advance_bad(&self) {
        let now = *self.number.borrow();
        let _ = self.number.send(now + 1); //~ stale_value
    }

    pub fn advance_ok(&self) {
        self.number.send_modify(|number| *number += 1);
    }

    pub fn set_ok(&self, number: u64) {
        let _ = self.number.send(number);
    }

    pub async fn rename_bad(&self, more: &str) {
        let mut name = self.name.borrow().clone();
        tokio::task::yield_now().await;
        name.push_str(more);
        self.name.send_replace(name); //~ stale_value
    }

    pub fn rename_ok(&self, more: &str) {
        self.name.send_if_modified(|name| {
            name.push_str(more);
            !more.is_empty()
        });
    }

    /// Nobody else can send.
    pub fn alone_ok() -> watch::Receiver<u64> {
        let (sender, receiver) = watch::channel(1);
        let now = *sender.borrow();
        let _ = sender.send(now + 1);
        receiver
    }

    /// Who reads twice has two values, and may want that.
    pub fn sum_ok(receiver: &watch::Receiver<u64>) -> u64 {
        let first = *receiver.borrow();
        let second = *receiver.borrow();
        first + second
    }
}
