//! A `watch` channel that is looked at before something is sent: somebody else may have sent meanwhile.
#![allow(dead_code)]

use tokio::sync::watch;

#[derive(Clone, Copy, PartialEq)]
pub enum Phase {
    Idle,
    Running(u64),
    Done,
}

pub struct Job {
    phase: watch::Sender<Phase>,
}

impl Job {
    pub fn start_bad(&self, id: u64) -> bool {
        if *self.phase.borrow() != Phase::Idle {
            return false;
        }
        self.phase.send_replace(Phase::Running(id)); //~ check_then_act
        true
    }

    pub fn start_ok(&self, id: u64) -> bool {
        self.phase.send_if_modified(|phase| {
            let idle = *phase == Phase::Idle;
            if idle {
                *phase = Phase::Running(id);
            }
            idle
        })
    }

    pub fn finish_ok(&self) {
        self.phase.send_replace(Phase::Done);
    }

    pub async fn wait_ok(mut receiver: watch::Receiver<Phase>) {
        while *receiver.borrow_and_update() != Phase::Done {
            if receiver.changed().await.is_err() {
                return;
            }
        }
    }
}
