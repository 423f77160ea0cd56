//! Which bodies are worth reading. Most functions never come near a lock; for those not even the MIR is asked for.
//!
//! The answer comes from the type checker's tables, which a cold build has in memory and a warm one on disk. A closure
//! counts with the function it stands in.

use crate::mir::declared::Declared;
use crate::mir::names;
use crate::mir::resolve::{AtomicCalls, Resolved};
use crate::mir::wrappers;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{self, TyCtxt};
use rustc_span::Symbol;

/// All bodies that count as functions: functions, methods and closures, in the order of the source.
pub(super) fn functions(tcx: TyCtxt<'_>) -> Vec<LocalDefId> {
    // The `main` that runs the tests is nobody's: it has no place in the source.
    let is_function = |owner: &LocalDefId| {
        matches!(tcx.def_kind(*owner), DefKind::Fn | DefKind::AssocFn | DefKind::Closure)
            && !tcx.def_span(*owner).is_dummy()
    };
    tcx.hir_body_owners().filter(is_function).collect()
}

/// The function whose code the body is: for an `async fn` that is the coroutine, and the function itself only makes it.
/// Closures are nobody's.
pub(super) fn coded_by(tcx: TyCtxt<'_>, body: LocalDefId) -> Option<LocalDefId> {
    let function = root(tcx, body);
    let is_code = if tcx.asyncness(function).is_async() {
        tcx.is_coroutine(body.to_def_id()) && tcx.local_parent(body) == function
    } else {
        body == function
    };
    is_code.then_some(function)
}

/// How far above a function that takes a lock its callers are looked at in any case. Each level about doubles what a warm
/// build has to load.
const CALLERS: usize = 2;

/// Further levels are looked at as long as no more bodies than this, or than a part of all bodies, come near a lock. In a
/// small crate that is the whole way up.
const FEW: usize = 100;
const PART: usize = 25;

/// What leads to a body beside the locks that it takes itself.
pub(super) struct Seeds<'a> {
    pub(super) declared: &'a Declared,
    /// Those that come near state that no lock is tied to.
    pub(super) touching: &'a FxHashSet<LocalDefId>,
    /// What is done to atomics in one step matters, too: it may keep others out of such state.
    pub(super) claims: bool,
    /// Functions of other crates that take locks.
    pub(super) foreign: &'a [&'a str],
}

/// The functions that take a lock, and their callers some levels up.
///
/// The type checker's tables are costly to ask for in a warm build. So the names that stand in the source come first:
/// only a body that has the name of a function in it can call that function, and only then are its tables looked at.
pub(super) fn within_reach_of_locks(
    tcx: TyCtxt<'_>,
    resolved: &Resolved,
    by_name: &ByName,
    seeds: &Seeds<'_>,
    is_foreign: impl Fn(&str, DefId) -> bool,
) -> Vec<LocalDefId> {
    let functions = functions(tcx);
    let mut search = Search { tcx, by_name, calls: FxHashMap::default() };
    let mut near: FxHashSet<LocalDefId> = FxHashSet::default();
    let mut level: Vec<LocalDefId> = Vec::new();
    for name in resolved.names_of_lock_calls(tcx) {
        let wraps = |callee| tcx.item_name(callee) == name && wrappers::taken_by(tcx, resolved, callee).is_some();
        level.extend(search.callers(name, |callee| resolved.touches_locks(callee) || wraps(callee)));
    }
    let Seeds { declared, touching, claims, foreign } = seeds;
    level.extend(functions.iter().filter(|owner| touching.contains(owner)));
    for name in *foreign {
        level.extend(search.callers(Symbol::intern(name), |callee| is_foreign(name, callee)));
    }
    let most = FEW.max(functions.len() / PART);
    for step in 0.. {
        let new: Vec<LocalDefId> = level.drain(..).filter(|&function| near.insert(function)).collect();
        if new.is_empty() || (step >= CALLERS && near.len() > most) {
            break;
        }
        for function in new {
            let meant = with_trait_method(tcx, function);
            level.extend(search.callers(tcx.item_name(function.to_def_id()), |callee| meant.contains(&callee)));
        }
    }
    let types: FxHashSet<DefId> = near.iter().filter_map(|&body| type_of_method(tcx, body)).collect();
    near.extend(search.users_of_atomics(resolved, &types));
    near.extend(search.senders_that_count(resolved));
    if *claims {
        for name in resolved.names_of_claims(tcx) {
            near.extend(search.callers(name, |callee| resolved.is_atomic(callee)));
        }
    }
    near.extend(declared.functions());
    for function in declared.requiring() {
        let id = function.to_def_id();
        near.extend(search.callers(tcx.item_name(id), |callee| callee == id));
    }
    near.extend(names::bodies_with_fields(tcx, &functions, declared.guarded_names(), |_, _| true));
    functions.into_iter().filter(|&owner| near.contains(&root(tcx, owner))).collect()
}

