//! Names of the models that mean something else here: own modules, types and methods called like those of libraries.
//! crate-name: parking_lot
#![no_implicit_prelude]
extern crate std as core_of_things;

pub mod std {
    pub mod sync {
        pub struct Mutex<T>(pub T);
        pub struct MutexGuard;
        pub struct RwLock;
        impl<T> Mutex<T> {
            pub fn lock(&self) -> &T {
                &self.0
            }
            pub fn try_lock(self, _: u8, _: u8) -> T {
                self.0
            }
        }
        pub fn drop(_: MutexGuard) {}
    }
}

pub struct Mutex;
pub type MutexGuard<'a> = &'a Mutex;
pub trait RwLock {
    fn read(&self);
    fn write(self) -> Self;
}
pub enum Condvar {
    Wait,
}
#[allow(non_upper_case_globals)]
pub static Once: u8 = 0;
pub mod lock_api {
    macro_rules! Mutex {
        () => {
            1
        };
    }
    pub(crate) use Mutex;
}

impl Mutex {
    pub fn lock<'a>(&'a self) -> MutexGuard<'a> {
        self
    }
    pub const fn wait(self, _: MutexGuard<'_>) -> u8 {
        1
    }
}

pub fn used(mutex: &Mutex, real: &core_of_things::sync::Mutex<u32>) -> u32 {
    let own = std::sync::Mutex(lock_api::Mutex!());
    let seen = *real.lock().unwrap() + own.lock();
    let _same = mutex.lock().lock();
    *real.lock().unwrap() = seen;
    seen
}
