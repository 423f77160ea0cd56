//! Types and functions that contain or call themselves, some of them larger with every step.
#![recursion_limit = "256"]
use std::cell::{Cell, OnceCell, UnsafeCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

pub struct List {
    value: Mutex<u32>,
    next: Option<Box<List>>,
}

impl List {
    pub fn sum(&self) -> u32 {
        let own = *self.value.lock().unwrap();
        own + self.next.as_ref().map_or(0, |next| next.sum())
    }

    pub fn last(&self) -> &List {
        let mut at = self;
        while let Some(next) = &at.next {
            *at.value.lock().unwrap() += 1;
            at = next;
        }
        at
    }

    pub fn hand_over_hand(&self) -> u32 {
        let mut at = self;
        let mut guard = self.value.lock().unwrap();
        while let Some(next) = &at.next {
            let following = next.value.lock().unwrap();
            guard = following;
            at = next;
        }
        *guard
    }
}

pub struct Tree {
    parent: RwLock<Weak<Tree>>,
    children: RwLock<HashMap<u32, Arc<Tree>>>,
    own: UnsafeCell<u32>,
}

unsafe impl Sync for Tree {}
unsafe impl Send for Tree {}

impl Tree {
    pub fn depth(&self) -> u32 {
        let parent = self.parent.read().unwrap().upgrade();
        parent.map_or(0, |parent| parent.depth() + 1)
    }

    pub fn adopt(self: &Arc<Self>, key: u32, child: Arc<Tree>) {
        *child.parent.write().unwrap() = Arc::downgrade(self);
        if !self.children.read().unwrap().contains_key(&key) {
            self.children.write().unwrap().insert(key, child);
        }
    }

    pub fn walk(&self, visit: &mut dyn FnMut(&Tree)) {
        visit(self);
        unsafe { *self.own.get() += 1 };
        self.children.read().unwrap().values().for_each(|child| child.walk(visit));
    }
}

/// Each link is about a larger type than the last; there is no end to the types that it leads to.
pub struct Growing<T> {
    value: Mutex<T>,
    count: Cell<u32>,
    atomic: AtomicU32,
    next: Option<Box<Growing<(T, T)>>>,
    lazy: OnceLock<Box<Growing<Option<T>>>>,
}

unsafe impl<T> Sync for Growing<T> {}

impl<T: Clone> Growing<T> {
    pub fn first(&self) -> T {
        let value = self.value.lock().unwrap().clone();
        *self.value.lock().unwrap() = value.clone();
        self.count.set(self.count.get() + 1);
        let n = self.atomic.load(Ordering::Relaxed);
        self.atomic.store(n + 1, Ordering::Relaxed);
        value
    }

    pub fn length(&self) -> u32 {
        let _guard = self.value.lock().unwrap();
        match &self.next {
            Some(next) => *next.count.as_ptr().cast_const().is_null().then_some(&1).unwrap_or(&2),
            None => self.lazy.get().map_or(0, |lazy| lazy.count.get()),
        }
    }
}

/// A type that grows cannot be dropped, nor asked whether it is `Sync`: it is reached through pointers only.
pub static GROWN: Mutex<Option<&'static Growing<u8>>> = Mutex::new(None);

pub fn grown() -> Option<u8> {
    let n = GROWN.lock().unwrap().as_ref().map(|grown| grown.first());
    GROWN.lock().unwrap().take();
    n
}

pub struct Mutual<A, B>(Mutex<A>, Option<Box<Lautum<B, A>>>);
pub struct Lautum<A, B>(RwLock<A>, Option<Box<Mutual<B, (A, B)>>>);

impl<A: Copy, B: Copy> Mutual<A, B> {
    pub fn there(&self) -> A {
        if let Some(next) = &self.1 {
            next.back();
        }
        *self.0.lock().unwrap()
    }
}

impl<A: Copy, B: Copy> Lautum<A, B> {
    pub fn back(&self) -> A {
        let seen = *self.0.read().unwrap();
        *self.0.write().unwrap() = seen;
        seen
    }
}

pub fn even(n: &Mutex<u32>, depth: u32) -> bool {
    let seen = *n.lock().unwrap();
    if depth == 0 { seen % 2 == 0 } else { odd(n, depth - 1) }
}

pub fn odd(n: &Mutex<u32>, depth: u32) -> bool {
    *n.lock().unwrap() += 1;
    if depth == 0 { false } else { even(n, depth - 1) }
}

pub fn ackermann(memory: &Mutex<HashMap<(u64, u64), u64>>, m: u64, n: u64) -> u64 {
    if let Some(&known) = memory.lock().unwrap().get(&(m, n)) {
        return known;
    }
    let found = match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(memory, m - 1, 1),
        (m, n) => ackermann(memory, m - 1, ackermann(memory, m, n - 1)),
    };
    memory.lock().unwrap().insert((m, n), found);
    found
}

/// A function for every type: the compiler would never finish making them, and nobody asks it to.
pub fn polymorphic<T: Clone>(lock: &Mutex<T>, depth: u32) -> u32 {
    let seen = lock.lock().unwrap().clone();
    if depth == 0 {
        return 0;
    }
    polymorphic(&Mutex::new(Some(seen)), depth - 1) + 1
}

pub trait Visit {
    fn visit(&self, lock: &Mutex<u32>) -> u32;
}

impl<T: Visit> Visit for Option<T> {
    fn visit(&self, lock: &Mutex<u32>) -> u32 {
        let seen = *lock.lock().unwrap();
        self.as_ref().map_or(seen, |inner| inner.visit(lock))
    }
}

impl<T: Visit> Visit for [T] {
    fn visit(&self, lock: &Mutex<u32>) -> u32 {
        self.iter().map(|inner| inner.visit(lock)).sum()
    }
}

impl Visit for () {
    fn visit(&self, lock: &Mutex<u32>) -> u32 {
        *lock.lock().unwrap() += 1;
        0
    }
}

pub struct Intrusive {
    next: AtomicPtr<Intrusive>,
    lock: Mutex<*mut Intrusive>,
    once: OnceCell<Box<Intrusive>>,
}

unsafe impl Sync for Intrusive {}

impl Intrusive {
    pub fn ring(&self) -> *mut Intrusive {
        let next = self.next.load(Ordering::Acquire);
        let seen = *self.lock.lock().unwrap();
        if next == seen {
            self.next.store(seen, Ordering::Release);
        }
        self.once.get().map_or(next, |inner| inner.ring())
    }
}

pub fn closures(lock: &Mutex<u32>) -> u32 {
    fn fix<A, R>(f: &dyn Fn(&dyn Fn(A) -> R, A) -> R, a: A) -> R {
        f(&|a| fix(f, a), a)
    }
    fix(
        &|again: &dyn Fn(u32) -> u32, n: u32| {
            let seen = *lock.lock().unwrap();
            if n == 0 { seen } else { again(n - 1) + seen }
        },
        5,
    )
}
