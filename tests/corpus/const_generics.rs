//! Constants as parameters, computed lengths, arrays of locks.
#![feature(generic_const_exprs, generic_const_items, adt_const_params, unsized_const_params, inherent_associated_types)]
#![allow(incomplete_features)]
use std::marker::ConstParamTy;
use std::sync::Mutex;

pub struct Shards<T, const N: usize> {
    shards: [Mutex<T>; N],
}

impl<T: Copy + Default + std::ops::AddAssign, const N: usize> Shards<T, N> {
    pub type Grid = [[Mutex<T>; N]; N];

    pub fn new() -> Self {
        Shards { shards: std::array::from_fn(|_| Mutex::new(T::default())) }
    }

    pub fn sum(&self) -> T {
        let mut sum = T::default();
        for shard in &self.shards {
            sum += *shard.lock().unwrap();
        }
        sum
    }

    pub fn shift<const FROM: usize, const TO: usize>(&self) {
        let from = *self.shards[FROM].lock().unwrap();
        *self.shards[TO].lock().unwrap() = from;
        *self.shards[FROM].lock().unwrap() = from;
    }

    pub fn corner(grid: &Self::Grid) -> T {
        let first = *grid[0][0].lock().unwrap();
        *grid[N - 1][N - 1].lock().unwrap() = first;
        first
    }

    pub fn doubled(&self) -> [T; N * 2]
    where
        [(); N * 2]:,
    {
        let mut all = [T::default(); N * 2];
        for (at, shard) in self.shards.iter().enumerate() {
            all[at] = *shard.lock().unwrap();
            all[at + N] = *shard.lock().unwrap();
        }
        all
    }
}

#[derive(PartialEq, Eq, ConstParamTy)]
pub enum Kind {
    Plain,
    Named(&'static str, [u8; 2]),
}

pub struct Tagged<const K: Kind>(Mutex<u32>);

impl<const K: Kind> Tagged<K> {
    pub fn bump(&self) -> u32 {
        let seen = *self.0.lock().unwrap();
        let step = match K {
            Kind::Plain => 1,
            Kind::Named(name, [a, b]) => name.len() as u32 + a as u32 + b as u32,
        };
        *self.0.lock().unwrap() = seen + step;
        seen
    }
}

pub const LIMIT<T: Default + Copy>: Option<T> = None;

pub fn named() -> u32 {
    let tagged: Tagged<{ Kind::Named("a", [1, 2]) }> = Tagged(Mutex::new(LIMIT::<u32>.unwrap_or_default()));
    tagged.bump()
}

pub fn generic_array<const N: usize>(locks: &[Mutex<[u8; N]>; N], at: usize) -> u8 {
    let value = locks[at].lock().unwrap()[N - 1];
    locks[at].lock().unwrap()[0] = value;
    let [first, .., last] = &locks[..] else { return value };
    let (a, b) = (first.lock().unwrap(), last.lock().unwrap());
    a[0] + b[0]
}
