//! What the authors have told Clippy that they know: `#[allow(clippy::await_holding_lock)]` says the same to us.

use rustc_attr_ir::Attribute;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::TyCtxt;
use rustc_span::{Symbol, sym};

/// On the body, or on anything that it stands in but the crate, where it is a choice and no statement about this place.
pub(super) fn holding_across_await(tcx: TyCtxt<'_>, body: LocalDefId) -> bool {
    let hir_id = tcx.local_def_id_to_hir_id(body);
    let around = tcx.hir_parent_id_iter(hir_id).take_while(|id| *id != rustc_hir::CRATE_HIR_ID);
    let lint = [Symbol::intern("clippy"), Symbol::intern("await_holding_lock")];
    [hir_id].into_iter().chain(around).any(|id| tcx.hir_attrs(id).iter().any(|attribute| allows(attribute, &lint)))
}

fn allows(attribute: &Attribute, lint: &[Symbol]) -> bool {
    let items = || attribute.meta_item_list().unwrap_or_default();
    let names = |path: &rustc_ast::Path| path.segments.iter().map(|part| part.ident.name).eq(lint.iter().copied());
    attribute.has_any_name(&[sym::allow, sym::expect])
        && items().iter().any(|item| item.meta_item().is_some_and(|item| names(&item.path)))
}
