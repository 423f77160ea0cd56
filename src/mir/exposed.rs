//! State that nothing in the type system ties to a lock: cells and raw pointers in types that somebody has promised to be
//! `Sync`, `static mut`, and atomics that stand beside a lock.

use crate::mir::plain::{Exposed, Exposure, Exposures, LockBeside};
use crate::mir::resolve::Resolved;
use crate::mir::{Reader, claims};
use crate::models::LockKind;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::LocalDefId;
use rustc_middle::ty::print::with_no_trimmed_paths;
use rustc_middle::ty::{self, Ty, TyCtxt};
use rustc_span::{Span, Symbol};
use std::rc::Rc;

/// All of it, for one crate.
#[derive(Default)]
pub(super) struct ExposedState {
    exposures: Rc<Exposures>,
    /// The names that such state goes by in the source.
    fields: Vec<Symbol>,
    statics: Vec<Symbol>,
}

impl ExposedState {
    pub(super) fn of(reader: &Reader<'_, '_>) -> ExposedState {
        let mut search = Search { reader, promised: promised(reader.tcx), found: ExposedState::default() };
        let mut exposures = Exposures::default();
        search.types(&mut exposures);
        for id in reader.tcx.hir_crate_items(()).definitions() {
            match reader.tcx.def_kind(id) {
                DefKind::Static { mutability: ty::Mutability::Mut, nested: false, .. } => {
                    search.static_mut(id, &mut exposures);
                }
                DefKind::Struct => search.atomics(id, &mut exposures),
                _ => {}
            }
        }
        exposures.claims = claims::all(reader);
        ExposedState { exposures: Rc::new(exposures), ..search.found }
    }

    pub(super) fn exposures(&self) -> Rc<Exposures> {
        self.exposures.clone()
    }

    pub(super) fn field_names(&self) -> &[Symbol] {
        &self.fields
    }

    pub(super) fn static_names(&self) -> &[Symbol] {
        &self.statics
    }
}

/// The types of this crate that are said to be `Sync`, and where.
fn promised(tcx: TyCtxt<'_>) -> FxHashMap<LocalDefId, Span> {
    let sync = tcx.lang_items().sync_trait();
    let impls = sync.and_then(|sync| tcx.all_local_trait_impls(()).get(&sync));
    let mut all = FxHashMap::default();
    for &of in impls.into_iter().flatten() {
        let own = tcx.type_of(of).instantiate_identity().skip_norm_wip().ty_adt_def();
        let own = own.and_then(|adt| adt.did().as_local());
        if let Some(own) = own.filter(|_| tcx.impl_polarity(of) == ty::ImplPolarity::Positive) {
            all.insert(own, tcx.def_span(of));
        }
    }
    all
}

struct Search<'a, 'r, 'tcx> {
    reader: &'a Reader<'r, 'tcx>,
    promised: FxHashMap<LocalDefId, Span>,
    found: ExposedState,
}

impl<'tcx> Search<'_, '_, 'tcx> {
    /// The promised types, and those of this crate that lie in them.
    fn types(&mut self, to: &mut Exposures) {
        let mut open: Vec<(LocalDefId, Span)> = self.promised.iter().map(|(&of, &at)| (of, at)).collect();
        open.sort_unstable_by_key(|(of, _)| of.local_def_index);
        let mut seen: FxHashSet<LocalDefId> = open.iter().map(|(of, _)| *of).collect();
        while let Some((owner, promise)) = open.pop() {
            for part in self.expose(owner, promise, to) {
                if !self.promised.contains_key(&part) && seen.insert(part) {
                    open.push((part, promise));
                }
            }
        }
    }

    /// Gives the types of this crate that may have exposed fields of their own.
    fn expose(&mut self, owner: LocalDefId, promise: Span, to: &mut Exposures) -> Vec<LocalDefId> {
        let tcx = self.reader.tcx;
        let adt = tcx.adt_def(owner);
        let mut inside = Vec::new();
        if !adt.is_struct() {
            return inside;
        }
        let promise = self.site(promise, owner);
        for (index, field) in adt.non_enum_variant().fields.iter_enumerated() {
            let ty = tcx.type_of(field.did).instantiate_identity().skip_norm_wip();
            let local = own_types(ty);
            let by_value: Vec<LocalDefId> = local.into_iter().filter(|&part| self.lies_open(part)).collect();
            let kind = if by_value.is_empty() { self.reader.sharing.exposed(ty) } else { None };
            inside.extend(by_value);
            if let Some(kind) = kind {
                let declared = self.site(tcx.def_span(field.did), owner);
                let name = format!("{}.{}", path_of(tcx, owner), field.name);
                let locks = self.locks_beside(owner);
                let exposure = Exposure { kind, name: name.into(), declared, promise: Some(promise), locks };
                to.fields.insert((self.reader.definition(owner.to_def_id()), index.as_u32()), exposure);
                self.found.fields.push(field.name);
            }
        }
        inside
    }

