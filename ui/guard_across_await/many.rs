//! Many functions that sleep with one lock are one decision, and told once.
#![allow(dead_code)]

use std::sync::{Mutex, RwLock};

pub struct Pager {
    state: Mutex<Vec<u32>>,
    names: RwLock<Vec<String>>,
}

async fn write_out(_: &[u32]) {
    std::future::pending().await
}

impl Pager {
    pub async fn begin_bad(&self) {
        let mut state = self.state.lock().unwrap(); //~ guard_across_await
        write_out(&state).await;
        state.push(1);
    }

    pub async fn commit(&self) {
        let mut state = self.state.lock().unwrap();
        write_out(&state).await;
        state.clear();
    }

    pub async fn roll_back(&self) {
        let mut state = self.state.lock().unwrap();
        write_out(&state).await;
        state.pop();
    }

    pub async fn check(&self) -> usize {
        let state = self.state.lock().unwrap();
        write_out(&state).await;
        state.len()
    }

    pub async fn save(&self) {
        let state = self.state.lock().unwrap();
        write_out(&state).await;
        drop(state);
    }

    /// Three are still three that can be mended one by one.
    pub async fn rename_bad(&self) {
        let mut names = self.names.write().unwrap(); //~ guard_across_await
        write_out(&[]).await;
        names.clear();
    }

    pub async fn add_bad(&self) {
        let mut names = self.names.write().unwrap(); //~ guard_across_await
        write_out(&[]).await;
        names.push(String::new());
    }

    pub async fn count_bad(&self) -> usize {
        let names = self.names.read().unwrap(); //~ guard_across_await
        write_out(&[]).await;
        names.len()
    }
}
