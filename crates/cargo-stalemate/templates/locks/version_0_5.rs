// The traits of version 0.5: who has a lock has something to show for it.

use core::cell::Cell;

/// One line for each method, as above, and what it gives and takes.
macro_rules! stalemate_guards {
    ($(lock $mode:ident $name:ident $attempt:ident -> $guard:ty;)*
     $(attempt $try_mode:ident $try:ident($($argument:ident: $type:ty)?) -> $given:ty;)*
     $(unlock $held:ident $unlock:ident($back:ty);)*
     $(bump $bumped:ident $bump:ident($lent:ty);)*
     $(change $from:ident $to:ident $change:ident($old:ty) -> $new:ty;)*
     $(try_upgrade $upgrade:ident($($bound:ident: $bound_type:ty)?);)*) => {
        $(pub fn $name(&self) -> $guard {
            self.lock.lock(Mode::$mode, || self.raw.$attempt(), || self.raw.$name())
        })*
        $(pub fn $try(&self $(, $argument: $type)?) -> Option<$given> {
            self.lock.attempt(Mode::$try_mode, || self.raw.$try($($argument)?))
        })*
        $(pub fn $unlock(&self, guard: $back) {
            self.lock.unlock(Mode::$held, || unsafe { self.raw.$unlock(guard) })
        })*
        $(pub fn $bump(&self, guard: &mut $lent) {
            self.lock.bump(Mode::$bumped, || unsafe { self.raw.$bump(guard) })
        })*
        $(pub fn $change(&self, guard: $old) -> $new {
            self.lock.change(Mode::$from, Mode::$to, || unsafe { self.raw.$change(guard) })
        })*
        $(pub fn $upgrade(
            &self,
            guard: R::UpgradableGuard
            $(, $bound: $bound_type)?
        ) -> Result<R::ExclusiveGuard, R::UpgradableGuard> {
            let back = Cell::new(None);
            let attempt = || kept(unsafe { self.raw.$upgrade(guard $(, $bound)?) }, &back);
            let given = self.lock.try_upgrade(attempt);
            given.ok_or_else(|| back.take().expect("it was given back"))
        })*
    };
}

/// What was given, or else nothing, and the old guard is kept.
fn kept<G, O>(result: Result<G, O>, back: &Cell<Option<O>>) -> Option<G> {
    match result {
        Ok(guard) => Some(guard),
        Err(guard) => {
            back.set(Some(guard));
            None
        }
    }
}

impl<R: RawMutex> Told<'_, R> {
    stalemate_guards! { lock Write lock try_lock -> R::Guard; attempt Write try_lock() -> R::Guard; unlock Write unlock(R::Guard); }
}

impl<R: RawMutexFair> Told<'_, R> {
    stalemate_guards! { unlock Write unlock_fair(R::Guard); bump Write bump(R::Guard); }
}

impl<R: RawMutexTimed> Told<'_, R> {
    stalemate_guards! {
        attempt Write try_lock_for(time: R::Duration) -> R::Guard;
        attempt Write try_lock_until(time: R::Instant) -> R::Guard;
    }
}

impl<R: RawRwLock> Told<'_, R> {
    stalemate_guards! {
        lock Read lock_shared try_lock_shared -> R::SharedGuard;
        lock Write lock_exclusive try_lock_exclusive -> R::ExclusiveGuard;
        attempt Read try_lock_shared() -> R::SharedGuard;
        attempt Write try_lock_exclusive() -> R::ExclusiveGuard;
        unlock Read unlock_shared(R::SharedGuard);
        unlock Write unlock_exclusive(R::ExclusiveGuard);
    }
}

impl<R: RawRwLockFair> Told<'_, R> {
    stalemate_guards! {
        unlock Read unlock_shared_fair(R::SharedGuard);
        unlock Write unlock_exclusive_fair(R::ExclusiveGuard);
        bump Read bump_shared(R::SharedGuard);
        bump Write bump_exclusive(R::ExclusiveGuard);
    }
}

impl<R: RawRwLockDowngrade> Told<'_, R> {
    stalemate_guards! { change Write Read downgrade(R::ExclusiveGuard) -> R::SharedGuard; }
}

impl<R: RawRwLockTimed> Told<'_, R> {
    stalemate_guards! {
        attempt Read try_lock_shared_for(time: R::Duration) -> R::SharedGuard;
        attempt Read try_lock_shared_until(time: R::Instant) -> R::SharedGuard;
        attempt Write try_lock_exclusive_for(time: R::Duration) -> R::ExclusiveGuard;
        attempt Write try_lock_exclusive_until(time: R::Instant) -> R::ExclusiveGuard;
    }
}

impl<R: RawRwLockUpgrade> Told<'_, R> {
    stalemate_guards! {
        lock Upgrade lock_upgradable try_lock_upgradable -> R::UpgradableGuard;
        attempt Upgrade try_lock_upgradable() -> R::UpgradableGuard;
        unlock Upgrade unlock_upgradable(R::UpgradableGuard);
        try_upgrade try_upgrade();
    }

    pub fn upgrade(&self, guard: R::UpgradableGuard) -> R::ExclusiveGuard {
        let old = Cell::new(Some(guard));
        let attempt = || kept(unsafe { self.raw.try_upgrade(old.take()?) }, &old);
        self.lock.upgrade(attempt, || unsafe { self.raw.upgrade(old.take().expect("it was given back")) })
    }
}

impl<R: RawRwLockUpgradeFair> Told<'_, R> {
    stalemate_guards! { unlock Upgrade unlock_upgradable_fair(R::UpgradableGuard); bump Upgrade bump_upgradable(R::UpgradableGuard); }
}

impl<R: RawRwLockUpgradeDowngrade> Told<'_, R> {
    stalemate_guards! {
        change Upgrade Read downgrade_upgradable(R::UpgradableGuard) -> R::SharedGuard;
        change Write Upgrade downgrade_to_upgradable(R::ExclusiveGuard) -> R::UpgradableGuard;
    }
}

impl<R: RawRwLockUpgradeTimed> Told<'_, R> {
    stalemate_guards! {
        attempt Upgrade try_lock_upgradable_for(time: R::Duration) -> R::UpgradableGuard;
        attempt Upgrade try_lock_upgradable_until(time: R::Instant) -> R::UpgradableGuard;
        try_upgrade try_upgrade_for(time: R::Duration);
        try_upgrade try_upgrade_until(time: R::Instant);
    }
}
