//! Ways through a body: let chains, let-else, labelled blocks, loops in loops, try blocks, tail calls, never.
#![feature(try_blocks, explicit_tail_calls, never_type, yeet_expr, if_let_guard, loop_match, postfix_match, never_patterns, guard_patterns, super_let, try_blocks_heterogeneous)]
#![allow(incomplete_features, unreachable_code)]
use std::sync::{Mutex, TryLockError};

pub fn chains(a: &Mutex<Option<u32>>, b: &Mutex<Vec<u32>>) -> u32 {
    if let Ok(first) = a.lock()
        && let Some(n) = *first
        && n > 3
        && let Ok(second) = b.lock()
        && let [x, .., y] = second[..]
    {
        return n + x + y;
    }
    while let Ok(first) = a.try_lock()
        && let Some(n) = *first
    {
        drop(first);
        *a.lock().unwrap() = n.checked_sub(1);
    }
    let Ok(mut rest) = b.try_lock() else { return 0 };
    let Some(last) = rest.pop() else {
        drop(rest);
        return chains(a, b);
    };
    last
}

pub fn labels(a: &Mutex<u32>) -> u32 {
    let found = 'search: {
        let guard = a.lock().unwrap();
        if *guard == 0 {
            break 'search None;
        }
        'outer: for n in 0..*guard {
            for m in 0..n {
                if m * n == *guard {
                    break 'search Some(m);
                }
                if m > 7 {
                    continue 'outer;
                }
            }
        }
        Some(1)
    };
    *a.lock().unwrap() = found.unwrap_or(2);
    loop {
        let guard = a.lock().unwrap();
        break if *guard > 3 { *guard } else { continue };
    }
}

pub fn tries(a: &Mutex<u32>, b: &Mutex<u32>) -> Result<u32, ()> {
    let both: Option<u32> = try { *a.try_lock().ok()? + *b.try_lock().ok()? };
    let either: Result<u32, TryLockError<_>> = try {
        let first = a.try_lock()?;
        *first + both.unwrap_or(0)
    };
    let Ok(n) = either else { do yeet () };
    *a.lock().map_err(|_| ())? = n;
    Ok(n)
}

pub fn count(a: &Mutex<u32>, n: u32) -> u32 {
    let seen = *a.lock().unwrap();
    if seen >= n {
        return seen;
    }
    *a.lock().unwrap() = seen + 1;
    become count(a, n)
}

pub fn never(a: &Mutex<u32>) -> ! {
    let guard = a.lock().unwrap();
    let n: ! = loop {
        std::hint::black_box(&*guard);
        if *guard > 3 {
            panic!("{guard}");
        }
    };
    n
}

pub fn uninhabited(a: &Mutex<Result<u32, !>>) -> u32 {
    let Ok(n) = *a.lock().unwrap() else { return 0 };
    *a.lock().unwrap() = Ok(n);
    match *a.lock().unwrap() {
        Ok(n) => n,
        Err(!),
    }
}

pub fn guarded_arms(a: &Mutex<Option<u32>>) -> u32 {
    match *a.lock().unwrap() {
        Some(n) if let Ok(other) = a.try_lock() && *other == Some(n) => n,
        Some(0 | 2 | 4) => 1,
        Some(n @ 5..=9) if n % 2 == 1 => n,
        Some(10..) => 10,
        Some(_) => 3,
        None => 0,
    }
}

pub fn postfix(a: &Mutex<u32>) -> u32 {
    a.lock().unwrap().match {
        guard if *guard > 3 => *guard,
        guard => {
            drop(guard);
            *a.lock().unwrap()
        }
    }
}

pub enum Step {
    One,
    Two,
    End,
}

pub fn machine(a: &Mutex<u32>) -> u32 {
    let mut state = Step::One;
    #[loop_match]
    loop {
        state = 'now: {
            match state {
                Step::One => {
                    *a.lock().unwrap() += 1;
                    #[const_continue]
                    break 'now Step::Two;
                }
                Step::Two => {
                    if *a.lock().unwrap() > 3 {
                        #[const_continue]
                        break 'now Step::End;
                    }
                    #[const_continue]
                    break 'now Step::One;
                }
                Step::End => return *a.lock().unwrap(),
            }
        }
    }
}

pub fn extended(a: &Mutex<u32>) -> u32 {
    let kept = {
        super let guard = a.lock().unwrap();
        &*guard
    };
    *kept + 1
}

pub fn returns(a: &Mutex<u32>, n: u32) -> u32 {
    return match n {
        0 => return *a.lock().unwrap(),
        1 => (|| return *a.lock().unwrap())(),
        _ => {
            let guard = a.lock().unwrap();
            if n == 2 {
                return *guard;
            }
            let _pair: (u32, u32) = (*guard, return 4);
        }
    };
}
