//! Types for the parameters of generic functions: tried one after the other, as long as nothing speaks against them.

use super::stand_ins::Wanted;
use super::values::Values;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::consts::ConstExt;
use rustc_middle::ty::{self, ClauseKind, GenericArg, GenericArgsRef, Ty, TyCtxt, TypeVisitableExt, Unnormalized};

/// How many assignments are tried.
const TRIES: usize = 400;

/// How many implementors of a trait are tried.
const IMPLEMENTORS: usize = 6;

/// What parameters of an `impl` stand for, by their number.
pub(super) type Known<'tcx> = Vec<(u32, GenericArg<'tcx>)>;

/// The types for the parameters of `pattern` that make it `ty`.
pub(super) fn unify<'tcx>(pattern: Ty<'tcx>, ty: Ty<'tcx>) -> Option<Known<'tcx>> {
    let mut known = Known::new();
    matches(pattern, ty, &mut known).then_some(known)
}

fn matches<'tcx>(pattern: Ty<'tcx>, ty: Ty<'tcx>, known: &mut Known<'tcx>) -> bool {
    match (pattern.kind(), ty.kind()) {
        (ty::Param(param), _) => match known.iter().find(|(index, _)| *index == param.index) {
            Some((_, before)) => *before == ty.into(),
            None => {
                known.push((param.index, ty.into()));
                true
            }
        },
        (ty::Adt(one, args), ty::Adt(other, others)) => {
            one == other
                && args.iter().zip(others.iter()).all(|(one, other)| match (one.as_type(), other.as_type()) {
                    (Some(one), Some(other)) => matches(one, other, known),
                    _ => constants(one, other, known),
                })
        }
        (ty::Ref(_, one, _), ty::Ref(_, other, _)) | (ty::Slice(one), ty::Slice(other)) => matches(*one, *other, known),
        (ty::Tuple(one), ty::Tuple(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| matches(one, other, known))
        }
        _ => pattern == ty,
    }
}

fn constants<'tcx>(one: GenericArg<'tcx>, other: GenericArg<'tcx>, known: &mut Known<'tcx>) -> bool {
    if let (Some(one), Some(_)) = (one.as_const(), other.as_const())
        && let ty::ConstKind::Param(param) = one.kind()
    {
        known.push((param.index, other));
    }
    true
}

/// Goes through assignments until one is taken. `preferred` are tried before others.
pub(super) fn choose<'tcx, T>(
    values: &Values<'_, 'tcx>,
    function: DefId,
    known: &Known<'tcx>,
    preferred: &[Ty<'tcx>],
    mut take: impl FnMut(GenericArgsRef<'tcx>) -> Option<T>,
) -> Option<T> {
    let tcx = values.tcx;
    let args = ty::GenericArgs::for_item(tcx, function, |param, _| match param.kind {
        ty::GenericParamDefKind::Lifetime => tcx.lifetimes.re_erased.into(),
        _ => {
            let given = known.iter().find(|(index, _)| *index == param.index).map(|(_, arg)| *arg);
            given.unwrap_or_else(|| tcx.mk_param_from_def(param))
        }
    });
    let mut search = Search { values, function, preferred, tries: TRIES };
    search.fill(args, 0, &mut take)
}

struct Search<'s, 'a, 'tcx> {
    values: &'s Values<'a, 'tcx>,
    function: DefId,
    preferred: &'s [Ty<'tcx>],
    tries: usize,
}

