//! What can be named from a module, and by which path. The shortest way from the root of the crate counts; re-exports are
//! ways, too.

use super::stand_ins;
use crate::mir::compat::{PathNS, lookup_path_str};
use finding::recipe::stand_in_name;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{CRATE_DEF_ID, DefId, LocalDefId};
use rustc_middle::ty::consts::ConstExt;
use rustc_middle::ty::print::with_no_trimmed_paths;
use rustc_middle::ty::{self, GenericArgKind, Ty, TyCtxt};
use rustc_span::Symbol;
use rustc_span::def_id::LocalModId;
use std::collections::VecDeque;

pub(super) struct Naming<'tcx> {
    tcx: TyCtxt<'tcx>,
    from: LocalDefId,
    paths: FxHashMap<DefId, String>,
    /// `AtomicU32`, and the type that it is one case of.
    atomic: Option<Ty<'tcx>>,
}

/// What is done about lifetimes of types: an expression needs none, a signature needs all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifetimes {
    LeftOut,
    Static,
    /// None is written, and parameters are called what they are called.
    Elided,
}

impl<'tcx> Naming<'tcx> {
    pub(super) fn from(tcx: TyCtxt<'tcx>, module: LocalDefId) -> Self {
        let mut naming = Naming { tcx, from: module, paths: FxHashMap::default(), atomic: atomic_number(tcx) };
        let mut open = VecDeque::from([(CRATE_DEF_ID, "crate".to_owned())]);
        let mut seen = FxHashSet::from_iter([CRATE_DEF_ID]);
        while let Some((module, path)) = open.pop_front() {
            for (name, id) in naming.children(module) {
                let path = format!("{path}::{}", raw(name));
                if tcx.def_kind(id) == DefKind::Mod {
                    if let Some(local) = id.as_local().filter(|local| seen.insert(*local)) {
                        open.push_back((local, path));
                    }
                } else {
                    naming.paths.entry(id).or_insert(path);
                }
            }
        }
        naming
    }

    fn children(&self, module: LocalDefId) -> Vec<(Symbol, DefId)> {
        let tcx = self.tcx;
        let items = tcx.hir_get_module(LocalModId::new_unchecked(module)).0.item_ids.iter();
        let own = items.map(|item| item.owner_id.def_id.to_def_id()).filter(|&id| self.is_visible(id));
        let own = own.filter_map(|id| Some((tcx.opt_item_name(id)?, id)));
        let others = tcx.module_children_local(module).iter();
        let others = others.filter(|child| child.vis.is_accessible_from(self.from, tcx));
        own.chain(others.filter_map(|child| Some((child.ident.name, child.res.opt_def_id()?)))).collect()
    }

    pub(super) fn is_visible(&self, id: DefId) -> bool {
        self.tcx.visibility(id).is_accessible_from(self.from, self.tcx)
    }

    /// Of an item of any crate.
    pub(super) fn path(&self, id: DefId) -> Option<String> {
        if let Some(path) = self.paths.get(&id) {
            return Some(path.clone());
        }
        (!id.is_local()).then(|| in_std(with_no_trimmed_paths!(self.tcx.def_path_str(id))))
    }

    /// A type as it can be written in an expression there.
    pub(super) fn ty(&self, ty: Ty<'tcx>) -> Option<String> {
        self.written(ty, Lifetimes::LeftOut)
    }

    /// A type as it can be written in the signature of a function without parameters.
    pub(super) fn whole(&self, ty: Ty<'tcx>) -> Option<String> {
        self.written(ty, Lifetimes::Static)
    }

    /// A type as it can be written for a parameter of a function that implements another.
    pub(super) fn parameter(&self, ty: Ty<'tcx>) -> Option<String> {
        self.written(ty, Lifetimes::Elided)
    }

    fn written(&self, ty: Ty<'tcx>, how: Lifetimes) -> Option<String> {
        let list = |types: &[Ty<'tcx>]| types.iter().map(|&one| self.written(one, how)).collect::<Option<Vec<_>>>();
        Some(match ty.kind() {
            ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) | ty::Str | ty::Never => ty.to_string(),
            ty::Ref(_, to, mutability) => {
                let lifetime = if how == Lifetimes::Elided { "" } else { "'static " };
                format!("&{lifetime}{}{}", mutability.prefix_str(), self.written(*to, how)?)
            }
            ty::Param(param) if how == Lifetimes::Elided => {
                let is_anonymous = param.name.as_str().starts_with("impl ");
                if is_anonymous { "impl Sized".to_owned() } else { param.name.to_string() }
            }
            ty::Slice(of) => format!("[{}]", self.written(*of, how)?),
            ty::Array(..) if let Some(number) = stand_ins::number(self.tcx, ty) => stand_in_name(number),
            ty::Array(of, count) => {
                format!("[{}; {}]", self.written(*of, how)?, count.try_to_target_usize(self.tcx)?)
            }
            ty::Tuple(parts) => {
                let parts = list(parts)?;
                format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" })
            }
            ty::FnPtr(..) => {
                let sig = self.tcx.instantiate_bound_regions_with_erased(ty.fn_sig(self.tcx));
                format!("fn({}) -> {}", list(sig.inputs())?.join(", "), self.written(sig.output(), how)?)
            }
            ty::Adt(adt, args) => match self.atomic(ty) {
                Some(name) => name,
                None => {
                    let args: Vec<String> =
                        args.iter().filter_map(|arg| self.argument(arg, how)).collect::<Option<Vec<_>>>()?;
                    let path = self.path(adt.did())?;
                    if args.is_empty() { path } else { format!("{path}<{}>", args.join(", ")) }
                }
            },
            ty::Dynamic(predicates, _) => self.object(ty, predicates, how)?,
            _ => return None,
        })
    }

