//! The rule of 2002 along the walk: writes set the ghost variables, sections make them stale, reads assert.
//!
//! Variables that hold guards, or borrow from somewhere, are not snapshots: a reference into a guard is the shared
//! thing itself, not a copy of it.

use crate::domain::facts::StaleRead;
use crate::domain::snapshot::{Snapshot, Standing};
use crate::domain::state::State;
use crate::events::{Local, Operand, Place, PlaceStep, Rvalue, Site};
use crate::flow::transfer::Walker;

impl Walker<'_> {
    /// A local variable of the source; formal parameters are left out, as in the paper.
    fn is_snapshot(&self, local: Local) -> bool {
        let Some(variable) = self.function.variables.get(local as usize) else { return false };
        self.options.snapshots
            && local as usize > self.function.parameters
            && variable.name.is_some()
            && !variable.facts.holds_guard
            && !variable.facts.borrows
    }

    pub(super) fn write_snapshot(&mut self, state: &mut State, to: &Place, site: Site) {
        let through_pointer = to.steps.iter().any(|step| matches!(step, PlaceStep::Deref { .. }));
        if self.is_snapshot(to.local) && !through_pointer {
            state.snapshots.insert(to.local, Snapshot::written(site, state.held.maybe_any()));
        }
    }

    pub(super) fn enter_snapshots(&mut self, state: &mut State, site: Site) {
        state.snapshots.change_where(|_| true, |snapshot| snapshot.enter_section(site));
    }

    pub(super) fn read_snapshots(&mut self, state: &mut State, operand: &Operand, site: Site) {
        if let Some(place) = operand.place() {
            self.read_snapshot(state, place, site);
        }
    }

    pub(super) fn read_value_snapshots(&mut self, state: &mut State, value: &Rvalue, site: Site) {
        match value {
            Rvalue::Use(operand) => self.read_snapshots(state, operand, site),
            Rvalue::Borrow(of) | Rvalue::Discriminant(of) => self.read_snapshot(state, of, site),
            Rvalue::Compare(operands) | Rvalue::Order(operands) | Rvalue::Compute(operands) => {
                operands.iter().for_each(|operand| self.read_snapshots(state, operand, site));
            }
            Rvalue::Aggregate { parts, .. } => {
                parts.iter().for_each(|part| self.read_snapshots(state, &part.operand, site));
            }
            Rvalue::Nothing => {}
        }
    }

    /// The ghost assertion before each read.
    fn read_snapshot(&mut self, state: &mut State, place: &Place, site: Site) {
        let Some(snapshot) = state.snapshots.get_mut(&place.local) else { return };
        match snapshot.standing {
            Standing::Fresh => {}
            Standing::Stale { entered, age } => {
                let written = snapshot.written;
                snapshot.standing = Standing::Reported { at: site };
                let variable = place.local;
                let read = StaleRead { variable, written, entered, age, read: site, echoes: Vec::new() };
                if let Some(record) = &mut self.record {
                    record.stale_reads.entry((variable, site)).or_insert(read);
                }
            }
            Standing::Reported { at } => {
                let known = self.record.as_mut().and_then(|record| record.stale_reads.get_mut(&(place.local, at)));
                if let Some(known) = known
                    && !known.echoes.contains(&site)
                {
                    known.echoes.push(site);
                }
            }
        }
    }
}
