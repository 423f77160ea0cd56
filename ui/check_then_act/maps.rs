//! A key is looked for in one critical section and put in, or taken, in the next.
#![allow(dead_code)]

use dashmap::{DashMap, DashSet};
use dashmap::mapref::entry::Entry as DashEntry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, RwLock};

type Pool = Mutex<Vec<u32>>;

#[derive(Clone)]
struct Session {
    user: u32,
    token: String,
}

fn connect(host: &str) -> Vec<u32> {
    vec![host.len() as u32]
}

/// Connection pools by host: a pool that is replaced loses its connections.
struct Pools {
    pools: RwLock<HashMap<String, Arc<Pool>>>,
}

impl Pools {
    fn pool_bad(&self, host: &str) -> Arc<Pool> {
        if let Some(pool) = self.pools.read().unwrap().get(host) {
            return pool.clone();
        }
        let pool = Arc::new(Mutex::new(connect(host)));
        self.pools.write().unwrap().insert(host.to_owned(), pool.clone()); //~ check_then_act
        pool
    }

    /// `entry` looks again.
    fn pool_entry_ok(&self, host: &str) -> Arc<Pool> {
        if let Some(pool) = self.pools.read().unwrap().get(host) {
            return pool.clone();
        }
        let mut pools = self.pools.write().unwrap();
        pools.entry(host.to_owned()).or_insert_with(|| Arc::new(Mutex::new(connect(host)))).clone()
    }

    /// A second look under the write lock.
    fn pool_second_look_ok(&self, host: &str) -> Arc<Pool> {
        if let Some(pool) = self.pools.read().unwrap().get(host) {
            return pool.clone();
        }
        let mut pools = self.pools.write().unwrap();
        if let Some(pool) = pools.get(host) {
            return pool.clone();
        }
        let pool = Arc::new(Mutex::new(connect(host)));
        pools.insert(host.to_owned(), pool.clone());
        pool
    }

    fn guard_dropped_bad(&self, host: &str) -> Arc<Pool> {
        let pools = self.pools.read().unwrap();
        match pools.get(host) {
            Some(pool) => pool.clone(),
            None => {
                drop(pools);
                let pool = Arc::new(Mutex::new(Vec::new()));
                let mut pools = self.pools.write().unwrap();
                pools.insert(host.to_owned(), Arc::clone(&pool)); //~ check_then_act
                pool
            }
        }
    }

    /// The same, with the match on the entry.
    fn guard_dropped_ok(&self, host: &str) -> Arc<Pool> {
        let pools = self.pools.read().unwrap();
        match pools.get(host) {
            Some(pool) => pool.clone(),
            None => {
                drop(pools);
                let pool = Arc::new(Mutex::new(Vec::new()));
                let mut pools = self.pools.write().unwrap();
                Arc::clone(pools.entry(host.to_owned()).or_insert(pool))
            }
        }
    }

    fn cloned_option_bad(&self, host: &str) -> Arc<Pool> {
        let known = self.pools.read().unwrap().get(host).cloned();
        match known {
            Some(pool) => pool,
            None => {
                let pool = Arc::new(Mutex::new(connect(host)));
                self.pools.write().unwrap().insert(host.to_owned(), pool.clone()); //~ check_then_act
                pool
            }
        }
    }

    /// The write lock is held over look and insert.
    fn cloned_option_ok(&self, host: &str) -> Arc<Pool> {
        let mut pools = self.pools.write().unwrap();
        let known = pools.get(host).cloned();
        match known {
            Some(pool) => pool,
            None => {
                let pool = Arc::new(Mutex::new(connect(host)));
                pools.insert(host.to_owned(), pool.clone());
                pool
            }
        }
    }

    fn let_else_bad(&self, host: &str) -> Arc<Pool> {
        let Some(pool) = self.pools.read().unwrap().get(host).cloned() else {
            let pool = Arc::new(Mutex::new(Vec::new()));
            self.pools.write().unwrap().insert(host.to_owned(), pool.clone()); //~ check_then_act
            return pool;
        };
        pool
    }

    /// What the insert gives back decides which of the two is used.
    fn result_decides_ok(&self, host: &str) -> bool {
        if self.pools.read().unwrap().contains_key(host) {
            return false;
        }
        let pool = Arc::new(Mutex::new(connect(host)));
        let mut pools = self.pools.write().unwrap();
        if let Some(earlier) = pools.insert(host.to_owned(), pool) {
            pools.insert(host.to_owned(), earlier);
            return false;
        }
        true
    }

    /// Nothing was decided by the look: a pool is replaced on purpose.
    fn replace_ok(&self, host: &str) {
        let known = self.pools.read().unwrap().contains_key(host);
        println!("known: {known}");
        self.pools.write().unwrap().insert(host.to_owned(), Arc::new(Mutex::new(Vec::new())));
    }
}

/// Counters by label, as metrics libraries keep them.
struct Counters {
    counters: RwLock<BTreeMap<&'static str, Arc<AtomicU64>>>,
}

