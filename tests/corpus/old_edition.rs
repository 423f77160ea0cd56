//! edition: 2015
//! What the first edition allowed: bare trait objects, `try!`, anonymous parameters, `async` as a name, paths from the root.
#![allow(deprecated)]
extern crate std as base;
use base::sync::Mutex;

pub mod dyn_like {
    pub static LOCK: ::base::sync::Mutex<u32> = ::base::sync::Mutex::new(0);
}

pub trait Old {
    fn act(&self, u32) -> u32;
}

impl Old for Mutex<u32> {
    fn act(&self, async: u32) -> u32 {
        let seen = *self.lock().unwrap();
        *self.lock().unwrap() = seen + async;
        seen
    }
}

pub fn boxed(all: Vec<Box<Old + 'static>>) -> u32 {
    let mut sum = *::dyn_like::LOCK.lock().unwrap();
    for each in &all {
        sum += each.act(sum);
    }
    *::dyn_like::LOCK.lock().unwrap() = sum;
    sum
}

pub fn tried(lock: &Mutex<u32>) -> Result<u32, String> {
    let n: u32 = try!("1".parse().map_err(|_| String::new()));
    let seen = *try!(lock.lock().map_err(|_| String::new()));
    *try!(lock.lock().map_err(|_| String::new())) = seen + n;
    match seen {
        0...9 => Ok(seen),
        _ => Err(String::new()),
    }
}
