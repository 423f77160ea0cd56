//! Functions anywhere in the crate of a type, be it this one or another, that give a value of a type: a free function (`bounded(1).0`), a method of another type
//! (`sender.downgrade()`). They come after the type's own functions and before its fields: whatever the crate gives out itself is
//! a value that can be there.

use super::generics::{self, unify};
use super::naming::raw;
use super::values::{Signature, Values};
use finding::recipe::LENT;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{CrateNum, DefId};
use rustc_middle::ty::{self, GenericArgsRef, Ty, TyCtxt};
use std::collections::VecDeque;

/// How many are tried for a type.
const TRIED: usize = 6;

/// How many functions of another crate are looked at.
const OF_ANOTHER: usize = 20_000;

/// By the type that they give.
pub(super) type Makers = FxHashMap<DefId, Vec<DefId>>;

pub(super) fn collect(tcx: TyCtxt<'_>) -> Makers {
    let mut makers = Makers::default();
    for id in tcx.hir_crate_items(()).definitions() {
        let is_function = matches!(tcx.def_kind(id), DefKind::Fn | DefKind::AssocFn);
        let is_of_trait =
            tcx.opt_associated_item(id.to_def_id()).is_some_and(|item| item.impl_container(tcx).is_none())
                || tcx.trait_impl_of_assoc(id.to_def_id()).is_some();
        if is_function && !(is_of_trait && tcx.def_kind(id) == DefKind::AssocFn) {
            add(tcx, &mut makers, id.to_def_id());
        }
    }
    makers
}

/// If what it gives are types of the crate that it is in.
fn add(tcx: TyCtxt<'_>, makers: &mut Makers, function: DefId) {
    if tcx.asyncness(function).is_async() || !tcx.fn_sig(function).skip_binder().safety().is_safe() {
        return;
    }
    let output = tcx.fn_sig(function).skip_binder().output().skip_binder();
    for (ty, ..) in ways_into(tcx, output) {
        let of = ty.ty_adt_def().map(|adt| adt.did()).filter(|of| of.krate == function.krate);
        if let Some(of) = of {
            makers.entry(of).or_default().push(function);
        }
    }
}

/// The same for what another crate shows to all.
pub(super) fn collect_in(tcx: TyCtxt<'_>, of: CrateNum) -> Makers {
    let mut makers = Makers::default();
    let mut seen = FxHashSet::default();
    let mut open = VecDeque::from([of.as_def_id()]);
    while let Some(module) = open.pop_front() {
        for child in tcx.module_children(module) {
            let Some(id) = child.res.opt_def_id().filter(|id| child.vis.is_public() && id.krate == of) else {
                continue;
            };
            if seen.len() > OF_ANOTHER || !seen.insert(id) {
                continue;
            }
            match tcx.def_kind(id) {
                DefKind::Mod => open.push_back(id),
                DefKind::Fn => add(tcx, &mut makers, id),
                DefKind::Struct | DefKind::Enum => {
                    let all =
                        tcx.inherent_impls(id).iter().flat_map(|&of| tcx.associated_items(of).in_definition_order());
                    let open = all.filter(|item| item.is_fn() && tcx.visibility(item.def_id).is_public());
                    open.for_each(|item| add(tcx, &mut makers, item.def_id));
                }
                _ => {}
            }
        }
    }
    makers
}

/// What is in a result, with what has to stand around it for that to come out.
fn ways_into<'tcx>(tcx: TyCtxt<'tcx>, output: Ty<'tcx>) -> Vec<(Ty<'tcx>, String)> {
    let unwrapped = match output.kind() {
        ty::Adt(adt, args) => match tcx.get_diagnostic_name(adt.did()).as_ref().map(|name| name.as_str()) {
            Some("Option") => args.types().next().map(|ty| (ty, ".unwrap()")),
            Some("Result") => args.types().next().map(|ty| (ty, ".ok().unwrap()")),
            _ => None,
        },
        _ => None,
    };
    let (whole, suffix) = unwrapped.unwrap_or((output, ""));
    match whole.kind() {
        ty::Tuple(parts) => parts.iter().enumerate().map(|(at, ty)| (ty, format!("{suffix}.{at}"))).collect(),
        _ => vec![(whole, suffix.to_owned())],
    }
}

