//! `unsafe impl Send` and `unsafe impl Sync` for a generic type, without a word about its type parameter: whatever it stands for
//! may then go to other threads, a `Cell` and an `Rc` too.
//!
//! A parameter matters if the type has something of it inside, and functions that anybody may call let it in or out. A raw
//! pointer that is handed out lets nothing out: who follows it has to be `unsafe` again.
//!
//! `unsafe impl<T: Send> Sync` asks for too little where `&self` gives a plain `&T`: two threads then have one at once; and where
//! several readers of a lock use it at once (`readers`). `unsafe impl Send` asks for too little where copies share (`copies`).

mod copies;
mod fillable;
mod readers;
mod tables;

use crate::mir::compat;
use crate::mir::plain::{Asked, Claim};
use crate::mir::{Reader, Site, reach};
use fillable::Fillable;
use rustc_attr_ir::LangItem;
use rustc_data_structures::fx::FxHashSet;
use rustc_hir::HirId;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, Ty, TyCtxt, TypingEnv};
use rustc_span::Symbol;
use rustc_span::def_id::LocalModId;

pub(super) fn all(reader: &Reader<'_, '_>) -> Vec<Claim> {
    let tcx = reader.tcx;
    let traits = [(tcx.get_diagnostic_item(rustc_span::sym::Send), false), (tcx.lang_items().sync_trait(), true)];
    let mut claims = Vec::new();
    for (of_trait, is_sync) in traits.into_iter().filter_map(|(id, is_sync)| Some((id?, is_sync))) {
        let impls = tcx.all_local_trait_impls(()).get(&of_trait).into_iter().flatten();
        let impls: Vec<LocalDefId> = impls.copied().filter(|&of| is_said_by_hand(tcx, of)).collect();
        if !impls.is_empty() {
            let open = Fillable::new(tcx);
            if is_sync {
                claims.extend(readers::claims(reader, &impls));
            }
            let of_field = |of| if is_sync { None } else { copies::claim(reader, of) };
            claims
                .extend(impls.into_iter().filter_map(|of| claim(reader, of, is_sync, &open).or_else(|| of_field(of))));
        }
    }
    claims
}

/// Of a type of this crate, and not by a macro.
fn is_said_by_hand(tcx: TyCtxt<'_>, of: LocalDefId) -> bool {
    let own = tcx.type_of(of).skip_binder().ty_adt_def();
    let is_own = own.is_some_and(|adt| adt.did().is_local());
    is_own && tcx.impl_polarity(of) == ty::ImplPolarity::Positive && !tcx.def_span(of).from_expansion()
}

fn claim<'tcx>(reader: &Reader<'_, 'tcx>, of: LocalDefId, is_sync: bool, open: &Fillable<'tcx>) -> Option<Claim> {
    let tcx = reader.tcx;
    let own = tcx.type_of(of).instantiate_identity().skip_norm_wip();
    let ty::Adt(adt, args) = own.kind() else { return None };
    let is_inside = |ty: Ty<'tcx>| {
        adt.all_fields().any(|field| owns(tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip(), ty))
    };
    // By its number in the type, which the functions of other `impl`s know it by.
    let asked = args.types().enumerate().filter_map(|(number, ty)| Some((number, ty, asked(tcx, of, ty, is_sync)?)));
    let mut asked = asked.filter(|(_, ty, _)| is_inside(*ty));
    asked.find_map(|(number, parameter, asked)| {
        let lets_through = |function: &LocalDefId| {
            let own_thread = || asked == Asked::OnlySend && asks_for_thread(tcx, *function, CALLEES);
            Door::of(tcx, *function, *adt, number).is_some_and(|door| door.lets_through(is_sync, asked))
                && !own_thread()
        };
        let function = functions(tcx, adt.did()).into_iter().find(lets_through)?;
        Some(Claim {
            site: said_at(reader, of),
            type_name: tcx.item_name(adt.did()).to_string(),
            parameter: parameter.to_string(),
            is_sync,
            asked,
            function: tcx.item_name(function.to_def_id()).to_string(),
            shown_at: said_at(reader, function),
            exported: adt.did().as_local().is_some_and(|own| open.by_others(of, own, number)),
        })
    })
}

/// How far down it is looked for.
const CALLEES: u32 = 3;

/// It asks which thread runs it: what it gives then is that thread's own.
fn asks_for_thread(tcx: TyCtxt<'_>, function: LocalDefId, depth: u32) -> bool {
    let of_thread = |id: DefId| {
        let owner = tcx.inherent_impl_of_assoc(id).and_then(|of| tcx.type_of(of).skip_binder().ty_adt_def());
        let in_key = owner.is_some_and(|adt| tcx.is_diagnostic_item(Symbol::intern("LocalKey"), adt.did()));
        in_key || tcx.def_path_str(id) == "std::thread::current"
    };
    // Constructors, and methods of traits, may have no body.
    if tcx.hir_maybe_body_owned_by(function).is_none() {
        return false;
    }
    let named = reach::named_functions(tcx, function);
    let deeper = |id: &DefId| id.as_local().is_some_and(|own| depth > 0 && asks_for_thread(tcx, own, depth - 1));
    named.iter().any(|&id| of_thread(id)) || named.iter().any(deeper)
}

fn said_at(reader: &Reader<'_, '_>, of: LocalDefId) -> Site {
    reader.sites.borrow_mut().add(reader.tcx.def_span(of), reader.tcx.local_def_id_to_hir_id(of))
}

