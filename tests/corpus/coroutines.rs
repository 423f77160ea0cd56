//! Coroutines and gen blocks that hold guards while they wait for their turn.
#![feature(coroutines, coroutine_trait, stmt_expr_attributes, gen_blocks, iter_macro, yield_expr)]
use std::ops::{Coroutine, CoroutineState};
use std::pin::Pin;
use std::sync::Mutex;

pub fn numbers(total: &Mutex<u32>) -> impl Coroutine<u32, Yield = u32, Return = ()> + '_ {
    #[coroutine]
    static move |mut given: u32| {
        loop {
            let guard = total.lock().unwrap();
            let before = *guard;
            given += yield before;
            drop(guard);
            *total.lock().unwrap() = before + given;
            if given > 10 {
                return;
            }
        }
    }
}

pub fn movable(total: &Mutex<u32>) -> u32 {
    let mut steps = #[coroutine]
    || {
        let seen = *total.lock().unwrap();
        yield seen;
        *total.lock().unwrap() = seen + 1;
        "end"
    };
    let mut sum = 0;
    loop {
        match Pin::new(&mut steps).resume(()) {
            CoroutineState::Yielded(n) => sum += n,
            CoroutineState::Complete(word) => return sum + word.len() as u32,
        }
    }
}

pub gen fn all(locks: &[Mutex<u32>]) -> u32 {
    for lock in locks {
        let guard = lock.lock().unwrap();
        yield *guard;
    }
}

pub fn block(locks: &[Mutex<u32>]) -> u32 {
    let mut own = gen {
        for n in all(locks) {
            if n == 3 {
                return;
            }
            yield n + *locks[0].lock().unwrap();
        }
    };
    let mut sum = 0;
    while let Some(n) = own.next() {
        sum += n;
        *locks[0].lock().unwrap() = sum;
    }
    sum
}

pub fn macro_made(lock: &Mutex<u32>) -> u32 {
    let each = std::iter::iter! { || {
        let seen = *lock.lock().unwrap();
        yield seen;
        *lock.lock().unwrap() = seen;
    } };
    each().sum()
}

pub fn nested(lock: &Mutex<u32>) -> u32 {
    let mut outer = #[coroutine]
    || {
        let mut inner = #[coroutine]
        || {
            let guard = lock.lock().unwrap();
            yield *guard;
        };
        while let CoroutineState::Yielded(n) = Pin::new(&mut inner).resume(()) {
            yield n;
        }
    };
    let mut last = 0;
    while let CoroutineState::Yielded(n) = Pin::new(&mut outer).resume(()) {
        last = n;
    }
    last
}
