//! Stalemate: lints for concurrency bugs that the borrow checker lets through.
//!
//! Data walks one way through this crate, and the modules are the rooms it walks through:
//!
//! 1. [`models`]: what calls of lock libraries mean, as data;
//! 2. [`mir`]: the only room that knows rustc's ways; reads bodies into a plain form;
//! 3. [`events`]: a body as the list of things that matter: acquire, release, wait, call, branch;
//! 4. [`domain`]: pure lattices: where things are, which locks are held, which section a value comes from, how old it is;
//! 5. [`summary`]: what the rest of the crate must know of a body;
//! 6. [`flow`]: walks a body until nothing new is learnt;
//! 7. [`checks`]: one file, one lint;
//! 8. [`emit`]: the only room with words: rustc's diagnostics, and records for the front-end;
//! 9. [`pass`]: walks the whole corridor.
//!
//! [`clock`] says where the time goes.
//!
//! It is used in two shells. Dylint loads it as a library and calls [`register_lints`]; there rustc shows the findings.
//! Our own driver links it, and where `cargo stalemate` runs the driver, the findings go into a file instead.
#![feature(rustc_private)]

extern crate rustc_abi;
extern crate rustc_ast;
extern crate rustc_attr_ir;
extern crate rustc_data_structures;
extern crate rustc_errors;
extern crate rustc_hir;
extern crate rustc_index;
extern crate rustc_lexer;
extern crate rustc_lint;
extern crate rustc_lint_defs;
extern crate rustc_middle;
extern crate rustc_session;
extern crate rustc_span;

mod checks;
pub mod clock;
pub mod config;
mod domain;
mod emit;
mod events;
mod flow;
mod mir;
mod models;
pub mod pass;
mod summary;

use config::Config;
use mir::resolve::Resolved;
use models::Models;
use rustc_lint::{LateContext, LateLintPass, LintStore};
use rustc_lint_defs::{Lint, LintPass, LintVec};
use rustc_middle::ty::TyCtxt;
use rustc_session::Session;

dylint_linting::dylint_library!();

/// Called by Dylint, and by our driver where no front-end reads the findings.
#[unsafe(no_mangle)]
pub fn register_lints(session: &Session, store: &mut LintStore) {
    dylint_linting::init_config(session);
    store.register_lints(&lints());
    match Config::of_dylint() {
        Ok(config) => store.register_late_lint_pass(Box::new(move |_| Box::new(Shown(config.clone())))),
        Err(why) => {
            session.dcx().err(emit::bad_settings(&why));
        }
    }
}

/// The lints, for rustc to know their names and levels.
pub fn lints() -> Vec<&'static Lint> {
    checks::REGISTRY.iter().map(|(lint, _)| *lint).collect()
}

/// Rows of the models that lead nowhere from this crate. For the tests: a crate that uses only `std` must find all of
/// the standard library's.
pub fn unresolved_models(tcx: TyCtxt<'_>) -> Vec<String> {
    Resolved::new(tcx, &Models::shipped()).unresolved().to_vec()
}

/// One pass for all lints: they share the walk. It names no lints of its own, so rustc never skips it.
struct Shown(Config);

impl LintPass for Shown {
    fn name(&self) -> &'static str {
        "stalemate"
    }

    fn get_lints(&self) -> LintVec {
        LintVec::new()
    }
}

impl<'tcx> LateLintPass<'tcx> for Shown {
    fn check_crate_post(&mut self, context: &LateContext<'tcx>) {
        pass::show(context.tcx, &self.0);
    }
}
