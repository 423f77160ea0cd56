//! Without a front-end: as under Dylint, rustc shows what is found.

use rustc_driver::{Callbacks, Compilation};
use rustc_interface::interface::{Compiler, Config};
use rustc_middle::ty::TyCtxt;

pub(crate) struct Showing;

impl Callbacks for Showing {
    fn config(&mut self, config: &mut Config) {
        common(config);
        config.register_lints = Some(Box::new(stalemate::register_lints));
    }
}

/// Prints the rows of the models that lead nowhere from this crate.
pub(crate) struct Unresolved;

impl Callbacks for Unresolved {
    fn config(&mut self, config: &mut Config) {
        common(config);
    }

    fn after_analysis<'tcx>(&mut self, _: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        stalemate::unresolved_models(tcx).iter().for_each(|row| println!("{row}"));
        Compilation::Stop
    }
}

/// What both ways need: MIR with all its variables, and the symbols that clippy_utils counts on.
pub(crate) fn common(config: &mut Config) {
    config.opts.unstable_opts.mir_opt_level = Some(0);
    config.extra_symbols = clippy_utils::sym::EXTRA_SYMBOLS.into();
}
