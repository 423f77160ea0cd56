//! State that one thread keeps for itself: before it is used, the thread asks whether it is the one (`self.owner ==
//! thread::current().id()`), and any other goes another way.

use crate::domain::path::whole_local;
use crate::events::{BlockId, Call, Event, EventKind, Function, Local, Operand};
use crate::flow::transfer::Walker;
use std::collections::BTreeSet;

impl Walker<'_> {
    /// The way comes here only from a branch that has asked which thread this is.
    pub(super) fn knows_its_thread(&self) -> bool {
        let branches = self.asks_who.get_or_init(|| branches_on_thread(self.function));
        let decides = |&branch: &BlockId| branch != self.block && self.control().dominates(branch, self.block);
        let over = |&branch: &BlockId| self.control().meets_before(branch, self.block);
        branches.iter().any(|branch| decides(branch) && !over(branch))
    }
}

/// The blocks that end with such a question.
fn branches_on_thread(function: &Function) -> Vec<BlockId> {
    let compares = |call: &Call| {
        let named = |operand: &Operand| operand.place().is_some_and(|place| is_named(function, place.local));
        call.arguments.len() == 2 && call.arguments.iter().all(named)
    };
    let answers = function.events().filter_map(|event| match &event.kind {
        EventKind::Call(call) if compares(call) => whole_local(&call.to),
        _ => None,
    });
    let answers: BTreeSet<Local> = answers.collect();
    if answers.is_empty() {
        return Vec::new();
    }
    let asks = |event: &Event| match &event.kind {
        EventKind::Branch(operand) => operand.place().and_then(whole_local).is_some_and(|it| answers.contains(&it)),
        _ => false,
    };
    (0..function.blocks.len()).filter(|&block| function.blocks[block].events.iter().any(asks)).collect()
}

fn is_named(function: &Function, local: Local) -> bool {
    function.variables.get(local as usize).is_some_and(|variable| variable.facts.names_thread)
}
