//! The same bug with the locks of other libraries.
#![allow(dead_code)]

use std::sync::Arc;

struct State {
    n: u32,
}

struct ParkingLot {
    state: parking_lot::Mutex<State>,
    shared: parking_lot::RwLock<State>,
    fair: parking_lot::FairMutex<State>,
    handle: Arc<parking_lot::Mutex<State>>,
}

impl ParkingLot {
    fn mutex_bad(&self) {
        let n = self.state.lock().n;
        self.state.lock().n = n + 1; //~ stale_value
    }

    fn mutex_ok(&self) {
        let mut state = self.state.lock();
        state.n = state.n + 1;
    }

    fn rwlock_bad(&self) {
        let n = self.shared.read().n;
        self.shared.write().n = n + 1; //~ stale_value
    }

    fn rwlock_ok(&self) {
        let mut state = self.shared.write();
        state.n = state.n + 1;
    }

    /// An upgradable read keeps writers out all the time.
    fn upgraded_ok(&self) {
        let state = self.shared.upgradable_read();
        let n = state.n;
        let mut state = parking_lot::RwLockUpgradableReadGuard::upgrade(state);
        state.n = n + 1;
    }

    fn fair_bad(&self) {
        let n = self.fair.lock().n;
        self.fair.lock().n = n + 1; //~ stale_value
    }

    fn fair_ok(&self) {
        self.fair.lock().n += 1;
    }

    fn mapped_bad(&self) {
        let n = *parking_lot::MutexGuard::map(self.state.lock(), |state| &mut state.n);
        *parking_lot::MutexGuard::map(self.state.lock(), |state| &mut state.n) = n + 1; //~ stale_value
    }

    fn mapped_ok(&self) {
        let mut n = parking_lot::MutexGuard::map(self.state.lock(), |state| &mut state.n);
        *n = *n + 1;
    }

    fn arc_guard_bad(&self) {
        let n = self.handle.lock_arc().n;
        self.handle.lock_arc().n = n + 1; //~ stale_value
    }

    fn arc_guard_ok(&self) {
        let mut state = self.handle.lock_arc();
        state.n = state.n + 1;
    }

    fn try_lock_bad(&self) {
        let Some(state) = self.state.try_lock() else { return };
        let n = state.n;
        drop(state);
        if let Some(mut state) = self.state.try_lock() {
            state.n = n + 1; //~ stale_value
        }
    }

    fn try_lock_ok(&self) {
        if let Some(mut state) = self.state.try_lock() {
            state.n = state.n + 1;
        }
    }
}

struct Tokio {
    state: tokio::sync::Mutex<State>,
    shared: tokio::sync::RwLock<State>,
}

impl Tokio {
    async fn mutex_bad(&self) {
        let n = self.state.lock().await.n;
        self.state.lock().await.n = n + 1; //~ stale_value
    }

    async fn mutex_ok(&self) {
        let mut state = self.state.lock().await;
        state.n = state.n + 1;
    }

    async fn rwlock_bad(&self) {
        let n = self.shared.read().await.n;
        let mut state = self.shared.write().await;
        state.n = n + 1; //~ stale_value
    }

    async fn rwlock_ok(&self) {
        let mut state = self.shared.write().await;
        let n = state.n;
        state.n = n + 1;
    }

    /// The guard lives across an await: still one section.
    async fn held_across_await_ok(&self) {
        let mut state = self.state.lock().await;
        let n = state.n;
        let other = self.shared.read().await.n;
        state.n = n + other;
    }

    fn blocking_bad(&self) {
        let n = self.state.blocking_lock().n;
        self.state.blocking_lock().n = n + 1; //~ stale_value
    }

    fn blocking_ok(&self) {
        self.state.blocking_lock().n += 1;
    }
}

struct Others {
    smol: async_lock::Mutex<State>,
    futures: futures_util::lock::Mutex<State>,
    spin: spin::Mutex<State>,
}

impl Others {
    async fn smol_bad(&self) {
        let n = self.smol.lock().await.n;
        self.smol.lock().await.n = n + 1; //~ stale_value
    }

    async fn smol_ok(&self) {
        self.smol.lock().await.n += 1;
    }

    async fn futures_bad(&self) {
        let n = self.futures.lock().await.n;
        self.futures.lock().await.n = n + 1; //~ stale_value
    }

    async fn futures_ok(&self) {
        self.futures.lock().await.n += 1;
    }

    fn spin_bad(&self) {
        let n = self.spin.lock().n;
        self.spin.lock().n = n + 1; //~ stale_value
    }

    fn spin_ok(&self) {
        self.spin.lock().n += 1;
    }
}
