//! Under a front-end: only our lints speak, and they speak into a file.

use finding::settings::{Settings, VARIABLE};
use finding::timings::{self, UnitTimings};
use rustc_abi::FieldIdx;
use rustc_driver::{Callbacks, Compilation};
use rustc_hir::def_id::{LOCAL_CRATE, LocalDefId};
use rustc_index::bit_set::DenseBitSet;
use rustc_interface::interface::{Compiler, Config};
use rustc_lint_defs::{Level, LintId};
use rustc_middle::ty::TyCtxt;
use rustc_session::Session;
use rustc_span::Symbol;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

pub(crate) struct Recording {
    settings: Settings,
}

/// Lints of the compiler that it looks for with passes over every body. Nobody would hear of them here, and the same holds
/// of unused variables and dead code, which have queries of their own.
const SILENT_LINTS: &[&str] = &[
    "CheckCallRecursion",
    "CheckConstItemMutation",
    "CheckDropRecursion",
    "FunctionItemReferences",
    "KnownPanicsLint",
];

type Liveness = for<'tcx> fn(TyCtxt<'tcx>, LocalDefId) -> DenseBitSet<FieldIdx>;

/// The compiler's own answer.
static CHECK_LIVENESS: OnceLock<Liveness> = OnceLock::new();

/// Which captured variables are dead; a function has captured none. The answer must be the compiler's own: it compares it
/// with the one of the last run, whoever gave that.
fn check_liveness(tcx: TyCtxt<'_>, body: LocalDefId) -> DenseBitSet<FieldIdx> {
    match CHECK_LIVENESS.get().filter(|_| tcx.is_closure_like(body.to_def_id())) {
        Some(ask) => ask(tcx, body),
        None => DenseBitSet::new_empty(0),
    }
}

impl Recording {
    pub(crate) fn new(settings: Settings) -> Self {
        Recording { settings }
    }
}

impl Callbacks for Recording {
    fn config(&mut self, config: &mut Config) {
        crate::showing::common(config);
        config.register_lints = Some(Box::new(|_, store| store.register_lints(&stalemate::lints())));
        config.track_state = Some(Box::new(track));
        let silent = SILENT_LINTS.iter().map(|name| ((*name).to_owned(), false));
        config.opts.unstable_opts.mir_enable_passes.extend(silent);
        config.override_queries = Some(|_, providers| {
            let _ = CHECK_LIVENESS.set(providers.queries.check_liveness);
            providers.queries.check_liveness = check_liveness;
            providers.queries.check_mod_deathness = |_, _| ();
        });
        // `#![deny(warnings)]` and the like must not fail a project for what only this nightly warns of.
        let others = rustc_lint::new_lint_store(true);
        config.lint_caps.extend(others.get_lints().iter().map(|lint| (LintId::of(lint), Level::Allow)));
    }

    fn after_analysis<'tcx>(&mut self, _: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        if tcx.dcx().has_errors().is_none() {
            let config = match stalemate::config::Config::of_front_end(&self.settings) {
                Ok(config) => config,
                Err(error) => tcx.dcx().fatal(format!("stalemate cannot read its settings: {error}")),
            };
            let file = std::env::var_os(timings::VARIABLE);
            if file.is_some() {
                stalemate::clock::start(thread_time);
            }
            match stalemate::pass::write_facts(tcx, &config, &toolchain()) {
                Ok(looked_at) => tell_timings(tcx, file.as_deref().map(Path::new), !looked_at),
                Err(error) => tcx.dcx().fatal(format!("stalemate cannot write its findings: {error}")),
            }
        }
        Compilation::Continue
    }
}

/// A file that cannot be written is one that nobody reads: whoever measures sees it.
fn tell_timings(tcx: TyCtxt<'_>, file: Option<&Path>, kept: bool) {
    let Some(file) = file else { return };
    let (nanoseconds, counts) = (stalemate::clock::stop(), stalemate::clock::counts());
    let crate_name = tcx.crate_name(LOCAL_CRATE).to_string();
    let _ = UnitTimings { crate_name, test: tcx.sess.opts.test, kept, nanoseconds, counts }.append(file);
}

/// Only what this thread ran for, whatever else the machine does.
#[cfg(unix)]
fn thread_time() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// What cargo must know to decide whether a unit is fresh: the settings, and which driver it was.
fn track(session: &Session) {
    let settings = std::env::var(VARIABLE).ok();
    session.env_depinfo.lock().insert((Symbol::intern(VARIABLE), settings.as_deref().map(Symbol::intern)));
    if let Some(driver) = std::env::current_exe().ok().as_deref().and_then(|path| path.to_str()) {
        session.file_depinfo.lock().insert(Symbol::intern(driver));
    }
}

/// The channel this driver was built with, from the last part of its sysroot: `nightly-2026-10-01`.
fn toolchain() -> String {
    finding::facts::channel_of(env!("STALEMATE_SYSROOT"))
}
