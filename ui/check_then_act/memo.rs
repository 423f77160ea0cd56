//! Looked up, and if it is not there made and kept: at worst the work is done twice, if nobody else writes it and it is plain.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock, Weak};

pub struct Plan {
    pub parts: Vec<u32>,
}

fn make(filter: &str) -> Plan {
    Plan { parts: vec![filter.len() as u32] }
}

pub struct Plans {
    known: RwLock<HashMap<u32, Arc<Plan>>>,
}

impl Plans {
    pub fn plan_ok(&self, id: u32, filter: &str) -> Arc<Plan> {
        if let Some(plan) = self.known.read().unwrap().get(&id) {
            return plan.clone();
        }
        let plan = Arc::new(make(filter));
        self.known.write().unwrap().insert(id, plan.clone());
        plan
    }
}

/// Somebody else puts newer ones there, and they are lost.
pub struct Pages {
    known: RwLock<HashMap<u32, Arc<Plan>>>,
}

impl Pages {
    pub fn page_bad(&self, id: u32, filter: &str) -> Arc<Plan> {
        if let Some(page) = self.known.read().unwrap().get(&id) {
            return page.clone();
        }
        let page = Arc::new(make(filter));
        self.known.write().unwrap().insert(id, page.clone()); //~ check_then_act
        page
    }

    pub fn write(&self, id: u32, page: Plan) {
        self.known.write().unwrap().insert(id, Arc::new(page));
    }
}

/// The first who comes is to have the name, and both are told that they have it.
pub struct Names {
    known: RwLock<HashMap<String, u32>>,
}

impl Names {
    pub fn register_bad(&self, name: &str, id: u32) -> bool {
        if self.known.read().unwrap().contains_key(name) {
            return false;
        }
        self.known.write().unwrap().insert(name.to_owned(), id); //~ check_then_act
        true
    }

    pub fn register_ok(&self, name: &str, id: u32) -> bool {
        let mut known = self.known.write().unwrap();
        if known.contains_key(name) {
            return false;
        }
        known.insert(name.to_owned(), id);
        true
    }
}

pub struct Client {
    known: Mutex<HashMap<u32, Arc<Statement>>>,
}

/// It knows where it belongs, and is plain all the same.
pub struct Statement {
    pub client: Weak<Client>,
    pub text: String,
}

impl Client {
    pub fn statement_ok(self: &Arc<Self>, id: u32, text: &str) -> Arc<Statement> {
        if let Some(statement) = self.known.lock().unwrap().get(&id) {
            return statement.clone();
        }
        let statement = Arc::new(Statement { client: Arc::downgrade(self), text: text.to_owned() });
        self.known.lock().unwrap().insert(id, statement.clone());
        statement
    }
}

/// Counters are told apart by what is counted in them.
pub struct Counters {
    known: Mutex<HashMap<u32, Arc<Mutex<u64>>>>,
}

impl Counters {
    pub fn counter_bad(&self, id: u32, start: u64) -> Arc<Mutex<u64>> {
        if let Some(counter) = self.known.lock().unwrap().get(&id) {
            return counter.clone();
        }
        let counter = Arc::new(Mutex::new(start));
        self.known.lock().unwrap().insert(id, counter.clone()); //~ check_then_act
        counter
    }
}
