//! What is known of a lock by its type: which one it is, how it behaves, and what it protects; and which calls take it.

use crate::mir::DefinitionId;
use crate::mir::plain::{Field, LockType};
use crate::mir::read::BodyReader;
use crate::mir::wrappers;
use crate::models::{Meaning, Mode};
use rustc_hir::def_id::DefId;
use rustc_middle::mir;
use rustc_middle::ty::{self, GenericArgKind, TypeVisitableExt};

impl<'tcx> BodyReader<'_, 'tcx> {
    pub(super) fn lock_type(&self, ty: ty::Ty<'tcx>) -> Option<LockType> {
        let resolved = self.reader.resolved;
        let ty = wrappers::wrapped(self.reader.tcx, resolved, ty).unwrap_or(ty);
        let ty::Adt(adt, args) = ty.kind() else { return None };
        let data = args.types().last();
        Some(LockType {
            name: resolved.lock_name(adt.did())?.into(),
            kind: resolved.lock_kind(adt.did())?,
            reentrant: resolved.is_reentrant(adt.did()),
            for_tasks: resolved.is_for_tasks(adt.did()),
            behind: resolved.is_behind(adt.did()),
            at_once: resolved.at_once(adt.did()).map(Into::into),
            unsigned: data.is_some_and(|data| matches!(data.kind(), ty::Uint(_))),
            protects: data.and_then(|data| self.own_type(data)),
            content: data.and_then(|data| self.content(data)),
        })
    }

    /// A function that takes the lock in the wrapper that it is given.
    pub(super) fn acquires(&self, callee: DefId) -> Option<(Meaning, Option<Mode>)> {
        let mode = self.reader.taken_by(callee)?;
        Some((Meaning::Acquire { mode, fallible: false, later: false, looks: false, recursive: false }, None))
    }

    pub(super) fn meaning(&self, func: &mir::Operand<'tcx>) -> Option<(Meaning, Option<Mode>)> {
        match func.ty(&self.body.local_decls, self.reader.tcx).kind() {
            ty::FnDef(id, args) => {
                let row = self.reader.resolved.meaning(*id, args.no_bound_vars().unwrap_or_default());
                // Of which type it is has to be known.
                let is_told = !self.reader.resolved.is_by_type(*id) || self.kept_for_type(func).is_some();
                row.filter(|_| is_told).or_else(|| self.acquires(*id))
            }
            _ => None,
        }
    }

    /// The thing that a lock protects for the type that the function is called for, as if it were a field.
    pub(super) fn kept_for_type(&self, func: &mir::Operand<'tcx>) -> Option<Field> {
        let ty::FnDef(id, args) = func.ty(&self.body.local_decls, self.reader.tcx).kind() else { return None };
        let kept = args.no_bound_vars()?.types().last().filter(|_| self.reader.resolved.is_by_type(*id))?;
        let kept = kept.ty_adt_def()?.did();
        Some(Field::new(0, 0, self.reader.tcx.item_name(kept).as_str(), Some(self.reader.definition(kept))))
    }

    pub(super) fn own_type(&self, ty: ty::Ty<'tcx>) -> Option<DefinitionId> {
        let id = ty.ty_adt_def()?.did();
        id.is_local().then(|| self.reader.definition(id))
    }

    /// What is protected, if it is made for this crate: one of its types, or something with one of its types in it. What
    /// anybody may have in a lock (`Vec<u8>`) tells nothing.
    fn content(&self, ty: ty::Ty<'tcx>) -> Option<DefinitionId> {
        self.own_type(ty).or_else(|| {
            let is_own = |part: ty::Ty<'tcx>| self.own_type(part).is_some();
            let names_own = ty.walk().any(|part| match part.kind() {
                GenericArgKind::Type(part) => is_own(part),
                GenericArgKind::Lifetime(_) | GenericArgKind::Const(_) => false,
            });
            (names_own && !ty.has_param()).then(|| {
                let hash = self.reader.tcx.type_id_hash(ty).as_u128();
                DefinitionId((hash >> 64) as u64, hash as u64)
            })
        })
    }
}
