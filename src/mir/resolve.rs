//! From the paths of the models to definitions. A path is looked up the way a `use` would find it, so renames and
//! re-exports do not matter, and a type of the same name elsewhere is never meant.

use crate::mir::compat::{PathNS, lookup_path_str};
use crate::models::{Beyond, CallRow, Counts, LockKind, LockRow, Meaning, Mode, Models, TouchRow};
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, GenericArgsRef, TyCtxt};
use rustc_span::Symbol;
use std::cell::RefCell;

/// The names of operations on atomics, by what they do.
pub struct AtomicCalls {
    /// They see what is there.
    pub looks: Vec<Symbol>,
    /// They put something there.
    pub puts: Vec<Symbol>,
    /// They only look.
    pub loads: Vec<Symbol>,
    /// They change what is there by so much.
    pub counts: Vec<Symbol>,
    pub up: Vec<Symbol>,
    pub down: Vec<Symbol>,
}

/// The models, for one crate.
#[derive(Default)]
pub struct Resolved {
    locks: FxHashMap<DefId, LockRow>,
    guards: FxHashSet<DefId>,
    wakers: FxHashSet<DefId>,
    calls: FxHashMap<DefId, Vec<Row>>,
    /// Types whose clones are further owners of the same thing: `Arc`.
    handles: FxHashSet<DefId>,
    /// Modules, types, traits and functions.
    effects: FxHashMap<DefId, Beyond>,
    /// What calls do, once asked.
    asked: RefCell<FxHashMap<DefId, Option<Beyond>>>,
    touches: FxHashMap<DefId, Vec<TouchRow>>,
    declared: DeclaredRows,
    /// Rows whose path leads nowhere in this crate: it does not use that library.
    unresolved: RefCell<Vec<String>>,
}

/// What the settings say of functions and fields. Each has the path of its row with it.
#[derive(Default)]
pub(super) struct DeclaredRows {
    pub(super) atomic: Vec<DefId>,
    pub(super) requires: Vec<DeclaredLock>,
    pub(super) guards: Vec<DeclaredLock>,
    pub(super) benign: FxHashMap<DefId, String>,
}

/// A function, or the type that has a field, and the way to the lock as it is written.
pub(super) struct DeclaredLock {
    pub(super) of: DefId,
    pub(super) path: String,
    pub(super) lock: String,
}

/// One row, for one function.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Holds only where this type implements the trait.
    on: Option<DefId>,
    meaning: Meaning,
    section: Option<Mode>,
    /// Opens or interrupts a section of a lock other than an atomic.
    touches_locks: bool,
    atomic: bool,
    by_type: bool,
}

impl Resolved {
    pub fn new(tcx: TyCtxt<'_>, models: &Models) -> Resolved {
        let mut resolved = Resolved::default();
        for row in &models.locks {
            let found = resolved.find(tcx, PathNS::Type, &row.path);
            resolved.locks.extend(found.into_iter().map(|id| (id, row.clone())));
        }
        for row in &models.guards {
            let found = resolved.find(tcx, PathNS::Type, &row.path);
            resolved.guards.extend(found);
        }
        for row in &models.wakers {
            let found = resolved.find(tcx, PathNS::Type, &row.path);
            resolved.wakers.extend(found);
        }
        for row in &models.calls {
            let on: Vec<Option<DefId>> = match &row.on {
                Some(path) => resolved.find(tcx, PathNS::Type, path).into_iter().map(Some).collect(),
                None => vec![None],
            };
            if row.meaning == Meaning::Handle {
                resolved.handles.extend(on.iter().flatten());
            }
            let atomic = row.section.is_some() && is_of_atomic(row, models);
            let touches_locks = touches_locks(row, models);
            let CallRow { meaning, section, by_type, .. } = *row;
            let rows = on.iter().map(|&on| Row { on, meaning, section, touches_locks, atomic, by_type });
            for id in resolved.find(tcx, PathNS::Value, &row.path) {
                resolved.calls.entry(id).or_default().extend(rows.clone());
            }
        }
        for row in &models.effects {
            let found = resolved.find_any(tcx, &row.path);
            resolved.effects.extend(found.into_iter().map(|id| (id, row.does)));
        }
        for row in &models.touches {
            for id in resolved.find(tcx, PathNS::Value, &row.path) {
                resolved.touches.entry(id).or_default().push(row.clone());
            }
        }
        resolved.declare(tcx, models);
        resolved
    }

