//! Where each lock is held, and in which order locks are taken: what the HTML report draws beside the findings.

use crate::document::Place;
use crate::facts::End;
use serde::{Deserialize, Serialize};

/// Of one compiled unit, or of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockMap {
    pub sections: Vec<Section>,
    pub orders: Vec<Order>,
}

/// A critical section as it stands in the source, from where the lock is taken to the last place where it is let go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Section {
    #[serde(flatten)]
    pub place: Place,
    pub end: End,
    /// As all threads know it: `Pool.state`, the name of a static, or `function: queue` for what only one function knows.
    pub lock: String,
    /// As it is called here: `self.state`.
    pub name: String,
    /// Others may read meanwhile.
    pub shared: bool,
    pub package: String,
    pub function: String,
}

/// One lock is held and another one is waited for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Order {
    /// Locks as all threads know them.
    pub held: String,
    pub wanted: String,
    pub held_at: Place,
    pub wanted_at: Place,
    pub package: String,
    pub function: String,
}

impl LockMap {
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty() && self.orders.is_empty()
    }

    /// Units overlap, and what they say twice is kept once.
    pub fn add(&mut self, other: &LockMap) {
        self.sections.extend(other.sections.iter().cloned());
        self.orders.extend(other.orders.iter().cloned());
        self.sections.sort();
        self.sections.dedup();
        self.orders.sort();
        self.orders.dedup();
    }
}
