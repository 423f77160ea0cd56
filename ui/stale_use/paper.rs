//! The programs of Burrows and Leino, "Finding stale-value errors in concurrent programs", carried over to Rust by
//! their names: the three examples, the instrumented listing, and the one of the section on related work.
#![allow(dead_code, unused_variables, unused_assignments, static_mut_refs)]
#![warn(stale_use)]

use std::sync::{Arc, Condvar, Mutex};

static LOCK: Mutex<()> = Mutex::new(());
static mut X: i32 = 0;

/// "The first example shows a simple race condition that previous techniques address, but our technique does not."
fn first_example_ok() {
    let t0;
    {
        let _section = LOCK.lock().unwrap();
        t0 = unsafe { X };
    }
    let t1 = unsafe { X };
}

/// The first use is justified, the second is dubious, the third "probably even more so". The checker goes on as if the
/// variable were fresh after its warning, so the third is named with the second.
fn second_example_bad(x: &Mutex<i32>) {
    let section = x.lock().unwrap();
    let t0 = *section;
    drop(section);
    let t1 = t0;
    let section = x.lock().unwrap();
    let t2 = t0; //~ stale_use
    drop(section);
    let t3 = t0;
}

fn second_example_ok(x: &Mutex<i32>) {
    let section = x.lock().unwrap();
    let t0 = *section;
    drop(section);
    let t1 = t0;
    let section = x.lock().unwrap();
    let t0 = *section;
    let t2 = t0;
    drop(section);
    let t3 = t0;
}

struct Buffer {
    n: usize,
    arr: Arc<Vec<i32>>,
    nextc: usize,
}

struct ProduceConsume {
    buffer: Mutex<Buffer>,
    nonempty: Condvar,
}

impl ProduceConsume {
    /// "Analysis of the flow of this code will fail to prove that `stale_a` is false at the first assertion."
    fn third_example_bad(&self) -> i32 {
        let mut section = self.buffer.lock().unwrap();
        let a = section.arr.clone();
        while section.n == 0 {
            section = self.nonempty.wait(section).unwrap();
        }
        let v = a[section.nextc]; //~ stale_use
        //~^ stale_after_wait
        section.nextc = (section.nextc + 1) % a.len();
        section.n -= 1;
        drop(section);
        v
    }

    fn third_example_ok(&self) -> i32 {
        let mut section = self.buffer.lock().unwrap();
        while section.n == 0 {
            section = self.nonempty.wait(section).unwrap();
        }
        let a = section.arr.clone();
        let v = a[section.nextc];
        section.nextc = (section.nextc + 1) % a.len();
        section.n -= 1;
        drop(section);
        v
    }

    fn produce(&self, v: i32) {
        let mut section = self.buffer.lock().unwrap();
        let mut larger = section.arr.to_vec();
        larger.push(v);
        section.arr = Arc::new(larger);
        section.n += 1;
        self.nonempty.notify_one();
    }
}

fn b(t: i32) -> bool {
    t > 3
}

/// "The ghost assertion in the second critical section will fail if the expression B(t) evaluates to false."
fn instrumented_listing_bad(x: &Mutex<i32>) {
    let mut t;
    {
        let section = x.lock().unwrap();
        t = *section;
    }
    if b(t) {
        t = 0;
    }
    let mut section = x.lock().unwrap();
    *section = t + 1; //~ stale_use
    //~^ stale_value
}

/// With `t := 0` on both ways the last write stands outside: the assertion holds.
fn instrumented_listing_ok(x: &Mutex<i32>) {
    let mut t;
    {
        let section = x.lock().unwrap();
        t = *section;
    }
    if b(t) {
        t = 0;
    } else {
        t = 1;
    }
    let mut section = x.lock().unwrap();
    *section = t + 1;
}

/// The program that a verifier would refuse too.
fn related_work_bad(a: &Mutex<Vec<i32>>) -> i32 {
    let t;
    {
        let section = a.lock().unwrap();
        t = section.len();
    }
    let section = a.lock().unwrap();
    let mut s = 0;
    let mut i = 0;
    while i < t { //~ stale_use
        s += section[i];
        i += 1;
    }
    s
}

fn related_work_ok(a: &Mutex<Vec<i32>>) -> i32 {
    let section = a.lock().unwrap();
    let t = section.len();
    let mut s = 0;
    let mut i = 0;
    while i < t {
        s += section[i];
        i += 1;
    }
    s
}
