//! Code that stands in no function: in statics, constants, lengths, discriminants, defaults, patterns, attributes.
#![feature(default_field_values, generic_const_exprs, const_async_blocks, closure_track_caller, coverage_attribute, custom_inner_attributes, stmt_expr_attributes, optimize_attribute)]
#![allow(incomplete_features)]
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, RwLock};

pub static TOTAL: Mutex<u32> = Mutex::new(0);

pub static CLOSURE: fn() -> u32 = || {
    let seen = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = seen + 1;
    seen
};

pub static LAZY: LazyLock<Mutex<u32>> = LazyLock::new(|| {
    let seen = *TOTAL.lock().unwrap();
    *TOTAL.lock().unwrap() = seen + 1;
    Mutex::new(seen)
});

pub const TABLE: [fn(&Mutex<u32>) -> u32; 2] = [
    |lock| {
        let seen = *lock.lock().unwrap();
        *lock.lock().unwrap() = seen + 1;
        seen
    },
    |lock| *lock.lock().unwrap(),
];

pub static FUTURE: Mutex<Option<Pin<Box<dyn Future<Output = u32> + Send>>>> = Mutex::new(None);

pub const ASYNC: fn() -> Pin<Box<dyn Future<Output = u32>>> = || {
    Box::pin(async {
        let seen = *TOTAL.lock().unwrap();
        std::future::ready(()).await;
        *TOTAL.lock().unwrap() = seen;
        seen
    })
};

pub const LENGTH: usize = {
    const fn inner(lock: &mut Mutex<u32>) -> usize {
        let _ = lock;
        3
    }
    struct Local(Mutex<u32>);
    impl Local {
        #[allow(dead_code)]
        fn bump(&self) -> u32 {
            let seen = *self.0.lock().unwrap();
            *self.0.lock().unwrap() = seen + 1;
            seen
        }
    }
    inner(&mut Mutex::new(1))
};

#[repr(i128)]
#[allow(dead_code)]
pub enum Odd {
    Least = i128::MIN,
    Computed = {
        static HIDDEN: AtomicU32 = AtomicU32::new(0);
        let _unused: fn() = || {
            let n = HIDDEN.load(Ordering::SeqCst);
            HIDDEN.store(n + 1, Ordering::SeqCst);
        };
        5
    },
    Most = i128::MAX,
}

pub fn odd(lock: &Mutex<Odd>) -> u32 {
    match *lock.lock().unwrap() {
        Odd::Least => 0,
        Odd::Computed => *TOTAL.lock().unwrap(),
        Odd::Most => 2,
    }
}

pub struct Defaults {
    hook: fn() -> u32 = || {
        let seen = *TOTAL.lock().unwrap();
        *TOTAL.lock().unwrap() = seen + 1;
        seen
    },
    lock: Mutex<[u8; { LENGTH * 2 }]> = Mutex::new([0; { LENGTH * 2 }]),
}

pub fn defaults() -> u32 {
    let defaults = Defaults { .. };
    let seen = defaults.lock.lock().unwrap()[0];
    defaults.lock.lock().unwrap()[1] = seen;
    (defaults.hook)()
}

pub fn inline() -> u32 {
    let hook = const {
        || {
            let seen = *TOTAL.lock().unwrap();
            *TOTAL.lock().unwrap() = seen + 1;
            seen
        }
    };
    let array = [(); {
        fn unused(lock: &Mutex<u32>) -> u32 {
            *lock.lock().unwrap()
        }
        let _keep: fn(&Mutex<u32>) -> u32 = unused;
        2
    }];
    hook() + array.len() as u32 + TABLE.iter().map(|entry| entry(&TOTAL)).sum::<u32>() + CLOSURE()
}

pub trait Defaulted {
    const HOOK: fn(&Self) -> u32;
    fn lock(&self) -> MutexGuard<'_, u32>;
    fn bump(&self) -> u32 {
        let seen = *self.lock();
        *self.lock() = seen + 1;
        (Self::HOOK)(self)
    }
}

impl Defaulted for Mutex<u32> {
    const HOOK: fn(&Self) -> u32 = |lock| *lock.lock().unwrap();
    fn lock(&self) -> MutexGuard<'_, u32> {
        Mutex::lock(self).unwrap()
    }
}

#[track_caller]
#[inline(always)]
#[must_use]
pub fn attributes(lock: &Mutex<u32>) -> u32 {
    #![allow(clippy::all)]
    let seen = #[coverage(off)]
    #[track_caller]
    || *lock.lock().unwrap();
    *lock.lock().unwrap() = seen() + std::panic::Location::caller().line();
    seen()
}

#[cold]
#[optimize(size)]
#[deprecated]
#[doc(hidden)]
pub const fn constant(lock: &Mutex<u32>) -> &Mutex<u32> {
    lock
}

mod r#mod {
    pub(in crate::r#mod) static r#static: std::sync::Mutex<u32> = std::sync::Mutex::new(0);
    pub mod r#fn {
        pub fn r#match(r#lock: &std::sync::Mutex<u32>) -> u32 {
            let zählung = *r#lock.lock().unwrap();
            *super::r#static.lock().unwrap() = zählung;
            *r#lock.lock().unwrap() = zählung + 1;
            zählung
        }
    }
}

pub fn names() -> u32 {
    r#mod::r#fn::r#match(constant(&TOTAL)) + ONCE.get_or_init(|| RwLock::new(*LAZY.lock().unwrap())).read().map_or(0, |n| *n)
}

static ONCE: OnceLock<RwLock<u32>> = OnceLock::new();

impl Drop for Defaults {
    fn drop(&mut self) {
        struct Inner<'a>(&'a Mutex<u32>);
        impl Drop for Inner<'_> {
            fn drop(&mut self) {
                let seen = *self.0.lock().unwrap();
                *self.0.lock().unwrap() = seen + 1;
            }
        }
        let _inner = Inner(&TOTAL);
        let _both = (Inner(&TOTAL), Inner(&TOTAL));
    }
}

pub fn nested() -> impl Fn() -> u32 {
    || {
        fn deeper() -> impl Fn() -> u32 {
            || {
                static NEAR: Mutex<u32> = Mutex::new(0);
                let inner = || {
                    let inmost = || *NEAR.lock().unwrap();
                    *NEAR.lock().unwrap() = inmost() + 1;
                    inmost()
                };
                inner()
            }
        }
        deeper()()
    }
}
