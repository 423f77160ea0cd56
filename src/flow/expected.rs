//! What a thread has put somewhere, and expects to be there in a later section: somebody may have taken it away.

use crate::domain::facts::Expected;
use crate::domain::origin::Origin;
use crate::domain::path::PathId;
use crate::domain::state::State;
use crate::events::{BlockId, EventKind, Mode, Operand, Rvalue, Site};
use crate::flow::transfer::Walker;

/// Something was put there, so that something was there afterwards for sure.
pub(super) struct Filled {
    target: PathId,
    lock: PathId,
    section: Site,
    site: Site,
    block: BlockId,
    /// Of the entry.
    key: Option<PathId>,
    /// The other locks that were held to write, and where they were taken.
    beside: Vec<(PathId, Site)>,
}

impl Walker<'_> {
    pub(super) fn note_filled(&mut self, state: &State, target: PathId, site: Site) {
        let Some(lock) = self.paths.lock_above(target).filter(|_| !self.applying) else { return };
        let Some(section) = state.held.maybe(lock).map(|holding| holding.section) else { return };
        let key = state.keys.get(&section).copied().flatten();
        let (block, beside) = (self.block, held_to_write(state, lock));
        if let Some(record) = &mut self.record {
            record.filled.push(Filled { target, lock, section, site, block, key, beside });
        }
    }

    /// It has to be there now.
    pub(super) fn note_expected(&mut self, state: &State, look: Origin, demanded: Site) {
        let Some(record) = &self.record else { return };
        let beside = held_to_write(state, look.lock);
        let same_place = |filled: &&Filled| match self.paths.is_entry(filled.target) {
            true => {
                let keys = filled.key.zip(look.key);
                let of_it = filled.target == look.path || self.paths.parent(filled.target) == Some(look.path);
                of_it && keys.is_some_and(|(one, other)| self.paths.overlap(one, other))
            }
            false => filled.target == look.path,
        };
        let before = |filled: &&Filled| {
            let earlier = filled.lock == look.lock && filled.section != look.section && filled.site < look.section;
            let kept_out = filled.beside.iter().any(|one| beside.contains(one));
            earlier && !kept_out && self.control().dominates(filled.block, self.block)
        };
        let put = record.filled.iter().rev().filter(before).find(same_place).map(|filled| filled.site);
        if let (Some(record), Some(put)) = (&mut self.record, put) {
            record.apart.expected.push(Expected { look, put, demanded });
        }
    }

    /// `let Some(entry) = map.get(key) else { unreachable!() }`: an `unwrap` by another name.
    pub(super) fn demand_in_branch(&mut self, state: &State, on: &Operand, site: Site) {
        let block = &self.function.blocks[self.block];
        if block.if_gone.is_none() || self.record.is_none() || !self.control().is_assertion(self.block) {
            return;
        }
        let of = block.events.iter().rev().find_map(|event| match &event.kind {
            EventKind::Assign { to, value: Rvalue::Discriminant(of) } if Some(to) == on.place() => Some(of),
            _ => None,
        });
        // The way that does not panic is not the one on which nothing is there.
        let goes_on = self.control().meeting_of(self.block).is_some_and(|next| Some(next) != block.if_gone);
        let Some(of) = of.filter(|_| goes_on) else { return };
        let guard = self.function.variables.get(of.local as usize).is_some_and(|it| it.facts.holds_guard);
        let value = self.look_at(state, of, site);
        self.demand(state, &value, guard, site);
    }
}

fn held_to_write(state: &State, lock: PathId) -> Vec<(PathId, Site)> {
    let others = state.held.certain().filter(|(held, holding)| *held != lock && holding.mode == Mode::Exclusive);
    others.map(|(held, holding)| (held, holding.section)).collect()
}