    /// A trait object. What callables are given may live for any time, which only the compiler's own way of writing tells.
    fn object(
        &self,
        ty: Ty<'tcx>,
        predicates: &ty::List<ty::PolyExistentialPredicate<'tcx>>,
        how: Lifetimes,
    ) -> Option<String> {
        let principal = predicates.principal().map(|it| self.tcx.instantiate_bound_regions_with_erased(it));
        if principal.is_none_or(|it| self.tcx.is_fn_trait(it.def_id)) {
            return Some(format!("({})", in_std(with_no_trimmed_paths!(ty.to_string()))));
        }
        let principal = principal?;
        let mut args = principal.args.iter().filter_map(|arg| self.argument(arg, how)).collect::<Option<Vec<_>>>()?;
        for bound in predicates.projection_bounds() {
            let bound = self.tcx.instantiate_bound_regions_with_erased(bound);
            let name = self.tcx.item_name(bound.def_id);
            args.push(format!("{} = {}", raw(name), self.written(bound.term.as_type()?, how)?));
        }
        let mut text = self.path(principal.def_id)?;
        if !args.is_empty() {
            text = format!("{text}<{}>", args.join(", "));
        }
        for also in predicates.auto_traits() {
            text = format!("{text} + {}", self.path(also)?);
        }
        Some(format!("(dyn {text})"))
    }

    /// `None` for what is left out.
    fn argument(&self, arg: ty::GenericArg<'tcx>, how: Lifetimes) -> Option<Option<String>> {
        match arg.kind() {
            GenericArgKind::Lifetime(_) => (how == Lifetimes::Static).then(|| Some("'static".to_owned())),
            // The allocator that everybody uses has no stable name.
            GenericArgKind::Type(ty) if self.is_usual_allocator(ty) => None,
            GenericArgKind::Type(ty) => Some(self.written(ty, how)),
            GenericArgKind::Const(value) => Some(value.try_to_target_usize(self.tcx).map(|it| it.to_string())),
        }
    }

    fn is_usual_allocator(&self, ty: Ty<'tcx>) -> bool {
        ty.ty_adt_def().is_some_and(|adt| Some(adt.did()) == self.tcx.lang_items().global_alloc_ty())
    }

    /// `Atomic<u32>` is not stable, `AtomicU32` is.
    fn atomic(&self, ty: Ty<'tcx>) -> Option<String> {
        let ty::Adt(adt, args) = ty.kind() else { return None };
        let is_it = self.atomic.and_then(|ty| ty.ty_adt_def()) == Some(*adt);
        let inside = args.types().next().filter(|_| is_it)?;
        let name = match inside.kind() {
            ty::Bool | ty::Int(_) | ty::Uint(_) => {
                let name = inside.to_string();
                format!("{}{}", name[..1].to_uppercase(), &name[1..])
            }
            ty::RawPtr(to, _) => format!("Ptr<{}>", self.ty(*to)?),
            _ => return None,
        };
        Some(format!("std::sync::atomic::Atomic{name}"))
    }

    /// Something with an identity: who has it sees what others do to it.
    pub(super) fn atomic_number(&self) -> Option<Ty<'tcx>> {
        self.atomic
    }

    pub(super) fn is_atomic_number(&self, ty: Ty<'tcx>) -> bool {
        let number = ty.ty_adt_def().and_then(|_| match ty.kind() {
            ty::Adt(_, args) => args.types().next(),
            _ => None,
        });
        number.is_some_and(|it| it.is_integral()) && self.atomic(ty).is_some()
    }
}

/// Names that are keywords elsewhere.
pub(super) fn raw(name: Symbol) -> String {
    let is_keyword = rustc_span::Ident::with_dummy_span(name).is_raw_guess();
    if is_keyword { format!("r#{name}") } else { name.to_string() }
}

/// The crates below std are not everywhere known by their names.
fn in_std(path: String) -> String {
    let mut text = String::new();
    for part in path.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_' && c != ':') {
        let below = part.strip_prefix("alloc::").or_else(|| part.strip_prefix("core::"));
        below.iter().for_each(|_| text.push_str("std::"));
        text.push_str(below.unwrap_or(part));
    }
    text
}

fn atomic_number(tcx: TyCtxt<'_>) -> Option<Ty<'_>> {
    let alias = lookup_path_str(tcx, PathNS::Type, "core::sync::atomic::AtomicU32").into_iter().next()?;
    let ty = tcx.type_of(alias).instantiate_identity();
    tcx.try_normalize_erasing_regions(ty::TypingEnv::fully_monomorphized(), ty).ok()
}
