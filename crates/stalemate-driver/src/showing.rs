//! Without a front-end: as under Dylint, rustc shows what is found.

use rustc_driver::Callbacks;
use rustc_interface::interface::Config;

pub(crate) struct Showing;

impl Callbacks for Showing {
    fn config(&mut self, config: &mut Config) {
        common(config);
        config.register_lints = Some(Box::new(stalemate::register_lints));
    }
}

/// What both ways need: MIR with all its variables, and the symbols that clippy_utils counts on.
pub(crate) fn common(config: &mut Config) {
    config.opts.unstable_opts.mir_opt_level = Some(0);
    config.extra_symbols = clippy_utils::sym::EXTRA_SYMBOLS.into();
}
