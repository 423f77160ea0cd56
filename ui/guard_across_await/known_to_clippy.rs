//! Clippy warns of the same, and is told that it is meant.
#![allow(dead_code, unknown_lints)]

use std::sync::Mutex;

pub struct Exit {
    state: Mutex<bool>,
}

impl Exit {
    #[allow(clippy::await_holding_lock)]
    pub async fn finish_ok(&self) {
        let mut state = self.state.lock().unwrap();
        flush().await;
        *state = true;
    }

    pub async fn finish_bad(&self) {
        let mut state = self.state.lock().unwrap(); //~ guard_across_await
        flush().await;
        *state = true;
    }

    #[allow(clippy::unused_async)]
    pub async fn finish_unsaid_bad(&self) {
        let mut state = self.state.lock().unwrap(); //~ guard_across_await
        flush().await;
        *state = true;
    }
}

async fn flush() {
    std::future::pending::<()>().await;
}
