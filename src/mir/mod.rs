//! The only room that knows rustc's ways: which bodies there are, which MIR is read, what a call is a call of.
//! What leaves it is plain: ids, names, [`Site`]s and the bodies of [`plain`].
//!
//! The MIR is `optimized_mir` at optimization level 0: drops are elaborated, variables are still there, and a warm
//! build finds it in rustc's own cache.

pub mod accepted;
mod allowed;
mod arms;
mod claims;
mod compat;
mod coroutine;
pub mod crates;
mod declared;
mod drops;
mod exposed;
mod given;
mod inputs;
mod locks;
mod names;
mod ops;
mod orders;
mod places;
pub mod plain;
mod quietly;
mod reach;
mod read;
mod ready;
mod recipe;
mod refusals;
pub mod resolve;
mod sharing;
pub mod sites;
mod touches;
mod types;
mod ways;
mod wrappers;

pub use declared::benign_functions;
pub use inputs::{Memory, inputs, keep};
pub use plain::{DefinitionId, WayMistake};
pub use quietly::quietly;
pub use recipe::{Entered, Fixtures, Known, is_open, recipe};
pub use sites::{Position, Site, Sites, position};

use crate::models::Mode;
use declared::Declared;
use exposed::ExposedState;
use plain::Body;
use resolve::Resolved;
use rustc_abi::FieldIdx;
use rustc_data_structures::fx::{FxHashMap, FxHashSet};
use rustc_hir::def::DefKind;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{Ty, TyCtxt};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

type Fields = FxHashMap<(Option<DefId>, u32, u32), plain::Field>;

/// Reads the bodies of one crate.
pub struct Reader<'a, 'tcx> {
    tcx: TyCtxt<'tcx>,
    resolved: &'a Resolved,
    types: types::Types<'a, 'tcx>,
    sharing: sharing::Sharing<'a, 'tcx>,
    sites: RefCell<Sites>,
    read: RefCell<Vec<LocalDefId>>,
    /// Fields that were met, by their type, variant and number.
    fields: RefCell<Fields>,
    /// The functions that come near a lock, once that is known.
    near: RefCell<Option<FxHashSet<LocalDefId>>>,
    /// What runs when something of the type is dropped.
    destructors: RefCell<FxHashMap<Ty<'tcx>, Rc<[plain::Destructor]>>>,
    /// Functions of other crates of which it is known what they do.
    told: RefCell<BTreeSet<DefinitionId>>,
    /// How other functions take the locks that they are given wrappers of.
    takers: RefCell<FxHashMap<DefId, Option<Mode>>>,
    /// Filled when it is first asked for.
    by_id: RefCell<Option<FxHashMap<DefinitionId, LocalDefId>>>,
    /// Bodies by the names that stand in them.
    by_name: reach::ByName,
    declared: OnceCell<Declared>,
    exposed: OnceCell<ExposedState>,
    /// The functions that come near state that no lock is tied to.
    touching: OnceCell<FxHashSet<LocalDefId>>,
    /// The types of this crate that can be cloned.
    cloned: OnceCell<FxHashSet<DefId>>,
    /// The functions that tables of wakers name.
    wakers: OnceCell<Rc<[DefinitionId]>>,
}

impl<'a, 'tcx> Reader<'a, 'tcx> {
    pub fn new(tcx: TyCtxt<'tcx>, resolved: &'a Resolved) -> Self {
        Reader {
            tcx,
            resolved,
            types: types::Types::new(tcx, resolved),
            sharing: sharing::Sharing::new(tcx, resolved),
            sites: RefCell::default(),
            read: RefCell::default(),
            fields: RefCell::default(),
            near: RefCell::default(),
            told: RefCell::default(),
            takers: RefCell::default(),
            destructors: RefCell::default(),
            by_id: RefCell::default(),
            by_name: reach::by_name(tcx),
            declared: OnceCell::new(),
            exposed: OnceCell::new(),
            touching: OnceCell::new(),
            cloned: OnceCell::new(),
            wakers: OnceCell::new(),
        }
    }

    /// Marks that lead to no lock, in the order of the source.
    pub fn mistakes(&self) -> Vec<(Site, WayMistake)> {
        let root = rustc_hir::CRATE_HIR_ID;
        let site = |span| self.sites.borrow_mut().add(span, root);
        self.declared().mistakes().iter().map(|(at, mistake)| (site(*at), mistake.clone())).collect()
    }

    fn declared(&self) -> &Declared {
        self.declared.get_or_init(|| Declared::of(self, &self.functions()))
    }

