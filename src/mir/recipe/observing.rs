//! The state as it can be seen in the end: as `Debug` shows it, or field by field, through locks and owners.

use super::calls::Calls;
use super::naming::raw;
use crate::models::LockKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{self, Ty};

/// How deep is looked.
const DEPTH: usize = 6;

/// How many statics are looked at where the state is in statics.
const STATICS: usize = 6;

impl<'tcx> Calls<'_, '_, 'tcx> {
    /// Expressions over `it`.
    pub(super) fn observe(&self, state: Ty<'tcx>) -> Vec<String> {
        if state.is_unit() {
            return self.statics();
        }
        self.seen("(*it)", state, DEPTH).into_iter().collect()
    }

    fn statics(&self) -> Vec<String> {
        let tcx = self.values.tcx;
        let all = tcx.hir_crate_items(()).definitions().filter(|&id| {
            matches!(tcx.def_kind(id), rustc_hir::def::DefKind::Static { mutability, nested: false, .. } if mutability.is_not())
        });
        let seen = all.filter_map(|id| {
            let path = self.values.naming.path(id.to_def_id())?;
            self.seen(&path, tcx.type_of(id).instantiate_identity().skip_norm_wip(), DEPTH)
        });
        seen.take(STATICS).collect()
    }

    /// Of type `String`; `None` if nothing can be seen.
    fn seen(&self, place: &str, ty: Ty<'tcx>, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let debug = || format!("stalemate_rt::witness::shown(&{place})");
        let is_debug = self.values.implements_item(ty, "Debug");
        match ty.kind() {
            ty::Ref(_, to, _) => self.seen(&format!("(*{place})"), *to, depth),
            ty::Tuple(parts) if !parts.is_empty() => {
                let parts = parts.iter().enumerate().map(|(at, ty)| (at.to_string(), ty)).collect::<Vec<_>>();
                self.joined(place, parts, depth)
            }
            ty::Adt(adt, args) => {
                let first = args.types().next();
                if self.resolved.is_handle(adt.did()) || adt.is_box() {
                    return self.seen(&format!("(*{place})"), first?, depth);
                }
                if self.resolved.lock_kind(adt.did()) == Some(LockKind::Guarded) {
                    return self.locked(place, adt.did(), args.types().last()?, depth);
                }
                if is_debug && (!adt.did().is_local() || self.is_derived(ty)) {
                    return Some(debug());
                }
                let inside = if adt.did().is_local() {
                    self.fields(place, *adt, args, depth)
                } else {
                    self.elements(place, *adt, args, depth)
                };
                match (inside, is_debug) {
                    (Some(inside), true) => Some(format!("format!(\"{{}}, {{}}\", {}, {inside})", debug())),
                    (None, true) => Some(debug()),
                    (inside, false) => inside,
                }
            }
            _ => is_debug.then(debug),
        }
    }

    fn is_derived(&self, ty: Ty<'tcx>) -> bool {
        let tcx = self.values.tcx;
        let Some(debug) = tcx.get_diagnostic_item(rustc_span::sym::Debug) else { return false };
        tcx.non_blanket_impls_for_ty(debug, ty).any(|one| tcx.is_automatically_derived(one))
    }

    fn fields(
        &self,
        place: &str,
        adt: ty::AdtDef<'tcx>,
        args: ty::GenericArgsRef<'tcx>,
        depth: usize,
    ) -> Option<String> {
        if adt.is_enum() {
            return Some(format!("stalemate_rt::witness::shown(&std::mem::discriminant(&{place}))"));
        }
        let fields = adt.all_fields().filter(|field| adt.is_struct() && self.values.naming.is_visible(field.did));
        let fields = fields.filter_map(|field| Some((raw(field.name), self.values.field(field, args)?))).collect();
        self.joined(place, fields, depth)
    }

    fn joined(&self, place: &str, parts: Vec<(String, Ty<'tcx>)>, depth: usize) -> Option<String> {
        let seen = parts.into_iter().filter_map(|(name, ty)| {
            let seen = self.seen(&format!("{place}.{name}"), ty, depth)?;
            Some(format!("format!(\"{name}: {{}}\", {seen})"))
        });
        let seen: Vec<String> = seen.collect();
        (!seen.is_empty()).then(|| format!("[{}].join(\", \")", seen.join(", ")))
    }

    /// Of a list or an option from the standard library.
    fn elements(
        &self,
        place: &str,
        adt: ty::AdtDef<'tcx>,
        args: ty::GenericArgsRef<'tcx>,
        depth: usize,
    ) -> Option<String> {
        let name = self.values.tcx.get_diagnostic_name(adt.did())?;
        match name.as_str() {
            "Vec" | "VecDeque" | "Option" => {
                let seen = self.seen("(*one)", args.types().next()?, depth)?;
                let list = format!("{place}.iter().map(|one| {seen}).collect::<Vec<String>>()");
                Some(format!("format!(\"{{:?}}\", {list})"))
            }
            "HashMap" | "BTreeMap" => {
                let (key, value) = (args.types().next()?, args.types().nth(1)?);
                let key = self.seen("(*key)", key, depth)?;
                let value = self.seen("(*one)", value, depth).unwrap_or_else(|| "String::new()".to_owned());
                Some(format!(
                    "{{ let mut all = {place}.iter().map(|(key, one)| ({key}, {value})).collect::<Vec<_>>(); \
                     all.sort(); format!(\"{{all:?}}\") }}"
                ))
            }
            _ => None,
        }
    }

    /// Takes the lock, however that is done.
    fn locked(&self, place: &str, lock: DefId, inside: Ty<'tcx>, depth: usize) -> Option<String> {
        let tcx = self.values.tcx;
        let find = |name: &str| {
            let mut items =
                tcx.inherent_impls(lock).iter().flat_map(|&of| tcx.associated_items(of).in_definition_order());
            items.find(|item| item.is_method() && item.name().as_str() == name).map(|item| item.def_id)
        };
        let take = ["read", "lock"].into_iter().find_map(|name| Some((name, find(name)?)));
        let (name, method) = take?;
        let seen = self.seen("(*guard)", inside, depth)?;
        let is_std = tcx.get_diagnostic_name(lock).is_some_and(|it| ["Mutex", "RwLock"].contains(&it.as_str()));
        if is_std {
            return Some(format!(
                "{{ let guard = {place}.{name}().unwrap_or_else(|held| held.into_inner()); {seen} }}"
            ));
        }
        if tcx.asyncness(method).is_async() {
            return Some(format!("match {place}.try_{name}() {{ Ok(guard) => {seen}, Err(_) => String::new() }}"));
        }
        Some(format!("{{ let guard = {place}.{name}(); {seen} }}"))
    }
}
