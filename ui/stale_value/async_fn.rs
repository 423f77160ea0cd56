//! Values that outlive a section in `async` code: an `.await` is a gap like any other, only longer.
#![allow(dead_code)]

use std::sync::{Arc, Mutex};

struct State {
    n: u32,
    queue: Vec<u32>,
}

struct Service {
    state: Mutex<State>,
}

async fn work(n: u32) -> u32 {
    std::future::ready(()).await;
    n + 1
}

impl Service {
    async fn across_await_bad(&self) {
        let n = self.state.lock().unwrap().n;
        let next = work(n).await;
        self.state.lock().unwrap().n = next; //~ stale_value
    }

    async fn across_await_ok(&self) {
        let step = work(0).await;
        self.state.lock().unwrap().n += step;
    }

    async fn in_a_loop_bad(&self) {
        let mut last = 0;
        loop {
            last = work(last).await;
            let mut state = self.state.lock().unwrap();
            state.n = last; //~ stale_value
            last = state.n;
            if last > 100 {
                break;
            }
        }
    }

    async fn in_a_loop_ok(&self) {
        for _ in 0..3 {
            let step = work(1).await;
            self.state.lock().unwrap().n += step;
        }
    }

    async fn put_back_bad(&self) {
        let mut queue = std::mem::take(&mut self.state.lock().unwrap().queue);
        for item in &mut queue {
            *item = work(*item).await;
        }
        self.state.lock().unwrap().queue = queue; //~ stale_value
    }

    async fn put_back_ok(&self) {
        let mut queue = std::mem::take(&mut self.state.lock().unwrap().queue);
        for item in &mut queue {
            *item = work(*item).await;
        }
        self.state.lock().unwrap().queue.append(&mut queue);
    }

    /// Compared with what is there now.
    async fn compared_ok(&self) {
        let n = self.state.lock().unwrap().n;
        let next = work(n).await;
        let mut state = self.state.lock().unwrap();
        if state.n == n {
            state.n = next;
        }
    }
}

fn block_bad(state: Arc<Mutex<u32>>) -> impl Future<Output = ()> {
    async move {
        let n = *state.lock().unwrap();
        let next = work(n).await;
        *state.lock().unwrap() = next; //~ stale_value
    }
}

fn block_ok(state: Arc<Mutex<u32>>) -> impl Future<Output = ()> {
    async move {
        let step = work(1).await;
        *state.lock().unwrap() += step;
    }
}