    fn exposed(&self) -> &ExposedState {
        self.exposed.get_or_init(|| ExposedState::of(self))
    }

    /// What nothing in the type system ties to a lock.
    pub fn exposures(&self) -> Rc<plain::Exposures> {
        self.exposed().exposures()
    }

    /// Functions in whose bodies such state is named.
    fn touching(&self) -> &FxHashSet<LocalDefId> {
        self.touching.get_or_init(|| {
            let exposed = self.exposed();
            let statics = exposed.static_names().iter().filter_map(|name| self.by_name.get(name)).flatten();
            let exposures = exposed.exposures();
            let is_exposed = |of: DefId, field: FieldIdx| {
                of.is_local() && exposures.fields.contains_key(&(self.definition(of), field.as_u32()))
            };
            let fields = names::bodies_with_fields(self.tcx, &self.functions(), exposed.field_names(), is_exposed);
            statics.copied().chain(fields).collect()
        })
    }

    fn is_cloned(&self, of: DefId) -> bool {
        let tcx = self.tcx;
        let cloned = self.cloned.get_or_init(|| {
            let impls = tcx.lang_items().clone_trait().and_then(|clone| tcx.all_local_trait_impls(()).get(&clone));
            let types = impls.into_iter().flatten().map(|&of| tcx.type_of(of).instantiate_identity().skip_norm_wip());
            types.filter_map(|ty| ty.ty_adt_def()).map(|adt| adt.did()).collect()
        });
        cloned.contains(&of)
    }

    /// What `RawWakerVTable::new` is given in constants and statics, and what closures there call.
    fn wakers(&self) -> Rc<[DefinitionId]> {
        let tcx = self.tcx;
        let is_table = |owner: &LocalDefId| {
            let is_item = matches!(tcx.def_kind(*owner), DefKind::Const | DefKind::AssocConst | DefKind::Static { .. });
            let adt = || tcx.type_of(*owner).instantiate_identity().skip_norm_wip().peel_refs().ty_adt_def();
            is_item && adt().is_some_and(|adt| tcx.item_name(adt.did()).as_str() == "RawWakerVTable")
        };
        let find = || {
            let tables = tcx.hir_body_owners().filter(is_table);
            let named = tables.flat_map(|table| reach::named_functions(tcx, table));
            named.filter(|id| id.is_local()).map(|id| self.definition(id)).collect()
        };
        self.wakers.get_or_init(find).clone()
    }

    /// Every function, method and closure of the crate.
    pub fn functions(&self) -> Vec<LocalDefId> {
        reach::functions(self.tcx)
    }

    /// The bodies that come near a lock: those that take one, and their callers a few levels up.
    /// `foreign` are functions of other crates, by name, that take locks.
    pub fn within_reach_of_locks(&self, foreign: &BTreeMap<&str, BTreeSet<DefinitionId>>) -> Vec<LocalDefId> {
        let is_meant = |name: &str, callee: DefId| {
            foreign.get(name).is_some_and(|ids| !callee.is_local() && ids.contains(&self.definition(callee)))
        };
        let names: Vec<&str> = foreign.keys().copied().collect();
        *self.told.borrow_mut() = foreign.values().flatten().copied().collect();
        let claims = self.exposures().has_plain_memory();
        let (declared, touching) = (self.declared(), self.touching());
        let seeds = reach::Seeds { declared, touching, claims, foreign: &names };
        let near = reach::within_reach_of_locks(self.tcx, self.resolved, &self.by_name, &seeds, is_meant);
        *self.near.borrow_mut() = Some(near.iter().copied().collect());
        near
    }

    /// Other crates can call it.
    pub fn is_exported(&self, id: DefinitionId) -> bool {
        self.local(id).is_some_and(|owner| reach::is_exported(self.tcx, owner))
    }

    /// The same, where other crates are to be expected.
    pub fn is_interface(&self, id: DefinitionId) -> bool {
        self.is_library() && self.is_exported(id)
    }

    /// An executable has no callers.
    pub fn is_library(&self) -> bool {
        self.tcx.entry_fn(()).is_none()
    }

    pub fn is_main(&self, id: DefinitionId) -> bool {
        let entry = self.tcx.entry_fn(()).and_then(|(entry, _)| entry.as_local());
        self.local(id).is_some_and(|owner| Some(owner) == entry)
    }

    /// The last part of its path.
    pub fn item_name(&self, id: DefinitionId) -> Option<String> {
        self.tcx.opt_item_name(self.local(id)?.to_def_id()).map(|name| name.to_string())
    }

