//! The function that acts looks at a generation under the lock before it does, though not at the entry: what was fetched for an old
//! state is not put there.

use std::collections::HashMap;
use std::sync::RwLock;

pub struct Answer {
    pub text: Box<dyn Fn() -> String + Send + Sync>,
}

#[derive(Default)]
struct State {
    generation: u64,
    entries: HashMap<String, Answer>,
}

#[derive(Default)]
pub struct Answers {
    state: RwLock<State>,
}

impl Answers {
    pub fn has(&self, key: &str) -> bool {
        self.state.read().unwrap().entries.contains_key(key)
    }

    pub fn generation(&self) -> u64 {
        self.state.read().unwrap().generation
    }

    pub fn clear(&self) {
        let mut state = self.state.write().unwrap();
        state.generation += 1;
        state.entries.clear();
    }

    pub fn keep_if_current(&self, key: &str, answer: Answer, generation: u64) {
        let mut state = self.state.write().unwrap();
        if state.generation == generation {
            state.entries.insert(key.to_owned(), answer);
        }
    }

    pub fn keep(&self, key: &str, answer: Answer) {
        self.state.write().unwrap().entries.insert(key.to_owned(), answer);
    }

    pub fn fetch_ok(&self, key: &str, asked: u64, ask: &dyn Fn(&str) -> Answer) {
        if !self.has(key) {
            self.keep_if_current(key, ask(key), asked);
        }
    }

    pub fn fetch_bad(&self, key: &str, ask: &dyn Fn(&str) -> Answer) {
        if !self.has(key) {
            self.keep(key, ask(key)); //~ check_then_act
        }
    }
}
