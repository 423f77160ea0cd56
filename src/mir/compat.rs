//! What changes with the nightly and is not the compiler's own: `clippy_utils` is published for one nightly at a time, so it is
//! named here and in the driver's settings only. `docs/nightly.md` says how another nightly comes in.

use rustc_hir::def_id::DefId;
use rustc_middle::ty::{TraitRef, Ty, TyCtxt, TypingEnv};

pub(super) use clippy_utils::paths::{PathNS, lookup_path_str};
pub(super) use clippy_utils::{is_cfg_test, is_in_cfg_test, is_in_test};

/// Whether the type implements the trait, which has no parameters.
pub(super) fn implements<'tcx>(tcx: TyCtxt<'tcx>, env: TypingEnv<'tcx>, ty: Ty<'tcx>, of_trait: DefId) -> bool {
    clippy_utils::ty::implements_trait_with_env(tcx, env, ty, of_trait, None, &[])
}

/// The same for a trait with parameters.
pub(super) fn holds<'tcx>(tcx: TyCtxt<'tcx>, env: TypingEnv<'tcx>, of: TraitRef<'tcx>) -> bool {
    let rest: Vec<_> = of.args.iter().skip(1).collect();
    clippy_utils::ty::implements_trait_with_env_from_iter(tcx, env, of.self_ty(), of.def_id, None, rest)
}
