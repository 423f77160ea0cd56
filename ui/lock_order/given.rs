//! Locks that a function knows only by what it was given: which ones they are is known where it is called.
#![allow(dead_code)]

use std::sync::{Arc, RwLock};

pub struct Sessions(Vec<u32>);
pub struct State(u32);
pub struct Request(bool);

pub struct Service {}

impl Service {
    fn create(&self, state: Arc<RwLock<State>>, id: u32) -> u32 {
        let mut state = state.write().unwrap();
        state.0 += id;
        state.0
    }

    fn close_bad(&self, sessions: Arc<RwLock<Sessions>>, state: Arc<RwLock<State>>) -> usize {
        let state = state.write().unwrap();
        let count = {
            let sessions = sessions.read().unwrap(); //~ lock_order
            sessions.0.len()
        };
        count + state.0 as usize
    }

    /// One after the other.
    fn close_ok(&self, sessions: Arc<RwLock<Sessions>>, state: Arc<RwLock<State>>) -> usize {
        let count = sessions.read().unwrap().0.len();
        count + state.read().unwrap().0 as usize
    }
}

pub struct Handler {
    service: Service,
    sessions: Arc<RwLock<Sessions>>,
    state: Arc<RwLock<State>>,
}

impl Handler {
    pub fn handle(&mut self, request: &Request) -> Option<usize> {
        let state = self.state.clone();
        match request.0 {
            true => {
                let mut sessions = self.sessions.write().unwrap();
                let new = self.service.create(state, 1);
                sessions.0.push(new);
                Some(1)
            }
            false => Some(self.service.close_bad(self.sessions.clone(), state)),
        }
    }
}

pub struct Careful {
    service: Service,
    sessions: Arc<RwLock<Sessions>>,
    state: Arc<RwLock<State>>,
}

impl Careful {
    pub fn handle_ok(&mut self, request: &Request) -> usize {
        let state = self.state.clone();
        if request.0 {
            let mut sessions = self.sessions.write().unwrap();
            let new = self.service.create(state, 1);
            sessions.0.push(new);
            1
        } else {
            self.service.close_ok(self.sessions.clone(), state)
        }
    }
}
