//! Golden tests: every file of `ui/` through the real driver. `//~` marks are written by hand; the `.stderr` files are
//! written by `./x bless` and read before they are committed.

mod support;

use std::path::Path;
use ui_test::color_eyre::Result;
use ui_test::custom_flags::edition::Edition;
use ui_test::dependencies::DependencyBuilder;
use ui_test::{Config, bless_output_files, error_on_output_conflict, run_tests};

fn main() -> Result<()> {
    let mut config = Config { out_dir: support::target().join("ui"), ..Config::rustc(Path::new("ui")) };
    config.program.program = support::built("stalemate-driver");
    config.program.args.extend(["--emit=metadata", "-Dwarnings", "-Zui-testing"].map(Into::into));
    config.comment_defaults.base().set_custom("edition", Edition("2024".to_owned()));
    let families = support::repository().join("tests/workspaces/lock_families/Cargo.toml");
    let dependencies = DependencyBuilder { crate_manifest_path: families, ..DependencyBuilder::default() };
    config.comment_defaults.base().set_custom("dependencies", dependencies);
    config.comment_defaults.base().exit_status = None.into();
    config.comment_defaults.base().require_annotations = None.into();
    config.filter(r"ui/([a-z_]+)/([a-z0-9_]+\.rs)", "ui/$1/$2");
    config.output_conflict_handling =
        if std::env::var_os("BLESS").is_some() { bless_output_files } else { error_on_output_conflict };
    run_tests(config)
}
