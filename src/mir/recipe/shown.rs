//! Values as the crate's own tests make them. Where the tests are compiled along, each `let` in one of their functions is looked
//! at: its type is known, and if what it is made of is in reach of the module around it, it can be made there again.

use super::values::Values;
use crate::mir::compat::is_cfg_test;
use finding::recipe::{PRIVATE, SHOWN};
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::{DefKind, Res};
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_hir::intravisit::{self, Visitor};
use rustc_hir::{BindingMode, Expr, ExprKind, HirId, LetStmt, MatchSource, Node, PatKind, QPath};
use rustc_middle::hir::nested_filter::OnlyBodies;
use rustc_middle::ty::{self, Ty, TyCtxt, TypeVisitableExt, TypeckResults};
use rustc_span::def_id::LocalModId;

/// How many modules with tests a witness may be put into.
const MODULES: usize = 3;

/// The same, of modules that are tests and examples of their own elsewhere.
const GATHERED: usize = 12;

/// How many statements one value may need.
const STATEMENTS: usize = 12;

/// How long its text may be.
const LENGTH: usize = 4000;

/// What a test makes, by the type of it.
pub(super) type Examples<'tcx> = FxHashMap<DefId, Vec<Example<'tcx>>>;

pub(super) struct Example<'tcx> {
    ty: Ty<'tcx>,
    text: String,
}

/// Modules that are there for tests alone: those below the given one first. Where tests and examples were gathered, these are meant.
pub(super) fn modules(tcx: TyCtxt<'_>, below: LocalDefId) -> Vec<LocalDefId> {
    if !tcx.sess.is_test_crate() {
        return Vec::new();
    }
    let is_module = |id: &LocalDefId| tcx.def_kind(*id) == DefKind::Mod;
    let is_for_tests = |id: &LocalDefId| is_cfg_test(tcx, tcx.local_def_id_to_hir_id(*id));
    let in_source = |id: &LocalDefId| !super::is_from_macro(tcx, *id);
    let all = tcx.hir_crate_items(()).definitions();
    let mut all: Vec<LocalDefId> = all.filter(is_module).filter(is_for_tests).filter(in_source).collect();
    let is_gathered = |id: &LocalDefId| tcx.item_name(id.to_def_id()).as_str().starts_with(SHOWN);
    if all.iter().any(is_gathered) {
        all.retain(is_gathered);
        all.truncate(GATHERED);
        return all;
    }
    all.sort_by_key(|id| !tcx.is_descendant_of(id.to_def_id(), below.to_def_id()));
    all.truncate(MODULES);
    all
}

/// All that the functions of a module show.
pub(super) fn collect<'tcx>(tcx: TyCtxt<'tcx>, module: LocalDefId) -> Examples<'tcx> {
    let mut examples = Examples::default();
    if !is_cfg_test(tcx, tcx.local_def_id_to_hir_id(module)) {
        return examples;
    }
    for item in tcx.hir_get_module(LocalModId::new_unchecked(module)).0.item_ids {
        let function = item.owner_id.def_id;
        if tcx.def_kind(function) != DefKind::Fn || tcx.is_automatically_derived(function.to_def_id()) {
            continue;
        }
        let (body, tables) = (tcx.hir_body_owned_by(function), tcx.typeck(function));
        let mut bindings = Bindings { tcx, tables, known: FxHashMap::default() };
        bindings.visit_body(body);
        let known = std::mem::take(&mut bindings.known);
        let mut in_order: Vec<_> = known.keys().copied().collect();
        in_order.sort_by_key(|id| (id.owner.def_id.local_def_index.as_u32(), id.local_id.as_u32()));
        for local in in_order {
            let one = &known[&local];
            if let Some(adt) = one.ty.ty_adt_def()
                && let Some(text) = block(tcx, tables, &known, local)
            {
                examples.entry(adt.did()).or_default().push(Example { ty: one.ty, text });
            }
        }
    }
    examples
}

/// A statement `let name = value;`.
struct Binding<'tcx> {
    ty: Ty<'tcx>,
    statement: &'tcx LetStmt<'tcx>,
    value: &'tcx Expr<'tcx>,
    needs: Needs,
}

/// What a value is made of.
#[derive(Default)]
struct Needs {
    locals: Vec<HirId>,
    awaits: bool,
    /// It cannot be taken out of its function.
    is_bound: bool,
    /// Private fields are written.
    is_private: bool,
}

struct Bindings<'b, 'tcx> {
    tcx: TyCtxt<'tcx>,
    tables: &'b TypeckResults<'tcx>,
    known: FxHashMap<HirId, Binding<'tcx>>,
}

impl<'tcx> Visitor<'tcx> for Bindings<'_, 'tcx> {
    type NestedFilter = OnlyBodies;

    fn maybe_tcx(&mut self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn visit_local(&mut self, statement: &'tcx LetStmt<'tcx>) {
        if let (PatKind::Binding(BindingMode(_, _), id, _, None), Some(value), None) =
            (statement.pat.kind, statement.init, statement.els)
            && !statement.span.from_expansion()
        {
            let ty = self.tcx.erase_and_anonymize_regions(self.tables.expr_ty_adjusted(value));
            let mut uses = Uses { tcx: self.tcx, tables: self.tables, own: Vec::new(), needs: Needs::default() };
            uses.visit_expr(value);
            let Uses { own, mut needs, .. } = uses;
            needs.locals.retain(|local| !own.contains(local));
            if !ty.has_param() && !ty.has_infer() {
                self.known.insert(id, Binding { ty, statement, value, needs });
            }
        }
        intravisit::walk_local(self, statement);
    }
}

/// Looks through a value.
struct Uses<'b, 'tcx> {
    tcx: TyCtxt<'tcx>,
    tables: &'b TypeckResults<'tcx>,
    /// What is bound inside of it.
    own: Vec<HirId>,
    needs: Needs,
}

impl<'tcx> Visitor<'tcx> for Uses<'_, 'tcx> {
    type NestedFilter = OnlyBodies;

