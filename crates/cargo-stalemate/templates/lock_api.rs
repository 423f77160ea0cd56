//! Put into a copy of `lock_api` while `cargo stalemate confirm` compiles it. `raw.lock()` becomes `raw.stalemate().lock()`
//! there: the same call, told to the director before and after. Nothing here needs more than the raw lock itself.

use crate::*;
pub use ::stalemate_rt::foreign::{Foreign, Mode, Own};
use core::panic::Location;

/// Where the method was called that this is part of.
pub type Place = &'static Location<'static>;

#[track_caller]
pub fn here() -> Place {
    Location::caller()
}

/// Each raw lock has it. Through a reference it is that of the lock, not of the reference.
pub trait Tell: Sized {
    #[track_caller]
    fn stalemate(&self) -> Told<'_, Self> {
        self.stalemate_at(Location::caller())
    }

    fn stalemate_at(&self, place: Place) -> Told<'_, Self> {
        Told { raw: self, lock: Foreign::new(self, Own::Blocks, place) }
    }

    #[track_caller]
    fn stalemate_again(&self) -> Again<'_, Self> {
        self.stalemate_again_at(Location::caller())
    }

    fn stalemate_again_at(&self, place: Place) -> Again<'_, Self> {
        Again { raw: self, lock: Foreign::new(self, Own::Nests, place) }
    }
}

impl<R> Tell for R {}

pub struct Told<'a, R> {
    pub(crate) raw: &'a R,
    pub(crate) lock: Foreign,
}

/// A lock that its holder may take again.
pub struct Again<'a, R> {
    pub(crate) raw: &'a R,
    pub(crate) lock: Foreign,
}

impl<R> Told<'_, R> {
    pub fn look<T>(&self, look: impl FnOnce(&R) -> T) -> T {
        self.lock.look(|| look(self.raw))
    }
}

impl<R> Again<'_, R> {
    pub fn look<T>(&self, look: impl FnOnce(&R) -> T) -> T {
        self.lock.look(|| look(self.raw))
    }
}

pub(crate) fn given(is_given: bool) -> Option<()> {
    if is_given { Some(()) } else { None }
}

/// One line for each method: what it does, its name, and what it is given.
macro_rules! stalemate_methods {
    ($(lock $mode:ident $name:ident $attempt:ident;)*
     $(attempt $try_mode:ident $try:ident($($argument:ident: $type:ty)?);)*
     $(unlock $held:ident $unlock:ident;)*
     $(bump $bumped:ident $bump:ident;)*
     $(change $from:ident $to:ident $change:ident;)*
     $(upgrade $upgrade:ident $try_upgrade:ident;)*
     $(try_upgrade $other_upgrade:ident($($bound:ident: $bound_type:ty)?);)*) => {
        $(pub fn $name(&self) {
            self.lock.lock($crate::stalemate::Mode::$mode, || $crate::stalemate::given(self.raw.$attempt()), || self.raw.$name())
        })*
        $(pub fn $try(&self $(, $argument: $type)?) -> bool {
            self.lock.attempt($crate::stalemate::Mode::$try_mode, || $crate::stalemate::given(self.raw.$try($($argument)?))).is_some()
        })*
        $(#[allow(unused_unsafe)]
        pub fn $unlock(&self) {
            self.lock.unlock($crate::stalemate::Mode::$held, || unsafe { self.raw.$unlock() })
        })*
        $(#[allow(unused_unsafe)]
        pub fn $bump(&self) {
            self.lock.bump($crate::stalemate::Mode::$bumped, || unsafe { self.raw.$bump() })
        })*
        $(#[allow(unused_unsafe)]
        pub fn $change(&self) {
            self.lock.change($crate::stalemate::Mode::$from, $crate::stalemate::Mode::$to, || unsafe { self.raw.$change() })
        })*
        $(#[allow(unused_unsafe)]
        pub fn $upgrade(&self) {
            self.lock.upgrade(|| $crate::stalemate::given(unsafe { self.raw.$try_upgrade() }), || unsafe { self.raw.$upgrade() })
        })*
        $(#[allow(unused_unsafe)]
        pub fn $other_upgrade(&self $(, $bound: $bound_type)?) -> bool {
            self.lock.try_upgrade(|| $crate::stalemate::given(unsafe { self.raw.$other_upgrade($($bound)?) })).is_some()
        })*
    };
}

impl<R: RawMutex> Told<'_, R> {
    stalemate_methods! { lock Write lock try_lock; attempt Write try_lock(); unlock Write unlock; }
}

impl<R: RawMutexFair> Told<'_, R> {
    stalemate_methods! { unlock Write unlock_fair; bump Write bump; }
}

impl<R: RawMutexTimed> Told<'_, R> {
    stalemate_methods! { attempt Write try_lock_for(time: R::Duration); attempt Write try_lock_until(time: R::Instant); }
}

impl<R: RawRwLock> Told<'_, R> {
    stalemate_methods! {
        lock Read lock_shared try_lock_shared;
        lock Write lock_exclusive try_lock_exclusive;
        attempt Read try_lock_shared();
        attempt Write try_lock_exclusive();
        unlock Read unlock_shared;
        unlock Write unlock_exclusive;
    }
}

impl<R: RawRwLockFair> Told<'_, R> {
    stalemate_methods! {
        unlock Read unlock_shared_fair;
        unlock Write unlock_exclusive_fair;
        bump Read bump_shared;
        bump Write bump_exclusive;
    }
}

impl<R: RawRwLockDowngrade> Told<'_, R> {
    stalemate_methods! { change Write Read downgrade; }
}

impl<R: RawRwLockTimed> Told<'_, R> {
    stalemate_methods! {
        attempt Read try_lock_shared_for(time: R::Duration);
        attempt Read try_lock_shared_until(time: R::Instant);
        attempt Write try_lock_exclusive_for(time: R::Duration);
        attempt Write try_lock_exclusive_until(time: R::Instant);
    }
}

impl<R: RawRwLockRecursive> Told<'_, R> {
    stalemate_methods! {
        lock Read lock_shared_recursive try_lock_shared_recursive;
        attempt Read try_lock_shared_recursive();
    }
}

impl<R: RawRwLockRecursiveTimed> Told<'_, R> {
    stalemate_methods! {
        attempt Read try_lock_shared_recursive_for(time: R::Duration);
        attempt Read try_lock_shared_recursive_until(time: R::Instant);
    }
}

impl<R: RawRwLockUpgrade> Told<'_, R> {
    stalemate_methods! {
        lock Upgrade lock_upgradable try_lock_upgradable;
        attempt Upgrade try_lock_upgradable();
        unlock Upgrade unlock_upgradable;
        upgrade upgrade try_upgrade;
        try_upgrade try_upgrade();
    }
}

impl<R: RawRwLockUpgradeFair> Told<'_, R> {
    stalemate_methods! { unlock Upgrade unlock_upgradable_fair; bump Upgrade bump_upgradable; }
}

impl<R: RawRwLockUpgradeDowngrade> Told<'_, R> {
    stalemate_methods! { change Upgrade Read downgrade_upgradable; change Write Upgrade downgrade_to_upgradable; }
}

impl<R: RawRwLockUpgradeTimed> Told<'_, R> {
    stalemate_methods! {
        attempt Upgrade try_lock_upgradable_for(time: R::Duration);
        attempt Upgrade try_lock_upgradable_until(time: R::Instant);
        try_upgrade try_upgrade_for(time: R::Duration);
        try_upgrade try_upgrade_until(time: R::Instant);
    }
}
