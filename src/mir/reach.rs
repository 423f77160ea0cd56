//! Which bodies are worth reading. Most functions never come near a lock; for those not even the MIR is asked for.
//!
//! The answer comes from the type checker's tables, which a cold build has in memory and a warm one on disk.

use crate::mir::resolve::Resolved;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::TyCtxt;

/// All bodies that count as functions: functions, methods and closures, in the order of the source.
pub fn functions(tcx: TyCtxt<'_>) -> Vec<LocalDefId> {
    tcx.hir_body_owners().filter(|&owner| is_function(tcx, owner)).collect()
}

fn is_function(tcx: TyCtxt<'_>, owner: LocalDefId) -> bool {
    matches!(tcx.def_kind(owner), DefKind::Fn | DefKind::AssocFn | DefKind::Closure)
}

/// The body, or a closure or function around it, names a call that opens a critical section.
pub fn has_lock_in_reach(tcx: TyCtxt<'_>, resolved: &Resolved, owner: LocalDefId) -> bool {
    tcx.typeck(owner)
        .type_dependent_defs()
        .items()
        .any(|(_, found)| matches!(found, Ok((_, callee)) if resolved.touches_locks(*callee)))
}