impl<'tcx> Search<'_, '_, 'tcx> {
    fn fill<T>(
        &mut self,
        args: GenericArgsRef<'tcx>,
        from: usize,
        take: &mut impl FnMut(GenericArgsRef<'tcx>) -> Option<T>,
    ) -> Option<T> {
        let tcx = self.values.tcx;
        self.tries = self.tries.checked_sub(1)?;
        if self.is_impossible(args) {
            return None;
        }
        let open = (from..args.len()).find(|&at| args[at].has_param());
        let Some(at) = open else { return take(args) };
        let candidates = match args[at].as_type() {
            Some(_) => self.candidates(args, at).into_iter().map(GenericArg::from).collect(),
            None => vec![GenericArg::from(ty::Const::from_target_usize(tcx, 2))],
        };
        let with = |one| tcx.mk_args_from_iter(args.iter().enumerate().map(|(i, arg)| if i == at { one } else { arg }));
        let found = candidates.into_iter().find_map(|one| self.fill(with(one), at + 1, take));
        found.or_else(|| {
            let one = self.values.stand_in(&self.wanted(args, at)?)?;
            self.fill(with(one.into()), at + 1, take)
        })
    }

    /// The compiler knows of no stand-ins: with these, each bound is looked at by itself.
    fn is_impossible(&self, args: GenericArgsRef<'tcx>) -> bool {
        let tcx = self.values.tcx;
        if !self.values.stand_ins.are_there() {
            return tcx.instantiate_and_check_impossible_clauses((self.function, args));
        }
        let clauses = tcx.clauses_of(self.function).instantiate(tcx, args).clauses;
        clauses.into_iter().map(Unnormalized::skip_norm_wip).filter(|clause| !clause.has_param()).any(
            |clause| match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
                ClauseKind::Trait(of) => !self.values.holds(self.values.normal_ref(of.trait_ref)),
                _ => false,
            },
        )
    }

    /// What a type of the witness's own would have to be.
    fn wanted(&self, args: GenericArgsRef<'tcx>, at: usize) -> Option<Wanted<'tcx>> {
        let tcx = self.values.tcx;
        let param = args[at].as_type()?;
        let mut wanted = Wanted::default();
        for clause in tcx.clauses_of(self.function).instantiate(tcx, args).clauses {
            match tcx.instantiate_bound_regions_with_erased(clause.skip_norm_wip().kind()) {
                ClauseKind::Trait(of) if of.self_ty() == param => {
                    let rest: Vec<GenericArg<'tcx>> = of.trait_ref.args.iter().skip(1).collect();
                    if rest.iter().any(|arg| arg.has_param()) {
                        return None;
                    }
                    wanted.traits.push((of.def_id(), rest));
                }
                ClauseKind::Projection(is) if is.self_ty() == param => {
                    let is_type = is.term.as_type().filter(|ty| !ty.has_param())?;
                    wanted.given.push((is.def_id(), is_type));
                }
                _ => {}
            }
        }
        Some(wanted)
    }

    fn candidates(&self, args: GenericArgsRef<'tcx>, at: usize) -> Vec<Ty<'tcx>> {
        let tcx = self.values.tcx;
        let function = self.function_type(args, at);
        let mut all: Vec<Ty<'tcx>> = function.into_iter().collect();
        all.extend(self.preferred);
        all.extend(self.by_default(args, at));
        all.extend(self.bounds(args, at).into_iter().flat_map(|of| implementors(tcx, of)));
        all.extend(self.values.naming.atomic_number());
        all.extend(at_hand(tcx));
        let before = args.iter().take(at).filter_map(|arg| arg.as_type()).filter(|ty| !ty.has_param());
        all.extend(before.map(|output| function_pointer(tcx, [], output)));
        let mut seen = Vec::new();
        all.retain(|ty| {
            !seen.contains(ty) && {
                seen.push(*ty);
                true
            }
        });
        all
    }

    /// Traits of the user, or of libraries, that it has to implement.
    fn bounds(&self, args: GenericArgsRef<'tcx>, at: usize) -> Vec<DefId> {
        let tcx = self.values.tcx;
        let param = args[at].as_type();
        let clauses = tcx.clauses_of(self.function).instantiate(tcx, args).clauses;
        let mut traits: Vec<DefId> = clauses
            .into_iter()
            .filter_map(|clause| match clause.skip_norm_wip().kind().skip_binder() {
                ClauseKind::Trait(clause) if Some(clause.self_ty()) == param => Some(clause.def_id()),
                _ => None,
            })
            .collect();
        traits.retain(|&of| of.is_local() || !is_of_std(tcx, of) || implementors(tcx, of).len() < IMPLEMENTORS);
        traits
    }

    /// What the type that the function belongs to has for it where nothing is written.
    fn by_default(&self, args: GenericArgsRef<'tcx>, at: usize) -> Option<Ty<'tcx>> {
        let tcx = self.values.tcx;
        let owner =
            tcx.opt_parent(self.function).filter(|&owner| matches!(tcx.def_kind(owner), DefKind::Impl { .. }))?;
        let ty::Adt(adt, given) = tcx.type_of(owner).instantiate_identity().skip_norm_wip().kind() else { return None };
        let is_it = |arg: GenericArg<'tcx>| {
            arg.as_type().is_some_and(|ty| matches!(ty.kind(), ty::Param(param) if param.index as usize == at))
        };
        let position = given.iter().position(is_it)?;
        let param = tcx.generics_of(adt.did()).param_at(position, tcx);
        if !matches!(param.kind, ty::GenericParamDefKind::Type { has_default: true, .. }) {
            return None;
        }
        let given = ty::EarlyBinder::bind(tcx, *given).instantiate(tcx, args).skip_norm_wip();
        let ty = tcx.type_of(param.def_id).instantiate(tcx, given).skip_norm_wip();
        (!ty.has_param()).then_some(ty)
    }

    /// If it has to be callable: a pointer to such a function.
    fn function_type(&self, args: GenericArgsRef<'tcx>, at: usize) -> Option<Ty<'tcx>> {
        let tcx = self.values.tcx;
        let param = args[at].as_type()?;
        let clauses: Vec<_> = tcx
            .clauses_of(self.function)
            .instantiate(tcx, args)
            .clauses
            .into_iter()
            .map(Unnormalized::skip_norm_wip)
            .collect();
        let inputs =
            clauses.iter().find_map(|clause| match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
                ClauseKind::Trait(of) if of.self_ty() == param && tcx.is_fn_trait(of.def_id()) => {
                    of.trait_ref.args.types().nth(1)
                }
                _ => None,
            })?;
        let output = clauses.iter().find_map(|clause| match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
            ClauseKind::Projection(of) if of.self_ty() == param => of.term.as_type(),
            _ => None,
        });
        let output = output.unwrap_or(tcx.types.unit);
        let ty::Tuple(inputs) = inputs.kind() else { return None };
        if output.has_param() || inputs.iter().any(|ty| ty.has_param()) {
            return None;
        }
        Some(function_pointer(tcx, inputs.iter().collect::<Vec<_>>(), output))
    }
}

fn function_pointer<'tcx>(tcx: TyCtxt<'tcx>, inputs: impl IntoIterator<Item = Ty<'tcx>>, output: Ty<'tcx>) -> Ty<'tcx> {
    Ty::new_fn_ptr(tcx, ty::Binder::dummy(tcx.mk_fn_sig_safe_rust_abi(inputs, output)))
}