    /// Every call of the function stands in one of these bodies, as far as names tell.
    pub fn is_called_only_in(&self, function: DefinitionId, bodies: &HashSet<DefinitionId>) -> bool {
        let Some(owner) = self.local(function) else { return false };
        let is_read = |caller: LocalDefId| bodies.contains(&self.definition(caller.to_def_id()));
        reach::is_called_only_in(self.tcx, owner, &self.by_name, is_read)
    }

    /// Of a library, called in it, and by nobody else.
    pub fn is_called_only_here(&self, function: DefinitionId) -> bool {
        let is_meant = |owner| {
            reach::has_callers(self.tcx, owner, &self.by_name)
                && reach::is_called_only_in(self.tcx, owner, &self.by_name, |_| true)
        };
        self.is_library() && self.local(function).is_some_and(is_meant)
    }

    /// Where the name of the function stands that the body is the code of; `None` for closures, for what a
    /// `derive` has made, and for an `async fn`, which only makes the future that its code is in.
    pub fn listed_at(&self, id: DefinitionId) -> Option<Site> {
        let (tcx, owner) = (self.tcx, self.local(id)?);
        let function = reach::coded_by(tcx, owner)?;
        let derived = tcx.is_automatically_derived(tcx.parent(function.to_def_id()));
        let span = tcx.def_ident_span(function).filter(|_| !derived)?;
        Some(self.sites.borrow_mut().add(span, tcx.local_def_id_to_hir_id(function)))
    }

    /// Under `#[test]` or `#[cfg(test)]`, or in a file of `tests/`.
    pub fn is_test(&self, owner: LocalDefId) -> bool {
        // Elsewhere such code is not even compiled.
        self.tcx.sess.is_test_crate() && compat::is_in_test(self.tcx, self.tcx.local_def_id_to_hir_id(owner))
    }

    pub fn read(&self, owner: LocalDefId) -> Body {
        self.read.borrow_mut().push(owner);
        read::BodyReader::new(self, owner, self.tcx.optimized_mir(owner)).read()
    }

    /// What [`keep`] must know of the bodies that were read.
    pub fn bodies_read(&self) -> Vec<u64> {
        let mut read: Vec<u64> = self.read.borrow().iter().map(|&owner| inputs::number_of(self.tcx, owner)).collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The function of this crate that the id stands for.
    pub fn local(&self, id: DefinitionId) -> Option<LocalDefId> {
        let mut known = self.by_id.borrow_mut();
        let known = known.get_or_insert_with(|| {
            self.functions().into_iter().map(|owner| (self.definition(owner.to_def_id()), owner)).collect()
        });
        known.get(&id).copied()
    }

    /// The same for what somebody can call: a closure in a static or a constant stands in no function.
    pub fn called(&self, id: DefinitionId) -> Option<LocalDefId> {
        self.local(id).filter(|&owner| reach::is_in_function(self.tcx, owner))
    }

    pub fn name_of(&self, id: DefinitionId) -> String {
        self.local(id).map(|owner| self.function_name(owner)).unwrap_or_default()
    }

    pub fn function_name(&self, owner: LocalDefId) -> String {
        names::function(self.tcx, owner)
    }

    fn definition(&self, id: DefId) -> DefinitionId {
        let (high, low) = self.tcx.def_path_hash(id).0.split();
        DefinitionId(high.as_u64(), low.as_u64())
    }

    /// `tests` says whether test code is looked at.
    pub fn into_sites(self, tests: bool) -> Sites {
        let mut sites = self.sites.into_inner();
        sites.accept(self.resolved.benign(), accepted::comments(self.tcx, tests));
        sites
    }
}

/// The name of a type, whichever crate it is of.
pub fn type_name(tcx: TyCtxt<'_>, DefinitionId(high, low): DefinitionId) -> Option<String> {
    let hash = rustc_data_structures::fingerprint::Fingerprint::new(high, low);
    let id = tcx.def_path_hash_to_def_id(rustc_span::def_id::DefPathHash(hash))?;
    tcx.opt_item_name(id).map(|name| name.to_string())
}

/// Lines of the crate's own source files.
pub fn lines(tcx: TyCtxt<'_>) -> usize {
    let map = tcx.sess.source_map();
    let own = |file: &&std::sync::Arc<rustc_span::SourceFile>| {
        file.cnum == rustc_hir::def_id::LOCAL_CRATE && file.src.is_some() && file.name.is_real()
    };
    map.files().iter().filter(own).map(|file| file.count_lines()).sum()
}
