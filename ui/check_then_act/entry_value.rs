//! `entry(..).or_insert(..)` looks whether there is an entry. What was seen in the entry before is not looked at again by that.
#![allow(dead_code)]

use dashmap::DashMap;
use std::collections::HashMap;
use std::sync::RwLock;

pub struct Account {
    balance: i64,
    closed: bool,
}

pub struct Bank {
    balances: RwLock<HashMap<u32, i64>>,
    accounts: RwLock<HashMap<u32, Account>>,
    names: RwLock<HashMap<u32, String>>,
    limits: DashMap<u32, u32>,
}

impl Bank {
    pub fn pay_bad(&self, id: u32, sum: i64) -> bool {
        let balance = *self.balances.read().unwrap().get(&id).unwrap_or(&0);
        if balance < sum {
            return false;
        }
        *self.balances.write().unwrap().entry(id).or_default() -= sum; //~ check_then_act
        true
    }

    pub fn pay_ok(&self, id: u32, sum: i64) -> bool {
        let mut balances = self.balances.write().unwrap();
        let balance = balances.entry(id).or_default();
        if *balance < sum {
            return false;
        }
        *balance -= sum;
        true
    }

    pub fn close_bad(&self, id: u32) {
        if self.accounts.read().unwrap().get(&id).is_some_and(|account| account.balance != 0) {
            return;
        }
        let mut accounts = self.accounts.write().unwrap();
        accounts.entry(id).or_insert(Account { balance: 0, closed: false }).closed = true; //~ check_then_act
    }

    pub fn close_ok(&self, id: u32) -> bool {
        if self.accounts.read().unwrap().get(&id).is_some_and(|account| account.balance != 0) {
            return false;
        }
        let mut accounts = self.accounts.write().unwrap();
        let account = accounts.entry(id).or_insert(Account { balance: 0, closed: false });
        if account.balance != 0 {
            return false;
        }
        account.closed = true;
        true
    }

    pub fn name_ok(&self, id: u32) -> String {
        if let Some(name) = self.names.read().unwrap().get(&id) {
            return name.clone();
        }
        let mut names = self.names.write().unwrap();
        names.entry(id).or_insert_with(|| format!("account {id}")).clone()
    }

    pub fn first_ok(&self, id: u32) {
        if self.balances.read().unwrap().get(&id).is_none() {
            *self.balances.write().unwrap().entry(id).or_insert(0) += 1;
        }
    }

    pub fn known_ok(&self, id: u32) {
        if !self.balances.read().unwrap().contains_key(&id) {
            self.balances.write().unwrap().entry(id).or_insert(0);
        }
    }

    pub fn told_ok(&self, id: u32) {
        let before = self.balances.read().unwrap().get(&id).copied().unwrap_or(0);
        println!("{before}");
        *self.balances.write().unwrap().entry(id).or_default() += 1;
    }

    /// Whoever asks a concurrent map for an entry counts as having looked at what is in it.
    pub fn fn_admit(&self, id: u32) -> bool {
        let used = self.limits.get(&id).map_or(0, |used| *used);
        if used >= 10 {
            return false;
        }
        *self.limits.entry(id).or_insert(0) += 1;
        true
    }

    pub fn admit_ok(&self, id: u32) -> bool {
        let mut used = self.limits.entry(id).or_insert(0);
        if *used >= 10 {
            return false;
        }
        *used += 1;
        true
    }

    pub fn limit_ok(&self, id: u32) -> u32 {
        if let Some(used) = self.limits.get(&id) {
            return *used;
        }
        *self.limits.entry(id).or_insert(0)
    }
}
