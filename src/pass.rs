//! The only place that walks the whole corridor: bodies, events, states, facts, suspicions, stories.

use crate::checks::{self, RACY_ACCESS, REGISTRY, STALE_USE, Suspicion, practice};
use crate::clock;
use crate::config::Config;
use crate::emit::{self, Heard, Story};
use crate::events::{self, Function};
use crate::flow::{self, Options, Unsettled, Walked};
use crate::mir::resolve::Resolved;
use crate::mir::{self, DefinitionId, Fixtures, Known, Memory, Reader, Site, Sites, crates, quietly};
use crate::models::{Mode, Models};
use crate::summary::{
    Crate, Elsewhere, Entrances, ForeignFunction, ForeignLock, ForeignPair, LockKey, Stages, Stored, Summaries,
    Summary, Validity,
};
use finding::Skipped;
use finding::acceptance::Acceptance;
use finding::atomicity::FunctionAtomicity;
use finding::facts::{FORMAT, Recorded, UnitFacts};
use finding::guards::{LocationGuards, PairStages};
use finding::map::LockMap;
use finding::recipe::Recipe;
use finding::timings::{Counts, Phase};
use rustc_hir::def_id::{LOCAL_CRATE, LocalDefId};
use rustc_lint_defs::{Lint, LintId};
use rustc_middle::ty::TyCtxt;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// One crate, looked at.
pub struct Outcome {
    pub functions: usize,
    pub functions_with_locks: usize,
    pub skipped: Vec<Skipped>,
    /// The bodies that were read.
    pub bodies: Vec<u64>,
    /// Rows of the user's models that lead nowhere from this crate.
    pub unknown_models: Vec<String>,
    pub sites: Sites,
    /// In the order of the source.
    pub stories: Vec<(&'static Lint, Story)>,
    pub listed: Listed,
    /// How each story can be run, in the same order, if that was asked for.
    pub recipes: Vec<Option<Recipe>>,
}

impl Outcome {
    /// Of a crate that could not be looked at.
    fn nothing(why: Skipped) -> Outcome {
        Outcome {
            functions: 0,
            functions_with_locks: 0,
            skipped: vec![why],
            bodies: Vec::new(),
            unknown_models: Vec::new(),
            sites: Sites::default(),
            stories: Vec::new(),
            listed: Listed::default(),
            recipes: Vec::new(),
        }
    }
}

/// What is told beside the findings.
#[derive(Default)]
pub struct Listed {
    /// Of every function, if that was asked for.
    pub atomicity: Vec<FunctionAtomicity>,
    /// What guards what, if that was asked for.
    pub guards: Vec<LocationGuards>,
    pub pairs: PairStages,
    pub map: LockMap,
}

pub fn run(tcx: TyCtxt<'_>, config: &Config) -> Outcome {
    let resolved = Resolved::new(tcx, &Models::with(config.models.clone()));
    let reader = Reader::new(tcx, &resolved);
    let snapshots = !tcx.skippable_lints(()).contains(&LintId::of(STALE_USE));
    let options = Options { snapshots, atomicity: config.atomicity, map: config.map, fuel: config.trial.fuel };
    let functions = reader.functions();
    if let Some(compiled) = crates::this(tcx) {
        Stored::remove(&compiled.metadata);
    }
    let elsewhere = known_of_dependencies(tcx);
    let foreign = &elsewhere.functions;
    let mut by_name: BTreeMap<&str, BTreeSet<DefinitionId>> = BTreeMap::new();
    for function in foreign.iter().filter(|function| !function.summary.is_idle()) {
        by_name.entry(&function.name).or_default().insert(function.id);
    }
    let bodies = Bodies { tcx, reader: &reader, config, skipped: RefCell::default() };
    let near = if config.atomicity { functions.clone() } else { reader.within_reach_of_locks(&by_name) };
    let near = near.into_iter().filter_map(|owner| bodies.body(owner, true)).collect();
    let unresolved = resolved.unresolved();
    let unknown_models = config.models.paths().filter(|path| unresolved.iter().any(|it| it == path));
    let mut unknown_models: Vec<String> = unknown_models.map(str::to_owned).collect();
    let summaries = Summaries::with(foreign.iter().map(|function| (function.id, function.summary.clone())));
    let (walked, summaries) = clock::within(Phase::Walking, || flow::walk_all(near, summaries, options, &bodies));
    clock::enter(Phase::Checks);
    let functions_with_locks = walked.iter().filter(|(function, _)| function.has_locks).count();
    let read: HashSet<DefinitionId> = walked.iter().map(|(function, _)| function.id).collect();
    let mut skipped = bodies.skipped.into_inner();
    let exposures = reader.exposures();
    let mut all = Vec::new();
    for (function, result) in walked {
        match result {
            Ok(mut facts) => {
                facts.callers_known = reader.is_called_only_in(function.id, &read);
                if !exposures.is_empty() || !facts.uses.is_empty() || !facts.taken.is_empty() {
                    facts.exported = reader.is_interface(function.id);
                    facts.own = !facts.is_closure && reader.is_called_only_here(function.id);
                    facts.internal = facts.own && facts.callers_known;
                    facts.is_main = reader.is_main(function.id);
                }
                if !facts.says_nothing() || exposures.has_plain_memory() {
                    facts.function = reader.name_of(function.id);
                }
                all.push(facts);
            }
            Err(reason) => skipped.push(Skipped { function: reader.name_of(function.id), reason }),
        }
    }
    let all = Crate::new(all, elsewhere, exposures);
    let exported = exported(&reader, &all, &summaries);
    let bodies = reader.bodies_read();
    let listed = all.bodies.iter().filter(|facts| facts.listed.is_some());
    let listed = listed.filter_map(|facts| Some((facts.id, reader.listed_at(facts.id)?))).collect();
    let owners: Vec<_> = all.bodies.iter().map(|facts| reader.called(facts.id).filter(|_| config.recipes)).collect();
    let mistakes = reader.mistakes();
    let sites = reader.into_sites(config.tests);
    for (site, mistake) in &mistakes {
        tcx.dcx().span_err(sites.span(*site), emit::wrong_way(mistake));
    }
    clock::within(Phase::Emit, || tell_dependants(tcx, &all, exported, &sites));
    let stories = stories(tcx, &all, &sites, config, &mut skipped);
    clock::enter(Phase::Emit);
    let entrances = config.recipes.then(|| Entrances::new(&all.bodies));
    let fixtures = Fixtures::resolve(tcx, &config.fixtures);
    unknown_models.extend(fixtures.unknown.iter().cloned());
    let known = Known { tcx, resolved: &resolved, fixtures: &fixtures };
    let recipes = entrances
        .iter()
        .flat_map(|entrances| stories.iter().map(|(_, story)| recipe(known, entrances, &owners, story)));
    let recipes = recipes.collect();
    let atomicity = atomicity(tcx, &all, &listed, &sites);
    let guards = if config.guards { guards(tcx, &all, &sites) } else { Vec::new() };
    let pairs = pairs(&all);
    let map = if config.map { map(tcx, &all, &sites) } else { LockMap::default() };
    skipped.sort();
    skipped.dedup();
    let functions = functions.len();
    let listed = Listed { atomicity, guards, pairs, map };
    Outcome { functions, functions_with_locks, skipped, bodies, unknown_models, sites, stories, listed, recipes }
}

/// A fault in one costs no other.
fn recipe(known: Known<'_, '_>, entrances: &Entrances, owners: &[Option<LocalDefId>], story: &Story) -> Option<Recipe> {
    let is_open = |body: usize| owners[body].is_some_and(|owner| mir::is_open(known.tcx, owner));
    let entered_by = |body: usize| {
        let own = owners[body]?;
        let open = entrances.of(body, is_open).into_iter().filter_map(|open| owners[open]).collect();
        Some(mir::Entered { own, open })
    };
    let (a, b) = story.bodies?;
    let (a, b) = (entered_by(a)?, b.and_then(entered_by));
    quietly(known.tcx, || mir::recipe(known, &a, b.as_ref())).ok()
}

fn known_of_dependencies(tcx: TyCtxt<'_>) -> Elsewhere {
    let mut all = Elsewhere::default();
    for compiled in crates::dependencies(tcx) {
        let stored = Stored::read(&compiled.metadata, &Validity::of(compiled.id));
        if let Some(stored) = stored.filter(|stored| stored.is_of(|id| crates::source_hash_of(tcx, id))) {
            all.functions.extend(stored.functions);
            all.writes.extend(stored.writes);
            all.pairs.extend(stored.pairs);
        }
    }
    all
}

fn exported(reader: &Reader<'_, '_>, all: &Crate, summaries: &Summaries) -> Vec<ForeignFunction> {
    let known = all.bodies.iter().filter(|facts| reader.is_exported(facts.id)).filter_map(|facts| {
        let summary = summaries.get(facts.id).filter(|summary| **summary != Summary::default())?;
        Some(ForeignFunction { id: facts.id, name: reader.item_name(facts.id)?, summary })
    });
    known.collect()
}

/// A store that cannot be written is one that dependants do not find.
fn tell_dependants(tcx: TyCtxt<'_>, all: &Crate, functions: Vec<ForeignFunction>, sites: &Sites) {
    let Some(compiled) = crates::this(tcx).filter(|_| !tcx.sess.opts.test) else { return };
    let writes = all.writes.for_dependants(&all.bodies, |site| sites.position(tcx, site));
    let pairs = pairs_for_dependants(all, |site| sites.position(tcx, site));
    let sources = crates::source_hashes(tcx);
    let stored = Stored { validity: Validity::of(compiled.id), sources, functions, writes, pairs };
    let _ = stored.write(&compiled.metadata);
}

/// The orders in which locks are taken here, each once.
fn pairs_for_dependants(all: &Crate, position: impl Fn(Site) -> mir::Position) -> Vec<ForeignPair> {
    let mut seen = HashSet::new();
    let mut pairs = Vec::new();
    for (edge, held, wanted) in checks::lock_order::own_edges(all) {
        let besides = all.writes.held_besides(edge.facts, edge.body, edge.pair).into_iter();
        let besides: BTreeSet<LockKey> =
            besides.filter(|(_, mode)| *mode == Mode::Exclusive).map(|(lock, _)| lock).collect();
        if seen.insert((held.clone(), wanted.clone(), edge.pair.held_mode, edge.pair.wanted_mode, besides.clone())) {
            let end = |lock: LockKey, path, mode, site| {
                let name = emit::lock_name(edge.facts, path);
                ForeignLock { lock, mode, name, position: position(site) }
            };
            pairs.push(ForeignPair {
                held: end(held, edge.pair.held, edge.pair.held_mode, edge.pair.taken),
                wanted: end(wanted, edge.pair.wanted, edge.pair.wanted_mode, edge.pair.site),
                besides,
                function: edge.facts.function.clone(),
            });
        }
    }
    pairs
}

/// Reads bodies as they are asked for. A fault in one body is told and hides no other.
struct Bodies<'r, 'tcx> {
    tcx: TyCtxt<'tcx>,
    reader: &'r Reader<'r, 'tcx>,
    config: &'r Config,
    skipped: RefCell<Vec<Skipped>>,
}

impl Bodies<'_, '_> {
    fn body(&self, owner: LocalDefId, near_locks: bool) -> Option<Function> {
        if !self.config.tests && self.reader.is_test(owner) {
            return None;
        }
        let read = || {
            self.config.trial.stumble("read", || self.reader.function_name(owner));
            events::lower(self.reader.read(owner), near_locks)
        };
        clock::count(Counts { reads: 1, ..Counts::default() });
        match clock::within(Phase::Reading, || quietly(self.tcx, read)) {
            Ok(function) => Some(function),
            Err(message) => {
                let reason = emit::reason_panicked(&message);
                self.skipped.borrow_mut().push(Skipped { function: self.reader.function_name(owner), reason });
                None
            }
        }
    }
}

impl flow::Source for Bodies<'_, '_> {
    type Fault = String;

