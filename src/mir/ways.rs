//! Ways to locks, from the text that people write to fields and statics that rustc knows.

use crate::mir::compat::{PathNS, lookup_path_str};
use crate::mir::plain::{Start, Way, WayMistake, WayStep};
use crate::mir::{Reader, places};
use crate::models::LockKind;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{self, Ty, TyCtxt};

/// From something of this type on, field by field, through whatever pointers there are, to a lock.
pub(super) fn from<'tcx, 'n>(
    reader: &Reader<'_, 'tcx>,
    start: Start,
    ty: Ty<'tcx>,
    names: impl Iterator<Item = &'n str>,
) -> Result<Way, WayMistake> {
    let tcx = reader.tcx;
    let mut steps = Vec::new();
    let mut at = through_pointers(reader, ty, &mut steps);
    for name in names {
        let ty::Adt(adt, args) = at.kind() else { return Err(no_field(name, at)) };
        let fields = adt.is_struct().then(|| &adt.non_enum_variant().fields);
        let mut numbered = fields.into_iter().flat_map(|fields| fields.iter_enumerated());
        let found = numbered.find(|(_, field)| field.name.as_str() == name);
        let (index, field) = found.ok_or_else(|| no_field(name, at))?;
        steps.push(WayStep::Field(places::field(reader, at, 0, index.as_u32())));
        let ty = tcx.type_of(field.did).instantiate(tcx, args).skip_norm_wip();
        at = through_pointers(reader, ty, &mut steps);
    }
    if is_lock(reader, at) { Ok(Way { start, steps }) } else { Err(WayMistake::OtherThanLock(at.to_string())) }
}

/// The lock itself, if the text is the path of a static, or could be one and nothing else.
pub(super) fn to_static(reader: &Reader<'_, '_>, item: DefId, text: &str) -> Result<Option<Way>, WayMistake> {
    let tcx = reader.tcx;
    let in_capitals = !text.contains('.') && text.chars().all(|it| !it.is_lowercase());
    if !text.contains("::") && !in_capitals {
        return Ok(None);
    }
    let found = candidates(tcx, item, text).iter().find_map(|path| {
        let mut found = lookup_path_str(tcx, PathNS::Value, path).into_iter();
        found.find(|&id| matches!(tcx.def_kind(id), DefKind::Static { .. }))
    });
    let id = found.ok_or_else(|| WayMistake::Static(text.to_owned()))?;
    let mut steps = Vec::new();
    let ty = through_pointers(reader, tcx.type_of(id).instantiate_identity().skip_norm_wip(), &mut steps);
    if !is_lock(reader, ty) {
        return Err(WayMistake::OtherThanLock(ty.to_string()));
    }
    let start = Start::Static(reader.definition(id), tcx.item_name(id).as_str().into());
    Ok(Some(Way { start, steps }))
}

/// Where a path may start: in the module of the item, at the root of the crate, or at a crate of that name.
fn candidates(tcx: TyCtxt<'_>, item: DefId, text: &str) -> Vec<String> {
    let root = tcx.crate_name(rustc_hir::def_id::LOCAL_CRATE).to_string();
    if let Some(("crate", rest)) = text.split_once("::") {
        return vec![format!("{root}::{rest}")];
    }
    let mut module = item;
    while !matches!(tcx.def_kind(module), DefKind::Mod) {
        module = tcx.parent(module);
    }
    let mut rest = text.strip_prefix("self::").unwrap_or(text);
    while let Some(above) = rest.strip_prefix("super::") {
        module = tcx.opt_parent(module).unwrap_or(module);
        rest = above;
    }
    let path = tcx.def_path(module).data.iter().map(|part| part.data.to_string()).collect::<Vec<_>>().join("::");
    let here = if path.is_empty() { format!("{root}::{rest}") } else { format!("{root}::{path}::{rest}") };
    vec![here, format!("{root}::{rest}"), rest.to_owned()]
}

/// What the pointers lead to, with the steps through them.
fn through_pointers<'tcx>(reader: &Reader<'_, 'tcx>, ty: Ty<'tcx>, steps: &mut Vec<WayStep>) -> Ty<'tcx> {
    let mut at = ty;
    loop {
        let (shared, next) = match at.kind() {
            ty::Ref(_, to, mutability) => (mutability.is_not(), *to),
            ty::Adt(adt, args) if adt.is_box() => (false, args.type_at(0)),
            ty::Adt(adt, args) if reader.resolved.is_handle(adt.did()) => (true, args.type_at(0)),
            _ => return at,
        };
        steps.push(WayStep::Follow { shared });
        at = next;
    }
}

fn is_lock(reader: &Reader<'_, '_>, ty: Ty<'_>) -> bool {
    ty.ty_adt_def().is_some_and(|adt| reader.resolved.lock_kind(adt.did()) == Some(LockKind::Guarded))
}

fn no_field(name: &str, of: Ty<'_>) -> WayMistake {
    WayMistake::Field { name: name.to_owned(), of: of.to_string() }
}
