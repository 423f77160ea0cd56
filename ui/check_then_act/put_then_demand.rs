//! What was put there in a section that is over is demanded in a later one: somebody may have taken it away.
#![allow(dead_code)]

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

#[derive(Default)]
pub struct Limiter {
    series: RwLock<HashMap<String, Arc<AtomicUsize>>>,
}

impl Limiter {
    pub fn add_bad(&self, key: &str) {
        let found = self.series.read().unwrap().get(key).cloned();
        let count = match found {
            Some(count) => count,
            None => {
                self.series.write().unwrap().entry(key.to_owned()).or_default();
                let series = self.series.read().unwrap();
                let Some(count) = series.get(key) else { //~ check_then_act
                    unreachable!("it was put there");
                };
                count.clone()
            }
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    pub fn unwrapped_bad(&self, key: &str) {
        self.series.write().unwrap().entry(key.to_owned()).or_default();
        let series = self.series.read().unwrap();
        series.get(key).unwrap().fetch_add(1, Ordering::Relaxed); //~ check_then_act
    }

    /// The entry is used where it was put.
    pub fn add_ok(&self, key: &str) {
        let mut series = self.series.write().unwrap();
        let count = series.entry(key.to_owned()).or_default();
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// One section.
    pub fn indexed_ok(&self, key: &str) {
        let mut series = self.series.write().unwrap();
        series.entry(key.to_owned()).or_default();
        series.get(key).unwrap().fetch_add(1, Ordering::Relaxed);
    }

    /// Ready to find nothing.
    pub fn absent_ok(&self, key: &str) {
        self.series.write().unwrap().entry(key.to_owned()).or_default();
        let series = self.series.read().unwrap();
        if let Some(count) = series.get(key) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Another entry than the one that was put there: why that one should be there is another matter.
    pub fn other_ok(&self, key: &str, other: &str) {
        self.series.write().unwrap().entry(key.to_owned()).or_default();
        let series = self.series.read().unwrap();
        series.get(other).unwrap().fetch_add(1, Ordering::Relaxed);
    }

    pub fn clean_up(&self) {
        self.series.write().unwrap().retain(|_, count| count.load(Ordering::Relaxed) != 0);
    }
}

#[derive(Default)]
pub struct Names {
    names: RwLock<HashMap<u32, String>>,
}

impl Names {
    /// Nobody takes a name away.
    pub fn name_ok(&self, id: u32) -> String {
        self.names.write().unwrap().insert(id, id.to_string());
        self.names.read().unwrap().get(&id).unwrap().clone()
    }
}

#[derive(Default)]
pub struct Job {
    result: Mutex<Option<String>>,
}

impl Job {
    pub fn run_bad(&self, work: fn() -> String) -> String {
        *self.result.lock().unwrap() = Some(work());
        self.result.lock().unwrap().clone().unwrap() //~ check_then_act
    }

    /// What is there, if it is.
    pub fn look_ok(&self, work: fn() -> String) -> String {
        *self.result.lock().unwrap() = Some(work());
        self.result.lock().unwrap().clone().unwrap_or_default()
    }

    pub fn take(&self) -> Option<String> {
        self.result.lock().unwrap().take()
    }
}

/// One at a time, for whoever puts and whoever takes.
#[derive(Default)]
pub struct Turns {
    turn: Mutex<()>,
    result: Mutex<Option<String>>,
}

impl Turns {
    pub fn run_ok(&self, work: fn() -> String) -> String {
        let _turn = self.turn.lock().unwrap();
        *self.result.lock().unwrap() = Some(work());
        self.result.lock().unwrap().clone().unwrap()
    }

    pub fn take(&self) -> Option<String> {
        let _turn = self.turn.lock().unwrap();
        self.result.lock().unwrap().take()
    }
}
