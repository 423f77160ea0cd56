//! The caller's closure is run under a lock, and given what leads to that lock.

use std::sync::{Arc, Mutex, OnceLock};

#[derive(Clone)]
pub struct Failure {
    inner: Arc<Mutex<String>>,
    code: u32,
}

impl Failure {
    pub fn with<R>(&self, look: impl FnOnce(&str) -> R) -> R {
        look(&self.inner.lock().unwrap())
    }

    pub fn code(&self) -> u32 {
        self.code
    }
}

pub enum Told<'a> {
    Failed(Failure),
    Text(&'a str),
}

pub struct Task {
    failure: OnceLock<Failure>,
}

impl Task {
    /// The closure is given a copy of the failure, and looks into it.
    pub fn tell_bad<R>(&self, tell: impl FnOnce(Told<'_>) -> R) -> Option<R> {
        let failure = self.failure.get()?;
        match failure.inner.lock() {
            Ok(text) if !text.is_empty() => Some(tell(Told::Text(&text))),
            Ok(_text) => Some(tell(Told::Failed(failure.clone()))), //~ double_lock
            Err(_) => None,
        }
    }

    pub fn tell_ok<R>(&self, tell: impl FnOnce(Told<'_>) -> R) -> Option<R> {
        let failure = self.failure.get()?;
        match failure.inner.lock() {
            Ok(text) if !text.is_empty() => Some(tell(Told::Text(&text))),
            Ok(text) => {
                drop(text);
                Some(tell(Told::Failed(failure.clone())))
            }
            Err(_) => None,
        }
    }
}

pub struct Registry {
    names: Mutex<Vec<String>>,
    labels: Mutex<Vec<String>>,
}

impl Registry {
    pub fn count(&self) -> usize {
        self.names.lock().unwrap().len()
    }

    /// `count` is the first that a closure with the registry in its hands would call.
    pub fn each_bad(&self, mut visit: impl FnMut(&Registry, &str)) {
        let names = self.names.lock().unwrap();
        for name in names.iter() {
            visit(self, name); //~ double_lock
        }
    }

    pub fn each_ok(&self, mut visit: impl FnMut(&Registry, &str)) {
        let names = self.names.lock().unwrap().clone();
        for name in names.iter() {
            visit(self, name);
        }
    }

    /// It is given what the lock protects, and cannot get at the lock.
    pub fn edit_ok(&self, edit: impl FnOnce(&mut Vec<String>)) {
        edit(&mut self.names.lock().unwrap());
    }

    /// Nobody outside can take this one.
    pub fn label_ok(&self, mut visit: impl FnMut(&Registry, &str)) {
        let labels = self.labels.lock().unwrap();
        for label in labels.iter() {
            visit(self, label);
        }
    }

    /// Nobody outside can call this: which closures there are is known.
    fn each_here_ok(&self, mut visit: impl FnMut(&Registry, &str)) {
        let names = self.names.lock().unwrap();
        for name in names.iter() {
            visit(self, name);
        }
    }

    pub fn print(&self) {
        self.each_here_ok(|_, name| println!("{name}"));
    }
}
