//! What the analysis asks of types: guards inside, borrowed or not.

use crate::mir::names::is_std_type;
use crate::mir::plain::{Identity, TypeFacts};
use crate::mir::resolve::Resolved;
use crate::models::LockKind;
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{self, GenericArgKind, Ty, TyCtxt};
use rustc_span::{Symbol, sym};
use std::cell::RefCell;

/// How deep fields of the user's own types are searched for guards.
const DEPTH: usize = 4;

/// Answers are kept: the same types come again and again.
pub struct Types<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    resolved: &'a Resolved,
    known: RefCell<FxHashMap<Ty<'tcx>, TypeFacts>>,
    identities: RefCell<FxHashMap<(Ty<'tcx>, usize), Identity>>,
    shared: RefCell<FxHashMap<Ty<'tcx>, bool>>,
}

impl<'a, 'tcx> Types<'a, 'tcx> {
    pub fn new(tcx: TyCtxt<'tcx>, resolved: &'a Resolved) -> Self {
        Types { tcx, resolved, known: RefCell::default(), identities: RefCell::default(), shared: RefCell::default() }
    }

    pub fn facts(&self, ty: Ty<'tcx>) -> TypeFacts {
        if let Some(&facts) = self.known.borrow().get(&ty) {
            return facts;
        }
        let is_std = |ty: Ty<'tcx>, name| ty.ty_adt_def().is_some_and(|adt| is_std_type(self.tcx, adt.did(), name));
        let facts = TypeFacts {
            holds_guard: self.holds_guard(ty, DEPTH),
            choice: ty.is_enum(),
            is_guard: ty.ty_adt_def().is_some_and(|adt| self.resolved.is_guard(adt.did())),
            names_lock: self.names_lock(ty),
            borrows: borrows(ty),
            pointer: self.is_pointer(ty) || ty.is_box(),
            leads_to_one: self.leads_to_one(ty, DEPTH),
            owned: ty.is_box(),
            raw: ty.is_raw_ptr() || self.is_non_null(ty),
            exclusive: is_exclusive(ty),
            identity: self.identity(ty, DEPTH),
            unit: ty.is_unit(),
            states: ty
                .ty_adt_def()
                .is_some_and(|adt| adt.is_enum() && adt.did().is_local() && adt.variants().len() > 1),
            wakes: self.wakes(ty.peel_refs(), DEPTH),
            names_thread: is_std(ty.peel_refs(), "ThreadId"),
        };
        self.known.borrow_mut().insert(ty, facts);
        facts
    }

    /// Who has such a thing may share what is in it with others, or nobody can say. Looks into the types of all crates.
    pub fn shares(&self, ty: Ty<'tcx>) -> bool {
        if let Some(&known) = self.shared.borrow().get(&ty) {
            return known;
        }
        let found = self.leads_to_cell(ty, DEPTH);
        self.shared.borrow_mut().insert(ty, found);
        found
    }

    fn leads_to_cell(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        match ty.kind() {
            ty::Param(_) | ty::Dynamic(..) | ty::Alias(..) | ty::Infer(_) | ty::RawPtr(..) => true,
            ty::Ref(_, to, _) => self.leads_to_cell(*to, depth),
            ty::Adt(adt, args) => {
                let inside = |part: Ty<'tcx>| self.leads_to_cell(part, depth - 1);
                let fields = || adt.all_fields().map(|field| self.tcx.type_of(field.did).instantiate(self.tcx, args));
                adt.is_unsafe_cell()
                    || self.resolved.lock_name(adt.did()).is_some()
                    || (depth > 0 && !adt.is_phantom_data())
                        && (args.types().any(inside)
                            || (!self.resolved.is_handle(adt.did())
                                && fields().any(|field| inside(field.skip_norm_wip()))))
            }
            ty::Tuple(parts) => parts.iter().any(|part| self.leads_to_cell(part, depth)),
            ty::Array(element, _) | ty::Slice(element) => self.leads_to_cell(*element, depth),
            ty::Closure(_, args) => args.as_closure().upvar_tys().iter().any(|part| self.leads_to_cell(part, depth)),
            _ => false,
        }
    }

    fn names_lock(&self, ty: Ty<'tcx>) -> bool {
        ty.walk().any(|part| match part.kind() {
            GenericArgKind::Type(part) => {
                let kind = part.ty_adt_def().and_then(|adt| self.resolved.lock_kind(adt.did()));
                matches!(kind, Some(LockKind::Guarded | LockKind::Map))
            }
            GenericArgKind::Lifetime(_) | GenericArgKind::Const(_) => false,
        })
    }

    /// Looks through owners and type arguments, and into the fields of the user's own types.
    fn identity(&self, ty: Ty<'tcx>, depth: usize) -> Identity {
        if let Some(&known) = self.identities.borrow().get(&(ty, depth)) {
            return known;
        }
        let found = self.find_identity(ty, depth);
        self.identities.borrow_mut().insert((ty, depth), found);
        found
    }

