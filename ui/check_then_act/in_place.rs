//! A plain entry is put there because none was found. If others change entries in their place, what they did to the one that came
//! meanwhile is lost; if nobody does, the same is done twice at worst.
#![allow(dead_code)]

use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

#[derive(Clone)]
pub struct Session {
    since: u64,
    attempts: u32,
    items: Vec<u32>,
}

impl Session {
    fn new(since: u64) -> Session {
        Session { since, attempts: 0, items: Vec::new() }
    }
}

#[derive(Clone)]
pub struct Sessions {
    all: Arc<DashMap<u64, Session>>,
}

impl Sessions {
    pub fn note(&self, peer: u64, item: u32) {
        if let Some(mut session) = self.all.get_mut(&peer) {
            session.items.push(item);
        }
    }

    pub fn start_bad(&self, peer: u64, since: u64) {
        if self.all.contains_key(&peer) {
            return;
        }
        let session = Session { since, attempts: 1, items: Vec::new() };
        self.all.insert(peer, session); //~ check_then_act
    }

    pub fn start_ok(&self, peer: u64, since: u64) {
        self.all.entry(peer).or_insert_with(|| Session { since, attempts: 1, items: Vec::new() });
    }
}

pub struct Counters {
    all: RwLock<HashMap<u64, Session>>,
}

impl Counters {
    pub fn count(&self, peer: u64) {
        if let Some(session) = self.all.write().unwrap().get_mut(&peer) {
            session.attempts += 1;
        }
    }

    pub fn make_bad(&self, peer: u64, since: u64) {
        let known = self.all.read().unwrap().contains_key(&peer);
        if !known {
            self.all.write().unwrap().insert(peer, Session::new(since)); //~ check_then_act
        }
    }

    pub fn make_ok(&self, peer: u64, since: u64) {
        let mut all = self.all.write().unwrap();
        if !all.contains_key(&peer) {
            all.insert(peer, Session::new(since));
        }
    }
}

/// Once there, a session stays as it was put there.
#[derive(Clone)]
pub struct Known {
    all: Arc<DashMap<u64, Session>>,
}

impl Known {
    pub fn attempts(&self, peer: u64) -> Option<u32> {
        self.all.get(&peer).map(|session| session.attempts)
    }

    pub fn learn_ok(&self, peer: u64) {
        if self.all.contains_key(&peer) {
            return;
        }
        let session = Session { since: peer, attempts: 1, items: Vec::new() };
        self.all.insert(peer, session);
    }
}
