//! Locks of other crates that are nothing but a wrapper around one that the models know.
//!
//! Their code is not read, and their types tell enough: who is given such a wrapper, and nothing else, and gives a guard of the
//! lock, takes it. A guard through which nothing can be changed is that of a reader.

use crate::mir::Reader;
use crate::mir::resolve::Resolved;
use crate::models::{LockKind, Mode};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{self, Ty, TyCtxt};

/// How the function takes the lock that it is given the wrapper of.
pub(super) fn taken_by(tcx: TyCtxt<'_>, resolved: &Resolved, callee: DefId) -> Option<Mode> {
    if callee.is_local() || !matches!(tcx.def_kind(callee), DefKind::Fn | DefKind::AssocFn) {
        return None;
    }
    let signature = tcx.fn_sig(callee).skip_binder().skip_binder();
    let [given] = signature.inputs() else { return None };
    let ty::Ref(_, wrapper, ty::Mutability::Not) = given.kind() else { return None };
    let gives = signature.output();
    let is_guard = gives.ty_adt_def().is_some_and(|adt| resolved.is_guard(adt.did()));
    if !is_guard || wrapped(tcx, resolved, *wrapper).is_none() {
        return None;
    }
    let changes = tcx.lang_items().deref_mut_trait()?;
    let exclusive = tcx.non_blanket_impls_for_ty(changes, gives).next().is_some();
    Some(if exclusive { Mode::Exclusive } else { Mode::Shared })
}

/// The lock, if the type is of another crate and has that in it, and nothing beside it.
pub(super) fn wrapped<'tcx>(tcx: TyCtxt<'tcx>, resolved: &Resolved, ty: Ty<'tcx>) -> Option<Ty<'tcx>> {
    let ty::Adt(adt, args) = ty.kind() else { return None };
    if adt.did().is_local() || !adt.is_struct() || resolved.lock_kind(adt.did()).is_some() {
        return None;
    }
    let parts = adt.all_fields().map(|field| tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip());
    let mut parts = parts.filter(|part| !part.is_unit() && !part.is_phantom_data());
    let inside = parts.next().filter(|_| parts.next().is_none())?;
    let kind = inside.ty_adt_def().and_then(|inside| resolved.lock_kind(inside.did()));
    (kind == Some(LockKind::Guarded)).then_some(inside)
}

impl Reader<'_, '_> {
    /// The same, for what is not known better: crates of the workspace tell what their functions do.
    pub(super) fn taken_by(&self, callee: DefId) -> Option<Mode> {
        let known = self.takers.borrow().get(&callee).copied();
        known.unwrap_or_else(|| {
            let told = |id| self.told.borrow().contains(&self.definition(id));
            let found = taken_by(self.tcx, self.resolved, callee).filter(|_| !told(callee));
            self.takers.borrow_mut().insert(callee, found);
            found
        })
    }
}
