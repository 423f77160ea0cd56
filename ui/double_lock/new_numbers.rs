//! What is kept under a number that was just counted up takes the place of nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

#[derive(Default)]
pub struct Sessions {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    open: HashMap<u64, Arc<Session>>,
    named: HashMap<String, Arc<Session>>,
}

pub struct Session {
    id: u64,
    sessions: Arc<Sessions>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.sessions.state.lock().unwrap().open.remove(&self.id);
    }
}

pub fn open_ok(sessions: &Arc<Sessions>) -> Arc<Session> {
    let mut state = sessions.state.lock().unwrap();
    state.last += 1;
    let id = state.last;
    let session = Arc::new(Session { id, sessions: sessions.clone() });
    state.open.insert(id, session.clone());
    session
}

pub fn name_bad(sessions: &Arc<Sessions>, name: &str) -> Arc<Session> {
    let session = Arc::new(Session { id: 0, sessions: sessions.clone() });
    let mut state = sessions.state.lock().unwrap();
    state.named.insert(name.to_owned(), session.clone()); //~ double_lock
    session
}
