//! What types say about threads: what in them nothing ties to a lock, and which of them only one thread can have. Answers are
//! kept, since the same types come again and again.

use crate::mir::plain::Exposed;
use crate::mir::resolve::Resolved;
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::ty::{self, Ty, TyCtxt};
use std::cell::RefCell;

/// How deep fields are searched.
const DEPTH: usize = 5;

pub(super) struct Sharing<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    resolved: &'a Resolved,
    exposed: RefCell<FxHashMap<(Ty<'tcx>, usize), Option<Exposed>>>,
    unshareable: RefCell<FxHashMap<(Ty<'tcx>, usize), bool>>,
}

impl<'a, 'tcx> Sharing<'a, 'tcx> {
    pub(super) fn new(tcx: TyCtxt<'tcx>, resolved: &'a Resolved) -> Self {
        Sharing { tcx, resolved, exposed: RefCell::default(), unshareable: RefCell::default() }
    }

    /// What would have to be tied to a lock, if anything in the type is not.
    pub(super) fn exposed(&self, ty: Ty<'tcx>) -> Option<Exposed> {
        self.find_exposed(ty, DEPTH)
    }

    /// No two threads can have a reference to it, whatever stands for its parameters.
    pub(super) fn is_unshareable(&self, ty: Ty<'tcx>) -> bool {
        self.find_unshareable(ty, DEPTH)
    }

    fn find_exposed(&self, ty: Ty<'tcx>, depth: usize) -> Option<Exposed> {
        if let Some(&known) = self.exposed.borrow().get(&(ty, depth)) {
            return known;
        }
        let inside = |part: Ty<'tcx>| self.find_exposed(part, depth.checked_sub(1)?);
        let found = match ty.kind() {
            ty::RawPtr(..) => Some(Exposed::Pointer),
            ty::Array(element, _) | ty::Slice(element) => inside(*element),
            ty::Tuple(parts) => parts.iter().find_map(inside),
            ty::Adt(adt, _) if adt.is_unsafe_cell() => Some(Exposed::Cell),
            ty::Adt(adt, _) if adt.is_phantom_data() => None,
            // Several may read what is behind a lock at once, and that is no use to a cell.
            ty::Adt(adt, args) if self.resolved.lock_name(adt.did()).is_some() => {
                args.types().find_map(inside).filter(|found| *found == Exposed::Cell)
            }
            ty::Adt(adt, args) => match self.is_sync(ty) {
                // It takes care of itself.
                Some(true) if adt.did().is_local() => None,
                Some(true) => args.types().find_map(inside),
                Some(false) | None => adt.all_fields().find_map(|field| inside(self.field(field, args))),
            },
            _ => None,
        };
        self.exposed.borrow_mut().insert((ty, depth), found);
        found
    }

    fn find_unshareable(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        if let Some(&known) = self.unshareable.borrow().get(&(ty, depth)) {
            return known;
        }
        let inside = |part: Ty<'tcx>| depth > 0 && self.find_unshareable(part, depth - 1);
        let found = match ty.kind() {
            ty::RawPtr(..) => true,
            ty::Ref(_, to, _) | ty::Array(to, _) | ty::Slice(to) => inside(*to),
            ty::Tuple(parts) => parts.iter().any(inside),
            ty::Adt(adt, _) if adt.is_unsafe_cell() => true,
            ty::Adt(adt, _) if self.resolved.lock_name(adt.did()).is_some() => false,
            ty::Adt(adt, args) if adt.is_phantom_data() => inside(args.type_at(0)),
            ty::Adt(adt, args) => match self.is_sync(ty) {
                Some(said) => !said,
                None => adt.all_fields().any(|field| inside(self.field(field, args))),
            },
            _ => false,
        };
        self.unshareable.borrow_mut().insert((ty, depth), found);
        found
    }

    fn field(&self, field: &ty::FieldDef, args: ty::GenericArgsRef<'tcx>) -> Ty<'tcx> {
        self.tcx.type_of(field.did).instantiate(self.tcx, args).skip_norm_wip()
    }

    /// Whether somebody has said that the type can be shared, or cannot.
    fn is_sync(&self, ty: Ty<'tcx>) -> Option<bool> {
        let sync = self.tcx.lang_items().sync_trait()?;
        let mut said = self.tcx.non_blanket_impls_for_ty(sync, ty).map(|of| self.tcx.impl_polarity(of));
        said.next().map(|polarity| polarity == ty::ImplPolarity::Positive)
    }
}
