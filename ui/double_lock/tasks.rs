//! A future that has all it needs may be given to whoever runs tasks, and run when the lock is free again.
#![allow(dead_code)]

use std::future::Future;
use std::sync::{Arc, Weak};
use tokio::sync::Mutex;

trait Manager {
    fn spawn_task(&self, task: impl Future<Output = ()> + Send + 'static);
}

struct Pool<M> {
    manager: M,
    counts: Mutex<u32>,
}

async fn clean<M>(pool: Weak<Pool<M>>) {
    if let Some(pool) = pool.upgrade() {
        *pool.counts.lock().await = 0;
    }
}

async fn clean_now<M>(pool: &Pool<M>) {
    *pool.counts.lock().await = 0;
}

impl<M: Manager + Send + Sync + 'static> Pool<M> {
    async fn start_ok(self: Arc<Self>) {
        let mut counts = self.counts.lock().await;
        *counts += 1;
        let pool = Arc::downgrade(&self);
        self.manager.spawn_task(async move {
            clean(pool).await;
        });
    }

    async fn wait_bad(self: Arc<Self>) {
        let mut counts = self.counts.lock().await;
        *counts += 1;
        clean_now(&self).await; //~ double_lock
    }

    async fn wait_ok(self: Arc<Self>) {
        *self.counts.lock().await += 1;
        clean_now(&self).await;
    }
}

/// Jobs by their numbers, and the tasks that do them.
#[derive(Default)]
struct Jobs {
    tasks: std::collections::HashMap<u32, tokio::task::JoinHandle<()>>,
}

async fn run(jobs: Arc<Mutex<Jobs>>, id: u32) {
    jobs.lock().await.tasks.remove(&id);
}

/// The task takes the lock when it runs, and it runs when the lock is free: it finds itself among the tasks.
async fn spawn_ok(jobs: Arc<Mutex<Jobs>>, id: u32) {
    let mut all = jobs.lock().await;
    let task = tokio::spawn(run(jobs.clone(), id));
    all.tasks.insert(id, task);
}

fn start(task: impl Future<Output = ()> + Send + 'static) -> tokio::task::JoinHandle<()> {
    tokio::spawn(task)
}

async fn start_ok(jobs: Arc<Mutex<Jobs>>, id: u32) {
    let mut all = jobs.lock().await;
    let task = start(run(jobs.clone(), id));
    all.tasks.insert(id, task);
}

async fn run_at_once_bad(jobs: Arc<Mutex<Jobs>>, id: u32) {
    let _all = jobs.lock().await;
    run(jobs.clone(), id).await; //~ double_lock
}
