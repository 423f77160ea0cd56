//! What a body is given, and what that says of who else may have it.

use crate::mir::DefinitionId;
use crate::mir::plain::Local;
use crate::mir::read::{BodyReader, local};
use rustc_hir::def::DefKind;
use rustc_middle::ty;

impl<'tcx> BodyReader<'_, 'tcx> {
    pub(super) fn is_unsafe(&self) -> bool {
        let tcx = self.reader.tcx;
        let owner = tcx.typeck_root_def_id_local(self.owner);
        matches!(tcx.def_kind(owner), DefKind::Fn | DefKind::AssocFn)
            && tcx.fn_sig(owner).skip_binder().safety().is_unsafe()
    }

    pub(super) fn unshareable(&self) -> Vec<Local> {
        let alone = |ty: ty::Ty<'tcx>| self.reader.sharing.is_unshareable(ty.peel_refs());
        let parameters = self.body.args_iter().filter(|&local| alone(self.body.local_decls[local].ty));
        parameters.map(local).collect()
    }

    /// Beside the object, it is given a guard, or something that lives only as long as something else allows.
    pub(super) fn has_token(&self) -> bool {
        let others = self.body.args_iter().skip(1).map(|local| self.body.local_decls[local].ty);
        others.into_iter().any(|ty| {
            let adt = ty.peel_refs().ty_adt_def().is_some();
            self.reader.types.facts(ty.peel_refs()).holds_guard
                || (adt && !ty.is_ref() && self.reader.types.facts(ty).borrows)
        })
    }

    pub(super) fn exclusive_types(&self) -> Vec<DefinitionId> {
        let parameters = self.body.args_iter().map(|local| self.body.local_decls[local].ty);
        let given = parameters.flat_map(|ty| match ty.peel_refs().kind() {
            ty::Coroutine(_, args) => args.as_coroutine().upvar_tys().to_vec(),
            ty::Adt(adt, args) if adt.is_pin() => match args.type_at(0).peel_refs().kind() {
                ty::Coroutine(_, args) => args.as_coroutine().upvar_tys().to_vec(),
                _ => vec![ty],
            },
            _ => vec![ty],
        });
        given
            .filter_map(
                |ty| if let ty::Ref(_, to, ty::Mutability::Mut) = ty.kind() { self.own_type(*to) } else { None },
            )
            .collect()
    }
}
