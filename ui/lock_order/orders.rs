//! Two locks, and the order in which they are taken.
#![allow(dead_code)]

use std::sync::{Arc, Mutex, RwLock};

pub struct Bank {
    accounts: Mutex<Vec<u64>>,
    log: Mutex<Vec<String>>,
}

impl Bank {
    pub fn deposit_bad(&self, to: usize) {
        let mut accounts = self.accounts.lock().unwrap();
        accounts[to] += 1;
        self.log.lock().unwrap().push(String::new()); //~ lock_order
    }

    pub fn audit(&self) -> bool {
        let log = self.log.lock().unwrap();
        let accounts = self.accounts.lock().unwrap();
        log.is_empty() == accounts.is_empty()
    }

    /// One after the other.
    pub fn apart_ok(&self) -> usize {
        let log = self.log.lock().unwrap().len();
        log + self.accounts.lock().unwrap().len()
    }
}

/// The same order everywhere.
pub struct Ordered {
    first: Mutex<u32>,
    second: Mutex<u32>,
}

impl Ordered {
    pub fn add_ok(&self) {
        let first = self.first.lock().unwrap();
        *self.second.lock().unwrap() += *first;
    }

    pub fn sub_ok(&self) {
        let first = self.first.lock().unwrap();
        *self.second.lock().unwrap() -= *first;
    }

    /// Asks, and does not wait.
    pub fn try_ok(&self) {
        let second = self.second.lock().unwrap();
        if let Ok(mut first) = self.first.try_lock() {
            *first += *second;
        }
    }
}

/// Through functions that are called.
pub struct Server {
    sessions: RwLock<Vec<u32>>,
    state: RwLock<u32>,
}

impl Server {
    fn create(&self) {
        *self.state.write().unwrap() += 1;
    }

    fn register(&self) {
        self.create();
    }

    pub fn handle_bad(&self) {
        let mut sessions = self.sessions.write().unwrap();
        sessions.push(1);
        self.register(); //~ lock_order
    }

    pub fn close(&self) -> usize {
        let state = self.state.write().unwrap();
        *state as usize + self.sessions.read().unwrap().len()
    }
}

/// Readers do not hinder each other.
pub struct Readers {
    one: RwLock<u32>,
    two: RwLock<u32>,
}

impl Readers {
    pub fn forth_ok(&self) -> u32 {
        let one = self.one.read().unwrap();
        *one + *self.two.read().unwrap()
    }

    pub fn back_ok(&self) -> u32 {
        let two = self.two.read().unwrap();
        *two + *self.one.read().unwrap()
    }
}

/// A third lock lets only one of them in.
pub struct Gate {
    gate: Mutex<()>,
    one: Mutex<u32>,
    two: Mutex<u32>,
}

impl Gate {
    pub fn forth_ok(&self) {
        let _gate = self.gate.lock().unwrap();
        let one = self.one.lock().unwrap();
        *self.two.lock().unwrap() += *one;
    }

    pub fn back_ok(&self) {
        let _gate = self.gate.lock().unwrap();
        let two = self.two.lock().unwrap();
        *self.one.lock().unwrap() += *two;
    }
}

/// One writes the third lock, and the other reads it: they never meet.
pub struct Consistency {
    whole: RwLock<()>,
    one: Mutex<u32>,
    two: Mutex<u32>,
}

impl Consistency {
    pub fn change_ok(&self) {
        let _changing = self.whole.read().unwrap();
        let one = self.one.lock().unwrap();
        *self.two.lock().unwrap() += *one;
    }

    pub fn save_ok(&self) -> u32 {
        let _saving = self.whole.write().unwrap();
        let two = self.two.lock().unwrap();
        *two + *self.one.lock().unwrap()
    }
}

/// Both read the third lock, which keeps nobody out.
pub struct BothRead {
    whole: RwLock<()>,
    one: Mutex<u32>,
    two: Mutex<u32>,
}

impl BothRead {
    pub fn forth_bad(&self) {
        let _reading = self.whole.read().unwrap();
        let one = self.one.lock().unwrap();
        *self.two.lock().unwrap() += *one; //~ lock_order
    }

    pub fn back(&self) {
        let _reading = self.whole.read().unwrap();
        let two = self.two.lock().unwrap();
        *self.one.lock().unwrap() += *two;
    }
}

/// Two objects of one type have no order of their own: another thread may go the other way.
pub struct Account {
    number: u32,
    balance: Mutex<u64>,
    limit: RwLock<u64>,
}

pub fn transfer_bad(from: &Account, to: &Account) {
    let mut from = from.balance.lock().unwrap();
    let mut to = to.balance.lock().unwrap(); //~ lock_order
    *from -= 1;
    *to += 1;
}

/// By number.
pub fn transfer_ok(from: &Account, to: &Account) {
    if from.number < to.number {
        let mut from = from.balance.lock().unwrap();
        let mut to = to.balance.lock().unwrap();
        *from -= 1;
        *to += 1;
    } else {
        let mut to = to.balance.lock().unwrap();
        let mut from = from.balance.lock().unwrap();
        *from -= 1;
        *to += 1;
    }
}