/// `.1` at the end of an expression that picks a part of a tuple.
fn part_of(expression: &str) -> &str {
    let number = expression.trim_end_matches(|c: char| c.is_ascii_digit());
    if number.len() < expression.len() && number.ends_with(").") { &expression[number.len() - 1..] } else { "" }
}

impl<'tcx> Values<'_, 'tcx> {
    pub(super) fn made_elsewhere(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, depth: usize) -> Option<String> {
        let tcx = self.tcx;
        // The standard library's own ways lead to the system.
        if generics::is_of_std(tcx, adt.did()) {
            return None;
        }
        let makers = self.makers(adt.did().krate);
        let own = |function: DefId| {
            let owner = tcx.parent(function);
            matches!(tcx.def_kind(owner), DefKind::Impl { .. })
                && tcx.type_of(owner).skip_binder().ty_adt_def().is_some_and(|of| of.did() == adt.did())
        };
        let mut functions: Vec<DefId> = makers.get(&adt.did())?.iter().copied().filter(|&id| !own(id)).collect();
        functions.retain(|&id| self.naming.is_visible(id));
        functions.sort_by_key(|&id| tcx.fn_sig(id).skip_binder().inputs().skip_binder().len());
        functions.into_iter().take(TRIED).find_map(|function| self.by_maker(ty, function, depth))
    }

    fn by_maker(&self, ty: Ty<'tcx>, function: DefId, depth: usize) -> Option<String> {
        let tcx = self.tcx;
        let output = tcx.fn_sig(function).instantiate_identity().skip_norm_wip().skip_binder().output();
        ways_into(tcx, output).into_iter().find_map(|(part, suffix)| {
            let known = unify(part, ty)?;
            generics::choose(self, function, &known, &[], |args| {
                let Signature { inputs, output } = self.signature(function, args)?;
                ways_into(tcx, output).iter().find(|(part, of)| *part == ty && *of == suffix)?;
                let values = inputs.iter().map(|&input| self.lent(input, depth)).collect::<Option<Vec<_>>>()?;
                Some(format!("{}({}){suffix}", self.maker_name(function, args)?, values.join(", ")))
            })
        })
    }

    /// What is lent to such a function is gone when the state is ready: it would be in the way of others. A part of a tuple is
    /// lent as a part, so that the other parts are not gone before.
    fn lent(&self, input: Ty<'tcx>, depth: usize) -> Option<String> {
        match input.kind() {
            ty::Ref(_, to, mutability) if mutability.is_not() && to.is_adt() => {
                let value = self.at(*to, depth)?;
                let (whole, part) = value.split_at(value.len() - part_of(&value).len());
                Some(format!("&{LENT}{whole}){part}"))
            }
            _ => self.at(input, depth),
        }
    }

    fn maker_name(&self, function: DefId, args: GenericArgsRef<'tcx>) -> Option<String> {
        let tcx = self.tcx;
        let owner = tcx.parent(function);
        if !matches!(tcx.def_kind(owner), DefKind::Impl { .. }) {
            return self.naming.path(function);
        }
        let of = tcx.type_of(owner).instantiate(tcx, args);
        let of = self.naming.ty(tcx.try_normalize_erasing_regions(self.env(), of).ok()?)?;
        Some(format!("<{of}>::{}", raw(tcx.item_name(function))))
    }
}

#[cfg(test)]
mod tests {
    use super::part_of;

    #[test]
    fn parts_of_tuples_are_told_from_numbers() {
        assert_eq!(part_of("bounded(1).0"), ".0");
        assert_eq!(part_of("one(1.0)"), "");
        assert_eq!(part_of("1.0"), "");
    }
}