pub(super) fn is_in_function(tcx: TyCtxt<'_>, owner: LocalDefId) -> bool {
    matches!(tcx.def_kind(root(tcx, owner)), DefKind::Fn | DefKind::AssocFn)
}

fn root(tcx: TyCtxt<'_>, owner: LocalDefId) -> LocalDefId {
    tcx.typeck_root_def_id_local(owner)
}

/// Bodies by the names that stand in them.
pub(super) type ByName = FxHashMap<Symbol, Vec<LocalDefId>>;

pub(super) fn by_name(tcx: TyCtxt<'_>) -> ByName {
    let mut all = ByName::default();
    for owner in functions(tcx).into_iter().filter(|&owner| root(tcx, owner) == owner) {
        names::in_body(tcx, owner, |name| {
            let bodies = all.entry(name).or_default();
            if bodies.last() != Some(&owner) {
                bodies.push(owner);
            }
        });
    }
    all
}

/// Other crates can name it, or the type that has it. What the resolver knows is enough for this, and costs nothing; the
/// privacy checker knows better, but a warm build does not ask it.
pub(super) fn is_exported(tcx: TyCtxt<'_>, function: LocalDefId) -> bool {
    let reachable = |id: LocalDefId| tcx.resolutions(()).effective_visibilities.is_reachable(id);
    let Some(container) = tcx.impl_of_assoc(function.to_def_id()).filter(|id| id.is_local()) else {
        return reachable(function);
    };
    let own = tcx.visibility(function.to_def_id()).is_public();
    let of =
        tcx.type_of(container).instantiate_identity().skip_norm_wip().ty_adt_def().and_then(|adt| adt.did().as_local());
    own && of.is_none_or(reachable)
}

/// Nobody else can call it: other crates do not see it, no trait leads to it, and its name stands in no other body. The
/// body of an `async fn` is run by who calls the function, and a closure by whom it is given to.
pub(super) fn is_called_only_in(
    tcx: TyCtxt<'_>,
    owner: LocalDefId,
    by_name: &ByName,
    is_meant: impl Fn(LocalDefId) -> bool,
) -> bool {
    let function = root(tcx, owner);
    if owner != function && !tcx.is_coroutine(owner.to_def_id()) {
        return true;
    }
    let item = tcx.opt_associated_item(function.to_def_id());
    let through_trait =
        item.is_some_and(|item| item.trait_container(tcx).is_some() || item.trait_item_def_id().is_some());
    let callers = tcx.opt_item_name(function.to_def_id()).and_then(|name| by_name.get(&name));
    !through_trait && !is_exported(tcx, function) && callers.into_iter().flatten().all(|&caller| is_meant(caller))
}

/// Its name stands in another body of this crate.
pub(super) fn has_callers(tcx: TyCtxt<'_>, owner: LocalDefId, by_name: &ByName) -> bool {
    let function = root(tcx, owner);
    let callers = tcx.opt_item_name(function.to_def_id()).and_then(|name| by_name.get(&name));
    callers.into_iter().flatten().any(|&caller| root(tcx, caller) != function)
}

/// The type that has the method.
fn type_of_method(tcx: TyCtxt<'_>, body: LocalDefId) -> Option<DefId> {
    let container = tcx.inherent_impl_of_assoc(body.to_def_id())?;
    tcx.type_of(container).instantiate_identity().skip_norm_wip().ty_adt_def().map(|adt| adt.did())
}

