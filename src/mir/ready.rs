//! Futures that are ready whenever they are asked: what is awaited has no `.await` in it. Nobody sleeps there.

use crate::mir::coroutine::FIRST_SUSPENSION;
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def_id::DefId;
use rustc_middle::mir::{self, BasicBlock, Local, TerminatorKind};
use rustc_middle::ty::{self, Instance, Ty, TyCtxt};

/// How many calls may stand between the one that makes a future and the `.await`: `into_future`, `Box::pin`.
const CALLS: usize = 3;

/// The body of an `async fn` or block without an `.await`.
pub(super) fn is_ready(tcx: TyCtxt<'_>, of: DefId) -> bool {
    tcx.mir_coroutine_witnesses(of).is_some_and(|layout| layout.variant_fields.len() == FIRST_SUSPENSION as usize)
}

/// The calls of a body, by the variables that they set.
pub(super) type Calls = FxHashMap<Local, BasicBlock>;

pub(super) fn calls(body: &mir::Body<'_>) -> Calls {
    let given = |(block, data): (BasicBlock, &mir::BasicBlockData<'_>)| match &data.terminator().kind {
        TerminatorKind::Call { destination, .. } => Some((destination.as_local()?, block)),
        _ => None,
    };
    body.basic_blocks.iter_enumerated().filter_map(given).collect()
}

/// The variable has a future in a box, as `async_trait` makes them, and the function that made it put such a body there.
pub(super) fn is_ready_box<'tcx>(tcx: TyCtxt<'tcx>, body: &mir::Body<'tcx>, calls: &Calls, future: Local) -> bool {
    let mut local = future;
    for _ in 0..CALLS {
        let call = calls.get(&local).map(|&block| &body.basic_blocks[block].terminator().kind);
        let Some(TerminatorKind::Call { func, args, .. }) = call else { return false };
        if let Some(made) = called(tcx, body, func).and_then(|callee| only_future_in(tcx, callee)) {
            return is_ready(tcx, made);
        }
        let given = args.first().and_then(|argument| argument.node.place()).and_then(|place| place.as_local());
        let Some(given) = given else { return false };
        local = given;
    }
    false
}

/// The function of this crate that runs, if the type of the object is known.
fn called<'tcx>(tcx: TyCtxt<'tcx>, body: &mir::Body<'tcx>, func: &mir::Operand<'tcx>) -> Option<DefId> {
    let ty::FnDef(id, args) = func.ty(&body.local_decls, tcx).kind() else { return None };
    let args = args.no_bound_vars()?;
    let instance = Instance::try_resolve(tcx, body.typing_env(tcx), *id, args).ok()??;
    Some(instance.def_id()).filter(|id| id.is_local() && tcx.is_mir_available(*id))
}

fn only_future_in(tcx: TyCtxt<'_>, function: DefId) -> Option<DefId> {
    let future = |ty: Ty<'_>| match ty.kind() {
        ty::Coroutine(of, _) => Some(*of),
        _ => None,
    };
    let mut futures: Vec<DefId> =
        tcx.optimized_mir(function).local_decls.iter().filter_map(|decl| future(decl.ty)).collect();
    futures.dedup();
    futures.pop().filter(|_| futures.is_empty())
}
