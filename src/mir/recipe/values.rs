//! Expressions that make values, for as many types as possible: literals, what the standard library offers, `Default`,
//! functions of the type that give one, and the fields themselves.

use super::asking::Asking;
use super::fixtures::Fixtures;
use super::makers::{self, Makers};
use super::naming::{Naming, raw};
use super::shown::{self, Examples};
use super::stand_ins::{self, StandIns, Wanted};
use crate::mir::compat::{PathNS, implements, lookup_path_str};
use crate::mir::recipe::generics;
use finding::recipe::{PRIVATE, stand_in_name};
use rustc_attr_ir::LangItem;
use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::CtorKind;
use rustc_hir::def_id::{CrateNum, DefId, LOCAL_CRATE, LocalDefId};
use rustc_middle::ty::{self, GenericArgsRef, Ty, TyCtxt, TypingEnv, Unnormalized};
use rustc_span::Symbol;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

/// How deep values lie in one another.
const DEPTH: usize = 8;

/// How many types are tried for one recipe.
const BUDGET: usize = 8000;

pub(super) struct Values<'a, 'tcx> {
    pub(super) tcx: TyCtxt<'tcx>,
    pub(super) naming: &'a Naming<'tcx>,
    pub(super) module: LocalDefId,
    fixtures: &'a Fixtures,
    left: Cell<usize>,
    makers: RefCell<FxHashMap<CrateNum, Rc<Makers>>>,
    examples: OnceCell<Examples<'tcx>>,
    pub(super) asking: Asking<'tcx>,
    pub(super) stand_ins: StandIns<'tcx>,
    /// Numbers and texts are to be such as a stand-in gives: always the same, or never.
    pub(super) for_stand_in: Cell<bool>,
}

/// A function of a type, as a call sees it.
pub(super) struct Signature<'tcx> {
    pub(super) inputs: Vec<Ty<'tcx>>,
    pub(super) output: Ty<'tcx>,
}

impl<'a, 'tcx> Values<'a, 'tcx> {
    pub(super) fn new(tcx: TyCtxt<'tcx>, naming: &'a Naming<'tcx>, module: LocalDefId, fixtures: &'a Fixtures) -> Self {
        let (left, makers, examples) = (Cell::new(BUDGET), RefCell::default(), OnceCell::new());
        let (asking, stand_ins, for_stand_in) = (Asking::default(), StandIns::default(), Cell::new(false));
        Values { tcx, naming, module, fixtures, left, makers, examples, asking, stand_ins, for_stand_in }
    }