struct Search<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    by_name: &'a ByName,
    /// What the tables of a body say, once asked.
    calls: FxHashMap<LocalDefId, Vec<DefId>>,
}

impl Search<'_, '_> {
    /// The bodies that both look at an atomic and put something into one; and if there are such, all that write atomics,
    /// which may come in between. Of types that have locks, those that only look, too. Their callers are not looked at.
    fn users_of_atomics(&mut self, resolved: &Resolved, near: &FxHashSet<DefId>) -> Vec<LocalDefId> {
        let AtomicCalls { looks, puts, loads, counts, .. } = resolved.names_of_atomic_calls(self.tcx);
        let named = |search: &Self, names: &[Symbol]| -> FxHashSet<LocalDefId> {
            names.iter().filter_map(|name| search.by_name.get(name)).flatten().copied().collect()
        };
        let (looking, putting) = (named(self, &looks), named(self, &puts));
        let uses_atomics = |search: &mut Self, body: LocalDefId| {
            search.called_in(body).iter().any(|&callee| resolved.is_atomic(callee))
        };
        // What is counted may have been tested before, by a load of its own.
        let (loading, counting) = (named(self, &loads), named(self, &counts));
        let mut both: Vec<LocalDefId> = putting.iter().copied().filter(|body| looking.contains(body)).collect();
        both.extend(counting.difference(&putting).filter(|&body| loading.contains(body)));
        both.retain(|&body| uses_atomics(self, body));
        if !both.is_empty() {
            let writing = named(self, &resolved.names_of_claims(self.tcx));
            let mut others: Vec<LocalDefId> = putting.iter().copied().chain(writing).collect();
            others.retain(|&body| uses_atomics(self, body));
            both.extend(others);
        }
        both.extend(self.users_of_wrappers(resolved, &looking, &putting));
        let has_locks = |body: LocalDefId| type_of_method(self.tcx, body).is_some_and(|of| near.contains(&of));
        let asking: Vec<LocalDefId> = looking.into_iter().filter(|&body| has_locks(body)).collect();
        both.extend(asking.into_iter().filter(|&body| uses_atomics(self, body)));
        both
    }

    /// The bodies that call two methods of one type, of which one looks at an atomic and the other puts something into it.
    fn users_of_wrappers(
        &mut self,
        resolved: &Resolved,
        looking: &FxHashSet<LocalDefId>,
        putting: &FxHashSet<LocalDefId>,
    ) -> Vec<LocalDefId> {
        let tcx = self.tcx;
        let mut only = |some: &FxHashSet<LocalDefId>, others: &FxHashSet<LocalDefId>| -> Vec<(DefId, LocalDefId)> {
            let mut some: Vec<LocalDefId> = some.difference(others).copied().collect();
            some.retain(|&body| self.called_in(body).iter().any(|&callee| resolved.is_atomic(callee)));
            some.into_iter().filter_map(|body| Some((type_of_method(tcx, body)?, body))).collect()
        };
        let (looks, puts) = (only(looking, putting), only(putting, looking));
        let mut found = Vec::new();
        for (of, look) in &looks {
            for (_, put) in puts.iter().filter(|(other, _)| other == of) {
                let names = [look, put].map(|body| tcx.item_name(body.to_def_id()));
                let [Some(one), Some(other)] = names.map(|name| self.by_name.get(&name)) else { continue };
                let both: Vec<LocalDefId> = one.iter().copied().filter(|body| other.contains(body)).collect();
                let calls = |search: &mut Self, body: LocalDefId, meant: LocalDefId| {
                    search.called_in(body).contains(&meant.to_def_id())
                };
                let before = found.len();
                found.extend(both.into_iter().filter(|&body| calls(self, body, *look) && calls(self, body, *put)));
                if found.len() > before {
                    found.extend([*look, *put]);
                }
            }
        }
        found
    }

