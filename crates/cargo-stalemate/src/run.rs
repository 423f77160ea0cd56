//! The whole way, from the command line to the exit code.

use crate::args::{Args, Asked, AtomicityArgs, ProjectArgs};
use crate::cargo_args::CargoArgs;
use crate::check::Check;
use crate::config::{Config, DEFAULT_CONFIDENCE};
use crate::errors::{self, Exit, Failure};
use crate::listing::Listing;
use crate::merge::{Merged, merge};
use crate::project::Project;
use crate::select::Selection;
use crate::toolchain::Toolchain;
use crate::{driver, facts, report};
use std::ffi::OsString;

pub fn run(words: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    match Asked::parse(words) {
        Ok(Asked::Check(args)) => check(&args),
        Ok(Asked::Atomicity(args)) => list(&args),
        Err(error) => {
            // Help and version are "errors" of clap that succeed.
            let _ = error.print();
            if error.use_stderr() { Err(Failure::Arguments) } else { Ok(Exit::Clean) }
        }
    }
}

fn check(args: &Args) -> Result<Exit, Failure> {
    let Ran { project, config, units } = cargo_check(&args.project, args.with_dependencies, false)?;
    let merged = merge_checked(&units)?;
    merged.unknown_models.iter().for_each(|row| errors::warn_unknown_model(row));
    let threshold = args.min_confidence.or(config.min_confidence).unwrap_or(DEFAULT_CONFIDENCE);
    let selection = Selection::new(merged.findings, threshold);
    report::print(args.format, &project.root, &merged.run, &selection).map_err(Failure::CannotWrite)?;
    Ok(selection.exit())
}

/// How atomic each function is. Nothing is judged, so there is nothing to fail for.
fn list(args: &AtomicityArgs) -> Result<Exit, Failure> {
    let Ran { units, .. } = cargo_check(&args.project, false, true)?;
    merge_checked(&units)?;
    let list = Listing::new(&units, args.path.as_deref())?;
    list.print(args.format).map_err(Failure::CannotWrite)?;
    Ok(Exit::Clean)
}

/// What a run of cargo came to.
struct Ran {
    project: Project,
    config: Config,
    units: Vec<facts::Checked>,
}

fn cargo_check(args: &ProjectArgs, with_dependencies: bool, atomicity: bool) -> Result<Ran, Failure> {
    let args = CargoArgs::new(args)?;
    let toolchain = Toolchain::find()?;
    let driver = driver::find()?;
    let project = Project::load(&toolchain, &args)?;
    let mut config = configure(&project)?;
    config.settings.atomicity = atomicity;
    let check = Check {
        toolchain: &toolchain,
        driver,
        project: &project,
        settings: &config.settings,
        args: &args,
        with_dependencies,
    };
    let units = facts::collect(&check)?;
    Ok(Ran { project, config, units })
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
