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

/// Writes the rows of the models that lead nowhere from this crate into a file, one a line.
pub(crate) struct Unresolved {
    pub(crate) file: std::path::PathBuf,
}

impl Callbacks for Unresolved {
    fn config(&mut self, config: &mut Config) {
        common(config);
    }

    fn after_analysis<'tcx>(&mut self, _: &Compiler, tcx: TyCtxt<'tcx>) -> Compilation {
        let rows: String = stalemate::unresolved_models(tcx).iter().map(|row| format!("{row}\n")).collect();
        if let Err(error) = std::fs::write(&self.file, rows) {
            tcx.dcx().fatal(format!("stalemate cannot write {}: {error}", self.file.display()));
        }
        Compilation::Continue
    }
}

/// What both ways need: MIR with all its variables, and the symbols that clippy_utils counts on.
pub(crate) fn common(config: &mut Config) {
    config.opts.unstable_opts.mir_opt_level = Some(0);
    config.extra_symbols = clippy_utils::sym::EXTRA_SYMBOLS.into();
}
