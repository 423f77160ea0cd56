//! Who finds a name taken is turned away. Two that come together both find it free, and the second one takes what the first one
//! was just promised: that is more than work done twice.

use std::collections::HashMap;
use std::sync::RwLock;

pub struct Setting {
    pub name: String,
    pub default: i64,
}

#[derive(Debug)]
pub enum Refused {
    Taken(String),
}

#[derive(Default)]
pub struct Settings {
    known: RwLock<HashMap<String, Setting>>,
    names: RwLock<HashMap<String, String>>,
}

impl Settings {
    pub fn register_bad(&self, setting: Setting) -> Result<(), Refused> {
        let name = setting.name.to_string();
        if self.known.read().unwrap().contains_key(&name) {
            return Err(Refused::Taken(format!("the name {name} is taken")));
        }
        self.known.write().unwrap().insert(name, setting); //~ check_then_act
        Ok(())
    }

    pub fn register_ok(&self, setting: Setting) -> Result<(), Refused> {
        let name = setting.name.to_string();
        let mut known = self.known.write().unwrap();
        if known.contains_key(&name) {
            return Err(Refused::Taken(name));
        }
        known.insert(name, setting);
        Ok(())
    }

    pub fn claim_bad(&self, name: &str) -> bool {
        if self.names.read().unwrap().contains_key(name) {
            return false;
        }
        self.names.write().unwrap().insert(name.to_owned(), name.to_uppercase()); //~ check_then_act
        true
    }

    /// It is there afterwards, whoever has put it there: nobody is turned away.
    pub fn ensure_ok(&self, name: &str) -> Result<(), Refused> {
        if self.names.read().unwrap().contains_key(name) {
            return Ok(());
        }
        let name = checked(name)?;
        self.names.write().unwrap().insert(name.clone(), name.to_uppercase());
        Ok(())
    }

    pub async fn register_later_bad(&self, name: String) -> Result<(), Refused> {
        if self.names.read().unwrap().contains_key(&name) {
            return Err(Refused::Taken(name));
        }
        let upper = name.to_uppercase();
        self.names.write().unwrap().insert(name, upper); //~ check_then_act
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Status {
    Open(u32),
    Closing(u32),
}

/// Who asks too late is turned away; who closes what is being closed does no harm.
pub struct Channel {
    status: RwLock<Status>,
}

impl Channel {
    pub fn is_open(&self) -> bool {
        matches!(*self.status.read().unwrap(), Status::Open(_))
    }

    fn set(&self, status: Status) {
        *self.status.write().unwrap() = status;
    }

    pub fn close_ok(&self, reason: u32) -> Result<(), Refused> {
        if !self.is_open() {
            return Err(Refused::Taken(String::new()));
        }
        self.set(Status::Closing(reason));
        Ok(())
    }

    pub fn open(&self, number: u32) {
        self.set(Status::Open(number));
    }
}

fn checked(name: &str) -> Result<String, Refused> {
    if name.is_empty() { Err(Refused::Taken(String::new())) } else { Ok(name.to_owned()) }
}