    /// The bodies that send something and count something, themselves or in what they call, with what they call for that; and if
    /// there are such, all that count down.
    fn senders_that_count(&mut self, resolved: &Resolved) -> Vec<LocalDefId> {
        let tcx = self.tcx;
        let AtomicCalls { up, down, .. } = resolved.names_of_atomic_calls(tcx);
        let counting = |search: &mut Self, names: &[Symbol]| -> FxHashSet<LocalDefId> {
            names.iter().flat_map(|&name| search.callers(name, |callee| resolved.is_atomic(callee))).collect()
        };
        let downs = counting(self, &down);
        if downs.is_empty() {
            return Vec::new();
        }
        let ups = counting(self, &up);
        let names = resolved.names_of_senders(tcx);
        let senders = names.into_iter().flat_map(|name| self.callers(name, |callee| resolved.sends(callee)));
        let senders: FxHashSet<LocalDefId> = senders.collect();
        let (above_counts, above_sends) = (self.with_callers(&ups), self.with_callers(&senders));
        let mut found: FxHashSet<LocalDefId> =
            above_counts.iter().copied().filter(|it| above_sends.contains(it)).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let mut level: Vec<LocalDefId> = found.iter().copied().collect();
        for _ in 0..CALLERS {
            let called = level.drain(..).flat_map(|body| self.called_in(body).to_vec()).filter_map(DefId::as_local);
            let called = called.filter(|it| above_counts.contains(it) || above_sends.contains(it));
            level = called.collect::<Vec<_>>().into_iter().filter(|&it| found.insert(it)).collect();
        }
        found.extend(downs);
        found.into_iter().collect()
    }

    fn with_callers(&mut self, bodies: &FxHashSet<LocalDefId>) -> FxHashSet<LocalDefId> {
        let mut all = bodies.clone();
        let mut level: Vec<LocalDefId> = bodies.iter().copied().collect();
        for _ in 0..CALLERS {
            let called = level.drain(..).map(|body| (self.tcx.item_name(body.to_def_id()), body.to_def_id()));
            let called: Vec<(Symbol, DefId)> = called.collect();
            let above = called.into_iter().flat_map(|(name, id)| self.callers(name, |callee| callee == id));
            level = above.collect::<Vec<_>>().into_iter().filter(|&body| all.insert(body)).collect();
        }
        all
    }

    fn called_in(&mut self, body: LocalDefId) -> &[DefId] {
        let tcx = self.tcx;
        self.calls.entry(body).or_insert_with(|| named_functions(tcx, body))
    }

    /// The bodies that name such a function.
    fn callers(&mut self, name: Symbol, is_meant: impl Fn(DefId) -> bool) -> Vec<LocalDefId> {
        let candidates = self.by_name.get(&name).cloned().unwrap_or_default();
        candidates.into_iter().filter(|&body| self.called_in(body).iter().any(|&callee| is_meant(callee))).collect()
    }
}

/// The function itself, and the method of this crate's traits that it implements: a call of that may be a call of it.
/// Everybody calls the methods of other crates' traits (`poll`, `drop`), and nearly always of other types.
fn with_trait_method(tcx: TyCtxt<'_>, function: LocalDefId) -> Vec<DefId> {
    let id = function.to_def_id();
    let method = tcx.opt_associated_item(id).and_then(|item| item.trait_item_def_id());
    [id].into_iter().chain(method.filter(|method| method.is_local())).collect()
}

/// Every function that the body or a closure in it names, in the order of the source.
pub(super) fn named_functions(tcx: TyCtxt<'_>, caller: LocalDefId) -> Vec<DefId> {
    let tables = tcx.typeck(caller);
    let methods = tables.type_dependent_defs();
    let methods = methods.items().filter_map(|(at, found)| found.as_ref().ok().map(|(_, callee)| (at, *callee)));
    let paths = tables.node_types();
    let paths = paths.items().filter_map(|(at, ty)| match ty.kind() {
        ty::FnDef(callee, _) => Some((at, *callee)),
        _ => None,
    });
    let sorted = methods.into_sorted_stable_ord_by_key(|(at, _)| at).into_iter();
    sorted.chain(paths.into_sorted_stable_ord_by_key(|(at, _)| at)).map(|(_, callee)| callee).collect()
}
