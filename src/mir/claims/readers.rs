//! `unsafe impl<T: Send> Sync` for a type with a lock inside that lets several readers in at once, where what `T` stands for is
//! used under the guard of a reader: its own code (`T: Clone`) then runs on several threads at once, with one `&T`.
//!
//! The guard may stand in the body, or in a struct that the body is given. Which `T` the code runs on is not followed: it
//! counts if the lock has something of the parameter inside, and a bound of the body leads to the method.

use super::tables::Tables;
use super::{asked, owns, said_at, site_of};
use crate::mir::plain::{Asked, Claim};
use crate::mir::{Reader, reach};
use rustc_hir::HirId;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, Ty, TyCtxt};

/// How deep a lock is searched for.
const DEPTH: usize = 6;

/// One for each kind of thing that a lock protects: all `impl`s of one family are wrong for the same reason.
pub(super) fn claims(reader: &Reader<'_, '_>, impls: &[LocalDefId]) -> Vec<Claim> {
    let tcx = reader.tcx;
    let mut families: Vec<(DefId, LocalDefId, String)> = Vec::new();
    for &of in impls {
        for (protected, parameter) in protected(reader, of) {
            let is_known = families.iter().position(|(known, ..)| *known == protected);
            match is_known {
                None => families.push((protected, of, parameter)),
                Some(at) if !is_open(tcx, families[at].1) && is_open(tcx, of) => {
                    families[at] = (protected, of, parameter)
                }
                Some(_) => {}
            }
        }
    }
    families.into_iter().filter_map(|(protected, of, parameter)| claim(reader, of, parameter, protected)).collect()
}

fn is_open(tcx: TyCtxt<'_>, of: LocalDefId) -> bool {
    let own = tcx.type_of(of).skip_binder().ty_adt_def().and_then(|adt| adt.did().as_local());
    own.is_some_and(|own| reach::is_exported(tcx, own))
}

fn claim(reader: &Reader<'_, '_>, of: LocalDefId, parameter: String, protected: DefId) -> Option<Claim> {
    let tcx = reader.tcx;
    let roots = reach::functions(tcx).into_iter().filter(|&id| tcx.typeck_root_def_id_local(id) == id);
    let (function, at) = roots.into_iter().find_map(|id| Some((id, used_by_reader(reader, id, protected)?)))?;
    Some(Claim {
        site: said_at(reader, of),
        type_name: tcx.item_name(tcx.type_of(of).skip_binder().ty_adt_def()?.did()).to_string(),
        parameter,
        is_sync: true,
        asked: Asked::OnlySendForReaders,
        function: tcx.item_name(function.to_def_id()).to_string(),
        shown_at: site_of(reader, at),
        exported: is_open(tcx, of),
    })
}

/// The types of this crate that stand in a lock inside, and have a parameter inside of which only `Send` is asked.
fn protected(reader: &Reader<'_, '_>, of: LocalDefId) -> Vec<(DefId, String)> {
    let tcx = reader.tcx;
    let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
    let ty::Adt(_, args) = own.kind() else { return Vec::new() };
    let loose: Vec<Ty<'_>> = args.types().filter(|&ty| asked(tcx, of, ty, true) == Some(Asked::OnlySend)).collect();
    let mut locked = Vec::new();
    if !loose.is_empty() {
        behind_locks(reader, own, DEPTH, &mut locked);
    }
    let of_crate = locked.into_iter().filter_map(|ty| Some((ty, ty.ty_adt_def().filter(|adt| adt.did().is_local())?)));
    let found = of_crate.filter_map(|(ty, adt)| {
        let parameter = loose.iter().find(|parameter| owns(ty, **parameter))?;
        Some((adt.did(), parameter.to_string()))
    });
    found.collect()
}

