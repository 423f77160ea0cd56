//! Coroutines: the bodies of `async fn` and `async` blocks. rustc has made them into state machines: a local that
//! lives across an `.await` has become a field of a variant of the coroutine, an `.await` sets the state and returns,
//! and the first block jumps to where the state says.
//!
//! Here the machine is read backwards: a saved field is one local again, and a suspension leads on to where it resumes.

use crate::mir::plain::Local;
use crate::mir::ready;
use rustc_abi::VariantIdx;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_middle::mir::{
    self, BasicBlock, CoroutineLayout, PlaceElem, ProjectionElem, Rvalue, START_BLOCK, StatementKind, TerminatorKind,
    VarDebugInfoContents,
};
use rustc_middle::ty::{self, Ty, TyCtxt};
use std::cell::OnceCell;
use std::rc::Rc;

/// States below this are "not started", "returned" and "panicked".
pub(super) const FIRST_SUSPENSION: u32 = 3;

pub(super) struct Coroutine<'r, 'tcx> {
    body: &'r mir::Body<'tcx>,
    layout: &'r CoroutineLayout<'tcx>,
    /// The local that points at the state.
    state: mir::Local,
    /// Where each state goes on.
    entries: FxHashMap<u32, BasicBlock>,
    /// The saved locals that are awaited, by their numbers.
    awaited: FxHashSet<Local>,
    put_into: OnceCell<FxHashMap<Local, Option<mir::Local>>>,
    calls: OnceCell<ready::Calls>,
}

/// The name of what is awaited, which the compiler keeps for debuggers.
const AWAITED: &str = "__awaitee";

impl<'r, 'tcx> Coroutine<'r, 'tcx> {
    /// `None` for other bodies.
    pub(super) fn of(body: &'r mir::Body<'tcx>) -> Option<Self> {
        let layout = body.coroutine.as_ref()?.coroutine_layout.as_ref()?;
        let first = &body.basic_blocks[START_BLOCK];
        let state = first.statements.iter().rev().find_map(|statement| match &statement.kind {
            StatementKind::Assign(assign) => match assign.1 {
                Rvalue::Discriminant(place) => Some(place.local),
                _ => None,
            },
            _ => None,
        })?;
        let TerminatorKind::SwitchInt { targets, .. } = &first.terminator().kind else { return None };
        let entries = targets.iter().filter_map(|(value, block)| Some((u32::try_from(value).ok()?, block))).collect();
        let mut coroutine = Coroutine {
            body,
            layout,
            state,
            entries,
            awaited: FxHashSet::default(),
            put_into: OnceCell::new(),
            calls: OnceCell::new(),
        };
        coroutine.awaited = coroutine.named().filter(|(_, name)| *name == AWAITED).map(|(local, _)| local).collect();
        Some(coroutine)
    }

    /// The number that stands for a saved local: behind all the locals of the body.
    fn number(&self, saved: usize) -> Local {
        u32::try_from(self.body.local_decls.len() + saved).expect("fewer than 2^32 locals")
    }

    /// A place in a saved local: its number, its type, and the way that is left.
    pub(super) fn saved<'p>(&self, place: &'p mir::Place<'tcx>) -> Option<(Local, Ty<'tcx>, &'p [PlaceElem<'tcx>])> {
        let [ProjectionElem::Deref, ProjectionElem::Downcast(_, variant), ProjectionElem::Field(field, ty), rest @ ..] =
            &place.projection[..]
        else {
            return None;
        };
        let saved = *self.layout.variant_fields.get(*variant)?.get(*field)?;
        (place.local == self.state).then(|| (self.number(saved.as_usize()), *ty, rest))
    }

    /// Types and names of the saved locals, in the order of their numbers.
    pub(super) fn variables(&self) -> Vec<(Ty<'tcx>, Option<Rc<str>>)> {
        let named: FxHashMap<Local, Rc<str>> = self.named().map(|(local, name)| (local, name.into())).collect();
        let fields = self.layout.field_tys.iter().enumerate();
        fields.map(|(saved, field)| (field.ty, named.get(&self.number(saved)).cloned())).collect()
    }

    fn named(&self) -> impl Iterator<Item = (Local, &str)> {
        self.body.var_debug_info.iter().filter_map(|info| match &info.value {
            VarDebugInfoContents::Place(place) => match self.saved(place)? {
                (local, _, []) => Some((local, info.name.as_str())),
                _ => None,
            },
            VarDebugInfoContents::Const(_) => None,
        })
    }

    /// What is awaited at the end of the block has no `.await` in it, and so it is always ready.
    pub(super) fn awaits_nothing(&self, tcx: TyCtxt<'tcx>, block: BasicBlock) -> bool {
        let Some(saved) = self.state_set_in(block).and_then(|state| self.layout.variant_fields.get(state)) else {
            return false;
        };
        let awaited = saved.iter().find(|saved| self.awaited.contains(&self.number(saved.as_usize())));
        awaited.is_some_and(|&saved| match self.layout.field_tys[saved].ty.kind() {
            ty::Coroutine(of, _) => ready::is_ready(tcx, *of),
            ty::Adt(pin, _) if pin.is_pin() => {
                let put = self.put_into().get(&self.number(saved.as_usize())).copied().flatten();
                let calls = || self.calls.get_or_init(|| ready::calls(self.body));
                put.is_some_and(|future| ready::is_ready_box(tcx, self.body, calls(), future))
            }
            _ => false,
        })
    }

    /// The variables that are moved into saved ones, by the numbers of these, where it is only one.
    fn put_into(&self) -> &FxHashMap<Local, Option<mir::Local>> {
        self.put_into.get_or_init(|| {
            let mut all = FxHashMap::default();
            for statement in self.body.basic_blocks.iter().flat_map(|data| &data.statements) {
                let StatementKind::Assign(assign) = &statement.kind else { continue };
                let Some((number, _, [])) = self.saved(&assign.0) else { continue };
                let from = match &assign.1 {
                    Rvalue::Use(operand, _) => operand.place().and_then(|place| place.as_local()),
                    _ => None,
                };
                all.entry(number).and_modify(|known| *known = None).or_insert(from);
            }
            all
        })
    }

    /// Where a block leads, if the state machine has changed that.
    pub(super) fn successors(&self, block: BasicBlock) -> Option<Vec<BasicBlock>> {
        if block == START_BLOCK {
            return Some(self.entries.get(&0).copied().into_iter().collect());
        }
        let state = self.state_set_in(block)?;
        Some(self.entries.get(&state.as_u32()).copied().into_iter().filter(|_| is_suspension(state)).collect())
    }

    /// The block ends in an `.await` that is not ready.
    pub(super) fn suspends(&self, block: BasicBlock) -> bool {
        self.state_set_in(block).is_some_and(is_suspension)
    }

    fn state_set_in(&self, block: BasicBlock) -> Option<VariantIdx> {
        let data = &self.body.basic_blocks[block];
        if !matches!(data.terminator().kind, TerminatorKind::Return) {
            return None;
        }
        data.statements.iter().rev().find_map(|statement| match &statement.kind {
            StatementKind::SetDiscriminant { place, variant_index } if place.local == self.state => {
                Some(*variant_index)
            }
            _ => None,
        })
    }
}

fn is_suspension(state: VariantIdx) -> bool {
    state.as_u32() >= FIRST_SUSPENSION
}
