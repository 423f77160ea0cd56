//! What the type checker has written down about a body: what is called, with which types, and what becomes a trait object.

use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_hir::{HirId, ItemLocalId};
use rustc_middle::ty::adjustment::{Adjust, PointerCoercion};
use rustc_middle::ty::{self, GenericArgsRef, Ty, TyCtxt, TypeckResults, TypingEnv, Unnormalized};

pub(super) struct Tables<'tcx> {
    tcx: TyCtxt<'tcx>,
    owner: LocalDefId,
    tables: &'tcx TypeckResults<'tcx>,
}

impl<'tcx> Tables<'tcx> {
    pub(super) fn of(tcx: TyCtxt<'tcx>, owner: LocalDefId) -> Self {
        Tables { tcx, owner, tables: tcx.typeck(owner) }
    }

    pub(super) fn env(&self) -> TypingEnv<'tcx> {
        TypingEnv::non_body_analysis(self.tcx, self.owner)
    }

    /// In the form in which types of one body can be compared.
    pub(super) fn plain(&self, ty: Ty<'tcx>) -> Ty<'tcx> {
        self.tcx.try_normalize_erasing_regions(self.env(), Unnormalized::new(ty)).unwrap_or(ty)
    }

    /// The functions that are called or named, with what stands for their parameters, in the order of the source.
    pub(super) fn calls(&self) -> Vec<(HirId, DefId, GenericArgsRef<'tcx>)> {
        let methods = self.tables.type_dependent_defs();
        let methods = methods.items().filter_map(|(at, found)| Some((at, found.as_ref().ok()?.1)));
        let methods = methods.into_sorted_stable_ord_by_key(|(at, _)| at).into_iter();
        let methods = methods.map(|(at, callee)| (self.at(at), callee, self.tables.node_args(self.at(at))));
        let paths = self.types().into_iter().filter_map(|(at, ty)| match ty.kind() {
            ty::FnDef(callee, args) => Some((at, *callee, args.no_bound_vars().unwrap_or_default())),
            _ => None,
        });
        methods.chain(paths).collect()
    }

    /// The types of all expressions and patterns.
    pub(super) fn types(&self) -> Vec<(HirId, Ty<'tcx>)> {
        let types = self.tables.node_types();
        types
            .items()
            .into_sorted_stable_ord_by_key(|(at, _)| at)
            .into_iter()
            .map(|(at, ty)| (self.at(at), *ty))
            .collect()
    }

    /// Pointers that become pointers to a trait object: where, from what, and to what.
    pub(super) fn coercions(&self) -> Vec<(HirId, Ty<'tcx>, Ty<'tcx>)> {
        let mut all = Vec::new();
        for (at, steps) in self.tables.adjustments().items().into_sorted_stable_ord_by_key(|(at, _)| at) {
            let at = self.at(at);
            let mut from = self.tables.node_type(at);
            for step in steps {
                if matches!(step.kind, Adjust::Pointer(PointerCoercion::Unsize)) {
                    all.push((at, from, step.target));
                }
                from = step.target;
            }
        }
        all
    }

    fn at(&self, local_id: ItemLocalId) -> HirId {
        HirId { owner: self.tables.hir_owner, local_id }
    }
}
