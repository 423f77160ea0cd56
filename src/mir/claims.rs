//! `unsafe impl Send` and `unsafe impl Sync` for a generic type, without a word about its type parameter: whatever it stands for
//! may then go to other threads, a `Cell` and an `Rc` too.
//!
//! A parameter matters if the type has something of it inside, and functions that anybody may call let it in or out. A raw
//! pointer that is handed out lets nothing out: who follows it has to be `unsafe` again.

use crate::mir::plain::Claim;
use crate::mir::{Reader, reach};
use rustc_attr_ir::LangItem;
use rustc_data_structures::fx::FxHashSet;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, Ty, TyCtxt, TypingEnv};
use rustc_span::def_id::LocalModId;

pub(super) fn all(reader: &Reader<'_, '_>) -> Vec<Claim> {
    let tcx = reader.tcx;
    let traits = [(tcx.get_diagnostic_item(rustc_span::sym::Send), false), (tcx.lang_items().sync_trait(), true)];
    let mut claims = Vec::new();
    let open = fillable(tcx);
    for (of_trait, is_sync) in traits.into_iter().filter_map(|(id, is_sync)| Some((id?, is_sync))) {
        for &of in tcx.all_local_trait_impls(()).get(&of_trait).into_iter().flatten() {
            claims.extend(claim(reader, of, is_sync, &open));
        }
    }
    claims
}

fn claim<'tcx>(reader: &Reader<'_, 'tcx>, of: LocalDefId, is_sync: bool, open: &FxHashSet<DefId>) -> Option<Claim> {
    let tcx = reader.tcx;
    let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
    let ty::Adt(adt, args) = own.kind() else { return None };
    if tcx.impl_polarity(of) != ty::ImplPolarity::Positive || !adt.did().is_local() || tcx.def_span(of).from_expansion()
    {
        return None;
    }
    // By its number in the type, which the functions of other `impl`s know it by.
    let free = args.types().enumerate().filter(|(_, ty)| is_free(tcx, of, *ty));
    let is_inside = |ty: Ty<'tcx>| {
        adt.all_fields().any(|field| owns(tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip(), ty))
    };
    let mut free = free.filter(|(_, ty)| is_inside(*ty));
    free.find_map(|(number, parameter)| {
        let function = functions(tcx, adt.did())
            .into_iter()
            .find(|&function| lets_through(tcx, function, *adt, number, is_sync))?;
        let site = |span, id: LocalDefId| reader.sites.borrow_mut().add(span, tcx.local_def_id_to_hir_id(id));
        Some(Claim {
            site: site(tcx.def_span(of), of),
            type_name: tcx.item_name(adt.did()).to_string(),
            parameter: parameter.to_string(),
            is_sync,
            function: tcx.item_name(function.to_def_id()).to_string(),
            shown_at: site(tcx.def_span(function), function),
            exported: open.contains(&adt.did()),
        })
    })
}

/// The generic types that other crates can put any type into: those that they can name, and what these have inside, unless
/// they say themselves which types may go to other threads.
fn fillable(tcx: TyCtxt<'_>) -> FxHashSet<DefId> {
    let mut found = FxHashSet::default();
    if tcx.entry_fn(()).is_some() {
        return found;
    }
    let types =
        tcx.hir_crate_items(()).definitions().filter(|&id| matches!(tcx.def_kind(id), DefKind::Struct | DefKind::Enum));
    let mut ahead: Vec<LocalDefId> = types.filter(|&id| reach::is_exported(tcx, id)).collect();
    while let Some(own) = ahead.pop() {
        if !found.insert(own.to_def_id()) || speaks_for_itself(tcx, own) {
            continue;
        }
        let fields =
            tcx.adt_def(own).all_fields().map(|field| tcx.type_of(field.did).instantiate_identity().skip_norm_wip());
        for part in fields.flat_map(|ty| ty.walk()).filter_map(|part| part.as_type()) {
            let ty::Adt(adt, args) = part.kind() else { continue };
            let is_filled = args.types().any(|ty| matches!(ty.kind(), ty::Param(_)));
            ahead.extend(adt.did().as_local().filter(|_| is_filled));
        }
    }
    found
}

/// There is an `impl` of its own, and that asks for something.
fn speaks_for_itself(tcx: TyCtxt<'_>, own: LocalDefId) -> bool {
    let traits = [tcx.get_diagnostic_item(rustc_span::sym::Send), tcx.lang_items().sync_trait()];
    let impls = traits.into_iter().flatten().filter_map(|of| tcx.all_local_trait_impls(()).get(&of)).flatten();
    let mut impls =
        impls.filter(|&&of| tcx.type_of(of).skip_binder().ty_adt_def().is_some_and(|adt| adt.did() == own.to_def_id()));
    impls.any(|&of| {
        let ty = tcx.type_of(of).instantiate_identity().skip_norm_wip();
        matches!(ty.kind(), ty::Adt(_, args) if !args.types().any(|ty| is_free(tcx, of, ty)))
    })
}

/// A parameter of which nothing is asked that has to do with threads.
fn is_free<'tcx>(tcx: TyCtxt<'tcx>, of: LocalDefId, ty: Ty<'tcx>) -> bool {
    let env = TypingEnv::non_body_analysis(tcx, of);
    let traits = [tcx.get_diagnostic_item(rustc_span::sym::Send), tcx.lang_items().sync_trait()];
    let is = |of_trait| clippy_utils::ty::implements_trait_with_env(tcx, env, ty, of_trait, None, &[]);
    matches!(ty.kind(), ty::Param(_)) && !traits.into_iter().flatten().any(is)
}

