//! Acts that few threads come to: the one that has won an exchange, or the one that has counted to the end of the numbers.

use crate::domain::facts::Effect;
use crate::domain::origin::Origin;
use crate::domain::path::{PathId, whole_local};
use crate::domain::state::{Decision, State};
use crate::events::{Counts, Event, EventKind, Function, Local, Operand, Rvalue, Site};
use crate::flow::transfer::Walker;
use std::collections::{BTreeMap, BTreeSet};

/// Who counts does not come here in a lifetime, or does so once.
const END: u64 = 1 << 31;

/// How far a number is followed to the constants that it is made of.
const STEPS: usize = 3;

impl Walker<'_> {
    /// An exchange of another atomic has decided that this is done.
    pub(super) fn is_for_winner(&self, state: &State, lock: PathId) -> bool {
        let exchanged = |origin: &Origin| origin.lock != lock && self.exchanges.contains(&origin.section);
        let decided = |decision: &Decision| decision.value.looks.iter().any(exchanged);
        self.is_atomic(lock) && !self.exchanges.is_empty() && self.decisions_leading_here(state).any(decided)
    }

    /// One is taken because there was something left, as far as was seen. Who takes more takes back what he has put there.
    pub(super) fn counts_below(&self, decision: &Decision, effect: Effect, site: Site) -> bool {
        let branches = || self.on_nothing.get_or_init(|| branches_on_nothing(self.function));
        let down = effect == Effect::Adjusts && self.counts.get(&site) == Some(&Counts::Down);
        let takes_one = || match self.event {
            Some(EventKind::Call(call)) => matches!(call.arguments.get(1), Some(Operand::Constant(Some(1)))),
            _ => false,
        };
        down && takes_one() && branches().contains(&decision.site)
    }

    /// So has a number that is never come to.
    pub(super) fn is_at_the_end(&self, decision: &Decision, lock: PathId) -> bool {
        let branches = || self.at_the_end.get_or_init(|| branches_at_the_end(self.function));
        self.is_atomic(lock) && branches().contains(&decision.site)
    }
}

/// The branches on whether there is anything left to count down: a comparison with 0, or a `match` on the number.
fn branches_on_nothing(function: &Function) -> BTreeSet<Site> {
    let made = Made::of(function);
    let asks = |event: &Event| match &event.kind {
        EventKind::Branch(operand) => {
            let asked = operand.place().and_then(whole_local);
            asked.is_some_and(|asked| made.compares_with_nothing(asked)).then_some(event.site)
        }
        _ => None,
    };
    function.events().filter_map(asks).collect()
}

/// The branches on whether something has come beyond a number that is never reached otherwise.
fn branches_at_the_end(function: &Function) -> BTreeSet<Site> {
    let made = Made::of(function);
    let asks = |event: &Event| match &event.kind {
        EventKind::Branch(operand) => {
            let asked = operand.place().and_then(whole_local);
            asked.is_some_and(|asked| made.compares_with_end(asked)).then_some(event.site)
        }
        _ => None,
    };
    function.events().filter_map(asks).collect()
}

/// What each variable is set to that is set in one place.
struct Made<'f>(BTreeMap<Local, Option<&'f Rvalue>>);

impl<'f> Made<'f> {
    fn of(function: &'f Function) -> Made<'f> {
        let mut all = BTreeMap::new();
        for event in function.events() {
            if let EventKind::Assign { to, value } = &event.kind
                && let Some(local) = whole_local(to)
            {
                all.entry(local).and_modify(|known| *known = None).or_insert(Some(value));
            }
        }
        Made(all)
    }

    fn compares_with_end(&self, answer: Local) -> bool {
        let is_end = |operand: &Operand| self.constant(operand, STEPS).is_some_and(|most| most >= END);
        matches!(self.0.get(&answer), Some(Some(Rvalue::Order(operands))) if operands.iter().any(is_end))
    }

    /// All of a number, and not some bits of it.
    fn compares_with_nothing(&self, answer: Local) -> bool {
        let is = |operand: &Operand, number: u64| self.constant(operand, STEPS) == Some(number);
        let whole = |operands: &[Operand]| !operands.iter().any(|operand| self.is_computed(operand, STEPS));
        match self.0.get(&answer) {
            Some(Some(Rvalue::Compare(operands))) => whole(operands) && operands.iter().any(|operand| is(operand, 0)),
            Some(Some(Rvalue::Order(operands))) => {
                whole(operands) && operands.iter().any(|operand| is(operand, 0) || is(operand, 1))
            }
            _ => false,
        }
    }

    fn is_computed(&self, operand: &Operand, steps: usize) -> bool {
        let made = operand.place().and_then(|place| self.0.get(&place.local).copied().flatten());
        match made.filter(|_| steps > 0) {
            Some(Rvalue::Compute(_)) => true,
            Some(Rvalue::Use(from)) => self.is_computed(from, steps - 1),
            _ => false,
        }
    }

    /// The largest of the numbers that something is made of, if it is made of numbers alone.
    fn constant(&self, operand: &Operand, steps: usize) -> Option<u64> {
        let place = match operand {
            Operand::Constant(number) => return *number,
            Operand::Static(..) => return None,
            Operand::Copy(place) | Operand::Move(place) => place,
        };
        let parts = match self.0.get(&place.local).copied().flatten().filter(|_| steps > 0)? {
            Rvalue::Use(operand) => std::slice::from_ref(operand),
            Rvalue::Compute(operands) => operands,
            _ => return None,
        };
        let numbers: Option<Vec<u64>> = parts.iter().map(|part| self.constant(part, steps - 1)).collect();
        numbers?.into_iter().max()
    }
}
