//! Two functions over one state: which of their parameters is the state, and what the others get.

use super::generics::{self, Known, unify};
use super::is_private;
use super::naming::raw;
use super::values::{Signature, Values};
use crate::mir::resolve::Resolved;
use crate::mir::{compat, names};
use finding::recipe::{Call, LACKING, Lacks, PRIVATE, Recipe, Shows, State};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, GenericArgsRef, Ty, TyCtxt};

/// How many ways to call a function are written down, and how many calls that may help.
const WAYS: usize = 4;
const WARMUPS: usize = 8;

/// How many fields deep the state of one function may lie in that of the other.
const REACH: usize = 4;

pub(super) struct Calls<'v, 'a, 'tcx> {
    pub(super) values: &'v Values<'a, 'tcx>,
    pub(super) resolved: &'v Resolved,
}

/// A function with types for its parameters.
#[derive(Clone)]
pub(super) struct Chosen<'tcx> {
    function: DefId,
    args: GenericArgsRef<'tcx>,
    inputs: Vec<Ty<'tcx>>,
    output: Ty<'tcx>,
    /// The parameter that is the state.
    state: Option<usize>,
    /// Others that both threads are given the same of.
    also: Vec<usize>,
}

impl<'tcx> Calls<'_, '_, 'tcx> {
    pub(super) fn plan(&self, a: LocalDefId, b: Option<LocalDefId>) -> Recipe {
        let a = a.to_def_id();
        let other = b.map(LocalDefId::to_def_id).filter(|b| *b != a);
        let whole = |args| self.chosen(a, args).filter(|one| self.is_whole(one));
        let first = generics::choose(self.values, a, &Known::new(), &[], whole)
            .or_else(|| {
                self.as_shown(a).into_iter().find_map(|known| generics::choose(self.values, a, &known, &[], whole))
            })
            .or_else(|| generics::choose(self.values, a, &Known::new(), &[], |args| self.chosen(a, args)));
        let Some(first) = first else { return self.without_types(a, other.unwrap_or(a)) };
        // Where something is missing anyway, more may be.
        let is_whole = self.is_whole(&first);
        match other.and_then(|b| self.pair(&first, b, is_whole)) {
            Some((state, second)) => self.recipe(state, &first, &second),
            None => self.recipe(self.state_type(&first), &first, &first),
        }
    }

