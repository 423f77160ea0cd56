//! Updates of an atomic that change nothing if somebody was faster (`compare_exchange`, or a `fetch_update` that compares what is
//! there with what was loaded before), and what is counted to something else afterwards, done or not.

use crate::domain::facts::{Use, UseKind};
use crate::domain::path::{PathId, whole_local};
use crate::domain::state::{State, Target};
use crate::domain::value::Value;
use crate::events::{BlockId, Call, Closure, Local, Mode, Operand, Site};
use crate::flow::apply::Actuals;
use crate::flow::atomics::is_ignored;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

/// Nobody asks whether it was done.
pub(super) struct Unminded {
    site: Site,
    block: BlockId,
    /// Where what it expects was loaded.
    loaded: BTreeSet<Site>,
}

/// Stand for the pointer to a closure, and for what is there, which the closure is given. No body has locals of these numbers.
const PLACES: [Local; 2] = [Local::MAX - 3, Local::MAX - 4];

impl Walker<'_> {
    /// A closure makes the new value, or none.
    pub(super) fn update_by_closure(&mut self, state: &mut State, call: &Call, lock: PathId, site: Site) {
        if self.record.is_none() || !self.is_atomic(lock) {
            return;
        }
        let closures = call.arguments.iter().skip(1).filter_map(|operand| Some((operand, self.closure_in(operand)?)));
        let closures: Vec<(&Operand, Closure)> = closures.collect();
        for (operand, closure) in closures {
            let Some(slot) = self.operand_slot(state, operand) else { continue };
            let captured = self.targets_below(state, slot);
            let captured: Vec<Value> = captured.iter().map(|&target| state.stored(&self.paths, target)).collect();
            self.note_credit(state, lock, &Value::union(captured.iter()), site);
            let expected = self.compared_by(state, closure, slot);
            let looks = expected.looks.iter().filter(|look| look.lock == lock);
            let loaded: BTreeSet<Site> = looks.map(|look| look.read).collect();
            if whole_local(&call.to).is_some_and(|result| is_ignored(self.function, result)) {
                self.note_unminded(lock, loaded, site);
            }
        }
    }

    /// What the closure has captured that it compares what is there with.
    fn compared_by(&mut self, state: &mut State, closure: Closure, slot: PathId) -> Value {
        let summary = self.known(closure.body).or_else(|| self.learn(closure.body));
        let Some(summary) = summary.filter(|summary| !summary.compares.is_empty()) else { return Value::default() };
        let [pin, present] = PLACES.map(|place| self.paths.local(place));
        state.pointers.insert(pin, Target::Known(slot));
        let object = if closure.by_reference { pin } else { slot };
        let actuals = Actuals::new(&summary, vec![Some(object), Some(present)]);
        let mut found = Value::default();
        for &(one, other) in &summary.compares {
            let one = self.translate(state, &actuals, one);
            let other = self.translate(state, &actuals, other);
            let expected = match (one, other) {
                (Some(one), Some(other)) if one == present => other,
                (Some(one), Some(other)) if other == present => one,
                _ => continue,
            };
            found.add(&state.stored(&self.paths, expected));
        }
        state.clear(&self.paths, pin);
        found
    }

    pub(super) fn note_unminded(&mut self, lock: PathId, loaded: BTreeSet<Site>, site: Site) {
        if !loaded.is_empty() {
            self.unminded.insert(lock, Unminded { site, block: self.block, loaded });
        }
    }

    /// Something is counted to this that is made of what such an update of another atomic expected. Who holds a lock meanwhile may
    /// be alone.
    pub(super) fn note_credit(&mut self, state: &State, lock: PathId, added: &Value, site: Site) {
        let alone =
            state.held.certain().any(|(held, holding)| !self.is_atomic(held) && holding.mode == Mode::Exclusive);
        if self.record.is_none() || self.unminded.is_empty() || alone {
            return;
        }
        let before = |update: &Unminded| update.site < site && self.control().dominates(update.block, self.block);
        let exchanged = added.looks.iter().filter(|look| look.lock != lock).find_map(|look| {
            let update = self.unminded.get(&look.lock).filter(|update| update.loaded.contains(&look.read))?;
            before(update).then_some((*look, update.site))
        });
        if let (Some(record), Some((origin, exchanged))) = (&mut self.record, exchanged) {
            let (kind, origins) = (UseKind::Credited { target: lock, exchanged }, vec![origin]);
            record.uses.push(Use { site, kind, by_callee: false, among: 1, origins, around_loop: Vec::new() });
        }
    }
}
