//! Generic associated types, associated constants and types, and locks behind all of them.
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub trait Lock {
    type Data;
    type Guard<'a>: std::ops::DerefMut<Target = Self::Data>
    where
        Self: 'a;
    const NAME: &'static str;
    fn take(&self) -> Self::Guard<'_>;
}

impl<T> Lock for Mutex<T> {
    type Data = T;
    type Guard<'a>
        = MutexGuard<'a, T>
    where
        T: 'a;
    const NAME: &'static str = "mutex";
    fn take(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap()
    }
}

impl<T> Lock for RwLock<T> {
    type Data = T;
    type Guard<'a>
        = RwLockWriteGuard<'a, T>
    where
        T: 'a;
    const NAME: &'static str = "rwlock";
    fn take(&self) -> RwLockWriteGuard<'_, T> {
        self.write().unwrap()
    }
}

pub fn twice<L: Lock<Data = u64>>(lock: &L) -> u64 {
    let seen = *lock.take();
    *lock.take() = seen + L::NAME.len() as u64;
    seen
}

pub fn both(a: &Mutex<u64>, b: &RwLock<u64>) -> u64 {
    twice(a) + twice(b) + *a.take() + *b.take()
}

pub trait Lending {
    type Item<'a, const N: usize>
    where
        Self: 'a;
    fn lend<const N: usize>(&self) -> Option<Self::Item<'_, N>>;
}

pub struct Pool {
    slots: RwLock<Vec<[u8; 4]>>,
}

pub struct Slot<'a, const N: usize>(RwLockReadGuard<'a, Vec<[u8; 4]>>);

impl Lending for Pool {
    type Item<'a, const N: usize> = Slot<'a, N>;
    fn lend<const N: usize>(&self) -> Option<Slot<'_, N>> {
        let slots = self.slots.read().ok()?;
        (slots.len() > N).then_some(Slot(slots))
    }
}

impl<const N: usize> Slot<'_, N> {
    pub fn first(&self) -> u8 {
        self.0[N][0]
    }
}

pub fn count(pool: &Pool) -> usize {
    let mut count = 0;
    while let Some(slot) = pool.lend::<3>() {
        count += slot.first() as usize;
        drop(slot);
        pool.slots.write().unwrap().pop();
    }
    count
}

pub trait Family {
    type Of<T>: Lock<Data = T>;
    fn make<T>(value: T) -> Self::Of<T>;
}

pub struct Mutexes;

impl Family for Mutexes {
    type Of<T> = Mutex<T>;
    fn make<T>(value: T) -> Mutex<T> {
        Mutex::new(value)
    }
}

pub struct Account<F: Family> {
    balance: F::Of<i64>,
    history: F::Of<Vec<i64>>,
}

impl<F: Family> Account<F> {
    pub fn open() -> Self {
        Account { balance: F::make(0), history: F::make(Vec::new()) }
    }

    pub fn deposit(&self, amount: i64) {
        let before = *self.balance.take();
        self.history.take().push(before);
        *self.balance.take() = before + amount;
    }
}

pub fn run() {
    Account::<Mutexes>::open().deposit(3);
}
