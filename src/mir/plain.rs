//! A body as plain data: rustc's MIR without rustc's types, and without what no analysis here asks for
//! (unwinding, types of temporaries).
//!
//! Everything above this room works on these types alone, so a new nightly is absorbed by `read.rs`.

use crate::mir::sites::Site;
use crate::models::{Beyond, LockKind, Meaning, Mode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A definition, the same in every session and in every crate that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DefinitionId(pub u64, pub u64);

/// One function, method or closure.
#[derive(Clone, Debug)]
pub struct Body {
    pub id: DefinitionId,
    pub blocks: Vec<Block>,
    /// Indexed by [`Local`]; the returned value first, then the parameters.
    pub variables: Vec<Variable>,
    pub parameters: usize,
    /// The types of this crate that it is given exclusive access to, by `&mut`.
    pub exclusive_types: Vec<DefinitionId>,
    /// The type whose object it has to itself, as `&mut self` or `self`, if none can be cloned.
    pub driven_by: Option<DefinitionId>,
    /// `unsafe fn`: who calls it has promised something.
    pub promised: bool,
    /// Clippy was told that a lock is held where it sleeps.
    pub sleeps_knowingly: bool,
    /// It is marked as meant to be atomic.
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
    /// It calls `fence`.
    pub fences: bool,
}

/// By the type and the number of the field.
pub type Guards = BTreeMap<(DefinitionId, u32), Way>;

/// The way to a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    pub start: Start,
    pub steps: Vec<WayStep>,
}

/// What nothing in the type system ties to a lock.
#[derive(Clone, Debug, Default)]
pub struct Exposures {
    /// By the type and the number of the field.
    pub fields: BTreeMap<(DefinitionId, u32), Exposure>,
    pub statics: BTreeMap<DefinitionId, Exposure>,
    pub claims: Vec<Claim>,
}

/// What is asked of a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Nothing,
    /// That it may go to another thread, and not that two may have it.
    OnlySend,
    /// The same, and several readers of a lock have it at once.
    OnlySendForReaders,
    /// Of a field, an `Arc` that copies of the type share: nothing that would allow it. Where something is put into it that
    /// two threads must not use at once, if that was seen.
    SharedByCopies {
        filled_at: Option<Site>,
    },
}

/// A type that is said to be `Send` or `Sync` whatever its parameter stands for, or what is in a field of it.
#[derive(Clone, Debug)]
pub struct Claim {
    pub site: Site,
    pub type_name: String,
    /// The parameter, or the field.
    pub parameter: String,
    pub is_sync: bool,
    pub asked: Asked,
    /// A function that lets the parameter in or out.
    pub function: String,
    pub shown_at: Site,
    /// Other crates can name the type.
    pub exported: bool,
}

impl Exposures {
    /// There is more than atomics: memory that two threads must not use at once.
    pub fn has_plain_memory(&self) -> bool {
        self.fields.values().chain(self.statics.values()).any(|exposure| exposure.kind != Exposed::Atomic)
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.statics.is_empty()
    }
}

