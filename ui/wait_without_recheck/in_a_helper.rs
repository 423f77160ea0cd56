//! The wait stands in a function that is given the guard.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};

struct Queue {
    items: Mutex<VecDeque<u32>>,
    added: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().unwrap().push_back(item);
        self.added.notify_one();
    }

    fn sleep<'a>(&self, items: MutexGuard<'a, VecDeque<u32>>) -> MutexGuard<'a, VecDeque<u32>> {
        self.added.wait(items).unwrap()
    }

    fn until_filled<'a>(&self, mut items: MutexGuard<'a, VecDeque<u32>>) -> MutexGuard<'a, VecDeque<u32>> {
        while items.is_empty() {
            items = self.added.wait(items).unwrap();
        }
        items
    }

    fn take_bad(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        if items.is_empty() {
            items = self.sleep(items); //~ wait_without_recheck
        }
        items.pop_front().unwrap()
    }

    fn take_ok(&self) -> u32 {
        let mut items = self.items.lock().unwrap();
        while items.is_empty() {
            items = self.sleep(items);
        }
        items.pop_front().unwrap()
    }

    fn tested_by_the_helper_ok(&self) -> u32 {
        let items = self.items.lock().unwrap();
        let mut items = self.until_filled(items);
        items.pop_front().unwrap()
    }

    fn old_after_the_helper_bad(&self) {
        let items = self.items.lock().unwrap();
        let first = items.front().copied().unwrap_or(0);
        let mut items = self.until_filled(items);
        items[0] = first + 1; //~ stale_after_wait
    }

    fn present_after_the_helper_ok(&self) {
        let items = self.items.lock().unwrap();
        let mut items = self.until_filled(items);
        items[0] += 1;
    }
}

struct Lent {
    items: parking_lot::Mutex<VecDeque<u32>>,
    added: parking_lot::Condvar,
}

impl Lent {
    fn add(&self, item: u32) {
        self.items.lock().push_back(item);
        self.added.notify_one();
    }

    fn sleep(&self, items: &mut parking_lot::MutexGuard<'_, VecDeque<u32>>) {
        self.added.wait(items);
    }

    fn take_bad(&self) -> u32 {
        let mut items = self.items.lock();
        if items.is_empty() {
            self.sleep(&mut items); //~ wait_without_recheck
        }
        items.pop_front().unwrap()
    }

    fn take_ok(&self) -> u32 {
        let mut items = self.items.lock();
        while items.is_empty() {
            self.sleep(&mut items);
        }
        items.pop_front().unwrap()
    }

    fn old_after_the_helper_bad(&self) {
        let mut items = self.items.lock();
        let first = items.front().copied().unwrap_or(0);
        while items.is_empty() {
            self.sleep(&mut items);
        }
        items[0] = first + 1; //~ stale_after_wait
    }
}
