//! The methods of a stand-in: their signatures, as general as those of the trait, and what they give back.

use super::naming::raw;
use super::values::Values;
use finding::recipe::PRIVATE;
use rustc_attr_ir::LangItem;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{self, ClauseKind, TraitRef, Ty, TypeVisitableExt, Unnormalized};

/// What a method gives back.
enum Gives<'tcx> {
    Value(Ty<'tcx>),
    /// A future of a type that the implementation chooses.
    Future(Ty<'tcx>),
    /// A future in a box, of the first type, that gives the second.
    Boxed(Ty<'tcx>, Ty<'tcx>),
}

impl<'tcx> Gives<'tcx> {
    fn in_the_end(&self) -> Ty<'tcx> {
        match self {
            Gives::Value(ty) | Gives::Future(ty) | Gives::Boxed(_, ty) => *ty,
        }
    }
}

impl<'tcx> Values<'_, 'tcx> {
    pub(super) fn method(&self, of: TraitRef<'tcx>, item: &ty::AssocItem) -> Option<String> {
        let sig = self.signature_in(of, item.def_id)?;
        let mut parameters = Vec::new();
        for (at, &input) in sig.inputs().iter().enumerate() {
            let input = self.normal(input);
            parameters.push(match at {
                0 if item.is_method() => self.receiver(of.self_ty(), input)?,
                _ => format!("_{at}: {}", self.naming.parameter(input)?),
            });
        }
        let (own, bounds) = self.own_generics(item.def_id)?;
        let gives = self.gives(sig.output())?;
        let end = self.normal(gives.in_the_end());
        let written = self.naming.whole(end).filter(|_| !end.has_param())?;
        let place = format!("{}::{}", self.tcx.item_name(of.def_id), item.name());
        let before = self.for_stand_in.replace(true);
        let value = self.standing(end).filter(|text| !text.contains(PRIVATE));
        self.for_stand_in.set(before);
        let value = value.unwrap_or_else(|| format!("stalemate_rt::witness::unknown::<{written}>({place:?})"));
        let (output, body) = match gives {
            Gives::Value(_) => (written, value),
            Gives::Future(_) => (format!("std::future::Ready<{written}>"), format!("std::future::ready({value})")),
            Gives::Boxed(whole, _) => {
                (self.naming.whole(self.normal(whole))?, format!("Box::pin(std::future::ready({value}))"))
            }
        };
        let gate = if self.is_gate(of, item) {
            format!("stalemate_rt::witness::gate({:?}); ", self.tcx.item_name(of.def_id).as_str())
        } else {
            String::new()
        };
        let (name, parameters) = (raw(item.name()), parameters.join(", "));
        Some(format!("    fn {name}{own}({parameters}) -> {output}{bounds} {{ {gate}{body} }}\n"))
    }

    /// With what the trait stands for; the method's own parameters stay what they are.
    fn signature_in(&self, of: TraitRef<'tcx>, method: DefId) -> Option<ty::FnSig<'tcx>> {
        let own = ty::GenericArgs::identity_for_item(self.tcx, method).rebase_onto(self.tcx, of.def_id, of.args);
        let sig = self.tcx.fn_sig(method).instantiate(self.tcx, own).skip_norm_wip();
        sig.safety().is_safe().then(|| self.tcx.instantiate_bound_regions_with_erased(sig))
    }

    fn normal(&self, ty: Ty<'tcx>) -> Ty<'tcx> {
        self.tcx.try_normalize_erasing_regions(self.env(), Unnormalized::new(ty)).unwrap_or(ty)
    }

    fn receiver(&self, own: Ty<'tcx>, input: Ty<'tcx>) -> Option<String> {
        Some(match input.kind() {
            _ if input == own => "self".to_owned(),
            ty::Ref(_, to, mutability) if *to == own => format!("&{}self", mutability.prefix_str()),
            _ => format!("self: {}", self.naming.parameter(input)?),
        })
    }

    /// The parameters of the method, and what makes their lifetimes of the same kind as those of the trait's method. Bounds may be
    /// left out: an implementation may ask for less.
    fn own_generics(&self, method: DefId) -> Option<(String, String)> {
        let tcx = self.tcx;
        let (mut all, mut bounds) = (Vec::new(), Vec::new());
        for param in &tcx.generics_of(method).own_params {
            match param.kind {
                ty::GenericParamDefKind::Lifetime => {
                    let name = format!("'e{}", bounds.len());
                    bounds.push(format!("{name}: {name}"));
                    all.push(name);
                }
                ty::GenericParamDefKind::Type { synthetic: true, .. } => {}
                ty::GenericParamDefKind::Type { .. } => {
                    let ty = Ty::new_param(tcx, param.index, param.name);
                    let is_sized = ty.is_sized(tcx, ty::TypingEnv::post_analysis(tcx, method));
                    all.push(if is_sized { param.name.to_string() } else { format!("{}: ?Sized", param.name) });
                }
                ty::GenericParamDefKind::Const { .. } => return None,
            }
        }
        let all = if all.is_empty() { String::new() } else { format!("<{}>", all.join(", ")) };
        let bounds = if bounds.is_empty() { String::new() } else { format!(" where {}", bounds.join(", ")) };
        Some((all, bounds))
    }

    fn gives(&self, output: Ty<'tcx>) -> Option<Gives<'tcx>> {
        let tcx = self.tcx;
        if let ty::Alias(_, alias) = output.kind()
            && let ty::AliasTyKind::Projection { def_id } = alias.kind
            && tcx.is_impl_trait_in_trait(def_id)
        {
            let bounds = tcx.item_bounds(def_id).instantiate(tcx, alias.args).skip_norm_wip();
            let future = tcx.lang_items().future_output();
            let end =
                bounds.iter().find_map(|clause| match tcx.instantiate_bound_regions_with_erased(clause.kind()) {
                    ClauseKind::Projection(is) if Some(is.def_id()) == future => is.term.as_type(),
                    _ => None,
                })?;
            return Some(Gives::Future(end));
        }
        Some(self.boxed_future(output).map_or(Gives::Value(output), |end| Gives::Boxed(output, end)))
    }

    /// What comes of a `Pin<Box<dyn Future<Output = ..>>>`, as `async` functions of traits often give it.
    pub(super) fn boxed_future(&self, output: Ty<'tcx>) -> Option<Ty<'tcx>> {
        let tcx = self.tcx;
        let is_pin = output.ty_adt_def().is_some_and(|adt| tcx.is_lang_item(adt.did(), LangItem::Pin));
        let ty::Adt(_, args) = output.kind() else { return None };
        let ty::Dynamic(predicates, _) = args.types().next().filter(|_| is_pin)?.boxed_ty()?.kind() else {
            return None;
        };
        let is_future = predicates.principal_def_id() == tcx.lang_items().future_trait();
        let output = predicates.projection_bounds().next().filter(|_| is_future)?;
        tcx.instantiate_bound_regions_with_erased(output).term.as_type()
    }

    /// As little as can be: nothing is there, nothing is granted.
    fn standing(&self, ty: Ty<'tcx>) -> Option<String> {
        match self.wrapper(ty) {
            _ if ty.is_bool() => Some("false".to_owned()),
            Some(("Option", _)) => Some("None".to_owned()),
            Some(("Result", inside)) => Some(format!("Ok({})", self.standing(inside)?)),
            _ => self.make(ty),
        }
    }

    fn wrapper(&self, ty: Ty<'tcx>) -> Option<(&'static str, Ty<'tcx>)> {
        let ty::Adt(adt, args) = ty.kind() else { return None };
        let name = self.tcx.get_diagnostic_name(adt.did())?;
        let known = ["Option", "Result"].into_iter().find(|known| *known == name.as_str())?;
        Some((known, args.types().next()?))
    }

    /// Whether a method may be there to keep others out: nothing of what it gives back is of use by itself. One alone that gives
    /// nothing at all cannot be: nobody could let the others in again.
    fn is_gate(&self, of: TraitRef<'tcx>, item: &ty::AssocItem) -> bool {
        let end = |method: DefId| Some(self.gives(self.signature_in(of, method)?.output())?.in_the_end());
        let is_hollow = |method: DefId| end(method).is_none_or(|ty| self.is_hollow(ty));
        if !is_hollow(item.def_id) {
            return false;
        }
        let methods = self.tcx.associated_items(of.def_id).in_definition_order().filter(|item| item.is_fn());
        let is_alone = methods.filter(|item| is_hollow(item.def_id)).count() == 1;
        !is_alone || !end(item.def_id).is_some_and(Ty::is_unit)
    }

    fn is_hollow(&self, ty: Ty<'tcx>) -> bool {
        match self.wrapper(ty) {
            Some(("Option", _)) => true,
            Some((_, inside)) => self.is_hollow(inside),
            // What the trait leaves open was chosen for the stand-in, and may be a guard.
            None => ty.is_unit() || ty.is_bool() || matches!(ty.kind(), ty::Alias(..)),
        }
    }
}
