//! What is to be done is gathered in one section, and done in later ones.
#![allow(dead_code)]

use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

pub struct Groups {
    members: Arc<DashMap<String, Vec<u32>>>,
}

impl Groups {
    pub fn join(&self, name: &str, who: u32) {
        self.members.entry(name.to_owned()).or_default().push(who);
    }

    /// Who joins in between is gone with the group.
    pub fn leave_all_bad(&self, who: u32) {
        let members = self.members.clone();
        let mut empty = Vec::new();
        for mut group in members.iter_mut() {
            group.value_mut().retain(|member| *member != who);
            if group.value().is_empty() {
                empty.push(group.key().clone());
            }
        }
        for name in empty {
            members.remove(&name); //~ check_then_act
        }
    }

    pub fn leave_all_ok(&self, who: u32) {
        let mut empty = Vec::new();
        for mut group in self.members.iter_mut() {
            group.value_mut().retain(|member| *member != who);
            if group.value().is_empty() {
                empty.push(group.key().clone());
            }
        }
        for name in empty {
            self.members.remove_if(&name, |_, members| members.is_empty());
        }
    }
}

pub struct Rooms {
    guests: Mutex<HashMap<String, Vec<u32>>>,
}

impl Rooms {
    pub fn enter(&self, name: &str, who: u32) {
        self.guests.lock().unwrap().entry(name.to_owned()).or_default().push(who);
    }

    pub fn leave_all_bad(&self, who: u32) {
        let mut empty = Vec::new();
        for (name, guests) in self.guests.lock().unwrap().iter_mut() {
            guests.retain(|guest| *guest != who);
            if guests.is_empty() {
                empty.push(name.clone());
            }
        }
        for name in empty {
            self.guests.lock().unwrap().remove(&name); //~ check_then_act
        }
    }
}
