//! Rounds of a loop: what was seen in an earlier one has gone into what decides now, but the section that leaves word looks
//! again before it does.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

pub struct Streams {
    inner: Mutex<Inner>,
}

struct Inner {
    available: u32,
    pending: VecDeque<u32>,
    task: Option<Waker>,
}

pub trait Codec {
    fn poll_ready(&mut self) -> Poll<()>;
    fn push(&mut self, frame: u32);
}

impl Inner {
    fn buffer(&mut self, codec: &mut dyn Codec) -> bool {
        if self.available > 0 {
            codec.push(self.available);
            return false;
        }
        self.pending.is_empty()
    }
}

impl Streams {
    pub fn send(&self, frame: u32) {
        let mut inner = self.inner.lock().unwrap();
        inner.pending.push_back(frame);
        inner.available += 1;
        if let Some(task) = inner.task.take() {
            task.wake();
        }
    }

    pub fn poll_complete_ok(&self, codec: &mut dyn Codec, context: &mut Context<'_>) -> Poll<()> {
        loop {
            if codec.poll_ready().is_pending() {
                return Poll::Pending;
            }
            let mut inner = self.inner.lock().unwrap();
            if inner.buffer(codec) {
                inner.task = Some(context.waker().clone());
                return Poll::Pending;
            }
        }
    }

    pub fn poll_complete_bad(&self, codec: &mut dyn Codec, context: &mut Context<'_>) -> Poll<()> {
        if self.inner.lock().unwrap().buffer(codec) {
            self.inner.lock().unwrap().task = Some(context.waker().clone()); //~ lost_wakeup
        }
        Poll::Pending
    }
}
