//! Who goes through a concurrent map holds the shard of the element that it is at.
#![allow(dead_code)]

use dashmap::{DashMap, DashSet};

pub struct Records {
    current: DashMap<u32, u32>,
    other: DashMap<u32, u32>,
    names: DashSet<u32>,
}

impl Records {
    pub fn remove_bad(&self) {
        for element in self.current.iter() {
            if *element.value() == 0 {
                self.current.remove(element.key()); //~ double_lock
            }
        }
    }

    /// The keys first.
    pub fn remove_ok(&self) {
        let empty: Vec<u32> = self.current.iter().filter(|it| *it.value() == 0).map(|it| *it.key()).collect();
        for key in empty {
            self.current.remove(&key);
        }
    }

    pub fn retain_ok(&self) {
        self.current.retain(|_, value| *value != 0);
    }

    pub fn double_bad(&self) {
        self.current.iter_mut().for_each(|mut element| { //~ double_lock
            *element.value_mut() += self.current.get(&0).map_or(0, |first| *first);
        });
    }

    /// Readers of one shard do not hinder each other.
    pub fn sum_ok(&self) -> u32 {
        self.current.iter().map(|element| *element.value() + self.current.len() as u32).sum()
    }

    /// Another map.
    pub fn copy_ok(&self) {
        for element in self.current.iter() {
            self.other.insert(*element.key(), *element.value());
        }
    }

    /// The loop is over.
    pub fn after_ok(&self) -> u32 {
        let mut sum = 0;
        for element in self.current.iter() {
            sum += *element.value();
        }
        self.current.insert(0, 0);
        sum
    }

    pub fn names_bad(&self) {
        for name in self.names.iter() {
            self.names.remove(&(*name + 1)); //~ double_lock
        }
    }

    pub fn count_ok(&self) -> usize {
        let count = self.names.iter().count();
        self.names.insert(0);
        count
    }
}