/// Whether a type owns something of another, behind raw pointers too: what a type owns often lies behind one.
fn owns<'tcx>(ty: Ty<'tcx>, wanted: Ty<'tcx>) -> bool {
    match ty.kind() {
        _ if ty == wanted => true,
        ty::Ref(_, to, _) | ty::RawPtr(to, _) => owns(*to, wanted),
        ty::Slice(of) | ty::Array(of, _) => owns(*of, wanted),
        ty::Tuple(parts) => parts.iter().any(|part| owns(part, wanted)),
        ty::Adt(adt, args) => !adt.is_phantom_data() && args.types().any(|part| owns(part, wanted)),
        _ => false,
    }
}

/// Whether safe code that is given a type has another in its hands: by value, by reference, in a container of the standard
/// library, or in something of this crate that leads to it. Raw pointers lead nowhere.
fn shows<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>, wanted: Ty<'tcx>) -> bool {
    match ty.kind() {
        _ if ty == wanted => true,
        ty::Ref(_, to, _) => shows(tcx, *to, wanted),
        ty::Slice(of) | ty::Array(of, _) => shows(tcx, *of, wanted),
        ty::Tuple(parts) => parts.iter().any(|part| shows(tcx, part, wanted)),
        ty::Adt(adt, args) if adt.did().is_local() => {
            leads_to(tcx, adt.did()).and_then(|number| args.get(number)?.as_type()).is_some_and(|to| to == wanted)
        }
        ty::Adt(adt, args) => {
            let is_pointer = adt.is_phantom_data() || tcx.is_lang_item(adt.did(), LangItem::NonNull);
            !is_pointer && args.types().any(|part| shows(tcx, part, wanted))
        }
        _ => false,
    }
}

/// The number of the parameter that a type of this crate gives by `Deref`.
fn leads_to(tcx: TyCtxt<'_>, adt: DefId) -> Option<usize> {
    let impls = tcx.all_local_trait_impls(()).get(&tcx.lang_items().deref_trait()?)?;
    impls.iter().find_map(|&of| {
        let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
        let ty::Adt(of_type, args) = own.kind() else { return None };
        let mut items = tcx.associated_items(of).in_definition_order();
        let target = items.find(|item| item.is_type()).filter(|_| of_type.did() == adt)?;
        let target = tcx.type_of(target.def_id).instantiate_identity().skip_norm_wip();
        args.iter().position(|arg| arg.as_type() == Some(target))
    })
}

/// The safe functions of a type that others than its own module may call, by itself and through traits.
fn functions(tcx: TyCtxt<'_>, adt: DefId) -> Vec<LocalDefId> {
    let inherent = tcx.inherent_impls(adt).iter().filter_map(|id| id.as_local());
    let of_traits = tcx.all_local_trait_impls(()).values().flatten().copied();
    let of_traits =
        of_traits.filter(|&of| tcx.type_of(of).skip_binder().ty_adt_def().is_some_and(|own| own.did() == adt));
    let impls: FxHashSet<LocalDefId> = inherent.chain(of_traits).collect();
    let mut impls: Vec<LocalDefId> =
        impls.into_iter().filter(|&of| !tcx.is_automatically_derived(of.to_def_id())).collect();
    impls.sort_unstable_by_key(|of| of.local_def_index);
    let items = impls.into_iter().flat_map(|of| tcx.associated_items(of).in_definition_order());
    let functions = items.filter(|item| item.is_fn()).filter_map(|item| item.def_id.as_local());
    functions.filter(|&id| tcx.fn_sig(id).skip_binder().safety().is_safe() && is_open(tcx, id, adt)).collect()
}

/// Of a type that others can name, others can call it; of any other type, more than its own module can.
fn is_open(tcx: TyCtxt<'_>, function: LocalDefId, of: DefId) -> bool {
    if of.as_local().is_some_and(|of| reach::is_exported(tcx, of)) {
        return reach::is_exported(tcx, function);
    }
    let own = LocalDefId::from(tcx.parent_module_from_def_id(function));
    let module = LocalModId::new_unchecked(own).into();
    !matches!(tcx.visibility(function), ty::Visibility::Restricted(only) if only == module)
}

/// `Send` is about what goes in and comes out at all; `Sync` about what does so through a shared reference.
fn lets_through<'tcx>(
    tcx: TyCtxt<'tcx>,
    function: LocalDefId,
    adt: ty::AdtDef<'tcx>,
    number: usize,
    is_sync: bool,
) -> bool {
    let of = tcx.type_of(tcx.local_parent(function)).instantiate_identity().skip_norm_wip();
    let ty::Adt(_, args) = of.kind() else { return false };
    let Some(parameter) = args.types().nth(number).filter(|ty| matches!(ty.kind(), ty::Param(_))) else { return false };
    let sig = tcx.instantiate_bound_regions_with_erased(tcx.fn_sig(function).instantiate_identity().skip_norm_wip());
    let is_method = tcx.opt_associated_item(function.to_def_id()).is_some_and(|item| item.is_method());
    let (receiver, inputs) = if is_method { sig.inputs().split_at(1) } else { sig.inputs().split_at(0) };
    let is_shared = receiver.iter().any(|ty| matches!(ty.kind(), ty::Ref(_, _, mutability) if mutability.is_not()));
    let is_itself = |ty: Ty<'tcx>| ty.peel_refs().ty_adt_def() == Some(adt);
    let comes_out = !is_itself(sig.output()) && shows(tcx, sig.output(), parameter);
    // What is only looked at stays with its owner.
    let goes_in = inputs.iter().any(|&ty| !ty.is_ref() && !is_itself(ty) && shows(tcx, ty, parameter));
    let counts = !is_sync || is_shared;
    counts && (comes_out || goes_in)
}
