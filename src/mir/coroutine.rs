//! Coroutines: the bodies of `async fn` and `async` blocks. rustc has made them into state machines: a local that
//! lives across an `.await` has become a field of a variant of the coroutine, an `.await` sets the state and returns,
//! and the first block jumps to where the state says.
//!
//! Here the machine is read backwards: a saved field is one local again, and a suspension leads on to where it resumes.

use crate::mir::plain::Local;
use rustc_abi::VariantIdx;
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::mir::{
    self, BasicBlock, CoroutineLayout, PlaceElem, ProjectionElem, Rvalue, START_BLOCK, StatementKind, TerminatorKind,
    VarDebugInfoContents,
};
use rustc_middle::ty::Ty;
use std::rc::Rc;

/// States below this are "not started", "returned" and "panicked".
const FIRST_SUSPENSION: u32 = 3;

pub(super) struct Coroutine<'r, 'tcx> {
    body: &'r mir::Body<'tcx>,
    layout: &'r CoroutineLayout<'tcx>,
    /// The local that points at the state.
    state: mir::Local,
    /// Where each state goes on.
    entries: FxHashMap<u32, BasicBlock>,
}

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
        Some(Coroutine { body, layout, state, entries })
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
        let mut named: FxHashMap<Local, Rc<str>> = FxHashMap::default();
        for info in &self.body.var_debug_info {
            if let VarDebugInfoContents::Place(place) = &info.value
                && let Some((local, _, [])) = self.saved(place)
            {
                named.insert(local, info.name.as_str().into());
            }
        }
        let fields = self.layout.field_tys.iter().enumerate();
        fields.map(|(saved, field)| (field.ty, named.get(&self.number(saved)).cloned())).collect()
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
