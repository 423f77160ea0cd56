//! What `thread_local!` keeps belongs to the thread, whatever locks are around it; a handle in it may lead to what others have, too.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct Counter {
    pub hits: Mutex<u32>,
}

thread_local! {
    static CACHE: RwLock<HashMap<u32, Arc<Counter>>> = RwLock::default();
    static SHARED: Arc<RwLock<HashMap<u32, Arc<Counter>>>> = Arc::default();
}

pub fn counter_ok(key: u32) -> Arc<Counter> {
    CACHE.with(|cache| {
        if let Some(counter) = cache.read().unwrap().get(&key) {
            return counter.clone();
        }
        let counter = Arc::new(Counter::default());
        cache.write().unwrap().insert(key, counter.clone());
        counter
    })
}

pub fn shared_bad(key: u32) -> Arc<Counter> {
    SHARED.with(|shared| {
        if let Some(counter) = shared.read().unwrap().get(&key) {
            return counter.clone();
        }
        let counter = Arc::new(Counter::default());
        shared.write().unwrap().insert(key, counter.clone()); //~ check_then_act
        counter
    })
}

/// It is given to something else that is called `with`.
pub struct Cache {
    counters: RwLock<HashMap<u32, Arc<Counter>>>,
}

impl Cache {
    fn with<T>(&self, look: impl FnOnce(&RwLock<HashMap<u32, Arc<Counter>>>) -> T) -> T {
        look(&self.counters)
    }

    pub fn counter_bad(&self, key: u32) -> Arc<Counter> {
        self.with(|cache| {
            if let Some(counter) = cache.read().unwrap().get(&key) {
                return counter.clone();
            }
            let counter = Arc::new(Counter::default());
            cache.write().unwrap().insert(key, counter.clone()); //~ check_then_act
            counter
        })
    }
}