    fn find_identity(&self, ty: Ty<'tcx>, depth: usize) -> Identity {
        let all = |parts: &mut dyn Iterator<Item = Ty<'tcx>>| {
            parts.map(|part| self.identity(part, depth)).max().unwrap_or_default()
        };
        match ty.kind() {
            ty::Param(_) | ty::Dynamic(..) | ty::Alias(..) | ty::Infer(_) => Identity::Unknown,
            // It leads to what is somebody else's.
            ty::Adt(adt, _) if self.is_weak(adt.did()) => Identity::None,
            ty::Adt(adt, args) => {
                if adt.is_unsafe_cell() || self.resolved.lock_name(adt.did()).is_some() {
                    return Identity::Own;
                }
                let inside = all(&mut args.types());
                if inside == Identity::Own || depth == 0 || !adt.did().is_local() {
                    return inside;
                }
                let fields = adt.all_fields().map(|field| {
                    let field = self.tcx.type_of(field.did).instantiate(self.tcx, args).skip_norm_wip();
                    self.identity(field, depth - 1)
                });
                fields.max().unwrap_or_default().max(inside)
            }
            ty::Tuple(parts) => all(&mut parts.iter()),
            ty::Array(element, _) | ty::Slice(element) => self.identity(*element, depth),
            _ => Identity::None,
        }
    }

    pub(super) fn is_pointer(&self, ty: Ty<'tcx>) -> bool {
        match ty.kind() {
            ty::Adt(adt, _) => self.resolved.is_handle(adt.did()),
            kind => matches!(kind, ty::Ref(..) | ty::RawPtr(..)),
        }
    }

    fn is_weak(&self, id: DefId) -> bool {
        ["ArcWeak", "RcWeak"].iter().any(|name| self.tcx.is_diagnostic_item(Symbol::intern(name), id))
    }

    /// Whoever follows it has to know what it points at, as with a raw pointer.
    fn is_non_null(&self, ty: Ty<'tcx>) -> bool {
        ty.ty_adt_def().is_some_and(|adt| self.tcx.is_diagnostic_item(Symbol::intern("NonNull"), adt.did()))
    }

    fn leads_to_one(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        if self.is_pointer(ty) || ty.is_box() {
            return true;
        }
        let ty::Adt(adt, args) = ty.kind() else { return false };
        let inside = |field: &ty::FieldDef| self.tcx.type_of(field.did).instantiate(self.tcx, args).skip_norm_wip();
        let mut fields = adt.all_fields().map(inside).filter(|field| !is_nothing(*field)).peekable();
        // Of a `Result` what went well counts.
        let is_result = self.tcx.is_diagnostic_item(sym::Result, adt.did());
        let first = fields.next();
        let alone = fields.next().is_none() || is_result;
        depth > 0 && alone && first.is_some_and(|field| self.leads_to_one(field, depth - 1))
    }

    /// Not behind a pointer or a lock: then it is somebody else's, who may have been there for long.
    fn wakes(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        match ty.kind() {
            ty::Adt(adt, args) => {
                let is_apart = self.resolved.lock_name(adt.did()).is_some() || self.resolved.is_handle(adt.did());
                let field = |field: &ty::FieldDef| {
                    let field = self.tcx.type_of(field.did).instantiate(self.tcx, args).skip_norm_wip();
                    self.wakes(field, depth - 1)
                };
                self.resolved.is_waker(adt.did())
                    || (depth > 0 && !is_apart && !adt.is_phantom_data())
                        && (args.types().any(|argument| self.wakes(argument, depth - 1))
                            || (adt.did().is_local() && adt.all_fields().any(field)))
            }
            ty::Tuple(parts) => parts.iter().any(|part| self.wakes(part, depth)),
            ty::Array(element, _) | ty::Slice(element) => self.wakes(*element, depth),
            _ => false,
        }
    }

    /// References to guards do not count: they do not end a section.
    fn holds_guard(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        match ty.kind() {
            ty::Adt(adt, args) => {
                self.resolved.is_guard(adt.did())
                    || args.types().any(|argument| self.holds_guard(argument, depth))
                    || (depth > 0
                        && adt.did().is_local()
                        && adt.all_fields().any(|field| {
                            let field = self.tcx.type_of(field.did).instantiate(self.tcx, args).skip_norm_wip();
                            self.holds_guard(field, depth - 1)
                        }))
            }
            ty::Tuple(parts) => parts.iter().any(|part| self.holds_guard(part, depth)),
            ty::Array(element, _) | ty::Slice(element) => self.holds_guard(*element, depth),
            ty::Closure(_, args) => args.as_closure().upvar_tys().iter().any(|part| self.holds_guard(part, depth)),
            _ => false,
        }
    }
}

/// `&mut T`, pinned or not. What runs an `async` body has that alone, and not what the body has captured.
fn is_exclusive(ty: Ty<'_>) -> bool {
    match ty.kind() {
        ty::Ref(_, _, mutability) => mutability.is_mut(),
        ty::Adt(adt, args) if adt.is_pin() => {
            let inside = args.type_at(0);
            !inside.peel_refs().is_coroutine() && is_exclusive(inside)
        }
        _ => false,
    }
}

/// A lifetime is somewhere in it, other than `'static`.
fn borrows(ty: Ty<'_>) -> bool {
    ty.walk().any(|part| match part.kind() {
        GenericArgKind::Lifetime(region) => !region.is_static(),
        GenericArgKind::Type(_) | GenericArgKind::Const(_) => false,
    }) || matches!(ty.kind(), ty::Ref(..) | ty::RawPtr(..))
}

/// Takes no room and leads nowhere.
fn is_nothing(ty: Ty<'_>) -> bool {
    ty.is_unit() || ty.is_phantom_data()
}