/// One after the other.
pub fn transfer_in_turn_ok(from: &Account, to: &Account) {
    *from.balance.lock().unwrap() -= 1;
    *to.balance.lock().unwrap() += 1;
}

/// BothRead do not keep each other out.
pub fn compare_ok(one: &Account, other: &Account) -> bool {
    let one = one.limit.read().unwrap();
    let other = other.limit.read().unwrap();
    *one == *other
}

/// What somebody has alone can be locked in any order.
pub fn merge_ok(into: &Account, from: &mut Account) {
    let mut balance = into.balance.lock().unwrap();
    *balance += *from.balance.get_mut().unwrap();
}

/// Nobody else has it yet.
pub struct Fresh {
    one: Mutex<u32>,
    two: Mutex<u32>,
}

impl Fresh {
    pub fn new_ok() -> Fresh {
        let fresh = Fresh { one: Mutex::new(0), two: Mutex::new(0) };
        {
            let two = fresh.two.lock().unwrap();
            *fresh.one.lock().unwrap() = *two;
        }
        fresh
    }

    pub fn add_ok(&self) {
        let one = self.one.lock().unwrap();
        *self.two.lock().unwrap() += *one;
    }

    pub fn reset_ok(&mut self) {
        let two = self.two.lock().unwrap();
        *self.one.lock().unwrap() = *two;
    }
}

static A: Mutex<u32> = Mutex::new(0);
static B: Mutex<u32> = Mutex::new(0);
static C: Mutex<u32> = Mutex::new(0);

/// A circle of three.
pub fn a_then_b_bad() {
    let a = A.lock().unwrap();
    *B.lock().unwrap() += *a; //~ lock_order
}

pub fn b_then_c() {
    let b = B.lock().unwrap();
    *C.lock().unwrap() += *b;
}

pub fn c_then_a() {
    let c = C.lock().unwrap();
    *A.lock().unwrap() += *c;
}

/// A thread that is started holds nothing of what its starter holds.
pub struct Started {
    one: Mutex<u32>,
    two: Mutex<u32>,
}

impl Started {
    pub fn start_ok(self: &Arc<Self>) {
        let _two = self.two.lock().unwrap();
        let this = Arc::clone(self);
        std::thread::spawn(move || *this.one.lock().unwrap() += 1);
    }

    pub fn add_ok(&self) {
        let one = self.one.lock().unwrap();
        *self.two.lock().unwrap() += *one;
    }
}

/// Locks in tuples, beside their condition variables, are fields like any other.
struct Paired {
    ready: (Mutex<bool>, std::sync::Condvar),
    log: Mutex<Vec<u32>>,
}

impl Paired {
    fn announce(&self) {
        let mut ready = self.ready.0.lock().unwrap();
        self.log.lock().unwrap().push(1);
        *ready = true;
        self.ready.1.notify_all();
    }

    fn announce_again(&self) {
        let ready = self.ready.0.lock().unwrap();
        self.log.lock().unwrap().push(u32::from(*ready));
    }

    fn report_bad(&self) -> bool {
        let log = self.log.lock().unwrap();
        let ready = self.ready.0.lock().unwrap(); //~ lock_order
        log.is_empty() && *ready
    }
}

/// The two locks of one tuple are two locks.
struct Couple(Mutex<u32>, Mutex<u32>);

struct Married {
    couple: (Mutex<u32>, Mutex<u32>),
    other: Couple,
}

impl Married {
    fn both_ok(&self) -> u32 {
        let first = self.couple.0.lock().unwrap();
        let second = self.couple.1.lock().unwrap();
        *first + *second
    }

    fn others_ok(&self) -> u32 {
        let first = self.other.1.lock().unwrap();
        let second = self.other.0.lock().unwrap();
        *first + *second
    }
}

/// Which directory is meant is known to nobody here: the two orders may be of different ones.
pub trait Directory: Send + Sync {
    fn write(&self, path: u32);
    fn sync(&self);
}

pub struct Memory {
    files: Mutex<Vec<u32>>,
}

impl Directory for Memory {
    fn write(&self, path: u32) {
        self.files.lock().unwrap().push(path);
    }

    fn sync(&self) {
        self.files.lock().unwrap().sort_unstable();
    }
}

pub struct Managed {
    below: Box<dyn Directory>,
    paths: Mutex<Vec<u32>>,
}

impl Directory for Managed {
    fn write(&self, path: u32) {
        self.paths.lock().unwrap().push(path);
        self.below.write(path);
    }

    fn sync(&self) {
        self.below.sync();
    }
}

impl Managed {
    pub fn collect_ok(&self) {
        self.paths.lock().unwrap().clear();
        let _paths = self.paths.lock().unwrap();
        self.below.sync();
    }
}

impl Memory {
    pub fn persist_ok(&self, to: &dyn Directory) {
        let files = self.files.lock().unwrap();
        files.iter().for_each(|path| to.write(*path));
    }
}