impl Counters {
    fn count_bad(&self, label: &'static str) {
        let counters = self.counters.read().unwrap();
        if let Some(counter) = counters.get(label) {
            counter.fetch_add(1, Ordering::Relaxed);
            return;
        }
        drop(counters);
        self.counters.write().unwrap().insert(label, Arc::new(AtomicU64::new(1))); //~ check_then_act
    }

    fn count_ok(&self, label: &'static str) {
        let counters = self.counters.read().unwrap();
        if let Some(counter) = counters.get(label) {
            counter.fetch_add(1, Ordering::Relaxed);
            return;
        }
        drop(counters);
        self.counters.write().unwrap().entry(label).or_default().fetch_add(1, Ordering::Relaxed);
    }
}

/// A cache of plain values: computed twice, they are the same.
struct Cache {
    lengths: RwLock<HashMap<String, usize>>,
    greetings: Mutex<HashMap<u32, String>>,
}

impl Cache {
    /// Made from the key alone.
    fn length_ok(&self, word: &str) -> usize {
        if let Some(length) = self.lengths.read().unwrap().get(word) {
            return *length;
        }
        let length = word.chars().count();
        self.lengths.write().unwrap().insert(word.to_owned(), length);
        length
    }

    fn greeting_ok(&self, user: u32) -> String {
        if let Some(greeting) = self.greetings.lock().unwrap().get(&user) {
            return greeting.clone();
        }
        let greeting = format!("hello, {user}");
        self.greetings.lock().unwrap().insert(user, greeting.clone());
        greeting
    }
}

/// Sessions by id: what is registered first stays.
struct Sessions {
    sessions: Mutex<HashMap<u32, Session>>,
    names: Mutex<HashSet<String>>,
}

impl Sessions {
    fn register_bad(&self, id: u32, session: Session) -> Result<(), &'static str> {
        if self.sessions.lock().unwrap().contains_key(&id) {
            return Err("taken");
        }
        self.sessions.lock().unwrap().insert(id, session); //~ check_then_act
        Ok(())
    }

    /// One guard.
    fn register_ok(&self, id: u32, session: Session) -> Result<(), &'static str> {
        let mut sessions = self.sessions.lock().unwrap();
        if sessions.contains_key(&id) {
            return Err("taken");
        }
        sessions.insert(id, session);
        Ok(())
    }

    fn get_unwrap_bad(&self, id: u32) -> String {
        if self.sessions.lock().unwrap().contains_key(&id) {
            self.sessions.lock().unwrap().get(&id).unwrap().token.clone() //~ check_then_act
        } else {
            String::new()
        }
    }

    /// The session may be gone, and that is no surprise.
    fn get_map_ok(&self, id: u32) -> String {
        if self.sessions.lock().unwrap().contains_key(&id) {
            self.sessions.lock().unwrap().get(&id).map(|session| session.token.clone()).unwrap_or_default()
        } else {
            String::new()
        }
    }

    fn index_bad(&self, id: u32) -> u32 {
        if !self.sessions.lock().unwrap().contains_key(&id) {
            return 0;
        }
        self.sessions.lock().unwrap()[&id].user //~ check_then_act
    }

    fn remove_unwrap_bad(&self, id: u32) -> Option<Session> {
        if self.sessions.lock().unwrap().contains_key(&id) {
            return Some(self.sessions.lock().unwrap().remove(&id).unwrap()); //~ check_then_act
        }
        None
    }

    /// `remove` says whether there was one.
    fn remove_ok(&self, id: u32) -> Option<Session> {
        if self.sessions.lock().unwrap().contains_key(&id) {
            return self.sessions.lock().unwrap().remove(&id);
        }
        None
    }

    /// To take away what is gone does no harm.
    fn forget_ok(&self, id: u32) {
        if self.sessions.lock().unwrap().contains_key(&id) {
            self.sessions.lock().unwrap().remove(&id);
        }
    }

    /// The look was for another key.
    fn other_key_ok(&self, parent: u32, child: u32, session: Session) {
        if self.sessions.lock().unwrap().contains_key(&parent) {
            self.sessions.lock().unwrap().insert(child, session);
        }
    }

    fn rename_bad(&self, id: u32, token: String) {
        if self.sessions.lock().unwrap().contains_key(&id) {
            let mut sessions = self.sessions.lock().unwrap();
            sessions.get_mut(&id).expect("was there").token = token; //~ check_then_act
        }
    }

    fn rename_ok(&self, id: u32, token: String) {
        if self.sessions.lock().unwrap().contains_key(&id) {
            let mut sessions = self.sessions.lock().unwrap();
            if let Some(session) = sessions.get_mut(&id) {
                session.token = token;
            }
        }
    }

    /// `HashSet::insert` says whether the name was new.
    fn claim_name_ok(&self, name: &str) -> bool {
        if self.names.lock().unwrap().contains(name) {
            return false;
        }
        self.names.lock().unwrap().insert(name.to_owned())
    }

    fn claim_name_bad(&self, name: &str) -> bool {
        if self.names.lock().unwrap().contains(name) {
            return false;
        }
        self.names.lock().unwrap().insert(name.to_owned()); //~ check_then_act
        true
    }

    /// To have seen a name twice is the same as once: nobody is told that it is theirs.
    fn remember_name_ok(&self, name: &str) {
        if !self.names.lock().unwrap().contains(name) {
            self.names.lock().unwrap().insert(name.to_owned());
        }
    }
}