fn string(tcx: TyCtxt<'_>) -> Ty<'_> {
    let of = tcx.lang_items().string();
    of.map_or(tcx.types.unit, |of| tcx.type_of(of).instantiate_identity().skip_norm_wip())
}

/// Types that everybody has; the last for what is to be written to.
pub(super) fn at_hand(tcx: TyCtxt<'_>) -> Vec<Ty<'_>> {
    let text = Ty::new_static_str(tcx);
    let all = [tcx.types.u32, string(tcx), text, tcx.types.u64, tcx.types.usize, tcx.types.unit];
    all.into_iter().chain(bytes(tcx)).collect()
}

fn bytes(tcx: TyCtxt<'_>) -> Option<Ty<'_>> {
    let list = tcx.adt_def(tcx.get_diagnostic_item(rustc_span::sym::Vec)?);
    let args = ty::GenericArgs::for_item(tcx, list.did(), |param, args| match param.kind {
        ty::GenericParamDefKind::Type { has_default: true, .. } => {
            tcx.type_of(param.def_id).instantiate(tcx, args).skip_norm_wip().into()
        }
        _ => tcx.types.u8.into(),
    });
    Some(Ty::new_adt(tcx, list, args))
}

pub(super) fn is_of_std(tcx: TyCtxt<'_>, id: DefId) -> bool {
    ["core", "alloc", "std"].contains(&tcx.crate_name(id.krate).as_str())
}

/// Types without parameters that implement the trait.
pub(super) fn implementors<'tcx>(tcx: TyCtxt<'tcx>, of: DefId) -> Vec<Ty<'tcx>> {
    let types = tcx.all_impls(of).map(|one| tcx.type_of(one).instantiate_identity().skip_norm_wip());
    let types = types.map(|ty| tcx.erase_and_anonymize_regions(ty));
    types.filter(|ty| !ty.has_param() && !ty.has_escaping_bound_vars()).take(IMPLEMENTORS).collect()
}
