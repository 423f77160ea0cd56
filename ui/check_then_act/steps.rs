//! State machines: each way from the look writes the state that comes next. Whoever drives such a machine is mostly alone with it.
#![allow(dead_code)]

use std::sync::{Arc, RwLock};

#[derive(Clone)]
enum Step {
    Start,
    Loaded(Arc<Vec<u8>>),
    Done,
}

struct Pager {
    step: RwLock<Step>,
    busy: RwLock<Option<Arc<Vec<u8>>>>,
}

fn load() -> Option<Arc<Vec<u8>>> {
    None
}

fn check(_page: &[u8]) -> bool {
    true
}

impl Pager {
    fn reset(&self) {
        *self.step.write().unwrap() = Step::Start;
    }

    /// One look, and each way sets what comes next.
    fn drive_ok(&self) {
        loop {
            let step = self.step.read().unwrap().clone();
            match step {
                Step::Start => {
                    let Some(page) = load() else { return };
                    *self.step.write().unwrap() = Step::Loaded(page);
                }
                Step::Loaded(page) => {
                    check(&page);
                    *self.step.write().unwrap() = Step::Done;
                }
                Step::Done => return,
            }
        }
    }

    /// What was seen goes on into the next state.
    fn carry_ok(&self) {
        let step = self.step.read().unwrap().clone();
        match step {
            Step::Start => *self.step.write().unwrap() = Step::Done,
            Step::Loaded(page) if check(&page) => *self.step.write().unwrap() = Step::Loaded(page),
            Step::Loaded(_) | Step::Done => {}
        }
    }

    /// Only one way writes it.
    fn start_bad(&self, page: Arc<Vec<u8>>) {
        let is_new = matches!(*self.step.read().unwrap(), Step::Start);
        if is_new {
            *self.step.write().unwrap() = Step::Loaded(page); //~ check_then_act
        }
    }

    /// Taken, and given back on two ways: these two are no steps to each other's side of the first.
    fn work_bad(&self, page: Arc<Vec<u8>>) -> bool {
        if self.busy.read().unwrap().is_some() {
            return false;
        }
        *self.busy.write().unwrap() = Some(page.clone()); //~ check_then_act
        if !check(&page) {
            *self.busy.write().unwrap() = None;
            return false;
        }
        *self.busy.write().unwrap() = None;
        true
    }

    fn work_ok(&self, page: Arc<Vec<u8>>) -> bool {
        let mut busy = self.busy.write().unwrap();
        if busy.is_some() {
            return false;
        }
        *busy = Some(page);
        true
    }
}