    /// It has no `Sync` of its own, and something in it that needs one.
    fn lies_open(&self, part: LocalDefId) -> bool {
        let ty = self.reader.tcx.type_of(part).instantiate_identity().skip_norm_wip();
        self.reader.sharing.exposed(ty).is_some()
    }

    fn static_mut(&mut self, id: LocalDefId, to: &mut Exposures) {
        let name = self.reader.tcx.item_name(id.to_def_id());
        let declared = self.site(self.reader.tcx.def_span(id), id);
        let exposure =
            Exposure { kind: Exposed::Static, name: name.as_str().into(), declared, promise: None, locks: Vec::new() };
        to.statics.insert(self.reader.definition(id.to_def_id()), exposure);
        self.found.statics.push(name);
    }

    /// Atomics in a struct that has a lock.
    fn atomics(&mut self, owner: LocalDefId, to: &mut Exposures) {
        let tcx = self.reader.tcx;
        let locks = self.locks_beside(owner);
        if locks.is_empty() {
            return;
        }
        for (index, field) in tcx.adt_def(owner).non_enum_variant().fields.iter_enumerated() {
            let ty = tcx.type_of(field.did).instantiate_identity().skip_norm_wip();
            if lock_kind(self.reader.resolved, ty) == Some(LockKind::Atomic) {
                let declared = self.site(tcx.def_span(field.did), owner);
                let name = format!("{}.{}", path_of(tcx, owner), field.name);
                let exposure = Exposure {
                    kind: Exposed::Atomic,
                    name: name.into(),
                    declared,
                    promise: None,
                    locks: locks.clone(),
                };
                to.fields.insert((self.reader.definition(owner.to_def_id()), index.as_u32()), exposure);
                self.found.fields.push(field.name);
            }
        }
    }

    fn locks_beside(&self, owner: LocalDefId) -> Vec<LockBeside> {
        let tcx = self.reader.tcx;
        let fields = tcx.adt_def(owner).non_enum_variant().fields.iter_enumerated();
        let locks = fields.filter(|(_, field)| {
            let ty = tcx.type_of(field.did).instantiate_identity().skip_norm_wip();
            lock_kind(self.reader.resolved, ty) == Some(LockKind::Guarded)
        });
        let owner = self.reader.definition(owner.to_def_id());
        locks.map(|(at, field)| LockBeside { field: (owner, at.as_u32()), name: field.name.as_str().into() }).collect()
    }

    fn site(&self, span: Span, owner: LocalDefId) -> crate::mir::Site {
        let root = self.reader.tcx.local_def_id_to_hir_id(owner);
        self.reader.sites.borrow_mut().add(span, root)
    }
}

fn path_of(tcx: TyCtxt<'_>, id: LocalDefId) -> String {
    with_no_trimmed_paths!(tcx.def_path_str(id))
}

/// The lock that the type is, or leads to through an `Arc` or a reference.
fn lock_kind(resolved: &Resolved, ty: Ty<'_>) -> Option<LockKind> {
    match ty.kind() {
        ty::Ref(_, to, _) => lock_kind(resolved, *to),
        ty::Adt(adt, args) if resolved.is_handle(adt.did()) || adt.is_box() => {
            args.types().next().and_then(|to| lock_kind(resolved, to))
        }
        ty::Adt(adt, _) => resolved.lock_kind(adt.did()),
        _ => None,
    }
}

/// The structs of this crate that are in it: by value, in an array, in an owner from elsewhere.
fn own_types(ty: Ty<'_>) -> Vec<LocalDefId> {
    let parts = ty.walk().filter_map(|part| part.as_type()).filter_map(|part| part.ty_adt_def());
    parts.filter(|adt| adt.is_struct()).filter_map(|adt| adt.did().as_local()).collect()
}
