//! Pointers that are loaded from an atomic, and followed: what they lead to was written by another thread, and only a load that
//! acquires shows it for sure.

use crate::domain::facts::Followed;
use crate::domain::origin::Origin;
use crate::domain::state::State;
use crate::events::{Event, Order, PlaceStep, Site};
use crate::flow::guards::places;
use crate::flow::transfer::Walker;

impl Walker<'_> {
    pub(super) fn follow_pointers(&mut self, state: &State, event: &Event, site: Site) {
        if self.record.as_ref().is_none_or(|record| record.orders.is_empty()) || self.function.fences {
            return;
        }
        let locked = state.held.certain().any(|(lock, _)| !self.is_atomic(lock));
        for place in places(&event.kind) {
            let is_raw = |local: u32| self.function.variables.get(local as usize).is_some_and(|it| it.facts.raw);
            if locked || !matches!(place.steps.first(), Some(PlaceStep::Deref { .. })) || !is_raw(place.local) {
                continue;
            }
            let pointer = self.paths.local(place.local);
            let loaded = state.stored(&self.paths, pointer).looks;
            let loaded = loaded.iter().filter(|look| self.is_atomic(look.lock) && look.shared && !look.by_callee);
            let loaded: Vec<Origin> = loaded.copied().collect();
            let Some(record) = &mut self.record else { return };
            for look in loaded {
                let Some(order) = record.orders.get(&look.read) else { continue };
                let acquires = *order != Order::Relaxed;
                let new = Followed { atomic: look.lock, loaded: look.read, site, acquires };
                if !record.apart.followed.iter().any(|known| known.loaded == new.loaded) {
                    record.apart.followed.push(new);
                }
            }
        }
    }
}
