//! Types of the witness's own, for traits that nothing in reach implements. Such a type does nothing and knows nothing: its methods
//! give the values that would be given as arguments, and where there is none for a result, the run is given up.
//!
//! To the compiler it is an array of a length that nobody writes, and the environment says which traits it implements: so the
//! solver of traits answers everything else about it.
//!
//! A trait may promise more than its types say. One that is `unsafe` to implement does, so there is no stand-in for it. A method
//! that gives nothing back, or only whether it went well, may be there to keep others out: the facade is told of each such call, and
//! a run in which both threads make one shows nothing.

use super::values::Values;
use crate::mir::compat;
use crate::mir::recipe::generics;
use finding::recipe::stand_in_name;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::consts::ConstExt;
use rustc_middle::ty::{self, Clause, ClauseKind, GenericArg, TraitRef, Ty, TyCtxt, TypeVisitableExt, Upcast};
use std::cell::RefCell;

/// How many there are for one recipe.
const MOST: u64 = 6;

/// The length of the array that the first of them is.
const FIRST: u64 = 7_368_816;

/// What it has to implement, and what is said of the associated types.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Wanted<'tcx> {
    pub(super) traits: Vec<(DefId, Vec<GenericArg<'tcx>>)>,
    pub(super) given: Vec<(DefId, Ty<'tcx>)>,
}

#[derive(Default)]
pub(super) struct StandIns<'tcx> {
    /// With the text of each; without one if it cannot be written.
    all: RefCell<Vec<(Wanted<'tcx>, Option<String>)>>,
    clauses: RefCell<Vec<Clause<'tcx>>>,
}

/// The number of a stand-in.
pub(super) fn number<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> Option<usize> {
    let ty::Array(of, length) = ty.kind() else { return None };
    let length = length.try_to_target_usize(tcx).filter(|_| of.is_unit())?;
    length.checked_sub(FIRST).filter(|number| *number < MOST).map(|number| number as usize)
}

impl<'tcx> StandIns<'tcx> {
    pub(super) fn env(&self, tcx: TyCtxt<'tcx>) -> ty::TypingEnv<'tcx> {
        let clauses = self.clauses.borrow();
        if clauses.is_empty() {
            return ty::TypingEnv::fully_monomorphized();
        }
        ty::TypingEnv::new(ty::ParamEnv::new(tcx, clauses.iter().copied()), ty::TypingMode::PostAnalysis)
    }

    pub(super) fn are_there(&self) -> bool {
        !self.clauses.borrow().is_empty()
    }

    /// The items of those that are named in a text, and of those that these name.
    pub(super) fn items(&self, text: &str) -> String {
        let all = self.all.borrow();
        let mut items = String::new();
        let mut written = Vec::new();
        loop {
            let is_named = |number: &usize| {
                let name = stand_in_name(*number);
                !written.contains(number) && (text.contains(&name) || items.contains(&name))
            };
            let Some(number) = (0..all.len()).find(is_named) else { return items };
            written.push(number);
            items.push_str(all[number].1.as_deref().unwrap_or_default());
        }
    }
}

impl<'tcx> Values<'_, 'tcx> {
    /// A type that implements all of it; `None` if it cannot be written.
    pub(super) fn stand_in(&self, wanted: &Wanted<'tcx>) -> Option<Ty<'tcx>> {
        if wanted.traits.iter().all(|(of, _)| generics::is_of_std(self.tcx, *of)) {
            return None;
        }
        let known = self.stand_ins.all.borrow().iter().position(|(before, _)| before == wanted);
        let number = known.unwrap_or(self.stand_ins.all.borrow().len());
        let length = Some(number as u64).filter(|number| *number < MOST)? + FIRST;
        let ty = Ty::new_array(self.tcx, self.tcx.types.unit, length);
        if known.is_none() {
            self.stand_ins.all.borrow_mut().push((wanted.clone(), None));
            let before = self.stand_ins.clauses.borrow().len();
            let text = self.implemented(ty, number, wanted);
            if text.is_none() {
                self.stand_ins.clauses.borrow_mut().truncate(before);
            }
            self.stand_ins.all.borrow_mut()[number].1 = text;
        }
        self.stand_ins.all.borrow()[number].1.as_ref().map(|_| ty)
    }

    fn implemented(&self, ty: Ty<'tcx>, number: usize, wanted: &Wanted<'tcx>) -> Option<String> {
        let tcx = self.tcx;
        if let Some(default) = tcx.get_diagnostic_item(rustc_span::sym::Default) {
            self.suppose(TraitRef::new(tcx, default, [GenericArg::from(ty)]).upcast(tcx));
        }
        let mut given = wanted.given.clone();
        let mut all = Vec::new();
        let mut open = wanted.traits.clone();
        while let Some((of, rest)) = open.pop() {
            let of = TraitRef::new(tcx, of, [GenericArg::from(ty)].into_iter().chain(rest));
            if all.contains(&of) || self.holds(of) {
                continue;
            }
            self.is_free(of.def_id).then_some(())?;
            all.push(of);
            self.suppose(of.upcast(tcx));
            for clause in tcx.explicit_super_clauses_of(of.def_id).iter_instantiated_copied(tcx, of.args) {
                let (clause, _) = clause.skip_norm_wip();
                match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
                    ClauseKind::Trait(above) if above.self_ty() == ty => {
                        open.push((above.def_id(), above.trait_ref.args.iter().skip(1).collect()));
                    }
                    ClauseKind::Projection(is) if is.self_ty() == ty => given.push((is.def_id(), is.term.as_type()?)),
                    _ => {}
                }
            }
        }
        let name = stand_in_name(number);
        let mut text =
            format!("\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]\nstruct {name};\n");
        for of in all.iter().rev() {
            text.push_str(&self.implementation(*of, &name, &given)?);
        }
        Some(text)
    }

    fn suppose(&self, clause: Clause<'tcx>) {
        self.stand_ins.clauses.borrow_mut().push(clause);
    }

    pub(super) fn holds(&self, of: TraitRef<'tcx>) -> bool {
        !of.has_escaping_bound_vars() && compat::holds(self.tcx, self.env(), of)
    }

    /// With what is known of associated types of stand-ins.
    pub(super) fn normal_ref(&self, of: TraitRef<'tcx>) -> TraitRef<'tcx> {
        self.tcx.try_normalize_erasing_regions(self.env(), ty::Unnormalized::new(of)).unwrap_or(of)
    }

    /// Anybody may implement it, and it promises nothing beyond its types.
    fn is_free(&self, of: DefId) -> bool {
        let tcx = self.tcx;
        tcx.trait_def(of).safety.is_safe()
            && !tcx.trait_is_auto(of)
            && !tcx.is_fn_trait(of)
            && tcx.as_lang_item(of).is_none()
            && self.naming.path(of).is_some()
            && self.naming.is_visible(of)
    }

    fn implementation(&self, of: TraitRef<'tcx>, name: &str, given: &[(DefId, Ty<'tcx>)]) -> Option<String> {
        let tcx = self.tcx;
        let rest = of.args.types().skip(1).map(|ty| self.naming.whole(ty)).collect::<Option<Vec<_>>>()?;
        let rest = if rest.is_empty() { String::new() } else { format!("<{}>", rest.join(", ")) };
        let path = self.naming.path(of.def_id)?;
        let mut text = format!("\nimpl {path}{rest} for {name} {{\n");
        let items = || tcx.associated_items(of.def_id).in_definition_order();
        for item in items().filter(|item| item.is_type() && !tcx.is_impl_trait_in_trait(item.def_id)) {
            if item.defaultness(tcx).has_value() || !tcx.generics_of(item.def_id).own_params.is_empty() {
                return None;
            }
            let chosen = given.iter().find(|(id, _)| *id == item.def_id).map(|(_, ty)| *ty);
            let chosen = chosen.or_else(|| self.associated(of, item.def_id))?;
            let term =
                ty::AliasTerm::new_from_args(tcx, ty::AliasTermKind::ProjectionTy { def_id: item.def_id }, of.args);
            let is = ty::ProjectionClause { projection_term: term, term: chosen.into() };
            self.suppose(ty::Binder::dummy(is).upcast(tcx));
            text.push_str(&format!("    type {} = {};\n", super::naming::raw(item.name()), self.naming.whole(chosen)?));
        }
        for item in items().filter(|item| !item.defaultness(tcx).has_value() && !item.is_type()) {
            if !item.is_fn() {
                let ty = tcx.type_of(item.def_id).instantiate(tcx, of.args);
                let ty = tcx.try_normalize_erasing_regions(self.env(), ty).ok()?;
                let (written, value) = (self.naming.whole(ty)?, self.make(ty)?);
                text.push_str(&format!("    const {}: {written} = {value};\n", super::naming::raw(item.name())));
            } else {
                text.push_str(&self.method(of, item)?);
            }
        }
        text.push_str("}\n");
        Some(text)
    }

    /// A type for an associated one: what is at hand, what implements its bounds, or one more stand-in.
    fn associated(&self, of: TraitRef<'tcx>, item: DefId) -> Option<Ty<'tcx>> {
        let tcx = self.tcx;
        let mut bounds = Vec::new();
        for clause in tcx.item_bounds(item).instantiate(tcx, of.args).skip_norm_wip() {
            match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
                ClauseKind::Trait(bound) => {
                    bounds.push((bound.def_id(), bound.trait_ref.args.iter().skip(1).collect::<Vec<_>>()));
                }
                ClauseKind::Projection(_) => return None,
                _ => {}
            }
        }
        let fits = |ty: &Ty<'tcx>| {
            let on = |(bound, rest): &(DefId, Vec<GenericArg<'tcx>>)| {
                TraitRef::new(tcx, *bound, [GenericArg::from(*ty)].into_iter().chain(rest.iter().copied()))
            };
            bounds.iter().map(on).all(|bound| self.holds(bound))
        };
        let implementors = bounds.iter().flat_map(|(bound, _)| generics::implementors(tcx, *bound));
        let found = generics::at_hand(tcx).into_iter().chain(implementors).find(|ty| fits(ty));
        found.or_else(|| self.stand_in(&Wanted { traits: bounds.clone(), given: Vec::new() }))
    }
}
