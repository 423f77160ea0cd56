//! `unsafe impl Send` for a type whose copies share something by an `Arc` that need not be `Sync`: a trait object, or what a
//! type parameter stands for. Each copy may go to a thread of its own, and then several threads use it at once.
//!
//! What is in the `Arc` has to be seen: where the trait object is made, the compiler is asked whether what becomes one is
//! `Sync` all the same. A type with a lock beside the `Arc` may take turns, and is left alone.

use super::tables::Tables;
use super::{said_at, site_of};
use crate::mir::compat::implements;
use crate::mir::plain::{Asked, Claim};
use crate::mir::{Reader, reach};
use rustc_data_structures::fx::FxHashSet;
use rustc_hir::HirId;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::{self, GenericArgsRef, Ty, TyCtxt, TypingEnv};

/// The `impl` of `Send`, and the type it is for.
pub(super) fn claim<'tcx>(reader: &Reader<'_, 'tcx>, of: LocalDefId) -> Option<Claim> {
    let tcx = reader.tcx;
    let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
    let ty::Adt(adt, args) = own.kind() else { return None };
    let fields = || adt.all_fields().map(|field| field_type(tcx, field, args));
    if fields().any(|ty| reader.types.facts(ty).names_lock) {
        return None;
    }
    let env = TypingEnv::non_body_analysis(tcx, of);
    let is_sync = |ty| tcx.lang_items().sync_trait().is_some_and(|sync| implements(tcx, env, ty, sync));
    let shared = adt.all_fields().find(|field| {
        let content = content(tcx, field_type(tcx, field, args));
        content.is_some_and(|ty| matches!(ty.kind(), ty::Dynamic(..) | ty::Param(_)) && !is_sync(ty))
    })?;
    let shared = Shared { reader, adt: *adt, field: shared };
    let makers = shared.makers();
    let (copied_by, copied_at) = makers.iter().find_map(|&maker| Some((maker, shared.copied_in(maker)?)))?;
    let filled_at = match content(tcx, field_type(tcx, shared.field, args))?.kind() {
        ty::Dynamic(..) => Some(makers.iter().find_map(|&maker| shared.filled_in(maker))?),
        _ => None,
    };
    Some(Claim {
        site: said_at(reader, of),
        type_name: tcx.item_name(adt.did()).to_string(),
        parameter: shared.field.name.to_string(),
        is_sync: false,
        asked: Asked::SharedByCopies { filled_at: filled_at.map(|at| site_of(reader, at)) },
        function: tcx.item_name(tcx.typeck_root_def_id(copied_by.to_def_id())).to_string(),
        shown_at: site_of(reader, copied_at),
        exported: adt.did().as_local().is_some_and(|own| reach::is_exported(tcx, own)),
    })
}

fn field_type<'tcx>(tcx: TyCtxt<'tcx>, field: &ty::FieldDef, args: GenericArgsRef<'tcx>) -> Ty<'tcx> {
    tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip()
}

/// What is in an `Arc`.
fn content<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> Option<Ty<'tcx>> {
    let ty::Adt(adt, args) = ty.kind() else { return None };
    tcx.is_diagnostic_item(rustc_span::sym::Arc, adt.did()).then(|| args.type_at(0))
}

/// A field of a type: an `Arc`.
struct Shared<'a, 'r, 'tcx> {
    reader: &'a Reader<'r, 'tcx>,
    adt: ty::AdtDef<'tcx>,
    field: &'tcx ty::FieldDef,
}

impl<'tcx> Shared<'_, '_, 'tcx> {
    /// The bodies that may make a value of the type: those that have its name in them, and its own, where it goes by `Self`.
    fn makers(&self) -> Vec<LocalDefId> {
        let (tcx, of) = (self.reader.tcx, self.adt.did());
        let named = self.reader.by_name.get(&tcx.item_name(of)).into_iter().flatten().copied();
        let own = self.reader.by_name.get(&rustc_span::kw::SelfUpper).into_iter().flatten().copied();
        let is_own = |owner: &LocalDefId| {
            let block = tcx.impl_of_assoc(owner.to_def_id());
            block.is_some_and(|block| tcx.type_of(block).skip_binder().ty_adt_def() == Some(self.adt))
        };
        let all: FxHashSet<LocalDefId> = named.chain(own.filter(is_own)).collect();
        let mut all: Vec<LocalDefId> = all.into_iter().collect();
        all.sort_unstable_by_key(|owner| owner.local_def_index);
        all
    }

    /// The types that the field has in the values that the body makes.
    fn made(&self, tables: &Tables<'tcx>) -> Vec<Ty<'tcx>> {
        let made = tables.types().into_iter().filter_map(|(_, ty)| match ty.kind() {
            ty::Adt(adt, args) if *adt == self.adt => Some(*args),
            _ => None,
        });
        made.map(|args| tables.plain(field_type(self.reader.tcx, self.field, args))).collect()
    }

    /// Where the body makes another owner of what is in the field, to put it into a value of the type.
    fn copied_in(&self, body: LocalDefId) -> Option<HirId> {
        let tables = Tables::of(self.reader.tcx, body);
        let clones = self.reader.tcx.lang_items().clone_fn()?;
        let made = self.made(&tables);
        let is_copy =
            |args: GenericArgsRef<'tcx>| args.types().next().is_some_and(|ty| made.contains(&tables.plain(ty)));
        let mut calls = tables.calls().into_iter();
        calls.find(|(_, callee, args)| *callee == clones && is_copy(args)).map(|(at, ..)| at)
    }

    /// Where the body puts something into the field that is not `Sync`.
    fn filled_in(&self, body: LocalDefId) -> Option<HirId> {
        let tcx = self.reader.tcx;
        let tables = Tables::of(tcx, body);
        let contents: Vec<Ty<'tcx>> = self.made(&tables).into_iter().filter_map(|ty| content(tcx, ty)).collect();
        let sync = tcx.lang_items().sync_trait()?;
        let pointee = |ty: Ty<'tcx>| match ty.kind() {
            ty::Adt(_, args) => args.types().next(),
            _ => None,
        };
        let is_unshared = |from: Ty<'tcx>| {
            let made_from = pointee(from).filter(|from| !matches!(from.kind(), ty::Dynamic(..)));
            made_from.is_some_and(|from| !implements(tcx, tables.env(), from, sync))
        };
        let is_meant = |to: Ty<'tcx>| pointee(tables.plain(to)).is_some_and(|to| contents.contains(&to));
        let mut coercions = tables.coercions().into_iter();
        coercions.find(|(_, from, to)| is_meant(*to) && is_unshared(*from)).map(|(at, ..)| at)
    }
}
