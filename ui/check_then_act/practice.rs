//! Functions that all look in one section and act in another, with many locks of one type: its authors do not count on the locks.

use std::sync::RwLock;

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Idle,
    Busy(u32),
}

/// Each field has a lock because the language asks for one; one connection is used by one thread.
pub struct Connection {
    reading: RwLock<Phase>,
    writing: RwLock<Phase>,
    commit: RwLock<Phase>,
    checkpoint: RwLock<Phase>,
    sort: RwLock<Phase>,
}

impl Connection {
    pub fn read_ok(&self, page: u32) {
        if *self.reading.read().unwrap() == Phase::Idle {
            *self.reading.write().unwrap() = Phase::Busy(page);
        }
    }

    pub fn write_ok(&self, page: u32) {
        if *self.writing.read().unwrap() == Phase::Idle {
            *self.writing.write().unwrap() = Phase::Busy(page);
        }
    }

    pub fn commit_ok(&self, page: u32) {
        if *self.commit.read().unwrap() == Phase::Idle {
            *self.commit.write().unwrap() = Phase::Busy(page);
        }
    }

    pub fn checkpoint_ok(&self, page: u32) {
        if *self.checkpoint.read().unwrap() == Phase::Idle {
            *self.checkpoint.write().unwrap() = Phase::Busy(page);
        }
    }

    pub fn sort_ok(&self, page: u32) {
        if *self.sort.read().unwrap() == Phase::Idle {
            *self.sort.write().unwrap() = Phase::Busy(page);
        }
    }

    pub fn reset(&self) {
        for phase in [&self.reading, &self.writing, &self.commit, &self.checkpoint, &self.sort] {
            *phase.write().unwrap() = Phase::Idle;
        }
    }
}

/// The same with one lock that is used so.
pub struct Channel {
    state: RwLock<Phase>,
    name: RwLock<String>,
}

impl Channel {
    pub fn open_bad(&self, number: u32) {
        if *self.state.read().unwrap() == Phase::Idle {
            *self.state.write().unwrap() = Phase::Busy(number); //~ check_then_act
        }
    }

    pub fn rename_ok(&self, name: &str) {
        let mut own = self.name.write().unwrap();
        if own.is_empty() {
            *own = name.to_owned();
        }
    }

    pub fn close(&self) {
        *self.state.write().unwrap() = Phase::Idle;
    }
}

fn main() {}
