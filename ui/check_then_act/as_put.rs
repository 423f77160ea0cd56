//! Entries that are removed for something that was seen in them: whether somebody changes that in an entry that is there.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

pub struct Attempt {
    epoch: u64,
    pages: u32,
}

/// An attempt keeps the epoch that it came with.
pub struct Attempts {
    pending: Mutex<HashMap<u64, Attempt>>,
}

impl Attempts {
    pub fn register(&self, id: u64, epoch: u64) {
        self.pending.lock().unwrap().insert(id, Attempt { epoch, pages: 0 });
    }

    pub fn complete_ok(&self, epoch: u64) -> usize {
        let mut ids = Vec::new();
        for (id, attempt) in self.pending.lock().unwrap().iter() {
            if attempt.epoch == epoch {
                ids.push(*id);
            }
        }
        let mut pending = self.pending.lock().unwrap();
        for id in &ids {
            pending.remove(id);
        }
        ids.len()
    }
}

pub struct Session {
    seen: u64,
}

/// A session is seen again and again.
pub struct Sessions {
    sessions: RwLock<HashMap<u64, Session>>,
}

impl Sessions {
    pub fn open(&self, id: u64, now: u64) {
        self.sessions.write().unwrap().insert(id, Session { seen: now });
    }

    pub fn touch(&self, id: u64, now: u64) {
        if let Some(session) = self.sessions.write().unwrap().get_mut(&id) {
            session.seen = now;
        }
    }

    pub fn close_old_bad(&self, id: u64, limit: u64) {
        let old = self.sessions.read().unwrap().get(&id).is_some_and(|session| session.seen < limit);
        if old {
            self.sessions.write().unwrap().remove(&id); //~ check_then_act
        }
    }
}

/// Groups are changed where they are, and an empty one goes.
pub struct Groups {
    groups: Mutex<HashMap<u64, HashMap<u64, u32>>>,
    opened: Mutex<Option<u64>>,
}

impl Groups {
    pub fn join(&self, group: u64, member: u64) {
        self.groups.lock().unwrap().entry(group).or_default().insert(member, 0);
    }

    pub fn clean_up_bad(&self, group: u64) {
        let empty = match self.groups.lock().unwrap().get(&group) {
            Some(members) => members.is_empty(),
            None => false,
        };
        if empty {
            self.groups.lock().unwrap().remove(&group); //~ check_then_act
        }
    }
}
