//! Variables that can stand for a position: set in one place, so that as long as the way does not come there again, two
//! elements at the position are one element.

use crate::domain::path::whole_local;
use crate::events::{EventKind, Function, Local, Place, Rvalue};
use std::collections::BTreeMap;

/// How often copies of copies are followed.
pub(super) const LONGEST: usize = 8;

/// Each variable that is set once, with the variable it is a copy of in the end, or itself.
pub(super) fn positions(function: &Function) -> BTreeMap<Local, Local> {
    let parameters = 1..=Local::try_from(function.parameters).unwrap_or_default();
    let mut times: BTreeMap<Local, usize> = parameters.map(|parameter| (parameter, 1)).collect();
    let mut copies: BTreeMap<Local, Local> = BTreeMap::new();
    for event in function.events() {
        let Some(to) = set_by(&event.kind) else { continue };
        *times.entry(to.local).or_default() += 1;
        if let (Some(local), EventKind::Assign { value: Rvalue::Use(operand), .. }) = (whole_local(to), &event.kind) {
            copies.extend(operand.place().and_then(whole_local).map(|from| (local, from)));
        }
    }
    let once = |local: &Local| times.get(local) == Some(&1);
    let source = |local: Local| {
        let chain = std::iter::successors(Some(local), |at| copies.get(at).copied().filter(once));
        chain.take(LONGEST).last().unwrap_or(local)
    };
    times.keys().filter(|local| once(local)).map(|&local| (local, source(local))).collect()
}

pub(super) fn set_by(event: &EventKind) -> Option<&Place> {
    match event {
        EventKind::Assign { to, .. } | EventKind::Acquire { to, .. } | EventKind::Wait { to, .. } => Some(to),
        EventKind::Call(call) => Some(&call.to),
        EventKind::Release { .. }
        | EventKind::Branch(_)
        | EventKind::Suspend
        | EventKind::Return
        | EventKind::Dead(_) => None,
    }
}