    fn declare(&mut self, tcx: TyCtxt<'_>, models: &Models) {
        for row in &models.atomic {
            let found = self.find(tcx, PathNS::Value, &row.path);
            self.declared.atomic.extend(found);
        }
        for row in &models.benign {
            let found = self.find(tcx, PathNS::Value, &row.path);
            self.declared.benign.extend(found.into_iter().map(|id| (id, row.reason.clone())));
        }
        for row in &models.requires {
            let found = self.find(tcx, PathNS::Value, &row.path).into_iter();
            let lock = |of| DeclaredLock { of, path: row.path.clone(), lock: row.lock.clone() };
            self.declared.requires.extend(found.map(lock));
        }
        for row in &models.guarded_by {
            let owner = row.path.rsplit_once("::").map_or("", |(owner, _)| owner);
            let found = lookup_path_str(tcx, PathNS::Type, owner).into_iter();
            let lock = |of| DeclaredLock { of, path: row.path.clone(), lock: row.lock.clone() };
            let before = self.declared.guards.len();
            self.declared.guards.extend(found.filter(|&id| tcx.def_kind(id) == DefKind::Struct).map(lock));
            if before == self.declared.guards.len() {
                self.leads_nowhere(&row.path);
            }
        }
    }

    /// What a call of it reads and writes behind its arguments.
    pub(super) fn touches(&self, callee: DefId) -> &[TouchRow] {
        self.touches.get(&callee).map_or(&[], Vec::as_slice)
    }

    pub(super) fn declared(&self) -> &DeclaredRows {
        &self.declared
    }

    /// What is found in the function does no harm, for this reason.
    pub(super) fn benign(&self) -> impl Iterator<Item = (LocalDefId, String)> {
        let all = self.declared.benign.iter();
        all.filter_map(|(id, reason)| Some((id.as_local()?, reason.clone())))
    }

    /// A type or module, or else a function.
    fn find_any(&mut self, tcx: TyCtxt<'_>, path: &str) -> Vec<DefId> {
        let found = self.find(tcx, PathNS::Type, path);
        if !found.is_empty() {
            return found;
        }
        self.unresolved.borrow_mut().pop();
        self.find(tcx, PathNS::Value, path)
    }

    fn find(&mut self, tcx: TyCtxt<'_>, namespace: PathNS, path: &str) -> Vec<DefId> {
        let found =
            candidates(path).iter().map(|path| lookup_path_str(tcx, namespace, path)).find(|ids| !ids.is_empty());
        if found.is_none() {
            self.leads_nowhere(path);
        }
        found.unwrap_or_default()
    }

    pub(super) fn leads_nowhere(&self, path: &str) {
        self.unresolved.borrow_mut().push(path.to_owned());
    }

    pub fn unresolved(&self) -> Vec<String> {
        self.unresolved.borrow().clone()
    }

    pub fn is_guard(&self, id: DefId) -> bool {
        self.guards.contains(&id)
    }

    pub fn is_waker(&self, id: DefId) -> bool {
        self.wakers.contains(&id)
    }

    pub fn is_handle(&self, id: DefId) -> bool {
        self.handles.contains(&id)
    }

    /// The lock type's name as users write it.
    pub fn lock_name(&self, id: DefId) -> Option<&str> {
        self.locks.get(&id).map(|row| row.path.as_str())
    }

    pub fn is_reentrant(&self, id: DefId) -> bool {
        self.locks.get(&id).is_some_and(|row| row.reentrant)
    }

    pub fn is_for_tasks(&self, id: DefId) -> bool {
        self.locks.get(&id).is_some_and(|row| row.for_tasks)
    }

    pub fn is_behind(&self, id: DefId) -> bool {
        self.locks.get(&id).is_some_and(|row| row.behind)
    }

    pub fn at_once(&self, id: DefId) -> Option<&str> {
        self.locks.get(&id)?.at_once.as_deref()
    }

    /// A call of this function is about the type that it is called for.
    pub fn is_by_type(&self, callee: DefId) -> bool {
        self.calls.get(&callee).is_some_and(|rows| rows.iter().any(|row| row.by_type))
    }

    pub fn lock_kind(&self, id: DefId) -> Option<LockKind> {
        self.locks.get(&id).map(|row| row.kind)
    }

    /// What a call means, and the mode of its section if it is one of its own. A row for the type that implements the
    /// trait goes before one for the trait.
    pub fn meaning(&self, callee: DefId, args: GenericArgsRef<'_>) -> Option<(Meaning, Option<Mode>)> {
        let rows = self.calls.get(&callee)?;
        let receiver = args.types().next().and_then(|ty| match ty.kind() {
            ty::Adt(adt, _) => Some(adt.did()),
            _ => None,
        });
        let narrow = rows.iter().find(|row| row.on.is_some() && row.on == receiver);
        narrow.or_else(|| rows.iter().find(|row| row.on.is_none())).map(|row| (row.meaning, row.section))
    }

