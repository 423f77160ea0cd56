//! Names of functions as people write them.

use rustc_hir::def::DefKind;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::print::with_no_trimmed_paths;
use rustc_middle::ty::{self, Ty, TyCtxt};

/// `module::Type::method`, `<module::Type as Trait>::method` or `module::function`, without the crate's name and
/// without generic arguments. A closure goes by the function it stands in.
pub(super) fn function(tcx: TyCtxt<'_>, owner: LocalDefId) -> String {
    let id = tcx.typeck_root_def_id(owner.to_def_id());
    let name = tcx.item_name(id);
    let parent = tcx.parent(id);
    match tcx.def_kind(parent) {
        DefKind::Impl { of_trait: false } => {
            format!("{}::{name}", type_name(tcx, tcx.type_of(parent).instantiate_identity().skip_norm_wip()))
        }
        DefKind::Impl { of_trait: true } => {
            let trait_ref = tcx.impl_trait_ref(parent).instantiate_identity().skip_norm_wip();
            let of = tcx.item_name(trait_ref.def_id);
            format!("<{} as {of}>::{name}", type_name(tcx, trait_ref.self_ty()))
        }
        _ => with_no_trimmed_paths!(tcx.def_path_str(id)),
    }
}

fn type_name<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> String {
    match ty.kind() {
        ty::Adt(adt, _) => with_no_trimmed_paths!(tcx.def_path_str(adt.did())),
        _ => with_no_trimmed_paths!(ty.to_string()),
    }
}
