//! Variables that can stand for a position: set in one place, so that as long as the way does not come there again, two
//! elements at the position are one element.

use crate::domain::path::whole_local;
use crate::events::{EventKind, Function, Local, Place, Rvalue};

/// How often copies of copies are followed.
pub(super) const LONGEST: usize = 8;

/// What each variable is set by.
pub(super) struct Positions {
    /// How often each is set.
    times: Vec<u32>,
    /// What it was last seen to be a copy of.
    copies: Vec<Option<Local>>,
}

impl Positions {
    pub(super) fn of(function: &Function) -> Positions {
        let count = function.variables.len();
        let is_given = |local: usize| (1..=function.parameters).contains(&local);
        let mut times: Vec<u32> = (0..count).map(|local| u32::from(is_given(local))).collect();
        let mut copies = vec![None; count];
        for event in function.events() {
            let Some(to) = set_by(&event.kind) else { continue };
            let Some(times) = times.get_mut(to.local as usize) else { continue };
            *times += 1;
            if let (Some(local), EventKind::Assign { value: Rvalue::Use(operand), .. }) = (whole_local(to), &event.kind)
                && let Some(from) = operand.place().and_then(whole_local)
            {
                copies[local as usize] = Some(from);
            }
        }
        Positions { times, copies }
    }

    /// The variable that it is a copy of in the end, or itself, if it is set once.
    pub(super) fn source(&self, local: Local) -> Option<Local> {
        let once = |local: &Local| self.times.get(*local as usize) == Some(&1);
        let copied = |at: &Local| self.copies.get(*at as usize).copied().flatten().filter(once);
        std::iter::successors(Some(local).filter(once), copied).take(LONGEST).last()
    }
}

pub(super) fn set_by(event: &EventKind) -> Option<&Place> {
    match event {
        EventKind::Assign { to, .. } | EventKind::Acquire { to, .. } | EventKind::Wait { to, .. } => Some(to),
        EventKind::Call(call) => Some(&call.to),
        EventKind::Destroy { .. }
        | EventKind::Release { .. }
        | EventKind::Touch(_)
        | EventKind::Branch(_)
        | EventKind::Suspend
        | EventKind::Return
        | EventKind::Dead(_) => None,
    }
}