#[derive(Clone, Debug)]
pub struct Exposure {
    pub kind: Exposed,
    /// `Account.balance`, or the name of the static.
    pub name: Rc<str>,
    pub declared: Site,
    /// Where it is said that threads may share it.
    pub promise: Option<Site>,
    /// The locks in the same struct.
    pub locks: Vec<LockBeside>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposed {
    Cell,
    /// What a raw pointer leads to.
    Pointer,
    /// `static mut`.
    Static,
    Atomic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockBeside {
    pub field: (DefinitionId, u32),
    pub name: Rc<str>,
}

/// Why a way leads to no lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayMistake {
    /// There is no such parameter, no such field, no such static.
    Parameter(String),
    Field {
        name: String,
        of: String,
    },
    Static(String),
    /// It leads to something of this type.
    OtherThanLock(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The object that has the field that the lock guards.
    Object,
    Parameter(Local),
    Static(DefinitionId, Rc<str>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayStep {
    Field(Field),
    /// Through a pointer that others may have, too, or not.
    Follow {
        shared: bool,
    },
}

pub type Local = u32;
pub type BlockId = usize;

#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in the source, if it is a variable there and not a temporary.
    pub name: Option<Rc<str>>,
    pub facts: TypeFacts,
    /// It is a closure, or a reference to one.
    pub closure: Option<Closure>,
    /// It is the future of this body.
    pub future: Option<DefinitionId>,
}

/// A closure by its type, which says which code it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    pub body: DefinitionId,
    /// The body is given a reference to what was captured, not the captured things themselves.
    pub by_reference: bool,
    /// The variable is a reference to the closure.
    pub behind_reference: bool,
}

/// What the analysis asks of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeFacts {
    /// A guard of a lock is somewhere in it: the guard itself, a `Result` or a struct that carries one.
    pub holds_guard: bool,
    /// It is the guard.
    pub is_guard: bool,
    /// An enum: what is in it may be one thing or another, or nothing.
    pub choice: bool,
    /// The type of a lock is written in it: `&Mutex<T>`, `Arc<RwLock<T>>`.
    pub names_lock: bool,
    /// It borrows from somewhere: a reference, or a type with a lifetime such as an iterator.
    pub borrows: bool,
    /// It leads to exactly one other thing: a reference, a raw pointer, an `Arc`, a `Box`.
    pub pointer: bool,
    /// The same, in a newtype, an `Option` or a `Result`, and nothing else beside it.
    pub leads_to_one: bool,
    /// A `Box`: what it leads to is part of who has it.
    pub owned: bool,
    /// `*const T` or `*mut T`: who follows it has to know what it points at.
    pub raw: bool,
    /// `&mut T`: nobody else sees what it points at.
    pub exclusive: bool,
    pub identity: Identity,
    /// `()`: it tells nothing.
    pub unit: bool,
    /// An enum of the user's with several variants: a state.
    pub states: bool,
    /// Who has it, or finds it in a list, can wake a task or thread that waits: a `Waker`, or a struct with one.
    pub wakes: bool,
    /// The name of a thread: `ThreadId`, or a reference to one.
    pub names_thread: bool,
}

/// Whether two equal values of a type are still two things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Identity {
    /// Plain data: one is as good as the other.
    #[default]
    None,
    /// A type parameter or a trait object: nobody can say.
    Unknown,
    /// It can be changed in place by whoever has it: atomics, locks, cells inside.
    Own,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub statements: Vec<(Site, Statement)>,
    pub successors: Vec<BlockId>,
    /// The one of them that is gone to if what the branch asks for is not there.
    pub if_gone: Option<BlockId>,
    /// What is asked is asked while debugging alone.
    pub for_debugging: bool,
    /// Variables that have no guard in them on the way to one of them.
    pub empty: Vec<(BlockId, Local)>,
    /// The one of them that is gone to if another thread has panicked with the lock.
    pub if_poisoned: Option<BlockId>,
    pub refuses: Option<Refusal>,
}

/// How a caller is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// The answer is `false`.
    No,
    Error,
}

#[derive(Clone, Debug)]
pub enum Statement {
    Assign {
        to: Place,
        value: Rvalue,
    },
    /// The storage of a local ends: nothing in it can be read any more.
    Dead(Local),
    /// What is in the place is dropped, if anything is there.
    Drop {
        place: Place,
        facts: TypeFacts,
        by: Rc<[Destructor]>,
    },
    Call(Call),
    /// What is in the place is read or written, or a raw pointer to it followed.
    Touch(Touch),
    /// The way forks on this value.
    Branch(Operand),
    /// An `.await` that is not ready: other tasks and threads run.
    Suspend,
    Return,
}

/// Code that runs when something is dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destructor {
    /// An implementation of `Drop::drop`.
    pub body: DefinitionId,
    /// The way from the thing to what it is run for: the thing itself, or something that it owns.
    pub steps: Box<[PlaceStep]>,
    /// It runs if a handle (`Arc`) of this was the last.
    pub handle_of: Option<DefinitionId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    pub place: Place,
    pub write: bool,
    /// More than the machine reads or writes at once.
    pub wide: bool,
}

/// `std::sync::atomic::Ordering`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Relaxed,
    Release,
    Acquire,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Debug)]
