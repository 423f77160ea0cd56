//! An entry is looked at, and taken away in the next section: whoever else takes it away does no harm to that, and somebody who
//! puts another one there does.
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

type Jobs = Arc<RwLock<HashMap<u32, String>>>;

pub fn forget_ok(jobs: &Jobs, id: u32) -> Option<String> {
    let name = jobs.read().unwrap().get(&id).cloned();
    let mut jobs = jobs.write().unwrap();
    match name {
        Some(name) => {
            jobs.remove(&id);
            Some(name)
        }
        None => None,
    }
}

pub struct Board {
    jobs: RwLock<HashMap<u32, Vec<String>>>,
}

impl Board {
    pub fn add(&self, id: u32, name: String) {
        self.jobs.write().unwrap().entry(id).or_default().push(name);
    }

    pub fn drop_empty_bad(&self, id: u32) {
        let empty = self.jobs.read().unwrap().get(&id).is_some_and(|names| names.is_empty());
        if empty {
            self.jobs.write().unwrap().remove(&id); //~ check_then_act
        }
    }

    pub fn drop_empty_ok(&self, id: u32) {
        let mut jobs = self.jobs.write().unwrap();
        if jobs.get(&id).is_some_and(|names| names.is_empty()) {
            jobs.remove(&id);
        }
    }
}