fn site_of(reader: &Reader<'_, '_>, at: HirId) -> Site {
    reader.sites.borrow_mut().add(reader.tcx.hir_span(at), at)
}

/// What is asked of a parameter, if that is less than threads need.
fn asked<'tcx>(tcx: TyCtxt<'tcx>, of: LocalDefId, ty: Ty<'tcx>, is_sync: bool) -> Option<Asked> {
    let env = TypingEnv::non_body_analysis(tcx, of);
    let is = |of_trait: Option<DefId>| of_trait.is_some_and(|of_trait| compat::implements(tcx, env, ty, of_trait));
    let is_param = matches!(ty.kind(), ty::Param(_));
    if !is_param || is(tcx.lang_items().sync_trait()) {
        return None;
    }
    match (is(tcx.get_diagnostic_item(rustc_span::sym::Send)), is_sync) {
        (false, _) => Some(Asked::Nothing),
        (true, true) => Some(Asked::OnlySend),
        (true, false) => None,
    }
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
    let open = functions.filter(|&id| is_open(tcx, id, adt));
    open.chain(makers(tcx, adt)).filter(|&id| tcx.fn_sig(id).skip_binder().safety().is_safe()).collect()
}

/// Functions beside the type that give one to other crates.
fn makers(tcx: TyCtxt<'_>, adt: DefId) -> impl Iterator<Item = LocalDefId> {
    let free = tcx.hir_crate_items(()).free_items().map(|item| item.owner_id.def_id);
    let free = free.filter(move |&id| tcx.def_kind(id) == DefKind::Fn && reach::is_exported(tcx, id));
    free.filter(move |&id| {
        let output = tcx.fn_sig(id).skip_binder().output().skip_binder();
        output.walk().filter_map(|part| part.as_type()).any(|ty| ty.ty_adt_def().is_some_and(|of| of.did() == adt))
    })
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

/// What a function lets through of a parameter of the type.
struct Door {
    /// It is called on a shared reference.
    is_shared: bool,
    goes_in: bool,
    comes_out: bool,
    /// What comes out is a plain reference.
    shows_reference: bool,
}

impl Door {
    fn of<'tcx>(tcx: TyCtxt<'tcx>, function: LocalDefId, adt: ty::AdtDef<'tcx>, number: usize) -> Option<Door> {
        let sig =
            tcx.instantiate_bound_regions_with_erased(tcx.fn_sig(function).instantiate_identity().skip_norm_wip());
        let parameter = parameter_of(tcx, function, sig.output(), adt, number)?;
        let is_method = tcx.opt_associated_item(function.to_def_id()).is_some_and(|item| item.is_method());
        let (receiver, inputs) = sig.inputs().split_at(usize::from(is_method));
        let is_itself = |ty: Ty<'tcx>| ty.peel_refs().ty_adt_def() == Some(adt);
        let comes_out = !is_itself(sig.output()) && shows(tcx, sig.output(), parameter);
        Some(Door {
            is_shared: receiver.iter().any(|ty| matches!(ty.kind(), ty::Ref(_, _, mutability) if mutability.is_not())),
            // What is only looked at stays with its owner.
            goes_in: inputs.iter().any(|&ty| !ty.is_ref() && !is_itself(ty) && shows(tcx, ty, parameter)),
            comes_out,
            shows_reference: comes_out && has_reference(sig.output(), parameter),
        })
    }

    /// `Send` is about what goes in and comes out at all; `Sync` about what does so through a shared reference, and if it may
    /// go to other threads anyway, about what several of them have at once.
    fn lets_through(&self, is_sync: bool, asked: Asked) -> bool {
        match (is_sync, asked) {
            (false, _) => self.comes_out || self.goes_in,
            (true, Asked::Nothing) => self.is_shared && (self.comes_out || self.goes_in),
            (true, Asked::OnlySend) => self.is_shared && self.shows_reference,
            (true, Asked::OnlySendForReaders | Asked::SharedByCopies { .. }) => false,
        }
    }
}

/// What the parameter of the type is called in a function: one of the type, or one that makes it.
fn parameter_of<'tcx>(
    tcx: TyCtxt<'tcx>,
    function: LocalDefId,
    output: Ty<'tcx>,
    adt: ty::AdtDef<'tcx>,
    number: usize,
) -> Option<Ty<'tcx>> {
    let own = tcx.opt_associated_item(function.to_def_id()).map(|_| tcx.local_parent(function));
    let made = || output.walk().filter_map(|part| part.as_type()).find(|ty| ty.ty_adt_def() == Some(adt));
    let of = match own {
        Some(of) => tcx.type_of(of).instantiate_identity().skip_norm_wip(),
        None => made()?,
    };
    let ty::Adt(_, args) = of.kind() else { return None };
    args.types().nth(number).filter(|ty| matches!(ty.kind(), ty::Param(_)))
}

/// There is a plain shared reference to it, in a container at most. What stands behind a type of somebody's own may be a guard.
fn has_reference<'tcx>(ty: Ty<'tcx>, wanted: Ty<'tcx>) -> bool {
    match ty.kind() {
        ty::Ref(_, to, mutability) => mutability.is_not() && (*to == wanted || has_reference(*to, wanted)),
        ty::Tuple(parts) => parts.iter().any(|part| has_reference(part, wanted)),
        ty::Adt(adt, args) if adt.is_enum() && !adt.did().is_local() => {
            args.types().any(|part| has_reference(part, wanted))
        }
        _ => false,
    }
}
