// The traits of versions 0.3 and 0.4.

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