/// What the locks in a type protect.
fn behind_locks<'tcx>(reader: &Reader<'_, 'tcx>, ty: Ty<'tcx>, depth: usize, found: &mut Vec<Ty<'tcx>>) {
    if depth == 0 {
        return;
    }
    match ty.kind() {
        ty::Ref(_, to, _) | ty::RawPtr(to, _) | ty::Slice(to) | ty::Array(to, _) => {
            behind_locks(reader, *to, depth, found);
        }
        ty::Tuple(parts) => parts.iter().for_each(|part| behind_locks(reader, part, depth, found)),
        ty::Adt(adt, args) if reader.resolved.lock_kind(adt.did()).is_some() => found.extend(args.types().last()),
        ty::Adt(adt, args) if adt.did().is_local() => {
            for field in adt.all_fields() {
                behind_locks(
                    reader,
                    reader.tcx.type_of(field.did).instantiate(reader.tcx, args).skip_norm_wip(),
                    depth - 1,
                    found,
                );
            }
        }
        ty::Adt(adt, args) if !adt.is_phantom_data() => {
            args.types().for_each(|part| behind_locks(reader, part, depth - 1, found));
        }
        _ => {}
    }
}

/// Where a body with the guard of a reader runs a method that a bound of it leads to, on something that has the parameter in it.
fn used_by_reader<'tcx>(reader: &Reader<'_, 'tcx>, body: LocalDefId, protected: DefId) -> Option<HirId> {
    let tcx = reader.tcx;
    let bounds = tcx.param_env(body).caller_bounds().filter_map(|clause| clause.as_trait_clause());
    let bounds =
        bounds.map(|clause| clause.skip_binder().trait_ref).filter(|of| matches!(of.self_ty().kind(), ty::Param(_)));
    let bounds: Vec<(DefId, Ty<'tcx>)> = bounds.map(|of| (of.def_id, of.self_ty())).collect();
    if bounds.is_empty() {
        return None;
    }
    let given = tcx.fn_sig(body).instantiate_identity().skip_norm_wip().skip_binder().inputs();
    let guarded = |ty: Ty<'tcx>| read_by(reader, ty.peel_refs(), 1) == Some(protected);
    let tables = Tables::of(tcx, body);
    let runs = |(_, callee, args): &(HirId, DefId, ty::GenericArgsRef<'tcx>)| {
        let (Some(of), Some(on)) = (tcx.trait_of_assoc(*callee), args.types().next()) else { return false };
        borrows_self(tcx, *callee) && bounds.iter().any(|(bound, parameter)| *bound == of && has_inside(on, *parameter))
    };
    let at = tables.calls().into_iter().find(runs)?.0;
    let is_reader = given.iter().any(|&ty| guarded(ty)) || tables.types().into_iter().any(|(_, ty)| guarded(ty));
    is_reader.then_some(at)
}

fn borrows_self(tcx: TyCtxt<'_>, method: DefId) -> bool {
    let receiver = tcx.fn_sig(method).skip_binder().skip_binder().inputs().first().copied();
    receiver.is_some_and(|ty| matches!(ty.kind(), ty::Ref(_, _, mutability) if mutability.is_not()))
}

/// It is the parameter, or a container of the standard library with it.
fn has_inside<'tcx>(ty: Ty<'tcx>, parameter: Ty<'tcx>) -> bool {
    match ty.kind() {
        _ if ty == parameter => true,
        ty::Slice(of) | ty::Array(of, _) => has_inside(*of, parameter),
        ty::Tuple(parts) => parts.iter().any(|part| has_inside(part, parameter)),
        ty::Adt(adt, args) if adt.is_enum() && !adt.did().is_local() => {
            args.types().any(|part| has_inside(part, parameter))
        }
        _ => false,
    }
}

/// The type of this crate that a guard protects through which nothing can be changed: that of a reader.
fn read_by<'tcx>(reader: &Reader<'_, 'tcx>, ty: Ty<'tcx>, depth: usize) -> Option<DefId> {
    let tcx = reader.tcx;
    let ty::Adt(adt, args) = ty.kind() else { return None };
    if reader.resolved.is_guard(adt.did()) {
        let changes = tcx.lang_items().deref_mut_trait()?;
        let is_reader = tcx.non_blanket_impls_for_ty(changes, ty).next().is_none();
        return args.types().last()?.ty_adt_def().map(|adt| adt.did()).filter(|_| is_reader);
    }
    if depth == 0 || !adt.did().is_local() {
        return None;
    }
    let mut fields = adt.all_fields().map(|field| tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip());
    fields.find_map(|field| read_by(reader, field, depth - 1))
}
