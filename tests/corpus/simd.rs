//! Vectors, `repr(simd)`, target features, locks around them.
#![feature(repr_simd, portable_simd)]
#![allow(internal_features)]
use std::simd::Simd;
use std::simd::num::SimdUint;
use std::sync::Mutex;

#[repr(simd)]
#[derive(Clone, Copy)]
pub struct Four([u32; 4]);

pub fn sum(lock: &Mutex<Simd<u32, 8>>) -> u32 {
    let seen = *lock.lock().unwrap();
    *lock.lock().unwrap() = seen + Simd::splat(1);
    seen.reduce_sum()
}

pub fn moved(lock: &Mutex<Four>, other: &Mutex<Four>) {
    let seen = *lock.lock().unwrap();
    *other.lock().unwrap() = seen;
    *lock.lock().unwrap() = seen;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub fn wide(lock: &Mutex<u32>) -> u32 {
    let seen = *lock.lock().unwrap();
    *lock.lock().unwrap() = seen + 1;
    seen
}
