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