    /// What a call does beyond the memory of the thread: the function is listed, or its module, or the type that it is a
    /// method of, whether its own or a trait's, or the trait.
    pub fn beyond(&self, tcx: TyCtxt<'_>, callee: DefId, args: GenericArgsRef<'_>) -> Option<Beyond> {
        let listed = |id: DefId| self.effects.get(&id).copied();
        if let Some(of) = tcx.trait_of_assoc(callee) {
            let receiver = args.types().next().and_then(|ty| ty.peel_refs().ty_adt_def());
            let by_type = receiver.and_then(|adt| listed(adt.did()).or_else(|| listed(tcx.parent(adt.did()))));
            return listed(callee).or(by_type).or_else(|| listed(of));
        }
        *self.asked.borrow_mut().entry(callee).or_insert_with(|| {
            let owner = tcx.inherent_impl_of_assoc(callee).map(|block| tcx.type_of(block).skip_binder().ty_adt_def());
            let owner = owner.map_or_else(|| tcx.opt_parent(callee), |adt| adt.map(|adt| adt.did()));
            let above = owner.and_then(|owner| tcx.opt_parent(owner));
            [Some(callee), owner, above].into_iter().flatten().find_map(listed)
        })
    }

    /// The names of all functions that [`Resolved::touches_locks`] is true of.
    pub fn names_of_lock_calls(&self, tcx: TyCtxt<'_>) -> Vec<Symbol> {
        let mut names: Vec<Symbol> =
            self.calls.keys().filter(|&&id| self.touches_locks(id)).map(|&id| tcx.item_name(id)).collect();
        names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        names.dedup();
        names
    }

    pub fn names_of_atomic_calls(&self, tcx: TyCtxt<'_>) -> AtomicCalls {
        let names = |wanted: fn(Meaning) -> bool| {
            let rows = self.calls.iter().filter(|(_, rows)| rows.iter().any(|row| row.atomic && wanted(row.meaning)));
            let mut names: Vec<Symbol> = rows.map(|(&id, _)| tcx.item_name(id)).collect();
            names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
            names.dedup();
            names
        };
        AtomicCalls {
            looks: names(|meaning| {
                matches!(meaning, Meaning::Look | Meaning::Adjust { .. } | Meaning::Exchange { .. })
            }),
            puts: names(|meaning| matches!(meaning, Meaning::Put { .. } | Meaning::Exchange { .. })),
            loads: names(|meaning| matches!(meaning, Meaning::Look)),
            counts: names(|meaning| matches!(meaning, Meaning::Adjust { .. })),
            up: names(|meaning| matches!(meaning, Meaning::Adjust { counts: Some(Counts::Up) })),
            down: names(|meaning| matches!(meaning, Meaning::Adjust { counts: Some(Counts::Down) })),
        }
    }

    /// The names of the functions that hand something to another thread.
    pub fn names_of_senders(&self, tcx: TyCtxt<'_>) -> Vec<Symbol> {
        let sends = self.effects.iter().filter(|(_, does)| **does == Beyond::Sends);
        let mut names: Vec<Symbol> = sends.filter_map(|(&id, _)| tcx.opt_item_name(id)).collect();
        names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        names.dedup();
        names
    }

    pub fn sends(&self, callee: DefId) -> bool {
        self.effects.get(&callee) == Some(&Beyond::Sends)
    }

    /// The operations on atomics that look and put something there in one step.
    pub fn names_of_claims(&self, tcx: TyCtxt<'_>) -> Vec<Symbol> {
        let writes = |row: &Row| row.atomic && row.section == Some(Mode::Exclusive);
        let tells = |id: DefId| !tcx.fn_sig(id).skip_binder().skip_binder().output().is_unit();
        let rows = self.calls.iter().filter(|(id, rows)| rows.iter().any(writes) && tells(**id));
        let mut names: Vec<Symbol> = rows.map(|(&id, _)| tcx.item_name(id)).collect();
        names.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
        names.dedup();
        names
    }

    pub fn is_atomic(&self, callee: DefId) -> bool {
        self.calls.get(&callee).is_some_and(|rows| rows.iter().any(|row| row.atomic))
    }

    /// A call of this function opens, closes or interrupts a critical section.
    pub fn touches_locks(&self, callee: DefId) -> bool {
        self.calls.get(&callee).is_some_and(|rows| rows.iter().any(|row| row.touches_locks))
    }
}

/// Atomics are everywhere; one operation on one does not lead to a body by itself.
fn touches_locks(row: &CallRow, models: &Models) -> bool {
    let waits = matches!(row.meaning, Meaning::Acquire { .. } | Meaning::Wait { .. } | Meaning::Sleep);
    waits
        || matches!(row.meaning, Meaning::Notify { .. } | Meaning::Enlist)
        || (row.section.is_some() && !is_of_atomic(row, models))
}

fn is_of_atomic(row: &CallRow, models: &Models) -> bool {
    let owner = row.path.rsplit_once("::").map(|(owner, _)| owner);
    let atomic = |owner: &str| models.locks.iter().any(|lock| lock.path == owner && lock.kind == LockKind::Atomic);
    owner.is_some_and(atomic)
}

/// A crate without `std` finds the same items in `core` and `alloc`.
fn candidates(path: &str) -> Vec<String> {
    let mut all = vec![path.to_owned()];
    if let Some(rest) = path.strip_prefix("std::") {
        all.extend([format!("core::{rest}"), format!("alloc::{rest}")]);
    }
    all
}
