//! Which bodies are worth reading. Most functions never come near a lock; for those not even the MIR is asked for.
//!
//! The answer comes from the type checker's tables, which a cold build has in memory and a warm one on disk. A closure
//! counts with the function it stands in.

use crate::mir::resolve::Resolved;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, TyCtxt};

/// All bodies that count as functions: functions, methods and closures, in the order of the source.
pub(super) fn functions(tcx: TyCtxt<'_>) -> Vec<LocalDefId> {
    // The `main` that runs the tests is nobody's: it has no place in the source.
    let is_function = |owner: &LocalDefId| {
        matches!(tcx.def_kind(*owner), DefKind::Fn | DefKind::AssocFn | DefKind::Closure)
            && !tcx.def_span(*owner).is_dummy()
    };
    tcx.hir_body_owners().filter(is_function).collect()
}

/// Who calls whom, as far as the tables tell.
#[derive(Default)]
struct Calls {
    callers: FxHashMap<LocalDefId, Vec<LocalDefId>>,
    take_locks: Vec<LocalDefId>,
}

pub(super) fn within_reach_of_locks(tcx: TyCtxt<'_>, resolved: &Resolved) -> Vec<LocalDefId> {
    let functions = functions(tcx);
    let calls = calls(tcx, resolved, &functions);
    let near = closure(&calls.callers, calls.take_locks.iter().copied());
    functions.into_iter().filter(|&owner| near.contains(&root(tcx, owner))).collect()
}

fn root(tcx: TyCtxt<'_>, owner: LocalDefId) -> LocalDefId {
    tcx.typeck_root_def_id_local(owner)
}

fn calls(tcx: TyCtxt<'_>, resolved: &Resolved, functions: &[LocalDefId]) -> Calls {
    let implementations = implementations(tcx);
    let mut calls = Calls::default();
    for &caller in functions.iter().filter(|&&owner| root(tcx, owner) == owner) {
        let callees = named_functions(tcx, caller);
        if callees.iter().any(|&callee| resolved.touches_locks(callee)) {
            calls.take_locks.push(caller);
        }
        for callee in callees.iter().flat_map(|callee| with_implementations(&implementations, *callee)) {
            calls.callers.entry(callee).or_default().push(caller);
        }
    }
    calls
}

/// Every function that the body or a closure in it names, in the order of the source.
fn named_functions(tcx: TyCtxt<'_>, caller: LocalDefId) -> Vec<DefId> {
    let tables = tcx.typeck(caller);
    let methods = tables.type_dependent_defs();
    let methods = methods.items().filter_map(|(at, found)| found.as_ref().ok().map(|(_, callee)| (at, *callee)));
    let paths = tables.node_types();
    let paths = paths.items().filter_map(|(at, ty)| match ty.kind() {
        ty::FnDef(callee, _) => Some((at, *callee)),
        _ => None,
    });
    let sorted = methods.into_sorted_stable_ord_by_key(|(at, _)| at).into_iter();
    sorted.chain(paths.into_sorted_stable_ord_by_key(|(at, _)| at)).map(|(_, callee)| callee).collect()
}

/// The methods of this crate's types, by the trait's method they implement.
fn implementations(tcx: TyCtxt<'_>) -> FxHashMap<DefId, Vec<LocalDefId>> {
    let mut by_method: FxHashMap<DefId, Vec<LocalDefId>> = FxHashMap::default();
    for (_, impls) in tcx.all_local_trait_impls(()).iter().filter(|(id, _)| id.is_local()) {
        for item in impls.iter().flat_map(|&of| tcx.associated_items(of).in_definition_order()) {
            if let (Some(method), Some(own)) = (item.trait_item_def_id(), item.def_id.as_local()) {
                by_method.entry(method).or_default().push(own);
            }
        }
    }
    by_method
}

/// The function itself, if it is one of this crate's, and what may run in its place.
fn with_implementations(implementations: &FxHashMap<DefId, Vec<LocalDefId>>, callee: DefId) -> Vec<LocalDefId> {
    let of_trait = implementations.get(&callee).into_iter().flatten().copied();
    callee.as_local().into_iter().chain(of_trait).collect()
}

/// Everything that can be reached along the edges.
fn closure(
    edges: &FxHashMap<LocalDefId, Vec<LocalDefId>>,
    from: impl Iterator<Item = LocalDefId>,
) -> FxHashSet<LocalDefId> {
    let mut open: Vec<LocalDefId> = from.collect();
    let mut seen: FxHashSet<LocalDefId> = open.iter().copied().collect();
    while let Some(at) = open.pop() {
        open.extend(edges.get(&at).into_iter().flatten().copied().filter(|&next| seen.insert(next)));
    }
    seen
}
