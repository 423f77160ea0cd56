//! A generation that is read with what it belongs to, and compared in the function that acts.
#![allow(dead_code)]

use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generation(u64);

pub struct Cache {
    cached: Mutex<(Option<Vec<u32>>, Generation)>,
}

impl Cache {
    pub fn get_ok(&self, want: &[u32]) -> Option<Vec<u32>> {
        let (mut found, generation) = match &*self.cached.lock().unwrap() {
            (Some(found), generation) => (found.clone(), *generation),
            (None, _) => return None,
        };
        found.retain(|one| want.contains(one));
        if found.len() != want.len() {
            self.invalidate(generation);
            return None;
        }
        Some(found)
    }

    pub fn get_bad(&self, want: &[u32]) -> Option<Vec<u32>> {
        let mut found = self.cached.lock().unwrap().0.clone()?;
        found.retain(|one| want.contains(one));
        if found.len() != want.len() {
            self.forget(); //~ check_then_act
            return None;
        }
        Some(found)
    }

    fn invalidate(&self, generation: Generation) {
        let mut cached = self.cached.lock().unwrap();
        if cached.1 != generation {
            return;
        }
        cached.0 = None;
    }

    fn forget(&self) {
        self.cached.lock().unwrap().0 = None;
    }

    pub fn update(&self, new: Vec<u32>) {
        let mut cached = self.cached.lock().unwrap();
        cached.0 = Some(new);
        cached.1.0 += 1;
    }
}