/// A concurrent map locks for each call.
struct Registry {
    pools: DashMap<String, Arc<Pool>>,
    hits: DashMap<u32, u64>,
    owners: DashMap<u32, Session>,
}

impl Registry {
    fn pool_bad(&self, host: &str) -> Arc<Pool> {
        if let Some(pool) = self.pools.get(host) {
            return pool.clone();
        }
        let pool = Arc::new(Mutex::new(connect(host)));
        self.pools.insert(host.to_owned(), pool.clone()); //~ check_then_act
        pool
    }

    fn pool_ok(&self, host: &str) -> Arc<Pool> {
        if let Some(pool) = self.pools.get(host) {
            return pool.clone();
        }
        self.pools.entry(host.to_owned()).or_insert_with(|| Arc::new(Mutex::new(connect(host)))).clone()
    }

    fn own_bad(&self, id: u32, session: Session) -> bool {
        if self.owners.contains_key(&id) {
            return false;
        }
        self.owners.insert(id, session); //~ check_then_act
        true
    }

    fn own_ok(&self, id: u32, session: Session) -> bool {
        match self.owners.entry(id) {
            DashEntry::Occupied(_) => false,
            DashEntry::Vacant(entry) => {
                entry.insert(session);
                true
            }
        }
    }

    /// Which entry it is was asked again.
    fn own_after_look_ok(&self, id: u32, session: Session) -> bool {
        if self.owners.contains_key(&id) {
            return false;
        }
        match self.owners.entry(id) {
            DashEntry::Occupied(_) => false,
            DashEntry::Vacant(entry) => {
                entry.insert(session);
                true
            }
        }
    }

    fn disown(&self, id: u32) {
        self.owners.remove(&id);
    }

    fn owner_bad(&self, id: u32) -> u32 {
        if self.owners.contains_key(&id) {
            return self.owners.get(&id).unwrap().user; //~ check_then_act
        }
        0
    }

    fn owner_ok(&self, id: u32) -> u32 {
        if self.owners.contains_key(&id) {
            return self.owners.get(&id).map_or(0, |session| session.user);
        }
        0
    }

    fn hit_bad(&self, id: u32) {
        if let Some(mut hits) = self.hits.get_mut(&id) {
            *hits += 1;
            return;
        }
        self.hits.insert(id, 1); //~ check_then_act
    }

    fn hit_known_bad(&self, id: u32) {
        if self.hits.contains_key(&id) {
            *self.hits.get_mut(&id).unwrap() += 1; //~ check_then_act
        }
    }

    fn hit_ok(&self, id: u32) {
        if let Some(mut hits) = self.hits.get_mut(&id) {
            *hits += 1;
            return;
        }
        *self.hits.entry(id).or_insert(0) += 1;
    }

    /// One guard: found and changed.
    fn touch_ok(&self, id: u32) {
        if let Some(mut session) = self.owners.get_mut(&id) {
            session.token.clear();
            session.user = 0;
        }
    }

    /// Two keys, two entries.
    fn copy_ok(&self, from: u32, to: u32, session: Session) {
        if self.owners.contains_key(&from) {
            self.owners.insert(to, session);
        }
    }

    /// `remove_if` looks again.
    fn evict_ok(&self, id: u32) {
        if self.hits.get(&id).is_some_and(|hits| *hits == 0) {
            self.hits.remove_if(&id, |_, hits| *hits == 0);
        }
    }

    /// The counter may have gone up since: the hits of another thread are thrown away.
    fn evict_bad(&self, id: u32) {
        let idle = self.hits.get(&id).is_some_and(|hits| *hits == 0);
        if idle {
            self.hits.remove(&id); //~ check_then_act
        }
    }
}

/// Sets, and what is sent for each that is new.
pub struct Topics {
    known: DashSet<u32>,
    requests: Sender<u32>,
}

impl Topics {
    /// Two threads ask for the same topic.
    pub fn subscribe_bad(&self, topic: u32) {
        if !self.known.contains(&topic) {
            self.known.insert(topic); //~ check_then_act
            let _ = self.requests.send(topic);
        }
    }

    pub fn subscribe_ok(&self, topic: u32) {
        if self.known.insert(topic) {
            let _ = self.requests.send(topic);
        }
    }

    /// There it is there, whoever put it there.
    pub fn note_ok(&self, topic: u32) {
        if !self.known.contains(&topic) {
            self.known.insert(topic);
        }
    }
}
