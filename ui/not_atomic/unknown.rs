//! Functions of which nothing is known: what they are given decides what they can do.
#![allow(dead_code)]

use stalemate_attr::atomic;
use std::sync::Mutex;
use tokio::sync::watch;

pub trait Sink {
    fn put(&self, value: u32);
}

pub struct Hub {
    count: Mutex<u32>,
    news: watch::Sender<u32>,
}

impl Hub {
    /// Whoever implements the trait may do anything.
    #[atomic]
    pub fn publish_bad(&self, sink: &dyn Sink) {
        let count = *self.count.lock().unwrap();
        sink.put(count); //~ not_atomic
    }

    /// The sender is seen by others, too.
    #[atomic]
    pub fn watched_bad(&self) -> usize {
        let mut count = self.count.lock().unwrap();
        *count += 1;
        self.news.receiver_count() //~ not_atomic
    }

    /// Plain data goes in, plain data comes out.
    #[atomic]
    pub fn plain_ok(&self) -> usize {
        let count = self.count.lock().unwrap();
        futures_util::future::ready(*count).into_inner() as usize
    }

    /// The standard library is known not to keep secrets.
    #[atomic]
    pub fn text_ok(&self) -> String {
        let count = self.count.lock().unwrap();
        format!("{count:>8}")
    }
}
