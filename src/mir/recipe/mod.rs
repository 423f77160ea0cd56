//! How a finding can be run: which state two threads share, what each of them calls, and what can be seen afterwards, as
//! Rust text. Only the types can tell, so it is found out here; the front-end makes a program of it.
//!
//! - [`naming`]: what the witness can name, from the module that it is put into;
//! - [`generics`]: types for type parameters;
//! - [`values`]: values for parameters, and a fresh state;
//! - [`makers`]: functions of other types that give one;
//! - [`shown`]: values as tests make them;
//! - [`fixtures`]: values that the user says how to make;
//! - [`stand_ins`] and [`standing`]: types of the witness's own, for traits that nothing implements;
//! - [`asking`]: values that cannot be made;
//! - [`calls`]: the two functions over one state;
//! - [`observing`]: the state in the end.

mod asking;
mod calls;
mod fixtures;
mod generics;
mod makers;
mod naming;
mod observing;
mod shown;
mod stand_ins;
mod standing;
mod values;

use crate::mir::resolve::Resolved;
use crate::mir::sites;
use calls::Calls;
use finding::recipe::{Insertion, Recipe};
pub use fixtures::Fixtures;
use naming::Naming;
use rustc_hir::def_id::{DefId, LocalDefId};
use rustc_middle::ty::{TyCtxt, Visibility};
use rustc_span::def_id::LocalModId;
use values::Values;

/// How many ways into the two bodies are tried.
const TRIED: usize = 8;

/// A body, and functions that lead to it and that anybody may call; the body itself, if it is one of these.
pub struct Entered {
    pub own: LocalDefId,
    pub open: Vec<LocalDefId>,
}

/// Whether more than its own module may call it. In an executable nobody outside is to be expected, and what stands at the
/// root is there for all modules.
pub fn is_open(tcx: TyCtxt<'_>, body: LocalDefId) -> bool {
    let function = root(tcx, body);
    let is_at_root = LocalDefId::from(tcx.parent_module_from_def_id(function)).is_top_level_module();
    !is_private(tcx, function, tcx.visibility(function)) || is_at_root && tcx.entry_fn(()).is_some()
}

/// Only the module around the item sees it.
fn is_private(tcx: TyCtxt<'_>, item: LocalDefId, visibility: Visibility<impl Into<DefId>>) -> bool {
    match visibility {
        Visibility::Public => false,
        Visibility::Restricted(module) => {
            module.into() == LocalDefId::from(tcx.parent_module_from_def_id(item)).to_def_id()
        }
    }
}

/// What recipes are made with.
#[derive(Clone, Copy)]
pub struct Known<'k, 'tcx> {
    pub tcx: TyCtxt<'tcx>,
    pub resolved: &'k Resolved,
    pub fixtures: &'k Fixtures,
}

/// The recipe for two bodies, without the name of the finding. The second may be missing: then the first runs twice. Where a
/// body is not to be called by just anybody, those are called that lead to it; if that cannot be done, it is said.
pub fn recipe(known: Known<'_, '_>, a: &Entered, b: Option<&Entered>) -> Recipe {
    let seconds = || b.map_or(vec![None], |b| b.open.iter().copied().map(Some).collect());
    let open = a.open.iter().flat_map(|a| seconds().into_iter().map(move |b| (*a, b)));
    let open: Vec<_> = open.take(TRIED).collect();
    let own = (a.own, b.map(|b| b.own));
    whole(known, &open).unwrap_or_else(|| {
        let recipe = whole(known, &[own]).unwrap_or_else(|| of_two(known, module_of(known.tcx, own.0), own));
        let is_private = |of: &Entered| !of.open.contains(&of.own);
        Recipe { enters_private: is_private(a) || b.is_some_and(is_private), ..recipe }
    })
}

/// Two bodies to be run; the second may be missing.
type Two = (LocalDefId, Option<LocalDefId>);

/// The first that lacks nothing: in the module of its function, or in one with tests that show how values are made.
fn whole(known: Known<'_, '_>, all: &[Two]) -> Option<Recipe> {
    let module = |two: &Two| module_of(known.tcx, two.0);
    let plain = all.iter().map(|two| (module(two), *two));
    let with_tests = all.iter().flat_map(|two| shown::modules(known.tcx, module(two)).into_iter().map(|it| (it, *two)));
    plain.chain(with_tests).map(|(module, two)| of_two(known, module, two)).find(|recipe| recipe.lacks().is_none())
}

fn root(tcx: TyCtxt<'_>, body: LocalDefId) -> LocalDefId {
    tcx.typeck_root_def_id(body.to_def_id()).expect_local()
}

fn of_two(Known { tcx, resolved, fixtures }: Known<'_, '_>, module: LocalDefId, (a, b): Two) -> Recipe {
    let (a, b) = (root(tcx, a), b.map(|b| root(tcx, b)));
    let naming = Naming::from(tcx, module);
    let values = Values::new(tcx, &naming, module, fixtures);
    let plan = Calls { values: &values, resolved }.plan(a, b);
    Recipe { fingerprint: String::new(), place: insertion(tcx, module), ..plan }
}

/// The nearest module around it that stands in the source.
fn module_of(tcx: TyCtxt<'_>, body: LocalDefId) -> LocalDefId {
    let mut module = LocalDefId::from(tcx.parent_module_from_def_id(root(tcx, body)));
    while is_from_macro(tcx, module) && !module.is_top_level_module() {
        module = LocalDefId::from(tcx.parent_module_from_def_id(module));
    }
    module
}

fn is_from_macro(tcx: TyCtxt<'_>, module: LocalDefId) -> bool {
    tcx.hir_get_module(LocalModId::new_unchecked(module)).0.spans.inner_span.from_expansion()
}

fn insertion(tcx: TyCtxt<'_>, module: LocalDefId) -> Option<Insertion> {
    let (content, item) = tcx.hir_get_module(LocalModId::new_unchecked(module));
    let inner = content.spans.inner_span;
    let map = tcx.sess.source_map();
    let end = map.lookup_char_pos(inner.hi());
    let is_inline = !module.is_top_level_module() && item.contains(inner);
    let position = sites::position(tcx, inner);
    // The last character of an inline module is the brace that closes it.
    let brace = is_inline.then(|| (position.end_line, position.end_column.saturating_sub(1)));
    let module = tcx.def_path(module.to_def_id()).data;
    let names = module.iter().filter_map(|part| part.data.get_opt_name()).map(|name| name.to_string());
    end.file.name.is_real().then(|| Insertion { file: position.file, module: names.collect(), brace })
}