    pub(super) fn env(&self) -> TypingEnv<'tcx> {
        self.stand_ins.env(self.tcx)
    }

    pub(super) fn implements(&self, ty: Ty<'tcx>, of: Option<DefId>) -> bool {
        of.is_some_and(|of| implements(self.tcx, self.env(), ty, of))
    }

    pub(super) fn implements_item(&self, ty: Ty<'tcx>, name: &str) -> bool {
        self.implements(ty, self.tcx.get_diagnostic_item(Symbol::intern(name)))
    }

    pub(super) fn signature(&self, function: DefId, args: GenericArgsRef<'tcx>) -> Option<Signature<'tcx>> {
        let sig = self.tcx.fn_sig(function).instantiate(self.tcx, args).skip_norm_wip();
        let sig = self.tcx.instantiate_bound_regions_with_erased(sig);
        let normal = |ty: Ty<'tcx>| self.tcx.try_normalize_erasing_regions(self.env(), Unnormalized::new(ty)).ok();
        let inputs = sig.inputs().iter().map(|&ty| normal(ty)).collect::<Option<Vec<_>>>()?;
        Some(Signature { inputs, output: normal(sig.output())? })
    }

    pub(super) fn make(&self, ty: Ty<'tcx>) -> Option<String> {
        self.at(ty, DEPTH)
    }

    /// From now on so many types are tried.
    pub(super) fn afresh(&self, types: usize) {
        self.left.set(types);
    }

    /// Other values than [`Values::make`] gives, where they may lead another way.
    pub(super) fn others(&self, ty: Ty<'tcx>) -> Vec<String> {
        match ty.kind() {
            ty::Bool => vec!["false".to_owned()],
            ty::Int(_) | ty::Uint(_) => vec![format!("0{ty}")],
            ty::Ref(_, to, _) => self.others(*to).iter().map(|value| format!("&{value}")).collect(),
            ty::Adt(adt, args) if adt.is_enum() => {
                let first = self.make(ty);
                let all = adt.variants().iter().filter_map(|variant| self.variant(ty, variant, args, 2));
                all.filter(|one| Some(one) != first.as_ref()).take(3).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn at(&self, ty: Ty<'tcx>, depth: usize) -> Option<String> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        let depth = depth.checked_sub(1)?;
        let all = |types: &[Ty<'tcx>]| types.iter().map(|&one| self.at(one, depth)).collect::<Option<Vec<_>>>();
        Some(match ty.kind() {
            ty::Bool => "true".to_owned(),
            ty::Char => "'a'".to_owned(),
            ty::Int(_) | ty::Uint(_) if self.for_stand_in.get() => format!("(stalemate_rt::witness::number() as {ty})"),
            ty::Int(_) | ty::Uint(_) => format!("1{ty}"),
            ty::Float(_) => format!("1.0{ty}"),
            ty::Tuple(parts) if parts.is_empty() => "()".to_owned(),
            ty::Tuple(parts) => format!("({},)", all(parts)?.join(", ")),
            ty::Array(..) if let Some(number) = stand_ins::number(self.tcx, ty) => stand_in_name(number),
            ty::Array(of, _) => format!("std::array::from_fn(|_| {})", self.at(*of, depth)?),
            ty::Ref(_, to, mutability) => self.reference(*to, mutability.is_mut(), depth)?,
            ty::FnPtr(..) => {
                let sig = self.tcx.instantiate_bound_regions_with_erased(ty.fn_sig(self.tcx));
                let closure = self.closure(sig.inputs().len(), sig.output(), depth)?;
                format!("(({closure}) as {})", self.naming.ty(ty)?)
            }
            ty::Adt(adt, args) => self.adt(ty, *adt, args, depth)?,
            _ => return None,
        })
    }

    fn closure(&self, parameters: usize, output: Ty<'tcx>, depth: usize) -> Option<String> {
        Some(format!("|{}| {{ {} }}", vec!["_"; parameters].join(", "), self.at(output, depth)?))
    }

    /// Of what lives as long as the program: who keeps it may live longer than the statement.
    fn reference(&self, to: Ty<'tcx>, mutable: bool, depth: usize) -> Option<String> {
        let and = if mutable { "&mut *" } else { "&*" };
        match to.kind() {
            ty::Str if !mutable => Some("\"a\"".to_owned()),
            ty::Slice(of) => Some(format!("{and}vec![{}].leak()", self.at(*of, depth)?)),
            ty::Dynamic(..) => Some(format!("{and}Box::leak({})", self.boxed(to, depth)?)),
            ty::Adt(adt, _) if !mutable && self.is_text(*adt) => Some("std::convert::AsRef::as_ref(\"a\")".to_owned()),
            _ => Some(format!("{and}Box::leak(Box::new({}))", self.at(to, depth)?)),
        }
    }

    /// A text by another name: the standard library has several, and all of them can be had from a `str`.
    fn is_text(&self, adt: ty::AdtDef<'tcx>) -> bool {
        let names = ["std::ffi::OsStr", "std::path::Path"];
        names.iter().any(|name| lookup_path_str(self.tcx, PathNS::Type, name).contains(&adt.did()))
    }

    /// A box of something that may have no size.
    fn boxed(&self, ty: Ty<'tcx>, depth: usize) -> Option<String> {
        let ty::Dynamic(predicates, _) = ty.kind() else {
            return match ty.kind() {
                ty::Str => Some("Box::<str>::from(\"a\")".to_owned()),
                ty::Slice(of) => Some(format!("vec![{}].into_boxed_slice()", self.at(*of, depth)?)),
                _ => Some(format!("Box::new({})", self.at(ty, depth)?)),
            };
        };
        let principal = self.tcx.instantiate_bound_regions_with_erased(predicates.principal()?);
        if self.tcx.is_fn_trait(principal.def_id) {
            let inputs = principal.args.types().next()?;
            let ty::Tuple(inputs) = inputs.kind() else { return None };
            let output = predicates.projection_bounds().next()?;
            let output = self.tcx.instantiate_bound_regions_with_erased(output).term.as_type()?;
            return Some(format!("Box::new({})", self.closure(inputs.len(), output, depth)?));
        }
        let implementors = generics::implementors(self.tcx, principal.def_id);
        let made = implementors.into_iter().find_map(|one| self.at(one, depth));
        let made = made.or_else(|| {
            let bounds = predicates.projection_bounds().map(|it| self.tcx.instantiate_bound_regions_with_erased(it));
            let given = bounds.filter_map(|it| Some((it.def_id, it.term.as_type()?))).collect();
            let traits = vec![(principal.def_id, principal.args.iter().collect())];
            self.at(self.stand_in(&Wanted { traits, given })?, depth)
        })?;
        // As what it is to be: nobody else may say so.
        Some(format!("(Box::new({made}) as Box<{}>)", self.naming.whole(ty)?))
    }

    fn adt(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, args: GenericArgsRef<'tcx>, depth: usize) -> Option<String> {
        if let Some(asked) = self.asking.is_for(ty) {
            return Some(asked);
        }
        let made = self.made(ty, adt, args, depth);
        if made.is_none() {
            self.asking.note(ty);
        }
        made
    }

    fn made(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, args: GenericArgsRef<'tcx>, depth: usize) -> Option<String> {
        if let Some(given) = self.fixtures.of(adt.did()) {
            return Some(given);
        }
        if let Some(known) = self.of_std(ty, adt, args, depth) {
            return known;
        }
        let name = || self.naming.ty(ty);
        if self.implements_item(ty, "Default") {
            return Some(format!("<{} as std::default::Default>::default()", name()?));
        }
        self.constructed(ty, adt, depth).or_else(|| {
            let parts = self.literal(ty, adt, args, depth);
            let is_whole = parts.as_ref().is_some_and(|text| !text.contains(PRIVATE));
            let elsewhere = || self.made_elsewhere(ty, adt, depth).or_else(|| self.shown(ty, adt));
            if is_whole { parts } else { elsewhere().or(parts) }
        })
    }

    pub(super) fn makers(&self, of: CrateNum) -> Rc<Makers> {
        let collect = || if of == LOCAL_CRATE { makers::collect(self.tcx) } else { makers::collect_in(self.tcx, of) };
        self.makers.borrow_mut().entry(of).or_insert_with(|| Rc::new(collect())).clone()
    }

    pub(super) fn examples(&self) -> &Examples<'tcx> {
        self.examples.get_or_init(|| shown::collect(self.tcx, self.module))
    }

    /// What the standard library has its own ways for.
    fn of_std(
        &self,
        ty: Ty<'tcx>,
        adt: ty::AdtDef<'tcx>,
        args: GenericArgsRef<'tcx>,
        depth: usize,
    ) -> Option<Option<String>> {
        let tcx = self.tcx;
        let first = || args.types().next();
        if adt.is_box() {
            return Some(self.boxed(first()?, depth));
        }
        if adt.is_phantom_data() {
            return Some(Some("std::marker::PhantomData".to_owned()));
        }
        if self.naming.is_atomic_number(ty) {
            return Some(self.naming.ty(ty).map(|name| format!("<{name}>::new(0)")));
        }
        if adt.did().is_local() {
            return None;
        }
        if tcx.is_lang_item(adt.did(), LangItem::String) {
            let varied = "stalemate_rt::witness::text()".to_owned();
            return Some(Some(if self.for_stand_in.get() { varied } else { "String::from(\"a\")".to_owned() }));
        }
        let known = tcx.get_diagnostic_name(adt.did());
        let inside = |wrap: &str| first().and_then(|of| self.at(of, depth)).map(|of| format!("{wrap}({of})"));
        Some(match known.as_ref().map(|name| name.as_str())? {
            "Vec" => first().and_then(|of| self.at(of, depth)).map(|of| format!("vec![{of}]")),
            "Option" => inside("Some"),
            "Result" => inside("Ok"),
            "Arc" | "Rc" => {
                let name = if known?.as_str() == "Arc" { "std::sync::Arc" } else { "std::rc::Rc" };
                match first()?.kind() {
                    ty::Dynamic(..) | ty::Str | ty::Slice(_) => {
                        self.boxed(first()?, depth).map(|of| match of.strip_prefix("Box::new(") {
                            Some(closure) => format!("{name}::new({closure}"),
                            None => format!("{name}::from({of})"),
                        })
                    }
                    _ => inside(&format!("{name}::new")),
                }
            }
            "Mutex" => inside("std::sync::Mutex::new"),
            "RwLock" => inside("std::sync::RwLock::new"),
            "Cell" => inside("std::cell::Cell::new"),
            "RefCell" => inside("std::cell::RefCell::new"),
            "Duration" => Some("std::time::Duration::from_millis(1)".to_owned()),
            "Instant" => Some("std::time::Instant::now()".to_owned()),
            "SystemTime" => Some("std::time::SystemTime::UNIX_EPOCH".to_owned()),
            "PathBuf" => Some("std::path::PathBuf::from(\"a\")".to_owned()),
            "Cow" => Some("std::borrow::Cow::Borrowed(\"a\")".to_owned()),
            _ => return None,
        })
    }

    /// By a function of the type: `new` before others, few parameters before many.
    fn constructed(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, depth: usize) -> Option<String> {
        let tcx = self.tcx;
        let mut ways: Vec<(bool, usize, DefId)> = Vec::new();
        for &of in tcx.inherent_impls(adt.did()) {
            for item in tcx.associated_items(of).in_definition_order() {
                let is_way = item.is_fn() && !item.is_method() && self.naming.is_visible(item.def_id);
                if is_way
                    && !tcx.asyncness(item.def_id).is_async()
                    && tcx.fn_sig(item.def_id).skip_binder().safety().is_safe()
                {
                    let count = tcx.fn_sig(item.def_id).skip_binder().inputs().skip_binder().len();
                    ways.push((item.name().as_str() != "new", count, item.def_id));
                }
            }
        }
        ways.sort_by_key(|&(other, count, _)| (other, count));
        ways.into_iter().take(12).find_map(|(_, _, function)| self.by_function(ty, function, depth))
    }

    fn by_function(&self, ty: Ty<'tcx>, function: DefId, depth: usize) -> Option<String> {
        let tcx = self.tcx;
        let owner = tcx.parent(function);
        let of = tcx.type_of(owner).instantiate_identity().skip_norm_wip();
        let known = generics::unify(of, ty)?;
        let given = |args: GenericArgsRef<'tcx>| {
            let Signature { inputs, output } = self.signature(function, args)?;
            let (prefix, suffix) = self.leads_to(output, ty)?;
            let values = inputs.iter().map(|&input| self.at(input, depth)).collect::<Option<Vec<_>>>()?;
            let name = tcx.item_name(function);
            Some(format!("{prefix}<{}>::{}({}){suffix}", self.naming.ty(ty)?, raw(name), values.join(", ")))
        };
        generics::choose(self, function, &known, &[], given)
    }

    /// What has to stand around it for one to come out.
    fn leads_to(&self, output: Ty<'tcx>, ty: Ty<'tcx>) -> Option<(&'static str, &'static str)> {
        if output == ty {
            return Some(("", ""));
        }
        let ty::Adt(adt, args) = output.kind() else { return None };
        let name = self.tcx.get_diagnostic_name(adt.did())?;
        let is_it = args.types().next() == Some(ty);
        match name.as_str() {
            "Option" if is_it => Some(("", ".unwrap()")),
            "Result" if is_it => Some(("", ".ok().unwrap()")),
            "Arc" if is_it => Some(("std::sync::Arc::try_unwrap(", ").ok().unwrap()")),
            _ => None,
        }
    }

    fn literal(&self, ty: Ty<'tcx>, adt: ty::AdtDef<'tcx>, args: GenericArgsRef<'tcx>, depth: usize) -> Option<String> {
        if adt.is_union() {
            return None;
        }
        let mut variants: Vec<_> = adt.variants().iter().collect();
        variants.sort_by_key(|variant| variant.fields.len());
        variants.into_iter().find_map(|variant| self.variant(ty, variant, args, depth))
    }

    fn variant(
        &self,
        ty: Ty<'tcx>,
        variant: &ty::VariantDef,
        args: GenericArgsRef<'tcx>,
        depth: usize,
    ) -> Option<String> {
        let adt = ty.ty_adt_def()?;
        let path = self.naming.path(adt.did())?;
        let path = if adt.is_enum() { format!("{path}::{}", raw(variant.name)) } else { path };
        if variant.is_field_list_non_exhaustive() && !variant.def_id.is_local() {
            return None;
        }
        let mut fields = Vec::new();
        let is_private =
            |field: &ty::FieldDef| field.did.as_local().is_some_and(|id| super::is_private(self.tcx, id, field.vis));
        let path =
            if !adt.is_enum() && variant.fields.iter().any(is_private) { format!("{PRIVATE}{path}") } else { path };
        for field in &variant.fields {
            if !adt.is_enum() && !field.vis.is_accessible_from(self.module, self.tcx) {
                return None;
            }
            fields.push((field.name, self.at(self.field(field, args)?, depth)?));
        }
        Some(match variant.ctor_kind() {
            Some(CtorKind::Const) => path,
            Some(CtorKind::Fn) => {
                let values: Vec<String> = fields.into_iter().map(|(_, value)| value).collect();
                format!("{path}({})", values.join(", "))
            }
            None => {
                let fields: Vec<String> =
                    fields.into_iter().map(|(name, value)| format!("{}: {value}", raw(name))).collect();
                format!("{path} {{ {} }}", fields.join(", "))
            }
        })
    }

    pub(super) fn field(&self, field: &ty::FieldDef, args: GenericArgsRef<'tcx>) -> Option<Ty<'tcx>> {
        let ty = self.tcx.type_of(field.did).instantiate(self.tcx, args);
        self.tcx.try_normalize_erasing_regions(self.env(), ty).ok()
    }
}
