//! What can become of a guard: kept in every container, forgotten, leaked, poisoned, mapped, captured, sent around.
#![feature(mapped_lock_guards, nonpoison_mutex, nonpoison_rwlock, nonpoison_condvar, sync_nonpoison, reentrant_lock)]
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::mem::{ManuallyDrop, MaybeUninit, forget};
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, MappedMutexGuard, Mutex, MutexGuard, PoisonError, ReentrantLock, RwLock, nonpoison};

type Guard<'a> = MutexGuard<'a, u32>;

pub struct Held<'a> {
    guard: Guard<'a>,
    rest: Vec<Guard<'a>>,
}

impl Deref for Held<'_> {
    type Target = u32;
    fn deref(&self) -> &u32 {
        &self.guard
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut u32 {
        &mut self.guard
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.guard += self.rest.len() as u32;
    }
}

pub fn containers<'a>(locks: &'a [Mutex<u32>]) -> u32 {
    let all: Vec<Guard<'a>> = locks.iter().map(|lock| lock.lock().unwrap()).collect();
    let sum: u32 = all.iter().map(|guard| **guard).sum();
    drop(all);
    let mut by_name: HashMap<&str, Guard<'a>> = HashMap::new();
    by_name.insert("one", locks[0].lock().unwrap());
    let mut sorted: BTreeMap<u32, Box<Guard<'a>>> = BTreeMap::new();
    sorted.insert(1, Box::new(locks[1].lock().unwrap()));
    let one = by_name.remove("one").unwrap();
    drop(sorted);
    let array = [one, locks[2].lock().unwrap()];
    let [first, second] = array;
    let tuple = (first, Some(second), Ok::<_, ()>(locks[3].lock().unwrap()));
    let (first, Some(second), Ok(third)) = tuple else { return sum };
    let cell = RefCell::new(Some(third));
    let third = cell.take();
    let held = Held { guard: first, rest: vec![second] };
    let shared = std::rc::Rc::new(third);
    let again = std::rc::Rc::clone(&shared);
    *held + again.as_ref().as_ref().map_or(0, |guard| **guard)
}

pub fn leaked(lock: &'static Mutex<u32>, other: &Mutex<u32>) -> u32 {
    let leaked: &'static mut Guard<'static> = Box::leak(Box::new(lock.lock().unwrap()));
    **leaked += 1;
    forget(other.lock().unwrap());
    let mut kept = ManuallyDrop::new(other.lock().unwrap());
    **kept += 1;
    unsafe { ManuallyDrop::drop(&mut kept) };
    let mut room = MaybeUninit::uninit();
    room.write(other.lock().unwrap());
    let n = unsafe { **room.assume_init_ref() };
    unsafe { room.assume_init_drop() };
    let raw = Box::into_raw(Box::new(other.lock().unwrap()));
    let n = n + unsafe { **raw };
    drop(unsafe { Box::from_raw(raw) });
    let moved = unsafe { std::ptr::read(leaked) };
    *moved + n
}

pub fn poisoned(lock: &Mutex<u32>) -> u32 {
    let guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
    let n = *guard;
    drop(guard);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut guard = lock.lock().unwrap();
        *guard = n + 1;
        panic!("while it is held");
    }));
    if caught.is_err() {
        lock.clear_poison();
    }
    match lock.lock() {
        Ok(guard) => *guard,
        Err(poisoned) => {
            let mut guard = poisoned.into_inner();
            *guard = 0;
            *guard
        }
    }
}

pub fn mapped(lock: &Mutex<(u32, Vec<u32>)>) -> u32 {
    let first: MappedMutexGuard<'_, u32> = MutexGuard::map(lock.lock().unwrap(), |pair| &mut pair.0);
    let n = *first;
    drop(first);
    let Ok(element) = MutexGuard::filter_map(lock.lock().unwrap(), |pair| pair.1.first_mut()) else { return n };
    *element + n
}

pub fn without_poison(lock: &nonpoison::Mutex<u32>, shared: &nonpoison::RwLock<u32>, wake: &nonpoison::Condvar) -> u32 {
    let n = *lock.lock() + *shared.read();
    *shared.write() = n;
    *lock.lock() = n;
    let mut guard = lock.lock();
    while *guard == n {
        wake.wait(&mut guard);
    }
    *guard
}

pub fn reentrant(lock: &ReentrantLock<RefCell<u32>>) -> u32 {
    let outer = lock.lock();
    let inner = lock.lock();
    *inner.borrow_mut() += 1;
    *outer.borrow()
}

pub fn captured<'a>(lock: &'a Mutex<u32>) -> impl FnOnce() -> Box<dyn FnMut() -> u32 + 'a> + 'a {
    let mut guard = lock.lock().unwrap();
    *guard += 1;
    move || {
        let mut inner = guard;
        Box::new(move || {
            *inner += 1;
            *inner
        })
    }
}

pub fn returned<'a>(lock: &'a Mutex<u32>, deep: bool) -> Result<Option<(Guard<'a>, u32)>, Box<dyn std::error::Error + 'a>> {
    let guard = lock.lock()?;
    Ok(deep.then(|| (guard, 3)))
}

pub fn received(lock: &Mutex<u32>) -> u32 {
    if let Ok(Some((mut guard, n))) = returned(lock, true) {
        *guard = n;
    }
    let mut slot = None;
    for n in 0..3 {
        slot = match slot.take() {
            None => Some(lock.lock().unwrap()),
            Some(guard) if n == 1 => Some(guard),
            Some(_) => None,
        };
    }
    slot.map_or_else(|| *lock.lock().unwrap(), |guard| *guard)
}

pub fn any(lock: &'static Mutex<u32>) -> u32 {
    let anything: Box<dyn Any> = Box::new(lock.lock().unwrap());
    match anything.downcast::<Guard<'static>>() {
        Ok(guard) => **guard,
        Err(_) => 0,
    }
}

pub fn waits(pair: &(Mutex<(bool, u32)>, Condvar)) -> u32 {
    let mut guard = pair.0.lock().unwrap();
    while !guard.0 {
        guard = pair.1.wait(guard).unwrap();
    }
    let (guard, out) = pair.1.wait_timeout_while(guard, std::time::Duration::from_secs(1), |state| !state.0).unwrap();
    if out.timed_out() { 0 } else { guard.1 }
}

pub fn threads(lock: &Arc<Mutex<u32>>, table: &RwLock<u32>) -> u32 {
    let own = Arc::clone(lock);
    let handle = std::thread::spawn(move || {
        let n = *own.lock().unwrap();
        *own.lock().unwrap() = n + 1;
    });
    std::thread::scope(|scope| {
        scope.spawn(|| *table.write().unwrap() += *lock.lock().unwrap());
        let handles: Vec<_> = (0..3).map(|n| scope.spawn(move || *table.read().unwrap() + n)).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).sum::<u32>()
    });
    let downgraded = std::sync::RwLockWriteGuard::downgrade(table.write().unwrap());
    let n = *downgraded;
    handle.join().unwrap();
    n
}
