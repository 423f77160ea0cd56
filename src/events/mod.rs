//! A body as the list of things that matter to locking: acquire, release, wait, read, write, call, branch.
//!
//! The plain body says what the compiler does; the events say what it means, with the models' help. Nothing is
//! decided here: whether a value is stale, or a lock held, is the flow's business.

mod lower;

pub use crate::mir::plain::{BlockId, Field, Local, Made, Operand, Part, Place, PlaceStep, Rvalue, TypeFacts};
pub use crate::mir::{DefinitionId, Site};
pub use crate::models::Mode;
pub use lower::lower;

use crate::mir::plain::Variable;
use std::rc::Rc;

/// A function as events.
#[derive(Clone, Debug)]
pub struct Function {
    pub id: DefinitionId,
    pub name: String,
    pub variables: Vec<Variable>,
    pub parameters: usize,
    /// It, or something it calls, takes a lock. The others are read for what they do with what they are given.
    pub near_locks: bool,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub events: Vec<Event>,
    pub successors: Vec<BlockId>,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub site: Site,
    pub kind: EventKind,
}

#[derive(Clone, Debug)]
pub enum EventKind {
    Assign {
        to: Place,
        value: Rvalue,
    },
    /// A critical section opens. If `fallible`, only where a guard is taken out of the result; if `later`, only where the
    /// future in the result has given one.
    Acquire {
        to: Place,
        lock: Operand,
        lock_type: Rc<str>,
        mode: Mode,
        fallible: bool,
        later: bool,
    },
    /// A guard is dropped, if it is still there.
    Release {
        of: Place,
    },
    /// A guard is given up and comes back: a gap in the middle of a section.
    Wait {
        to: Place,
        guard: Operand,
        others: Vec<Operand>,
    },
    Call(Call),
    Branch(Operand),
    /// An `.await` that is not ready.
    Suspend,
    Return,
    Dead(Local),
}

#[derive(Clone, Debug)]
pub struct Call {
    /// The function that runs, as far as it is known.
    pub callee: Option<DefinitionId>,
    pub shape: CallShape,
    pub arguments: Vec<Operand>,
    pub to: Place,
    pub result: TypeFacts,
}

/// How a call treats its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallShape {
    /// The result points at what the first argument points at.
    Alias,
    /// The result is what is in the first argument.
    Pass,
    /// The result is what has come of the future that the first argument points at.
    Poll,
    /// The result is one more owner of what the first argument owns.
    Handle,
    /// The result points into what the first argument points at, at the position in the second.
    Index,
    /// The first argument's target changes, at the position in this argument.
    Update { position: usize },
    /// This argument is put into what the first argument points at, over what is there.
    Put { value: usize },
    /// What the first argument points at is moved out.
    Take,
    /// What the first two arguments point at is exchanged.
    Swap,
    /// Both arguments are looked at.
    Compare,
    /// The arguments decide nothing.
    Hint,
    /// The result is new: nobody else knows it yet.
    New,
    /// Nothing is known: the result may depend on every argument, and what is lent mutably may change.
    Unknown,
}

impl Function {
    /// Opens, closes or interrupts a critical section itself.
    pub fn has_locks(&self) -> bool {
        self.events().any(|event| matches!(event.kind, EventKind::Acquire { .. } | EventKind::Wait { .. }))
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.blocks.iter().flat_map(|block| &block.events)
    }
}
