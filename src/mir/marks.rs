//! The marks that the attributes of `stalemate-attr` leave: attributes of a tool that rustc knows and does not ask.

use rustc_attr_ir::Attribute;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::TyCtxt;
use rustc_span::{Symbol, sym};

/// `#[atomic]`. The body of an `async fn` is what its mark is about.
pub(super) fn is_atomic(tcx: TyCtxt<'_>, owner: LocalDefId) -> bool {
    let function = tcx.typeck_root_def_id_local(owner);
    let is_body = if tcx.asyncness(function).is_async() {
        tcx.is_coroutine(owner.to_def_id()) && tcx.local_parent(owner) == function
    } else {
        owner == function
    };
    is_body && has(tcx, function, "stalemate_atomic")
}

/// Functions that are looked at because they say what they are meant to be.
pub(super) fn marked(tcx: TyCtxt<'_>, functions: &[LocalDefId]) -> Vec<LocalDefId> {
    let uses_marks = tcx.crates(()).iter().any(|&other| tcx.crate_name(other).as_str() == "stalemate_attr");
    let all = if uses_marks { functions } else { &[] };
    all.iter().copied().filter(|&owner| is_atomic(tcx, owner)).collect()
}

/// `#[benign(reason = "..")]`: why what is found in the function does no harm.
pub fn benign(tcx: TyCtxt<'_>, function: LocalDefId) -> Option<String> {
    let items = find(tcx, function, "stalemate_benign")?.meta_item_list()?;
    let reason = items.iter().find(|item| item.has_name(sym::reason))?.value_str()?;
    Some(reason.to_string())
}

fn has(tcx: TyCtxt<'_>, owner: LocalDefId, mark: &str) -> bool {
    find(tcx, owner, mark).is_some()
}

fn find<'tcx>(tcx: TyCtxt<'tcx>, owner: LocalDefId, mark: &str) -> Option<&'tcx Attribute> {
    let path = [Symbol::intern("rust_analyzer"), Symbol::intern(mark)];
    tcx.hir_attrs(tcx.local_def_id_to_hir_id(owner)).iter().find(|attribute| attribute.path_matches(&path))
}
