//! What stands between check and act, and what rides along with the decision, is told as a reason.
#![allow(dead_code)]

use std::fs;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

struct Daemon {
    config: Mutex<Option<Arc<String>>>,
    started: Mutex<bool>,
    stopped: Mutex<bool>,
    messages: Sender<u32>,
}

impl Daemon {
    /// Two threads read the file, and hand out two copies; mostly that does no harm, or one thread alone has to do with the file.
    fn fn_config(&self) -> Arc<String> {
        if let Some(config) = self.config.lock().unwrap().as_ref() {
            return config.clone();
        }
        let config = Arc::new(fs::read_to_string("daemon.conf").unwrap_or_default());
        *self.config.lock().unwrap() = Some(config.clone());
        config
    }

    fn config_ok(&self) -> Arc<String> {
        let mut slot = self.config.lock().unwrap();
        if let Some(config) = slot.as_ref() {
            return config.clone();
        }
        let config = Arc::new(fs::read_to_string("daemon.conf").unwrap_or_default());
        *slot = Some(config.clone());
        config
    }

    /// Two threads start two workers.
    fn start_bad(&self) {
        if *self.started.lock().unwrap() {
            return;
        }
        thread::spawn(|| thread::sleep(Duration::from_secs(1)));
        *self.started.lock().unwrap() = true; //~ check_then_act
    }

    fn start_ok(&self) {
        let started = std::mem::replace(&mut *self.started.lock().unwrap(), true);
        if !started {
            thread::spawn(|| thread::sleep(Duration::from_secs(1)));
        }
    }

    /// Sleeps, then acts on what it saw before.
    fn stop_late_bad(&self) {
        if *self.stopped.lock().unwrap() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
        *self.stopped.lock().unwrap() = true; //~ check_then_act
    }

    fn stop_and_tell_bad(&self) {
        if *self.stopped.lock().unwrap() {
            return;
        }
        *self.stopped.lock().unwrap() = true; //~ check_then_act
        let _ = self.messages.send(1);
    }

    fn resume(&self) {
        *self.stopped.lock().unwrap() = false;
        *self.started.lock().unwrap() = false;
    }
}