    fn read(&self, function: DefinitionId, near_locks: bool) -> Option<Function> {
        self.body(self.reader.local(function)?, near_locks)
    }

    fn guard(&self, id: DefinitionId, walk: &dyn Fn() -> Result<Walked, Unsettled>) -> Result<Walked, String> {
        let walk = || {
            self.config.trial.stumble("walk", || self.reader.name_of(id));
            walk()
        };
        match quietly(self.tcx, walk) {
            Ok(Ok(walked)) => Ok(walked),
            Ok(Err(Unsettled::NoEnd)) => Err(emit::reason_unsettled()),
            Ok(Err(Unsettled::TooLarge)) => Err(emit::reason_too_large()),
            Err(message) => Err(emit::reason_panicked(&message)),
        }
    }
}

/// A fault in one check is told, and hides no other.
fn stories(
    tcx: TyCtxt<'_>,
    all: &Crate,
    sites: &Sites,
    config: &Config,
    skipped: &mut Vec<Skipped>,
) -> Vec<(&'static Lint, Story)> {
    let same_line = |one: Site, other: Site| {
        let (one, other) = (sites.position(tcx, one), sites.position(tcx, other));
        (one.file, one.line) == (other.file, other.line)
    };
    let is_theirs = |suspicion: &Suspicion| sites.is_foreign(tcx, suspicion.primary);
    let mut found: Vec<(&'static Lint, Vec<Suspicion>)> = Vec::new();
    for (lint, check) in REGISTRY {
        let suspect = || {
            config.trial.stumble("check", || name_of(lint).to_owned());
            check(all).into_iter().filter(|suspicion| !is_theirs(suspicion)).collect()
        };
        match quietly(tcx, suspect) {
            Ok(own) => found.push((lint, own)),
            Err(message) => skipped.push(emit::check_failed(name_of(lint), &message)),
        }
    }
    let weigh = || practice::weigh(all, &mut found.iter_mut().flat_map(|(_, found)| found).collect::<Vec<_>>());
    if let Err(message) = quietly(tcx, weigh) {
        skipped.push(emit::ranking_failed(&message));
    }
    let mut stories = Vec::new();
    for (lint, suspicions) in &found {
        let told = |suspicion: &Suspicion| emit::tell(all, name_of(lint), suspicion, same_line);
        let tell =
            || suspicions.iter().map(|one| (*lint, clock::within(Phase::Emit, || told(one)))).collect::<Vec<_>>();
        match quietly(tcx, tell) {
            Ok(told) => stories.extend(told),
            Err(message) => skipped.push(emit::check_failed(name_of(lint), &message)),
        }
    }
    let unbounded = checks::racy_access::unbounded(all);
    let unbounded = unbounded.iter().filter(|one| !sites.is_foreign(tcx, one.claim.site));
    stories.extend(unbounded.map(|one| (RACY_ACCESS, emit::tell_unbounded(name_of(RACY_ACCESS), one))));
    stories.retain(|(_, story)| story.confidence() >= config.min_confidence);
    stories.sort_by_cached_key(|(lint, story)| (sites.position(tcx, story.primary), lint.name));
    one_per_line(tcx, stories, sites)
}

fn atomicity(
    tcx: TyCtxt<'_>,
    all: &Crate,
    listed: &BTreeMap<DefinitionId, Site>,
    sites: &Sites,
) -> Vec<FunctionAtomicity> {
    let package = package_of(tcx);
    let functions = all.bodies.iter().filter_map(|facts| {
        emit::atomicity(all, facts, &package, *listed.get(&facts.id)?, |site| sites.position(tcx, site))
    });
    let mut functions: Vec<FunctionAtomicity> = functions.collect();
    functions.sort();
    functions
}

fn guards(tcx: TyCtxt<'_>, all: &Crate, sites: &Sites) -> Vec<LocationGuards> {
    emit::guards(all, &package_of(tcx), |site| sites.position(tcx, site))
}

fn map(tcx: TyCtxt<'_>, all: &Crate, sites: &Sites) -> LockMap {
    emit::map(all, &package_of(tcx), |site| sites.position(tcx, site), |id| mir::type_name(tcx, id))
}

fn pairs(all: &Crate) -> PairStages {
    let Stages { original, reachable, aliasing, escaping, unlocked, steps } = checks::racy_access::stages(all);
    PairStages { original, reachable, aliasing, escaping, unlocked, steps }
}

fn package_of(tcx: TyCtxt<'_>) -> String {
    std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| tcx.crate_name(LOCAL_CRATE).to_string())
}

/// Of several stories about one line the strongest is told, and of equals the first. The audit of 2002 stands beside
/// them: it is not about the same thing. And what is switched off or accepted hides nothing that is not.
fn one_per_line(tcx: TyCtxt<'_>, stories: Vec<(&'static Lint, Story)>, sites: &Sites) -> Vec<(&'static Lint, Story)> {
    let key = |lint: &'static Lint, story: &Story| {
        let at = sites.position(tcx, story.primary);
        let is_told = matches!(emit::heard(tcx, sites, lint, story), Heard::Told { .. });
        (at.file, at.line, lint.name == STALE_USE.name, is_told)
    };
    let mut best: HashMap<_, u8> = HashMap::new();
    for (lint, story) in &stories {
        let known = best.entry(key(lint, story)).or_default();
        *known = story.score().max(*known);
    }
    let mut told = HashSet::new();
    let mut kept = stories;
    kept.retain(|(lint, story)| {
        let key = key(lint, story);
        best.get(&key) == Some(&story.score()) && told.insert(key)
    });
    kept
}

