//! The whole way, from the command line to the exit code.

use crate::args::Args;
use crate::cargo_args::CargoArgs;
use crate::check::Check;
use crate::config::{Config, DEFAULT_CONFIDENCE};
use crate::errors::{self, Exit, Failure};
use crate::merge::{Merged, merge};
use crate::project::Project;
use crate::select::Selection;
use crate::toolchain::Toolchain;
use crate::{driver, facts, report};
use std::ffi::OsString;

pub fn run(words: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    match Args::parse(words) {
        Ok(args) => check(&args),
        Err(error) => {
            // Help and version are "errors" of clap that succeed.
            let _ = error.print();
            if error.use_stderr() { Err(Failure::Arguments) } else { Ok(Exit::Clean) }
        }
    }
}

fn check(args: &Args) -> Result<Exit, Failure> {
    let cargo_args = CargoArgs::new(args)?;
    let toolchain = Toolchain::find()?;
    let driver = driver::find()?;
    let project = Project::load(&toolchain, &cargo_args)?;
    let config = configure(&project)?;
    let check = Check {
        toolchain: &toolchain,
        driver,
        project: &project,
        settings: &config.settings,
        args: &cargo_args,
        with_dependencies: args.with_dependencies,
    };
    let merged = merge_checked(&facts::collect(&check)?)?;
    merged.unknown_models.iter().for_each(|row| errors::warn_unknown_model(row));
    let threshold = args.min_confidence.or(config.min_confidence).unwrap_or(DEFAULT_CONFIDENCE);
    let selection = Selection::new(merged.findings, threshold);
    report::print(args.format, &project.root, &merged.run, &selection).map_err(Failure::CannotWrite)?;
    Ok(selection.exit())
}

fn configure(project: &Project) -> Result<Config, Failure> {
    project.unread.iter().for_each(errors::warn_unread);
    let Some(table) = &project.config else { return Ok(Config::default()) };
    Config::read(table).map_err(|mistakes| Failure::Config { manifest: table.manifest.clone(), mistakes })
}

/// A run that looked at nothing must not look like one that found nothing.
fn merge_checked(units: &[facts::Checked]) -> Result<Merged, Failure> {
    if units.is_empty() {
        return Err(Failure::NoUnits);
    }
    let merged = merge(units);
    if merged.run.functions == 0 { Err(Failure::NoFunctions) } else { Ok(merged) }
}
