//! The auditor's list of cases: the newest is last, except that urgent ones are put in front.

use std::sync::Mutex;

use crate::slow_work;

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Routine,
    Urgent,
}

struct Case {
    kind: Kind,
    closed: bool,
}

pub struct Audit {
    list: Mutex<List>,
}

struct List {
    cases: Vec<Case>,
}

impl Audit {
    /// A list is never empty: it starts with one routine case.
    pub fn new() -> Self {
        Audit { list: Mutex::new(List { cases: vec![Case { kind: Kind::Routine, closed: false }] }) }
    }

    pub fn open(&self, kind: Kind) {
        let case = Case { kind, closed: false };
        let mut list = self.list.lock().unwrap();
        match kind {
            Kind::Routine => list.cases.push(case),
            Kind::Urgent => list.cases.insert(0, case),
        }
    }

    pub fn closed(&self, kind: Kind) -> usize {
        self.list.lock().unwrap().cases.iter().filter(|case| case.closed && case.kind == kind).count()
    }

    /// BUG, stale index: where the newest case stands is found in one critical section, and used in a later one.
    /// An urgent case put in front meanwhile moves every case by one, and the wrong one is closed.
    pub fn close_newest(&self) {
        let newest = self.list.lock().unwrap().cases.len() - 1;
        slow_work();
        self.list.lock().unwrap().cases[newest].closed = true;
    }

    /// The same with the index used under the guard that it was found under.
    pub fn close_newest_fixed(&self) {
        slow_work();
        let mut list = self.list.lock().unwrap();
        let newest = list.cases.len() - 1;
        list.cases[newest].closed = true;
    }
}
