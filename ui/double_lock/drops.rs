//! Things whose `Drop` takes a lock, dropped by who holds it.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, Weak};

pub struct Client {
    state: Mutex<State>,
    log: Mutex<Vec<u32>>,
}

#[derive(Default)]
struct State {
    statement: Option<Statement>,
    named: HashMap<u32, Statement>,
    buffer: Vec<u8>,
}

#[derive(Clone)]
pub struct Statement(Arc<StatementInner>);

struct StatementInner {
    client: Weak<Client>,
    name: u8,
}

impl Client {
    fn with_buffer<R>(&self, with: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        let mut state = self.state.lock().unwrap();
        with(&mut state.buffer)
    }
}

impl Drop for StatementInner {
    fn drop(&mut self) {
        if let Some(client) = self.client.upgrade() {
            client.with_buffer(|buffer| buffer.push(self.name));
        }
    }
}

impl Client {
    /// What was there goes back to the client that it is kept in.
    pub fn set_bad(&self, statement: &Statement) {
        self.state.lock().unwrap().statement = Some(statement.clone()); //~ double_lock
    }

    /// It is dropped when the lock is free.
    pub fn set_ok(&self, statement: &Statement) {
        let old = self.state.lock().unwrap().statement.replace(statement.clone());
        drop(old);
    }

    pub fn take_bad(&self) {
        let mut state = self.state.lock().unwrap();
        let old = state.statement.take();
        state.buffer.clear();
        drop(old); //~ double_lock
    }

    pub fn take_ok(&self) -> Option<Statement> {
        let mut state = self.state.lock().unwrap();
        let old = state.statement.take();
        state.buffer.clear();
        old
    }

    pub fn name_bad(&self, name: u32, statement: Statement) {
        let mut state = self.state.lock().unwrap();
        let old = state.named.insert(name, statement);
        drop(old); //~ double_lock
    }

    /// Its clone is not the last one.
    pub fn count_ok(&self) -> usize {
        let state = self.state.lock().unwrap();
        let one = state.statement.clone();
        one.map_or(0, |one| Arc::strong_count(&one.0))
    }

    /// Under another lock.
    pub fn log_ok(&self, statement: Statement) {
        let mut log = self.log.lock().unwrap();
        log.push(1);
        drop(statement);
    }
}

/// A connection that goes back to its pool.
pub struct Pool {
    idle: Mutex<Vec<u32>>,
    waiting: Mutex<Vec<Sender<Lease>>>,
}

pub struct Lease {
    connection: Option<u32>,
    pool: Arc<Pool>,
}

impl Lease {
    fn new(connection: u32, pool: Arc<Pool>) -> Lease {
        Lease { connection: Some(connection), pool }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            self.pool.idle.lock().unwrap().push(connection);
        }
    }
}

pub fn scope_bad(pool: Arc<Pool>) -> usize {
    let idle = pool.idle.lock().unwrap();
    let lease = Lease::new(1, pool.clone());
    let count = idle.len() + lease.connection.map_or(0, |it| it as usize);
    count
} //~ double_lock

/// The guard is dropped first.
pub fn scope_ok(pool: Arc<Pool>) -> usize {
    let lease = Lease::new(1, pool.clone());
    let idle = pool.idle.lock().unwrap();
    let count = idle.len() + lease.connection.map_or(0, |it| it as usize);
    count
}

/// Nothing is left to do.
pub fn defused_ok(pool: Arc<Pool>) {
    let mut idle = pool.idle.lock().unwrap();
    let mut lease = Lease::new(1, pool.clone());
    if let Some(connection) = lease.connection.take() {
        idle.push(connection);
    }
}

pub fn forgotten_ok(pool: Arc<Pool>) {
    let mut idle = pool.idle.lock().unwrap();
    let lease = Lease::new(1, pool.clone());
    idle.push(1);
    std::mem::forget(lease);
}

/// Another pool.
pub fn other_ok(pool: Arc<Pool>, other: Arc<Pool>) -> usize {
    let idle = pool.idle.lock().unwrap();
    let lease = Lease::new(1, other);
    idle.len() + lease.connection.map_or(0, |it| it as usize)
}

/// What comes back is what was sent, and not something that was kept in the pool.
pub struct Desk {
    waiting: Mutex<Vec<Sender<Result<Ticket, u32>>>>,
}

pub struct Ticket {
    desk: Arc<Desk>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.desk.waiting.lock().unwrap().clear();
    }
}

impl Desk {
    pub fn refuse_ok(&self) {
        let mut waiting = self.waiting.lock().unwrap();
        while let Some(one) = waiting.pop() {
            if one.send(Err(1)).is_ok() {
                return;
            }
        }
    }
}

/// If nobody is there to get it, it is dropped here.
pub fn send_bad(pool: &Arc<Pool>, to: &Sender<Result<Lease, u32>>) -> bool {
    let mut idle = pool.idle.lock().unwrap();
    let connection = idle.pop().unwrap_or_default();
    to.send(Ok(Lease::new(connection, pool.clone()))).is_ok() //~ double_lock
}

pub fn send_ok(pool: &Arc<Pool>, to: &Sender<Result<Lease, u32>>) -> bool {
    let connection = pool.idle.lock().unwrap().pop().unwrap_or_default();
    to.send(Ok(Lease::new(connection, pool.clone()))).is_ok()
}

/// A list: each node has a lock of its own, of the same field.
pub struct Node {
    next: Mutex<Option<Arc<Node>>>,
}

impl Drop for Node {
    fn drop(&mut self) {
        let next = self.next.get_mut().unwrap().take();
        drop(next);
    }
}

pub fn cut_ok(node: &Node) {
    *node.next.lock().unwrap() = None;
}
