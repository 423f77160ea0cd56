//! A body as the list of things that matter to locking: acquire, release, wait, read, write, call, branch.
//!
//! The plain body says what the compiler does; the events say what it means, with the models' help. Nothing is
//! decided here: whether a value is stale, or a lock held, is the flow's business.

mod lower;

pub use crate::mir::plain::{
    Asked, BlockId, Claim, Closure, Destructor, Exposed, Exposure, Exposures, Field, Identity, Local, LockType, Made,
    Operand, Order, Part, Place, PlaceStep, Refusal, Rvalue, Start, Touch, TypeFacts, Way, WayStep,
};
pub use crate::mir::{DefinitionId, Site};
pub use crate::models::{Beyond, Counts, LockKind, Meaning, Mode, Waiting};
pub use lower::lower;

use crate::mir::plain::{Guards, Variable};
use std::rc::Rc;

/// A function as events.
#[derive(Clone, Debug)]
pub struct Function {
    pub id: DefinitionId,
    pub variables: Vec<Variable>,
    pub parameters: usize,
    pub exclusive_types: Vec<DefinitionId>,
    /// The type whose object it has to itself, as `&mut self` or `self`, if none can be cloned.
    pub driven_by: Option<DefinitionId>,
    /// `unsafe fn`: who calls it has promised something.
    pub promised: bool,
    /// Clippy was told that a lock is held where it sleeps.
    pub sleeps_knowingly: bool,
    /// It is meant to be atomic.
    pub atomic: bool,
    /// The locks that its callers hold, as it says.
    pub requires: Rc<[Way]>,
    /// The fields that are said to be used only under a lock.
    pub guards: Rc<Guards>,
    /// What it may touch that nothing ties to a lock; nothing, if it does not come near.
    pub exposures: Rc<Exposures>,
    /// It reads or writes some of that, as far as names tell.
    pub touches: bool,
    /// Parameters of types that only one thread can have.
    pub unshareable: Vec<Local>,
    /// A lock that the thread keeps for itself.
    pub of_thread: Option<Local>,
    /// It is given something that proves that its caller may do this: a guard, a token.
    pub has_token: bool,
    /// It is run by whom it was given to.
    pub is_closure: bool,
    /// The `drop` of a type that can be cloned.
    pub drops_clone: bool,
    /// If it polls futures by hand: the functions that tables of wakers name.
    pub polls: Option<Rc<[DefinitionId]>>,
    /// It has fences, which order what single operations do not.
    pub fences: bool,
    /// It, or something it calls, takes a lock. The others are read for what they do with what they are given.
    pub near_locks: bool,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub events: Vec<Event>,
    pub successors: Vec<BlockId>,
    /// The one of them that is gone to if what the branch asks for is not there.
    pub if_gone: Option<BlockId>,
    /// What is asked is asked while debugging alone.
    pub for_debugging: bool,
    /// Variables that have no guard in them on the way to one of them.
    pub empty: Vec<(BlockId, Local)>,
    /// The one of them that is gone to if another thread has panicked with the lock.
    pub if_poisoned: Option<BlockId>,
    /// The caller is turned away.
    pub refuses: Option<Refusal>,
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
        /// Of the entry, where the lock is a map.
        key: Option<Operand>,
        lock_type: Box<LockType>,
        mode: Mode,
        fallible: bool,
        later: bool,
        /// Whether there is a guard tells something of what is protected: the entry of a concurrent map.
        looks: bool,
        /// Who reads may read again.
        recursive: bool,
    },
    /// Something is dropped, if it is still there, and this code runs.
    Destroy {
        of: Place,
        by: Rc<[Destructor]>,
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
        how: Waiting,
    },
    Call(Box<Call>),
    /// What is in the place is read or written.
    Touch(Touch),
    Branch(Operand),
    /// An `.await` that is not ready.
    Suspend,
    Return,
    Dead(Local),
}

#[derive(Clone, Debug)]
pub struct Call {
    /// The functions of which one runs, as far as that is known.
    pub callees: Vec<DefinitionId>,
    /// How it treats its arguments. `None`: the result may depend on every argument, and what is lent mutably may
    /// change.
    pub meaning: Option<Meaning>,
    /// What it does beyond the memory of the thread.
    pub beyond: Option<Beyond>,
    /// A function that is neither of this crate nor of the standard library is given something that others may see too.
    pub shares: bool,
    /// It starts what it is given once for each of many items.
    pub for_many: bool,
    /// How strictly an atomic operation is ordered.
    pub order: Option<Order>,
    /// What is called is the first argument, with the parts of the second.
    pub invokes: bool,
    /// Arguments that it may drop, and the code that runs then.
    pub sent: Vec<(usize, Rc<[Destructor]>)>,
    /// It is a critical section of its own, of the lock that the first argument points at.
    pub section: Option<(Mode, LockType)>,
    /// It works on this part of what the guard in the first argument protects.
    pub part: Option<Field>,
    pub arguments: Vec<Operand>,
    pub to: Place,
    pub result: TypeFacts,
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
