//! A metric is looked for under the read lock and made under the write lock: the bug that `prometheus-client` had in
//! 0.18.0, and its neighbours.
#![allow(dead_code)]

use parking_lot::{MappedRwLockReadGuard, RwLock, RwLockReadGuard, RwLockUpgradableReadGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

#[derive(Default)]
struct Family {
    metrics: RwLock<HashMap<String, Arc<AtomicU64>>>,
    lengths: RwLock<HashMap<String, usize>>,
}

impl Family {
    fn get_or_create_bad(&self, labels: &str) -> MappedRwLockReadGuard<'_, Arc<AtomicU64>> {
        if let Ok(metric) = RwLockReadGuard::try_map(self.metrics.read(), |metrics| metrics.get(labels)) {
            return metric;
        }
        let mut metrics = self.metrics.write();
        metrics.insert(labels.to_owned(), Arc::default()); //~ check_then_act
        drop(metrics);
        RwLockReadGuard::map(self.metrics.read(), |metrics| metrics.get(labels).unwrap())
    }

    fn get_or_create_ok(&self, labels: &str) -> Arc<AtomicU64> {
        if let Some(metric) = self.metrics.read().get(labels) {
            return metric.clone();
        }
        self.metrics.write().entry(labels.to_owned()).or_default().clone()
    }

    /// Looks again under the write lock.
    fn looked_again_ok(&self, labels: &str) -> Arc<AtomicU64> {
        if let Some(metric) = self.metrics.read().get(labels) {
            return metric.clone();
        }
        let mut metrics = self.metrics.write();
        if let Some(metric) = metrics.get(labels) {
            return metric.clone();
        }
        let metric = Arc::new(AtomicU64::new(0));
        metrics.insert(labels.to_owned(), metric.clone());
        metric
    }

    /// The lock is upgraded, never free in between.
    fn upgraded_ok(&self, labels: &str) -> Arc<AtomicU64> {
        let metrics = self.metrics.upgradable_read();
        if let Some(metric) = metrics.get(labels) {
            return metric.clone();
        }
        let mut metrics = RwLockUpgradableReadGuard::upgrade(metrics);
        let metric = Arc::new(AtomicU64::new(0));
        metrics.insert(labels.to_owned(), metric.clone());
        metric
    }

    /// A cache: whoever comes second writes the same again.
    fn plain_value_ok(&self, labels: &str) -> usize {
        if let Some(length) = self.lengths.read().get(labels) {
            return *length;
        }
        let length = labels.chars().count();
        self.lengths.write().insert(labels.to_owned(), length);
        length
    }

    /// What the insertion says decides.
    fn result_decides_ok(&self, labels: &str) -> bool {
        if self.metrics.read().contains_key(labels) {
            return false;
        }
        if self.metrics.write().insert(labels.to_owned(), Arc::default()).is_some() {
            return false;
        }
        true
    }
}
