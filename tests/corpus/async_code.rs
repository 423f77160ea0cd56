//! Async functions, closures, blocks, streams by hand, guards over await, async traits, recursion through boxes.
#![feature(async_fn_traits, gen_blocks, async_iterator, async_for_loop, async_trait_bounds)]
#![allow(async_fn_in_trait)]
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::task::{Context, Poll};

pub struct Account {
    balance: Mutex<i64>,
    log: RwLock<Vec<i64>>,
}

async fn ask(n: i64) -> i64 {
    n
}

impl Account {
    pub async fn deposit(&self, amount: impl Future<Output = i64>) {
        let before = *self.balance.lock().unwrap();
        *self.balance.lock().unwrap() = before + amount.await;
    }

    pub async fn held(&self) -> i64 {
        let guard = self.balance.lock().unwrap();
        let more = ask(*guard).await;
        *guard + more
    }

    pub async fn in_loop(&self) {
        let mut log = self.log.write().unwrap();
        for n in 0..3 {
            if ask(n).await > 1 {
                break;
            }
            log.push(n);
            let _unused = async { log.len() }.await;
        }
        drop(log);
        ask(0).await;
    }

    pub fn deep(&self, n: u8) -> Pin<Box<dyn Future<Output = i64> + '_>> {
        Box::pin(async move {
            let seen = *self.balance.lock().unwrap();
            if n == 0 { seen } else { self.deep(n - 1).await + seen }
        })
    }

    pub async fn with<F>(&self, change: F) -> i64
    where
        F: AsyncFn(MutexGuard<'_, i64>) -> i64,
    {
        let first = change(self.balance.lock().unwrap()).await;
        let second = change(self.balance.lock().unwrap()).await;
        first + second
    }

    pub async fn with_once(&self, change: impl AsyncFnOnce(&mut i64)) {
        change(&mut self.balance.lock().unwrap()).await;
    }

    pub async fn closures(self: Arc<Self>) -> i64 {
        let own = Arc::clone(&self);
        let mut sum = 0;
        let mut add = async |n: i64| {
            let seen = *own.balance.lock().unwrap();
            sum += seen + ask(n).await;
            *own.balance.lock().unwrap() = sum;
        };
        add(1).await;
        add(2).await;
        let moved = async move || *own.balance.lock().unwrap();
        moved().await + self.with(async |guard| *guard + ask(1).await).await
    }

    pub async fn selected(&self) -> Option<i64> {
        let mut one = pin!(self.held());
        let mut two = pin!(self.deposit(ask(2)));
        std::future::poll_fn(|context| {
            if let Poll::Ready(value) = one.as_mut().poll(context) {
                return Poll::Ready(Some(value));
            }
            two.as_mut().poll(context).map(|()| None)
        })
        .await
    }
}

pub trait Store {
    async fn get(&self) -> i64;
    async fn set(&self, value: i64);
    async fn add(&self, value: i64) {
        let seen = self.get().await;
        self.set(seen + value).await;
    }
}

impl Store for Account {
    async fn get(&self) -> i64 {
        *self.balance.lock().unwrap()
    }
    async fn set(&self, value: i64) {
        *self.balance.lock().unwrap() = value;
    }
}

pub struct Hand<'a> {
    account: &'a Account,
    guard: Option<MutexGuard<'a, i64>>,
}

impl Future for Hand<'_> {
    type Output = i64;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<i64> {
        let account = self.account;
        match self.guard.take() {
            Some(guard) => Poll::Ready(*guard),
            None => {
                self.guard = account.balance.try_lock().ok();
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

pub async fn by_hand(account: &Account) -> i64 {
    let guard = account.balance.lock().ok();
    Hand { account, guard }.await + Hand { account, guard: None }.await
}

pub async gen fn ticks(account: &Account) -> i64 {
    for n in 0..3 {
        let seen = *account.balance.lock().unwrap();
        yield seen;
        *account.balance.lock().unwrap() = seen + ask(n).await;
    }
}

pub fn blocks(account: &Account) -> impl Future<Output = Result<i64, std::num::ParseIntError>> + '_ {
    async move {
        let n: i64 = "1".parse()?;
        let guard = account.balance.lock().unwrap();
        if *guard > n {
            return Ok(*guard);
        }
        let out = async { ask(n).await + *guard }.await;
        Ok(out)
    }
}