pub struct Call {
    /// The function that runs: for a trait's method the one of the type, or those of the few types it can be. Empty if
    /// that is not known.
    pub callees: Vec<DefinitionId>,
    /// What the models say of the callee.
    pub meaning: Option<Meaning>,
    /// What it does beyond the memory of the thread, as far as that is known.
    pub beyond: Option<Beyond>,
    /// A function of another crate than this one and the standard library, or of whatever implements a trait, is given
    /// something that others may see too.
    pub shares: bool,
    /// It starts what it is given once for each of many items: a method of a parallel iterator.
    pub for_many: bool,
    /// How strictly an atomic operation is ordered, where that is written there.
    pub order: Option<Order>,
    /// The call is a critical section of its own: of the lock that the first argument points at.
    pub section: Option<Mode>,
    /// It works on this part of what the guard in the first argument protects.
    pub part: Option<Field>,
    /// What is called is the first argument, with the parts of the second: a closure, or something that may be one.
    pub invokes: bool,
    /// What it is given to hand on to another thread, and drops if nobody is there: the argument, and the code that runs then.
    pub sent: Vec<(usize, Rc<[Destructor]>)>,
    pub arguments: Vec<Operand>,
    pub to: Place,
    pub result: TypeFacts,
    /// For a lock, the type it is called on.
    pub receiver: Option<LockType>,
}

/// A type of locks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LockType {
    /// As users write it: `std::sync::Mutex`.
    pub name: Rc<str>,
    pub kind: LockKind,
    /// Who holds it may take it again.
    pub reentrant: bool,
    /// Who waits for it sleeps as a task, and lets the thread go on.
    pub for_tasks: bool,
    /// It is a handle: the lock is behind it, and others have handles of their own.
    pub behind: bool,
    /// How users look and change in one step, if its type has a way.
    pub at_once: Option<Rc<str>>,
    /// An atomic number that cannot go below zero.
    pub unsigned: bool,
    /// What it protects, if that is one type of this crate.
    pub protects: Option<DefinitionId>,
    /// The type of what it protects, if one of this crate is in it: two locks of it may be one.
    pub content: Option<DefinitionId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    Copy(Place),
    Move(Place),
    /// The address of a static.
    Static(DefinitionId, Rc<str>),
    /// Its number, if it is a plain one.
    Constant(Option<u64>),
}

#[derive(Clone, Debug)]
pub enum Rvalue {
    Use(Operand),
    Borrow(Place),
    /// Both sides of `==`, `<` and the like.
    Compare(Vec<Operand>),
    /// Which of two comes first.
    Order(Vec<Operand>),
    /// Anything else that is computed from operands.
    Compute(Vec<Operand>),
    /// A tuple, struct, enum variant, array or closure built from its parts.
    Aggregate {
        made: Made,
        parts: Vec<Part>,
    },
    /// Which variant is there: a look at the place.
    Discriminant(Place),
    Nothing,
}

/// One part of an aggregate.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it goes.
    pub step: PlaceStep,
    pub operand: Operand,
    /// It leads to exactly one other thing: a reference, a raw pointer, an `Arc`.
    pub pointer: bool,
}

/// What an aggregate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Data,
    /// A closure, by its body.
    Closure(DefinitionId),
    /// The future of an `async` body.
    Coroutine(DefinitionId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub local: Local,
    pub steps: Box<[PlaceStep]>,
}

impl Place {
    pub fn variable(local: Local) -> Place {
        Place { local, steps: Box::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// Through a pointer. `shared` if others may follow the same pointer: `&`, raw pointers.
    Deref {
        shared: bool,
    },
    Field(Field),
    /// An element at a computed position.
    Index(Local),
    /// An element at a position fixed in the source, or a part of a slice.
    Element,
}

/// One field of a type, or one captured variable of a closure. It is named at many places: they share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Field(Rc<NamedField>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamedField {
    pub variant: u32,
    pub index: u32,
    pub name: Box<str>,
    /// The type that has the field, if it has a name.
    pub owner: Option<DefinitionId>,
}

impl Field {
    /// The name of what is in an `Option`, which has none.
    pub const CONTENT: &str = "";

    /// What is in an `Option`, if there is something.
    pub fn is_content(&self) -> bool {
        &*self.name == Field::CONTENT
    }

    pub fn new(variant: u32, index: u32, name: &str, owner: Option<DefinitionId>) -> Field {
        Field(Rc::new(NamedField { variant, index, name: name.into(), owner }))
    }

    /// One of a tuple.
    pub fn numbered(index: u32) -> Field {
        Field::new(0, index, &index.to_string(), None)
    }
}

impl std::ops::Deref for Field {
    type Target = NamedField;

    fn deref(&self) -> &NamedField {
        &self.0
    }
}

impl Operand {
    pub fn place(&self) -> Option<&Place> {
        match self {
            Operand::Copy(place) | Operand::Move(place) => Some(place),
            Operand::Static(..) | Operand::Constant(_) => None,
        }
    }
}
