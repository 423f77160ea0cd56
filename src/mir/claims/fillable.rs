//! Whether other crates can put any type into a type of this crate, and have it go to other threads: if they can name it, or
//! another one that has it inside. Whether that goes to other threads too is asked of the compiler, with everything else in it
//! being harmless: a field beside it may ask for what the `unsafe impl` does not.

use crate::mir::compat::implements;
use crate::mir::reach;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, Clause, ParamEnv, Ty, TyCtxt, TypingEnv, TypingMode, Upcast};

/// A parameter of a type, by its number among those that are types.
type Parameter = (LocalDefId, usize);

pub(super) struct Fillable<'tcx> {
    tcx: TyCtxt<'tcx>,
    /// By what is inside: what has it inside, and fills it with a parameter of its own.
    around: FxHashMap<Parameter, Vec<Parameter>>,
}

impl<'tcx> Fillable<'tcx> {
    pub(super) fn new(tcx: TyCtxt<'tcx>) -> Self {
        let is_type = |id: &LocalDefId| matches!(tcx.def_kind(*id), DefKind::Struct | DefKind::Enum);
        let mut around: FxHashMap<Parameter, Vec<Parameter>> = FxHashMap::default();
        for own in tcx.hir_crate_items(()).definitions().filter(is_type) {
            for number in 0..type_parameters(tcx, own).len() {
                for inside in filled_inside(tcx, own, number) {
                    around.entry(inside).or_default().push((own, number));
                }
            }
        }
        Fillable { tcx, around }
    }

    /// By other crates; nobody else can use what a program has inside. `of` is the `impl` of the trait.
    pub(super) fn by_others(&self, of: LocalDefId, own: LocalDefId, number: usize) -> bool {
        if self.tcx.entry_fn(()).is_some() {
            return false;
        }
        if reach::is_exported(self.tcx, own) {
            return true;
        }
        let (mut ahead, mut seen) = (vec![(own, number)], FxHashSet::default());
        while let Some(at) = ahead.pop() {
            let around = self.around.get(&at).into_iter().flatten().filter(|around| seen.insert(**around));
            ahead.extend(around);
        }
        let mut named = seen.into_iter().filter(|(around, _)| reach::is_exported(self.tcx, *around));
        named.any(|(around, at)| self.goes((around, at), of, number))
    }

    /// The trait of the `impl` holds for the type, with what the `impl` itself asks of the parameter.
    fn goes(&self, (own, number): Parameter, of: LocalDefId, inside: usize) -> bool {
        let tcx = self.tcx;
        let Some(of_trait) = tcx.impl_opt_trait_id(of) else { return false };
        let parameters = type_parameters(tcx, own);
        let Some(&filled) = parameters.get(number) else { return false };
        let threads = [tcx.get_diagnostic_item(rustc_span::sym::Send), tcx.lang_items().sync_trait()];
        let harmless = parameters.iter().filter(|ty| **ty != filled);
        let harmless = harmless.flat_map(|&ty| threads.into_iter().flatten().map(move |of| bound(tcx, of, ty)));
        let asked = asked_of(tcx, of, inside).into_iter().map(|of| bound(tcx, of, filled));
        let bounds = tcx.param_env(own).caller_bounds().chain(harmless).chain(asked);
        let env = TypingEnv::new(ParamEnv::new(tcx, bounds), TypingMode::non_body_analysis());
        let whole = tcx.type_of(own).instantiate_identity().skip_norm_wip();
        implements(tcx, env, whole, of_trait)
    }
}

fn bound<'tcx>(tcx: TyCtxt<'tcx>, of_trait: DefId, ty: Ty<'tcx>) -> Clause<'tcx> {
    ty::TraitRef::new(tcx, of_trait, [ty]).upcast(tcx)
}

/// The plain traits that an `impl` asks of a parameter of its type.
fn asked_of(tcx: TyCtxt<'_>, of: LocalDefId, number: usize) -> Vec<DefId> {
    let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
    let ty::Adt(_, args) = own.kind() else { return Vec::new() };
    let Some(parameter) = args.types().nth(number) else { return Vec::new() };
    let clauses = tcx.param_env(of).caller_bounds().filter_map(|clause| clause.as_trait_clause());
    let clauses = clauses.map(|clause| clause.skip_binder().trait_ref);
    clauses.filter(|asked| asked.self_ty() == parameter && asked.args.len() == 1).map(|asked| asked.def_id).collect()
}

fn type_parameters(tcx: TyCtxt<'_>, own: LocalDefId) -> Vec<Ty<'_>> {
    ty::GenericArgs::identity_for_item(tcx, own).types().collect()
}

/// The parameters of types of this crate that are filled with it by a field.
fn filled_inside(tcx: TyCtxt<'_>, own: LocalDefId, number: usize) -> Vec<Parameter> {
    let Some(&parameter) = type_parameters(tcx, own).get(number) else { return Vec::new() };
    let fields =
        tcx.adt_def(own).all_fields().map(|field| tcx.type_of(field.did).instantiate_identity().skip_norm_wip());
    let mut found = Vec::new();
    for part in fields.flat_map(|ty| ty.walk()).filter_map(|part| part.as_type()) {
        let ty::Adt(adt, args) = part.kind() else { continue };
        let Some(inside) = adt.did().as_local() else { continue };
        let filled = args.types().enumerate().filter(|(_, ty)| ty.walk().any(|arg| arg == parameter.into()));
        found.extend(filled.map(|(at, _)| (inside, at)));
    }
    found
}
