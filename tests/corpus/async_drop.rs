//! Values that are dropped by a future, with guards and locks in them.
#![feature(async_drop, async_fn_in_dyn_trait, async_fn_track_caller)]
#![allow(incomplete_features)]
use std::future::AsyncDrop;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

pub struct Session {
    open: Arc<Mutex<u32>>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let open = *self.open.lock().unwrap();
        *self.open.lock().unwrap() = open - 1;
    }
}

impl AsyncDrop for Session {
    async fn drop(self: Pin<&mut Self>) {
        let open = *self.open.lock().unwrap();
        std::future::ready(()).await;
        *self.open.lock().unwrap() = open - 1;
    }
}

pub async fn one(open: &Arc<Mutex<u32>>) -> u32 {
    let session = Session { open: Arc::clone(open) };
    let seen = *session.open.lock().unwrap();
    std::future::ready(()).await;
    seen
}

pub async fn many(open: &Arc<Mutex<u32>>) {
    let all: Vec<Session> = (0..3).map(|_| Session { open: Arc::clone(open) }).collect();
    for session in all {
        if *session.open.lock().unwrap() > 2 {
            std::future::ready(()).await;
            return;
        }
    }
}