fn acceptances(tcx: TyCtxt<'_>, outcome: &Outcome, config: &Config) -> Vec<Acceptance> {
    let lints: Vec<_> = REGISTRY.iter().map(|(lint, _)| (*lint, name_of(lint))).collect();
    emit::acceptances(tcx, &outcome.sites, &outcome.stories, &lints, config.tests)
}

/// `stale_value` for the lint that rustc knows as `STALE_VALUE`.
fn name_of(lint: &Lint) -> &'static str {
    let name = lint.name_lower();
    finding::lints::NAMES.iter().find(|known| **known == name).copied().unwrap_or(lint.name)
}

/// For Dylint and the golden tests: rustc shows the findings.
pub fn show(tcx: TyCtxt<'_>, config: &Config) {
    let outcome = match quietly(tcx, || run(tcx, config)) {
        Ok(outcome) => outcome,
        Err(message) => return tcx.dcx().warn(emit::crate_failed(&message).reason),
    };
    for (lint, story) in &outcome.stories {
        emit::emit(tcx, &outcome.sites, lint, story);
    }
}

/// For the front-end: the findings go into a file beside the unit's output. Says whether the unit was looked at: it is not
/// if it is as it was the last time.
pub fn write_facts(tcx: TyCtxt<'_>, config: &Config, toolchain: &str) -> std::io::Result<bool> {
    let Some(file) = emit::file_beside_output(tcx) else { return Ok(false) };
    let inputs = mir::inputs(tcx, Stored::path);
    let store = crates::this(tcx).map(|unit| Stored::path(&unit.metadata));
    let before = inputs.as_deref().and_then(|inputs| Memory::read(&file, store.as_deref(), inputs));
    let is_whole = || UnitFacts::read(&file, env!("CARGO_PKG_VERSION"), toolchain).is_ok();
    if let Some(before) = before.filter(|_| is_whole()) {
        mir::keep(tcx, &before.bodies);
        return Ok(false);
    }
    Memory::forget(&file);
    let whole = || {
        config.trial.stumble("crate", || tcx.crate_name(LOCAL_CRATE).to_string());
        run(tcx, config)
    };
    let outcome = quietly(tcx, whole).unwrap_or_else(|message| Outcome::nothing(emit::crate_failed(&message)));
    let crate_name = tcx.crate_name(LOCAL_CRATE).to_string();
    let package = package_of(tcx);
    let mut seen: HashMap<(&str, String, String, String), usize> = HashMap::new();
    let findings = outcome.stories.iter().map(|(lint, story)| {
        let lock = story.lock.as_ref().map(|lock| lock.path.clone()).unwrap_or_default();
        let count = seen.entry((story.lint, story.function.clone(), lock, story.access.clone())).or_default();
        *count += 1;
        emit::record(tcx, &outcome.sites, lint, &package, story, *count - 1)
    });
    let findings: Vec<Option<Recorded>> = findings.collect();
    let recipes = findings.iter().zip(&outcome.recipes).filter_map(|(recorded, recipe)| {
        let fingerprint = recorded.as_ref()?.finding.fingerprint.clone();
        Some(Recipe { fingerprint, ..recipe.clone()? })
    });
    let recipes = recipes.collect();
    UnitFacts {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        toolchain: toolchain.to_owned(),
        package: package.clone(),
        crate_name,
        test: tcx.sess.opts.test,
        functions: outcome.functions,
        functions_with_locks: outcome.functions_with_locks,
        lines: mir::lines(tcx),
        skipped: outcome.skipped.clone(),
        unknown_models: outcome.unknown_models.clone(),
        findings: findings.into_iter().flatten().collect(),
        acceptances: acceptances(tcx, &outcome, config),
        atomicity: outcome.listed.atomicity.clone(),
        guards: outcome.listed.guards.clone(),
        map: outcome.listed.map.clone(),
        recipes,
        pairs: outcome.listed.pairs,
    }
    .write(&file)?;
    if let Some(inputs) = inputs {
        Memory::write(&file, store.as_deref(), inputs, outcome.bodies);
    }
    Ok(true)
}
