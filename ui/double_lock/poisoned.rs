//! A lock that could not be had because it is poisoned comes with its guard all the same, unless somebody drops it.
#![allow(dead_code)]

use std::sync::{Mutex, PoisonError};

struct Pager {
    pages: Mutex<Vec<u32>>,
}

impl Pager {
    fn first_ok(&self) -> Result<u32, String> {
        match self.pages.lock().map_err(|_| "poisoned".to_owned()) {
            Ok(pages) => Ok(pages.first().copied().unwrap_or(0)),
            Err(why) => {
                // The guard went with the error that `map_err` has dropped.
                let known = self.pages.lock().unwrap_or_else(PoisonError::into_inner).len();
                Err(format!("{why} with {known} pages"))
            }
        }
    }

    /// Ranked low: another thread has to panic first.
    fn first_held(&self) -> Result<u32, String> {
        match self.pages.lock() {
            Ok(pages) => Ok(pages.first().copied().unwrap_or(0)),
            Err(poisoned) => {
                let known = self.pages.lock().unwrap_or_else(PoisonError::into_inner).len();
                Err(format!("{} of {known} pages", poisoned.get_ref().len()))
            }
        }
    }

    fn try_ok(&self) -> u32 {
        if let Ok(pages) = self.pages.try_lock() {
            return pages.len() as u32;
        }
        self.pages.lock().unwrap().len() as u32
    }

    fn question_mark_ok(&self) -> Result<usize, String> {
        let length = self.pages.lock().map_err(|_| "poisoned".to_owned())?.len();
        Ok(length + self.pages.lock().map_err(|_| "poisoned".to_owned())?.len())
    }
}
