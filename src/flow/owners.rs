//! A `drop` that asks whether its handle is the last one, and cleans up only if so. The handle is given up in another step than
//! the question: of two threads that drop the last two, each may still find the other, and then nobody cleans up.

use crate::domain::facts::LastOwner;
use crate::domain::path::whole_local;
use crate::domain::state::State;
use crate::events::{
    BlockId, Call, Event, EventKind, Function, Local, Meaning, Operand, Place, PlaceStep, Rvalue, Site,
};
use crate::flow::calls::Argument;
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

/// The variant of `Result` that stands for an error.
const ERR: u32 = 1;

/// More blocks than this between the question and what is done because of it are another matter.
const FAR: usize = 64;

impl Walker<'_> {
    pub(super) fn ask_for_owners(&mut self, state: &mut State, call: &Call, arguments: &[Argument], site: Site) {
        // Under a lock it may be given up there, too.
        let alone = state.held.certain().next().is_none();
        if self.record.is_some() && self.function.drops_clone && alone {
            let of = arguments.first().and_then(|argument| argument.target);
            let acts = self.done_if_last(call);
            if let Some(record) = &mut self.record {
                record.apart.last_owners.extend(acts.map(|acts| LastOwner { of, asked: site, acts }));
            }
        }
        self.unknown(state, call, arguments, site);
    }

    /// What one way from the question does, and the other one does not.
    fn done_if_last(&self, call: &Call) -> Option<Site> {
        let answers = answers(self.function, call)?;
        let asked = |block: &BlockId| match self.function.blocks[*block].events.last().map(|event| &event.kind) {
            Some(EventKind::Branch(on)) => on.place().is_some_and(|on| answers.contains(&on.local)),
            _ => false,
        };
        let branch = (0..self.function.blocks.len()).find(asked)?;
        if self.control().is_assertion(branch) {
            return None;
        }
        let meeting = self.control().meeting_of(branch);
        let ways = &self.function.blocks[branch].successors;
        let mut acts = ways.iter().map(|&way| self.first_act(way, meeting));
        let (one, other) = (acts.next()?, acts.next()?);
        one.xor(other).filter(|_| acts.next().is_none())
    }

    fn first_act(&self, way: BlockId, meeting: Option<BlockId>) -> Option<Site> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![way]);
        while let Some(block) = open.pop() {
            if Some(block) != meeting && seen.len() < FAR && seen.insert(block) {
                open.extend(&self.function.blocks[block].successors);
            }
        }
        let events = seen.into_iter().flat_map(|block| &self.function.blocks[block].events);
        events.filter(|event| self.is_act(event)).map(|event| event.site).min()
    }

    /// Something that others see.
    fn is_act(&self, event: &Event) -> bool {
        let locks = |summary: &crate::summary::Summary| !summary.sections.is_empty() || !summary.wants.is_empty();
        match &event.kind {
            EventKind::Acquire { .. } => true,
            EventKind::Call(call) => {
                let changes =
                    matches!(call.meaning, Some(Meaning::Notify { .. } | Meaning::Remove | Meaning::Put { .. }));
                let mut known = call.callees.iter().filter_map(|&callee| self.known(callee));
                changes || call.section.is_some() || call.beyond.is_some() || known.any(|summary| locks(&summary))
            }
            _ => false,
        }
    }
}

/// The variables that say what the answer was; `None` if the handle comes back with it, and is used.
fn answers(function: &Function, call: &Call) -> Option<BTreeSet<Local>> {
    let result = whole_local(&call.to)?;
    let mut whole = BTreeSet::from([result]);
    let mut found = whole.clone();
    for event in function.events() {
        let (to, from): (&Place, Vec<&Place>) = match &event.kind {
            EventKind::Assign { to, value } => (to, places(value)),
            EventKind::Call(next) if next.arguments.len() == 1 && next.meaning != Some(Meaning::Demand) => {
                (&next.to, next.arguments[0].place().into_iter().collect())
            }
            _ => continue,
        };
        let comes_back = |place: &&Place| whole.contains(&place.local) && is_of_error(place);
        if from.iter().any(comes_back) {
            return None;
        }
        let Some(to) = whole_local(to).filter(|_| from.iter().any(|place| found.contains(&place.local))) else {
            continue;
        };
        found.insert(to);
        if from.iter().any(|place| whole_local(place).is_some_and(|from| whole.contains(&from)))
            && matches!(&event.kind, EventKind::Assign { value: Rvalue::Use(_), .. })
        {
            whole.insert(to);
        }
    }
    Some(found)
}

fn is_of_error(place: &Place) -> bool {
    matches!(place.steps.first(), Some(PlaceStep::Field(field)) if field.variant == ERR)
}

fn places(value: &Rvalue) -> Vec<&Place> {
    match value {
        Rvalue::Use(operand) => operand.place().into_iter().collect(),
        Rvalue::Borrow(place) | Rvalue::Discriminant(place) => vec![place],
        Rvalue::Compare(all) | Rvalue::Order(all) | Rvalue::Compute(all) => {
            all.iter().filter_map(Operand::place).collect()
        }
        Rvalue::Aggregate { .. } | Rvalue::Nothing => Vec::new(),
    }
}
