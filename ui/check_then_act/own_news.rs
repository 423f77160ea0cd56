//! What a change hands out, or says about itself, is news of what this thread did, and does not grow old like a look.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};

#[derive(Default)]
struct Sleepers {
    count: usize,
    wakers: Vec<(usize, String)>,
}

impl Sleepers {
    /// Whether it was gone already: someone else has woken this one.
    fn remove(&mut self, id: usize) -> bool {
        self.count -= 1;
        for at in (0..self.wakers.len()).rev() {
            if self.wakers[at].0 == id {
                self.wakers.remove(at);
                return false;
            }
        }
        true
    }

    /// The same without a change.
    fn is_gone(&self, id: usize) -> bool {
        for at in (0..self.wakers.len()).rev() {
            if self.wakers[at].0 == id {
                return false;
            }
        }
        true
    }

    fn wake_one(&mut self) -> Option<String> {
        self.wakers.pop().map(|(_, waker)| waker)
    }
}

struct Executor {
    sleepers: Mutex<Sleepers>,
}

impl Executor {
    fn sleep(&self, id: usize) {
        let mut sleepers = self.sleepers.lock().unwrap();
        sleepers.count += 1;
        sleepers.wakers.push((id, String::new()));
    }

    fn wake(&self) {
        let waker = self.sleepers.lock().unwrap().wake_one();
        println!("{waker:?}");
    }

    /// async-executor: who was woken but leaves wakes another one.
    fn leave_ok(&self, id: usize) {
        let woken = self.sleepers.lock().unwrap().remove(id);
        if woken {
            self.wake();
        }
    }

    fn join_bad(&self, id: usize) {
        let gone = self.sleepers.lock().unwrap().is_gone(id);
        if gone {
            let mut sleepers = self.sleepers.lock().unwrap();
            sleepers.wakers.push((id, String::new())); //~ check_then_act
        }
    }

    fn join_ok(&self, id: usize) {
        let mut sleepers = self.sleepers.lock().unwrap();
        if sleepers.is_gone(id) {
            sleepers.wakers.push((id, String::new()));
        }
    }
}

struct Connection {
    id: u32,
    statement: String,
}

#[derive(Default)]
struct Idle {
    connections: VecDeque<Connection>,
}

impl Idle {
    fn take_by_statement(&mut self, statement: &str) -> Option<Connection> {
        let at = self.connections.iter().position(|connection| connection.statement == statement)?;
        self.connections.swap_remove_back(at)
    }

    fn pop(&mut self) -> Option<Connection> {
        self.connections.pop_front()
    }

    fn open(&mut self, id: u32) {
        self.connections.push_back(Connection { id, statement: String::new() });
    }
}

struct Pool {
    idle: Mutex<Idle>,
    returned: Condvar,
}

impl Pool {
    fn give_back(&self, connection: Connection) {
        self.idle.lock().unwrap().connections.push_back(connection);
        self.returned.notify_one();
    }

    /// mysql: first the one that fits best, then any.
    fn get_ok(&self, statement: &str, is_full: bool) -> Connection {
        let best = self.idle.lock().unwrap().take_by_statement(statement);
        match best {
            Some(connection) => connection,
            None => {
                let mut idle = self.idle.lock().unwrap();
                loop {
                    if let Some(connection) = idle.pop() {
                        break connection;
                    } else if is_full {
                        idle = self.returned.wait(idle).unwrap();
                    } else {
                        idle.open(1);
                    }
                }
            }
        }
    }
}
