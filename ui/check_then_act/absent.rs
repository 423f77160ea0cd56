//! Not there before, and there now: who found nothing does not rely on having found something.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, RwLock};

struct Entry {
    value: Option<u32>,
}

struct Connection {
    error: Mutex<Option<String>>,
    closed: tokio::sync::Notify,
    values: RwLock<HashMap<u32, Entry>>,
    jobs: Mutex<Vec<u32>>,
    ready: Condvar,
}

async fn fetch() -> u32 {
    std::future::ready(()).await;
    0
}

impl Connection {
    fn close(&self, why: String) {
        *self.error.lock().unwrap() = Some(why);
        self.closed.notify_one();
    }

    fn reopen(&self) {
        *self.error.lock().unwrap() = None;
    }

    /// Whoever wakes it has set the error.
    async fn closed_ok(&self) -> String {
        {
            if let Some(error) = self.error.lock().unwrap().as_ref() {
                return error.clone();
            }
            self.closed.notified()
        }
        .await;
        self.error.lock().unwrap().as_ref().expect("closed without an error").clone()
    }

    async fn closed_is_some_ok(&self) -> String {
        if !self.error.lock().unwrap().is_some() {
            self.closed.notified().await;
            return self.error.lock().unwrap().clone().unwrap();
        }
        String::new()
    }

    /// It was there, and may be gone.
    async fn reason_bad(&self) -> String {
        if self.error.lock().unwrap().is_none() {
            return String::new();
        }
        self.error.lock().unwrap().clone().unwrap() //~ check_then_act
    }

    /// That the entry is there is asked both times. But what was set meanwhile is newer than what was fetched.
    async fn get_bad(&self, name: u32) -> u32 {
        {
            let values = self.values.read().unwrap();
            let entry = values.get(&name).expect("no such property");
            if let Some(value) = entry.value {
                return value;
            }
        }
        let value = fetch().await;
        let mut values = self.values.write().unwrap();
        values.get_mut(&name).expect("no such property").value = Some(value); //~ check_then_act
        value
    }

    fn remove(&self, name: u32) {
        self.values.write().unwrap().remove(&name);
    }

    fn set_bad(&self, name: u32) {
        if self.values.read().unwrap().contains_key(&name) {
            self.values.write().unwrap().get_mut(&name).unwrap().value = None; //~ check_then_act
        }
    }

    fn next_bad(&self) -> u32 {
        if self.jobs.lock().unwrap().is_empty() {
            return 0;
        }
        self.jobs.lock().unwrap().pop().unwrap() //~ check_then_act
    }

    fn push(&self, job: u32) {
        self.jobs.lock().unwrap().push(job);
        self.ready.notify_one();
    }

    fn drain(&self) {
        self.jobs.lock().unwrap().clear();
    }
}

/// Looks again under the write lock, and puts something there only if nothing is.
struct Passwords {
    salted: RwLock<HashMap<u32, Vec<u8>>>,
    stage: Mutex<Stage>,
}

enum Stage {
    Idle,
    Running(Vec<u32>),
    Joining,
    Done(usize),
}

impl Passwords {
    fn vacant_ok(&self, key: u32) {
        let (update, salted) = match self.salted.read().unwrap().get(&key) {
            Some(salted) => (false, salted.clone()),
            None => (true, vec![0; 16]),
        };
        if update {
            let mut all = self.salted.write().unwrap();
            if let std::collections::hash_map::Entry::Vacant(entry) = all.entry(key) {
                entry.insert(salted);
            }
        }
    }

    fn contains_key_ok(&self, key: u32) {
        let salted = self.salted.read().unwrap().get(&key).cloned().unwrap_or_default();
        let mut all = self.salted.write().unwrap();
        if !all.contains_key(&key) {
            all.insert(key, salted);
        }
    }

    fn occupied_bad(&self, key: u32) {
        let mut salted = self.salted.read().unwrap().get(&key).cloned().unwrap_or_default();
        salted.push(1);
        let mut all = self.salted.write().unwrap();
        if all.contains_key(&key) {
            all.insert(key, salted); //~ stale_value
        }
    }

    fn forget(&self, key: u32) {
        self.salted.write().unwrap().remove(&key);
    }

    /// Leaves word of what it is doing: whoever finds `Joining` does not interfere.
    fn join_ok(&self) {
        let jobs = {
            let mut stage = self.stage.lock().unwrap();
            match &*stage {
                Stage::Running(_) => match std::mem::replace(&mut *stage, Stage::Joining) {
                    Stage::Running(jobs) => jobs,
                    Stage::Idle | Stage::Joining | Stage::Done(_) => return,
                },
                Stage::Idle | Stage::Joining | Stage::Done(_) => return,
            }
        };
        let count = jobs.len();
        *self.stage.lock().unwrap() = Stage::Done(count);
    }

    fn start(&self) {
        *self.stage.lock().unwrap() = Stage::Running(Vec::new());
    }

    /// Takes whatever is there, and so does the next one.
    fn flush_bad(&self) {
        let stage = std::mem::replace(&mut *self.stage.lock().unwrap(), Stage::Idle);
        *self.stage.lock().unwrap() = stage; //~ stale_value
    }
}