    /// What the parameters of its `impl` stand for where tests make such a value.
    fn as_shown(&self, function: DefId) -> Vec<Known<'tcx>> {
        let tcx = self.values.tcx;
        let owner = Some(tcx.parent(function)).filter(|&owner| matches!(tcx.def_kind(owner), DefKind::Impl { .. }));
        let adt = owner.and_then(|owner| tcx.type_of(owner).skip_binder().ty_adt_def());
        let types = adt.map(|adt| self.values.shown_types(adt.did())).unwrap_or_default();
        types.into_iter().map(|ty| self.known_from(function, ty)).collect()
    }

    /// Everything it needs can be made.
    fn is_whole(&self, one: &Chosen<'tcx>) -> bool {
        let state = self.state_type(one);
        let others = one.inputs.iter().enumerate().filter(|(at, _)| Some(*at) != one.state);
        self.values.make(state).is_some() && others.into_iter().all(|(_, &ty)| self.values.make(ty).is_some())
    }

    fn chosen(&self, function: DefId, args: GenericArgsRef<'tcx>) -> Option<Chosen<'tcx>> {
        let Signature { inputs, output } = self.values.signature(function, args)?;
        let is_method = self.values.tcx.opt_associated_item(function).is_some_and(|item| item.is_method());
        let holds = |ty: &Ty<'tcx>| self.holds_lock(self.bare(*ty), REACH);
        let state = if is_method { Some(0) } else { inputs.iter().position(holds) };
        let mut also: Vec<usize> = Vec::new();
        for at in (0..inputs.len()).filter(|&at| state.is_some_and(|state| at != state)) {
            let is_new = |other: usize| self.bare(inputs[other]) != self.bare(inputs[at]);
            if self.is_shared(inputs[at]) && state.into_iter().chain(also.iter().copied()).all(is_new) {
                also.push(at);
            }
        }
        Some(Chosen { function, args, inputs, output, state, also })
    }

    /// It is lent, or owned by many, and there is a lock in it: threads are meant to have the same.
    fn is_shared(&self, ty: Ty<'tcx>) -> bool {
        let is_lent = match ty.kind() {
            ty::Ref(_, _, mutability) => mutability.is_not(),
            ty::Adt(adt, _) => self.resolved.is_handle(adt.did()),
            _ => false,
        };
        is_lent && self.holds_lock(self.bare(ty), REACH)
    }

    /// The state with what else the threads are given the same of.
    fn joined_state(&self, state: Ty<'tcx>, calls: [&Chosen<'tcx>; 2]) -> Ty<'tcx> {
        let mut parts = vec![state];
        for one in calls {
            for ty in one.also.iter().map(|&at| one.inputs[at].peel_refs()) {
                if !parts.iter().any(|&part| self.bare(part) == self.bare(ty)) {
                    parts.push(ty);
                }
            }
        }
        if let [one] = parts[..] { one } else { Ty::new_tup(self.values.tcx, &parts) }
    }

    /// Without references.
    fn state_type(&self, one: &Chosen<'tcx>) -> Ty<'tcx> {
        one.state.map_or(self.values.tcx.types.unit, |at| one.inputs[at].peel_refs())
    }

    /// Without references and owners that are shared.
    fn bare(&self, ty: Ty<'tcx>) -> Ty<'tcx> {
        let ty = ty.peel_refs();
        match ty.kind() {
            ty::Adt(adt, args) if self.resolved.is_handle(adt.did()) || adt.is_box() => {
                args.types().next().map_or(ty, |inside| self.bare(inside))
            }
            _ => ty,
        }
    }

    fn holds_lock(&self, ty: Ty<'tcx>, depth: usize) -> bool {
        let ty::Adt(adt, args) = self.bare(ty).kind() else { return false };
        let inside =
            |field: &ty::FieldDef| self.values.field(field, args).is_some_and(|ty| self.holds_lock(ty, depth - 1));
        self.resolved.lock_kind(adt.did()).is_some()
            || depth > 0 && (adt.did().is_local() && adt.all_fields().any(inside))
            || depth > 0 && args.types().any(|ty| self.holds_lock(ty, depth - 1))
    }

    /// The other function with types that fit, and a state that both can be reached from; with values for all of it, if need be.
    fn pair(&self, first: &Chosen<'tcx>, b: DefId, with_values: bool) -> Option<(Ty<'tcx>, Chosen<'tcx>)> {
        let own = self.state_type(first);
        let tcx = self.values.tcx;
        let preferred: Vec<Ty<'tcx>> = self.bare(own).walk().filter_map(|part| part.as_type()).skip(1).collect();
        let fits = |args| {
            let second = self.chosen(b, args)?;
            let theirs = self.state_type(&second);
            let shared = |ty: Ty<'tcx>| Ty::new_adt(tcx, tcx.adt_def(self.arc()?), tcx.mk_args(&[ty.into()])).into();
            let arc: Option<Ty<'tcx>> = shared(own);
            let states = [Some(own), Some(theirs).filter(|ty| !ty.is_unit()), arc.filter(|_| self.bare(theirs) == own)];
            let state = states.into_iter().flatten().find(|&state| {
                let are_reached = self.way(state, own).is_some() && self.way(state, theirs).is_some();
                are_reached && (!with_values || self.values.make(state).is_some())
            })?;
            let others = second.inputs.iter().enumerate().filter(|(at, _)| Some(*at) != second.state);
            let is_whole = !with_values || others.into_iter().all(|(_, &ty)| self.values.make(ty).is_some());
            (is_whole && self.ways(state, &second, unknown).is_ok()).then_some((state, second))
        };
        let known = self.known_from(b, self.bare(own));
        generics::choose(self.values, b, &known, &preferred, fits)
    }

    fn arc(&self) -> Option<DefId> {
        self.values.tcx.get_diagnostic_item(rustc_span::sym::Arc)
    }

    /// What the state says about the parameters of the `impl` that the function stands in.
    fn known_from(&self, function: DefId, state: Ty<'tcx>) -> Known<'tcx> {
        let tcx = self.values.tcx;
        let owner = tcx.parent(function);
        if !matches!(tcx.def_kind(owner), DefKind::Impl { .. }) {
            return Known::new();
        }
        unify(tcx.type_of(owner).instantiate_identity().skip_norm_wip(), state).unwrap_or_default()
    }

    fn recipe(&self, own: Ty<'tcx>, a: &Chosen<'tcx>, b: &Chosen<'tcx>) -> Recipe {
        drop(self.values.asking.take());
        let state = self.joined_state(own, [a, b]);
        let in_statics = state.is_unit();
        let type_name = self.values.naming.whole(state);
        let mut lacks = type_name.is_none().then_some(Lacks::Name);
        let make = if in_statics { Some("()".to_owned()) } else { self.values.make(state) };
        let make = make.or_else(|| self.asked(state, &mut lacks)).filter(|_| type_name.is_some());
        let mut first = self.call(state, a);
        first.lacks = first.lacks.or(lacks);
        let second = self.call(state, b);
        let recipe = Recipe {
            fingerprint: String::new(),
            place: None,
            state: State { type_name: type_name.unwrap_or_else(|| "()".to_owned()), make, in_statics },
            a: first,
            b: second,
            observe: self.observe(state),
            warmups: self.warmups(own, state, [a, b]),
            missing: self.values.asking.take(),
            items: String::new(),
            enters_private: false,
        };
        Recipe { items: self.values.stand_ins.items(&recipe.texts()), ..recipe }
    }

    /// A value that is missing, and what that means for the recipe.
    fn asked(&self, ty: Ty<'tcx>, lacks: &mut Option<Lacks>) -> Option<String> {
        let asked = self.values.ask(ty);
        let missing = asked.as_ref().map_or(ty, |asked| asked.missing);
        lacks.get_or_insert_with(|| Lacks::Value { type_name: missing.to_string() });
        asked.map(|asked| asked.text)
    }

    fn without_types(&self, a: DefId, b: DefId) -> Recipe {
        let lacks = Lacks::Types { parameters: self.parameters(a) };
        let state = State { type_name: "()".to_owned(), make: None, in_statics: false };
        let call = |function, lacks| self.no_call(function, lacks);
        let (a, b) = (call(a, Some(lacks)), call(b, None));
        Recipe {
            fingerprint: String::new(),
            place: None,
            state,
            a,
            b,
            observe: Vec::new(),
            warmups: Vec::new(),
            missing: Vec::new(),
            items: String::new(),
            enters_private: false,
        }
    }

    /// Of the function and of what it stands in.
    fn parameters(&self, function: DefId) -> Vec<String> {
        let generics = self.values.tcx.generics_of(function);
        let all = (0..generics.count()).map(|at| generics.param_at(at, self.values.tcx));
        let types = all.filter(|param| matches!(param.kind, ty::GenericParamDefKind::Type { .. }));
        types.map(|param| param.name.to_string()).collect()
    }

    fn no_call(&self, function: DefId, lacks: Option<Lacks>) -> Call {
        let name = names::function(self.values.tcx, function.expect_local());
        Call { function: name, ways: Vec::new(), shows: Shows::Nothing, is_async: false, lacks }
    }

    fn call(&self, state: Ty<'tcx>, one: &Chosen<'tcx>) -> Call {
        let mut lacking = None;
        let (ways, lacks) = match self.ways(state, one, |ty| self.asked(ty, &mut lacking)) {
            Ok(ways) => (ways, lacking),
            Err(lacks) => (Vec::new(), Some(lacks)),
        };
        let (is_async, output) = match one.output.kind() {
            ty::Coroutine(_, args) => (true, args.as_coroutine().return_ty()),
            _ => self.values.boxed_future(one.output).map_or((false, one.output), |output| (true, output)),
        };
        Call { ways, shows: self.shows(output), is_async, lacks, ..self.no_call(one.function, None) }
    }

    /// `ask` says what stands for a value that could not be made.
    fn ways(
        &self,
        state: Ty<'tcx>,
        one: &Chosen<'tcx>,
        mut ask: impl FnMut(Ty<'tcx>) -> Option<String>,
    ) -> Result<Vec<String>, Lacks> {
        let mut arguments: Vec<Vec<String>> = Vec::new();
        for (at, &ty) in one.inputs.iter().enumerate() {
            // A part that the state turns out not to have is made anew.
            let is_part = one.also.contains(&at) && self.way(state, ty.peel_refs()).is_some();
            if Some(at) == one.state || is_part {
                arguments.push(vec![self.handed_over(state, ty)?]);
                continue;
            }
            let value = self.values.make(ty).or_else(|| ask(ty)).ok_or(Lacks::Name)?;
            arguments.push([value].into_iter().chain(self.values.others(ty)).collect());
        }
        let function = self.function(one).ok_or(Lacks::Name)?;
        let call = |changed: Option<(usize, usize)>| {
            let pick = |at: usize| changed.filter(|(which, _)| *which == at).map_or(0, |(_, value)| value);
            let values: Vec<&str> = arguments.iter().enumerate().map(|(at, all)| all[pick(at)].as_str()).collect();
            format!("{function}({})", values.join(", "))
        };
        let others = arguments.iter().enumerate().flat_map(|(at, all)| (1..all.len()).map(move |value| (at, value)));
        Ok([None].into_iter().chain(others.map(Some)).take(WAYS).map(call).collect())
    }

    /// The function as it is called, with its own type arguments where they can be written.
    fn function(&self, one: &Chosen<'tcx>) -> Option<String> {
        let (tcx, naming) = (self.values.tcx, self.values.naming);
        let name = raw(tcx.item_name(one.function));
        let owner = tcx.parent(one.function);
        let path = match tcx.def_kind(owner) {
            DefKind::Impl { of_trait } => {
                let of = tcx.type_of(owner).instantiate(tcx, one.args);
                let of = naming.ty(tcx.try_normalize_erasing_regions(self.values.env(), of).ok()?)?;
                if of_trait {
                    let of_trait = tcx.impl_trait_ref(owner).skip_binder().def_id;
                    format!("<{of} as {}{}>::{name}", naming.path(of_trait)?, self.trait_arguments(owner, one)?)
                } else if naming.is_visible(one.function) {
                    format!("<{of}>::{name}")
                } else {
                    return None;
                }
            }
            DefKind::Trait => format!("<{} as {}>::{name}", naming.ty(one.args.type_at(0))?, naming.path(owner)?),
            _ => naming.path(one.function)?,
        };
        Some(format!("{path}{}", self.own_arguments(one).unwrap_or_default()))
    }

    fn trait_arguments(&self, owner: DefId, one: &Chosen<'tcx>) -> Option<String> {
        let tcx = self.values.tcx;
        let of = tcx.impl_trait_ref(owner).instantiate(tcx, one.args).skip_norm_wip();
        let types = of.args.types().skip(1).map(|ty| self.values.naming.ty(ty)).collect::<Option<Vec<_>>>()?;
        Some(if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) })
    }

    fn own_arguments(&self, one: &Chosen<'tcx>) -> Option<String> {
        let own = &self.values.tcx.generics_of(one.function).own_params;
        let mut types = Vec::new();
        for param in own {
            match param.kind {
                ty::GenericParamDefKind::Lifetime => {}
                ty::GenericParamDefKind::Type { synthetic: false, .. } => {
                    types.push(self.values.naming.ty(one.args.type_at(param.index as usize))?);
                }
                _ => return None,
            }
        }
        (!types.is_empty()).then(|| format!("::<{}>", types.join(", ")))
    }

    /// The state, or what lies in it, as the parameter wants it.
    fn handed_over(&self, state: Ty<'tcx>, wanted: Ty<'tcx>) -> Result<String, Lacks> {
        let inside = wanted.peel_refs();
        let way = self.way(state, inside).ok_or_else(|| Lacks::Value { type_name: inside.to_string() })?;
        let alone = || Lacks::Alone { type_name: inside.to_string() };
        let is_clone = self.values.implements(inside, self.values.tcx.lang_items().clone_trait());
        let copy = || is_clone.then(|| format!("{way}.clone()")).ok_or_else(alone);
        match wanted.kind() {
            ty::Ref(_, _, mutability) if mutability.is_mut() => Ok(format!("&mut {}", copy()?)),
            ty::Ref(..) => Ok(format!("&{way}")),
            _ => copy(),
        }
    }

    /// From the state to something in it.
    fn way(&self, from: Ty<'tcx>, to: Ty<'tcx>) -> Option<String> {
        self.way_from("(*it)".to_owned(), from, to, REACH)
    }

    fn way_from(&self, place: String, from: Ty<'tcx>, to: Ty<'tcx>, depth: usize) -> Option<String> {
        if from == to {
            return Some(place);
        }
        let depth = depth.checked_sub(1)?;
        match from.kind() {
            ty::Tuple(parts) => {
                let place = |at: usize| format!("{place}.{at}");
                let whole = parts.iter().position(|part| part == to).map(place);
                let mut all = parts.iter().enumerate();
                whole.or_else(|| all.find_map(|(at, part)| self.way_from(place(at), part, to, depth)))
            }
            ty::Ref(_, inside, _) => self.way_from(format!("(*{place})"), *inside, to, depth),
            ty::Adt(adt, args) if self.resolved.is_handle(adt.did()) || adt.is_box() => {
                self.way_from(format!("(*{place})"), args.types().next()?, to, depth)
            }
            ty::Adt(adt, args) if adt.is_struct() && adt.did().is_local() => {
                let fields = adt.all_fields().filter(|field| self.values.naming.is_visible(field.did));
                fields.into_iter().find_map(|field| {
                    let ty = self.values.field(field, args)?;
                    self.way_from(format!("{place}.{}", raw(field.name)), ty, to, depth)
                })
            }
            _ => None,
        }
    }

    /// What can be seen of a result.
    fn shows(&self, output: Ty<'tcx>) -> Shows {
        let is_arc = |ty: Ty<'tcx>| ty.ty_adt_def().is_some_and(|adt| Some(adt.did()) == self.arc());
        let first = |ty: Ty<'tcx>| match ty.kind() {
            ty::Adt(_, args) => args.types().next(),
            _ => None,
        };
        let is_debug = |ty: Ty<'tcx>| self.values.implements_item(ty, "Debug");
        if self.leads_to_counter(output) {
            return Shows::Counter;
        }
        if is_arc(output) && first(output).is_some_and(is_debug) {
            return Shows::Shared;
        }
        let perhaps = output.ty_adt_def().and_then(|adt| self.values.tcx.get_diagnostic_name(adt.did()));
        let is_perhaps = perhaps.is_some_and(|name| ["Option", "Result"].contains(&name.as_str()));
        if is_perhaps && first(output).is_some_and(|ty| is_arc(ty) && first(ty).is_some_and(is_debug)) {
            return Shows::PerhapsShared;
        }
        if is_debug(output) { Shows::Debug } else { Shows::Nothing }
    }

    fn leads_to_counter(&self, ty: Ty<'tcx>) -> bool {
        match ty.kind() {
            ty::Ref(_, to, _) => self.leads_to_counter(*to),
            ty::Adt(_, args) => {
                let is_pointer = self.values.implements(ty, self.values.tcx.lang_items().deref_trait());
                let last = args.types().last();
                self.values.naming.is_atomic_number(ty)
                    || is_pointer && last.is_some_and(|inside| self.values.naming.is_atomic_number(inside))
            }
            _ => false,
        }
    }

    /// Other methods of the same type, those with parameters first.
    fn warmups(&self, own: Ty<'tcx>, state: Ty<'tcx>, [a, b]: [&Chosen<'tcx>; 2]) -> Vec<String> {
        let tcx = self.values.tcx;
        let bare = self.bare(own);
        let Some(adt) = bare.ty_adt_def().filter(|adt| adt.did().is_local()) else { return Vec::new() };
        let mut methods: Vec<DefId> = Vec::new();
        for &of in tcx.inherent_impls(adt.did()) {
            let items = tcx.associated_items(of).in_definition_order();
            // A private one may rely on what others do before it, and leave what nobody else would.
            let is_open = |item: &ty::AssocItem| {
                item.def_id.as_local().is_some_and(|id| !is_private(tcx, id, tcx.visibility(id)))
            };
            let is_method = |item: &&ty::AssocItem| item.is_method() && is_open(item);
            methods.extend(items.filter(is_method).map(|item| item.def_id));
        }
        methods.retain(|id| ![a.function, b.function].contains(id) && !tcx.asyncness(*id).is_async());
        methods.retain(|id| tcx.fn_sig(*id).skip_binder().safety().is_safe());
        // What is there for tests alone may leave what nobody else would.
        methods.retain(|id| id.as_local().is_none_or(|id| !is_for_tests(tcx, id)));
        let calls = methods.into_iter().filter_map(|id| {
            let known = self.known_from(id, bare);
            let one = generics::choose(self.values, id, &known, &[], |args| self.chosen(id, args))?;
            let is_shared = matches!(one.inputs[0].kind(), ty::Ref(_, _, mutability) if mutability.is_not());
            let is_look = one.inputs.len() == 1 && !one.output.is_unit();
            let ways = self
                .ways(state, &one, unknown)
                .ok()
                .filter(|ways| is_shared && !is_look && !ways[0].contains(LACKING) && !ways[0].contains(PRIVATE))?;
            Some((one.inputs.len() == 1, ways.into_iter().next()?))
        });
        let mut calls: Vec<(bool, String)> = calls.collect();
        calls.sort_by_key(|(without, _)| *without);
        calls.into_iter().map(|(_, call)| call).take(WARMUPS).collect()
    }
}

fn is_for_tests(tcx: TyCtxt<'_>, function: LocalDefId) -> bool {
    let id = tcx.local_def_id_to_hir_id(function);
    compat::is_cfg_test(tcx, id) || compat::is_in_cfg_test(tcx, id)
}

/// Stands for any value, where it is asked only whether there is a way.
fn unknown(_: Ty<'_>) -> Option<String> {
    Some(LACKING.to_owned())
}
