//! Futures in boxes, as `async_trait` makes them: whether they can sleep is seen from what the function puts into the box.
#![allow(dead_code)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

pub trait Keys {
    fn find(&self, id: u32) -> Boxed<'_, u32>;
    fn fetch(&self, id: u32) -> Boxed<'_, u32>;
    fn find_by_name_ok(&self) -> Boxed<'_, u32>;
    fn fetch_by_name_bad(&self) -> Boxed<'_, u32>;
}

pub struct InMemory {
    ids: Mutex<Vec<u32>>,
}

impl Keys for InMemory {
    fn find(&self, id: u32) -> Boxed<'_, u32> {
        Box::pin(async move { id + 1 })
    }

    fn fetch(&self, id: u32) -> Boxed<'_, u32> {
        Box::pin(async move {
            std::future::pending::<()>().await;
            id
        })
    }

    fn find_by_name_ok(&self) -> Boxed<'_, u32> {
        Box::pin(async move {
            let ids = self.ids.lock().unwrap();
            self.find(ids[0]).await
        })
    }

    fn fetch_by_name_bad(&self) -> Boxed<'_, u32> {
        Box::pin(async move {
            let ids = self.ids.lock().unwrap(); //~ guard_across_await
            self.fetch(ids[0]).await
        })
    }
}

/// Nobody knows which function runs.
pub async fn of_anyone_bad(keys: &dyn Keys, ids: &Mutex<Vec<u32>>) -> u32 {
    let ids = ids.lock().unwrap(); //~ guard_across_await
    keys.find(ids[0]).await
}