    fn maybe_tcx(&mut self) -> TyCtxt<'tcx> {
        self.tcx
    }

    fn visit_pat(&mut self, pattern: &'tcx rustc_hir::Pat<'tcx>) {
        pattern.each_binding(|_, id, _, _| self.own.push(id));
        intravisit::walk_pat(self, pattern);
    }

    fn visit_path(&mut self, path: &rustc_hir::Path<'tcx>, _: HirId) {
        match path.res {
            Res::Local(id) => self.needs.locals.push(id),
            Res::Def(_, id) => self.needs.is_bound |= is_inside_function(self.tcx, id),
            _ => {}
        }
        intravisit::walk_path(self, path);
    }

    fn visit_expr(&mut self, value: &'tcx Expr<'tcx>) {
        match value.kind {
            ExprKind::Ret(_) | ExprKind::Match(_, _, MatchSource::TryDesugar(_)) => self.needs.is_bound = true,
            ExprKind::Match(_, _, MatchSource::AwaitDesugar) => self.needs.awaits = true,
            ExprKind::Struct(..) => self.needs.is_private |= self.has_private(self.tables.expr_ty(value)),
            ExprKind::Call(function, _) => {
                let is_constructor = matches!(function.kind, ExprKind::Path(QPath::Resolved(_, path))
                    if matches!(path.res, Res::Def(DefKind::Ctor(..), _) | Res::SelfCtor(_)));
                self.needs.is_private |= is_constructor && self.has_private(self.tables.expr_ty(value));
            }
            _ => {}
        }
        intravisit::walk_expr(self, value);
    }
}

impl<'tcx> Uses<'_, 'tcx> {
    /// A struct of the crate that only its own module can put together.
    fn has_private(&self, ty: Ty<'tcx>) -> bool {
        let is_private =
            |field: &ty::FieldDef| field.did.as_local().is_some_and(|id| super::is_private(self.tcx, id, field.vis));
        ty.ty_adt_def().is_some_and(|adt| adt.is_struct() && adt.all_fields().any(is_private))
    }
}

fn is_inside_function(tcx: TyCtxt<'_>, id: DefId) -> bool {
    let mut at = id;
    while let Some(parent) = tcx.opt_parent(at).filter(|_| id.is_local()) {
        if matches!(tcx.def_kind(parent), DefKind::Fn | DefKind::AssocFn | DefKind::Closure) {
            return true;
        }
        at = parent;
    }
    false
}

/// The value with all that it is made of, for a module below that of the tests.
fn block<'tcx>(
    tcx: TyCtxt<'tcx>,
    tables: &TypeckResults<'tcx>,
    known: &FxHashMap<HirId, Binding<'tcx>>,
    local: HirId,
) -> Option<String> {
    let mut before: Vec<HirId> = Vec::new();
    let mut open = known.get(&local)?.needs.locals.clone();
    while let Some(one) = open.pop() {
        if !before.contains(&one) {
            before.push(one);
            open.extend(&known.get(&one)?.needs.locals);
        }
        if before.len() > STATEMENTS {
            return None;
        }
    }
    before.sort_by_key(|id| id.local_id.as_u32());
    let all = || before.iter().chain([&local]).map(|id| &known[id]);
    if all().any(|one| one.needs.is_bound) || before.iter().any(|&id| is_changed(tcx, tables, known, id)) {
        return None;
    }
    let source = |span: rustc_span::Span| tcx.sess.source_map().span_to_snippet(span.source_callsite()).ok();
    let mut text = String::new();
    for id in &before {
        let statement = source(known[id].statement.span)?;
        text.push_str(&format!("{};\n", statement.trim_end_matches(';')));
    }
    text.push_str(&source(known[&local].value.span)?);
    if text.len() > LENGTH {
        return None;
    }
    let private = if all().any(|one| one.needs.is_private) { PRIVATE } else { "" };
    Some(match all().any(|one| one.needs.awaits) {
        true => format!("{private}{{ use super::*; wait_for(async {{ {text} }}) }}"),
        false => format!("{private}{{ use super::*; {text} }}"),
    })
}

/// What is done to a value between its making and its use would be left out.
fn is_changed<'tcx>(
    tcx: TyCtxt<'tcx>,
    tables: &TypeckResults<'tcx>,
    known: &FxHashMap<HirId, Binding<'tcx>>,
    local: HirId,
) -> bool {
    let Node::Pat(pattern) = tcx.hir_node(local) else { return true };
    let is_mutable = matches!(pattern.kind, PatKind::Binding(BindingMode(_, mutability), ..) if mutability.is_mut());
    is_mutable && !known.get(&local).is_some_and(|one| tables.expr_ty(one.value).is_numeric())
}

impl<'tcx> Values<'_, 'tcx> {
    /// The shortest of those that tests show.
    pub(super) fn shown(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>) -> Option<String> {
        let examples = self.examples().get(&adt.did())?;
        let fitting = examples.iter().filter(|one| one.ty == ty);
        fitting.map(|one| &one.text).min_by_key(|text| (text.contains(PRIVATE), text.len())).cloned()
    }

    /// The types of such values.
    pub(super) fn shown_types(&self, adt: DefId) -> Vec<Ty<'tcx>> {
        let mut types: Vec<Ty<'tcx>> = Vec::new();
        for one in self.examples().get(&adt).into_iter().flatten() {
            if !types.contains(&one.ty) {
                types.push(one.ty);
            }
        }
        types
    }
}
