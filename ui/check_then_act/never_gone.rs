//! Tested, and unwrapped in the next section: that fails only if somebody takes it away.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

#[derive(Clone)]
pub struct Header {
    pages: u32,
}

pub struct Store {
    header: RwLock<Option<Header>>,
    names: RwLock<HashMap<u32, String>>,
}

impl Store {
    pub fn set(&self, header: Header) {
        self.header.write().unwrap().replace(header);
    }

    pub fn reset(&self, pages: u32) {
        let header = Some(Header { pages });
        *self.header.write().unwrap() = header;
    }

    pub fn grow(&self) {
        if let Some(header) = self.header.write().unwrap().as_mut() {
            header.pages += 1;
        }
    }

    pub fn header_ok(&self) -> Header {
        if self.header.read().unwrap().is_none() {
            return Header { pages: 1 };
        }
        self.header.read().unwrap().clone().unwrap()
    }

    pub fn name(&self, id: u32, name: String) {
        self.names.write().unwrap().insert(id, name);
    }

    pub fn name_ok(&self, id: u32) -> String {
        if !self.names.read().unwrap().contains_key(&id) {
            return String::new();
        }
        self.names.read().unwrap().get(&id).cloned().unwrap()
    }
}

pub struct Slot {
    header: Mutex<Option<Header>>,
}

impl Slot {
    pub fn set(&self, header: Option<Header>) {
        *self.header.lock().unwrap() = header;
    }

    pub fn pages_bad(&self) -> u32 {
        if self.header.lock().unwrap().is_none() {
            return 0;
        }
        self.header.lock().unwrap().as_ref().unwrap().pages //~ check_then_act
    }
}

pub struct State {
    header: Option<Header>,
    count: u32,
}

/// It goes with what it is in.
pub struct Within {
    state: Mutex<State>,
}

impl Within {
    pub fn reset(&self) {
        *self.state.lock().unwrap() = State { header: None, count: 0 };
    }

    pub fn set(&self, header: Header) {
        self.state.lock().unwrap().header.replace(header);
    }

    pub fn pages_bad(&self) -> u32 {
        if self.state.lock().unwrap().header.is_none() {
            return 0;
        }
        self.state.lock().unwrap().header.as_ref().unwrap().pages //~ check_then_act
    }
}
