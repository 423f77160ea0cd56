//! Names: of functions as people write them, and those that stand in a body.

use rustc_abi::FieldIdx;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_hir::intravisit::{self, Visitor};
use rustc_hir::{Expr, ExprKind, HirId, Pat, PatKind, PathSegment};
use rustc_middle::hir::nested_filter;
use rustc_middle::ty::print::with_no_trimmed_paths;
use rustc_middle::ty::{self, Ty, TyCtxt, TypeckResults};
use rustc_span::{Symbol, sym};

/// A type of the standard library that has no other mark.
pub(super) fn is_std_type(tcx: TyCtxt<'_>, id: DefId, name: &str) -> bool {
    tcx.crate_name(id.krate) == sym::std && tcx.item_name(id).as_str() == name
}

/// `module::Type::method`, `<module::Type as Trait>::method` or `module::function`, without the crate's name and
/// without generic arguments. A closure goes by the function it stands in.
pub(super) fn function(tcx: TyCtxt<'_>, owner: LocalDefId) -> String {
    let id = tcx.typeck_root_def_id(owner.to_def_id());
    let Some(name) = tcx.opt_item_name(id) else { return surroundings(tcx, id) };
    let parent = tcx.parent(id);
    match tcx.def_kind(parent) {
        DefKind::Impl { of_trait: false } => {
            format!("{}::{name}", type_name(tcx, tcx.type_of(parent).instantiate_identity().skip_norm_wip()))
        }
        DefKind::Impl { of_trait: true } => {
            let trait_ref = tcx.impl_trait_ref(parent).instantiate_identity().skip_norm_wip();
            let of = tcx.item_name(trait_ref.def_id);
            format!("<{} as {of}>::{name}", type_name(tcx, trait_ref.self_ty()))
        }
        _ => with_no_trimmed_paths!(tcx.def_path_str(id)),
    }
}

/// A closure may stand in code without a name: the length of an array, the number of a variant, the default of a field. It
/// goes by what that stands in.
fn surroundings(tcx: TyCtxt<'_>, nameless: DefId) -> String {
    let above = std::iter::successors(tcx.opt_parent(nameless), |&id| tcx.opt_parent(id));
    let named = above.into_iter().find(|&id| tcx.opt_item_name(id).is_some());
    with_no_trimmed_paths!(tcx.def_path_str(named.unwrap_or(nameless)))
}

fn type_name<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> String {
    match ty.kind() {
        ty::Adt(adt, _) => with_no_trimmed_paths!(tcx.def_path_str(adt.did())),
        _ => with_no_trimmed_paths!(ty.to_string()),
    }
}

/// Tells every name that stands in a path or a method call of the body, closures included.
pub(super) fn in_body(tcx: TyCtxt<'_>, owner: LocalDefId, tell: impl FnMut(Symbol)) {
    Names { tcx, tell }.visit_body(tcx.hir_body_owned_by(owner));
}

struct Names<'tcx, F> {
    tcx: TyCtxt<'tcx>,
    tell: F,
}

impl<'tcx, F: FnMut(Symbol)> Visitor<'tcx> for Names<'tcx, F> {
    type NestedFilter = nested_filter::OnlyBodies;

    fn maybe_tcx(&mut self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn visit_path_segment(&mut self, segment: &'tcx PathSegment<'tcx>) {
        (self.tell)(segment.ident.name);
        intravisit::walk_path_segment(self, segment);
    }
}

/// The functions in whose bodies a field is used that is meant, closures included. The name comes first: what type the field
/// is of only the type checker's tables tell, which are costly to ask for in a warm build.
pub(super) fn bodies_with_fields(
    tcx: TyCtxt<'_>,
    functions: &[LocalDefId],
    names: &[Symbol],
    is_meant: impl Fn(DefId, FieldIdx) -> bool,
) -> Vec<LocalDefId> {
    let roots = functions.iter().copied().filter(|&owner| tcx.typeck_root_def_id_local(owner) == owner);
    let uses = |owner: &LocalDefId| {
        let mut fields = Fields { tcx, owner: *owner, names, is_meant: &is_meant, found: false };
        fields.visit_body(tcx.hir_body_owned_by(*owner));
        fields.found
    };
    if names.is_empty() { Vec::new() } else { roots.filter(uses).collect() }
}

struct Fields<'a, 'tcx, F> {
    tcx: TyCtxt<'tcx>,
    owner: LocalDefId,
    names: &'a [Symbol],
    is_meant: &'a F,
    found: bool,
}

impl<'tcx, F: Fn(DefId, FieldIdx) -> bool> Fields<'_, 'tcx, F> {
    /// Tables of their own, which lengths of arrays have, are not asked: what stands there may be meant.
    fn meet(&mut self, name: Symbol, field: HirId, of: impl FnOnce(&TypeckResults<'tcx>) -> Option<Ty<'tcx>>) {
        if self.found || !self.names.contains(&name) {
            return;
        }
        let tables = self.tcx.typeck(self.owner);
        self.found = match (of(tables).map(|ty| ty.peel_refs().kind()), tables.opt_field_index(field)) {
            (Some(ty::Adt(adt, _)), Some(index)) => (self.is_meant)(adt.did(), index),
            (Some(_), Some(_)) => false,
            (None, _) | (_, None) => true,
        };
    }
}

impl<'tcx, F: Fn(DefId, FieldIdx) -> bool> Visitor<'tcx> for Fields<'_, 'tcx, F> {
    type NestedFilter = nested_filter::OnlyBodies;

    fn maybe_tcx(&mut self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn visit_expr(&mut self, expression: &'tcx Expr<'tcx>) {
        if let ExprKind::Field(base, field) = expression.kind {
            self.meet(field.name, expression.hir_id, |tables| tables.expr_ty_adjusted_opt(base));
        }
        intravisit::walk_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'tcx Pat<'tcx>) {
        if let PatKind::Struct(_, fields, _) = pattern.kind {
            for field in fields {
                self.meet(field.ident.name, field.hir_id, |tables| tables.node_type_opt(pattern.hir_id));
            }
        }
        intravisit::walk_pat(self, pattern);
    }
}
