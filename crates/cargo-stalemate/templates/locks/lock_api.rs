//! Put into a copy of `lock_api` while `cargo stalemate confirm` compiles it. `raw.lock()` becomes `raw.stalemate().lock()`
//! there: the same call, told to the director before and after. Nothing here needs more than the raw lock itself. What
//! follows at the end depends on the version.

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

/// For locks whose methods say whether they were taken. One line for each method: what it does, its name, and what it is given.
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
