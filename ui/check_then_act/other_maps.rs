//! Concurrent maps beside `DashMap`: each call is one step, two calls are two.
#![allow(dead_code)]

use crossbeam_skiplist::{SkipMap, SkipSet};
use std::sync::{Arc, Mutex};

type Pool = Mutex<Vec<u32>>;

pub struct Skip {
    pools: SkipMap<String, Arc<Pool>>,
    names: SkipSet<String>,
}

impl Skip {
    pub fn pool_bad(&self, host: &str) -> Arc<Pool> {
        if let Some(found) = self.pools.get(host) {
            return found.value().clone();
        }
        let pool = Arc::new(Mutex::new(Vec::new()));
        self.pools.insert(host.to_owned(), pool.clone()); //~ check_then_act
        pool
    }

    pub fn pool_ok(&self, host: &str) -> Arc<Pool> {
        self.pools.get_or_insert_with(host.to_owned(), || Arc::new(Mutex::new(Vec::new()))).value().clone()
    }

    /// The one who takes it is told so by the call itself.
    pub fn close_ok(&self, host: &str) -> bool {
        self.pools.remove(host).is_some()
    }

    pub fn close_bad(&self, host: &str) {
        if self.pools.contains_key(host) {
            self.pools.remove(host).unwrap(); //~ check_then_act
        }
    }

    /// To put a name there twice does no harm.
    pub fn note_ok(&self, name: &str) {
        if !self.names.contains(name) {
            self.names.insert(name.to_owned());
        }
    }
}

pub struct Buckets {
    pools: scc::HashMap<String, Arc<Pool>>,
}

impl Buckets {
    pub fn pool_bad(&self, host: &str) -> Arc<Pool> {
        if let Some(found) = self.pools.read_sync(host, |_, pool| pool.clone()) {
            return found;
        }
        let pool = Arc::new(Mutex::new(Vec::new()));
        self.pools.upsert_sync(host.to_owned(), pool.clone()); //~ check_then_act
        pool
    }

    /// Whoever comes second finds that something is there.
    pub fn pool_ok(&self, host: &str) -> Result<(), (String, Arc<Pool>)> {
        if self.pools.contains_sync(host) {
            return Ok(());
        }
        self.pools.insert_sync(host.to_owned(), Arc::new(Mutex::new(Vec::new())))
    }

    pub fn entry_ok(&self, host: &str) -> Arc<Pool> {
        self.pools.entry_sync(host.to_owned()).or_insert_with(|| Arc::new(Mutex::new(Vec::new()))).get().clone()
    }
}
