//! The whole way, from the command line to the exit code.

use crate::args::{Args, Asked, Format, ListArgs, ProjectArgs};
use crate::cargo_args::CargoArgs;
use crate::check::Check;
use crate::config::{Config, DEFAULT_CONFIDENCE};
use crate::errors::{self, Exit, Failure};
use crate::guarding::Guarding;
use crate::listing::Listing;
use crate::merge::{Merged, merge};
use crate::project::Project;
use crate::report::html::{Output, Refused};
use crate::select::Selection;
use crate::toolchain::Toolchain;
use crate::{driver, facts, report};
use std::ffi::OsString;
use std::path::PathBuf;

pub fn run(words: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    match Asked::parse(words) {
        Ok(Asked::Check(args)) => check(&args).inspect_err(|failure| report::print_failure(args.format, failure)),
        Ok(Asked::Atomicity(args)) => list(&args),
        Ok(Asked::Guards(args)) => list_guards(&args),
        Err(error) => {
            // Help and version are "errors" of clap that succeed.
            let _ = error.print();
            if error.use_stderr() { Err(Failure::Arguments) } else { Ok(Exit::Clean) }
        }
    }
}

fn check(args: &Args) -> Result<Exit, Failure> {
    let output = output(args)?;
    let how = How { with_dependencies: args.with_dependencies, pass_on: args.format == Format::Cargo };
    let listed = if output.is_some() { Listed::Pages } else { Listed::Nothing };
    let Ran { project, config, units } = cargo_check(&args.project, how, listed)?;
    let merged = merge_checked(&units)?;
    merged.unknown_models.iter().for_each(|row| errors::warn_unknown_model(row));
    let threshold = args.min_confidence.or(config.min_confidence).unwrap_or(DEFAULT_CONFIDENCE);
    let selection = Selection::new(merged.findings, threshold);
    if let Some((directory, output)) = &output {
        let written = report::write_pages(output, &project.root, &units, &merged.run, &selection);
        written.map_err(|error| Failure::Output { directory: directory.clone(), why: Refused::Io(error) })?;
    }
    report::print(args.format, &project, &units, &merged.run, &selection).map_err(Failure::CannotWrite)?;
    if args.stats {
        report::print_stats(&units);
    }
    Ok(selection.exit())
}

/// Where pages go, if pages are asked for; looked at before anything takes time.
fn output(args: &Args) -> Result<Option<(PathBuf, Output)>, Failure> {
    match (&args.output, args.format) {
        (None, Format::Html) => Err(Failure::OutputMissing),
        (Some(directory), Format::Html) => match Output::check(directory) {
            Ok(output) => Ok(Some((directory.clone(), output))),
            Err(why) => Err(Failure::Output { directory: directory.clone(), why }),
        },
        (Some(_), _) => Err(Failure::OutputUnused),
        (None, _) => Ok(None),
    }
}

/// How atomic each function is. Nothing is judged, so there is nothing to fail for.
fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let Ran { units, .. } = cargo_check(&args.project, How::default(), Listed::Atomicity)?;
    merge_checked(&units)?;
    let list = Listing::new(&units, args.path.as_deref())?;
    list.print(args.format).map_err(Failure::CannotWrite)?;
    Ok(Exit::Clean)
}

/// What guards what; likewise.
fn list_guards(args: &ListArgs) -> Result<Exit, Failure> {
    let Ran { units, .. } = cargo_check(&args.project, How::default(), Listed::Guards)?;
    merge_checked(&units)?;
    let list = Guarding::new(&units, args.path.as_deref())?;
    list.print(args.format).map_err(Failure::CannotWrite)?;
    Ok(Exit::Clean)
}

/// What is asked for beside the findings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Nothing,
    Atomicity,
    Guards,
    /// What the pages show.
    Pages,
}

/// How cargo is run, as [`Check`] has it.
#[derive(Clone, Copy, Default)]
struct How {
    with_dependencies: bool,
    pass_on: bool,
}

/// What a run of cargo came to.
struct Ran {
    project: Project,
    config: Config,
    units: Vec<facts::Checked>,
}

fn cargo_check(args: &ProjectArgs, how: How, listed: Listed) -> Result<Ran, Failure> {
    let args = CargoArgs::new(args)?;
    let toolchain = Toolchain::find()?;
    let driver = driver::find()?;
    let project = Project::load(&toolchain, &args)?;
    let mut config = configure(&project)?;
    config.settings.atomicity = listed == Listed::Atomicity;
    config.settings.guards = matches!(listed, Listed::Guards | Listed::Pages);
    config.settings.map = listed == Listed::Pages;
    let check = Check {
        toolchain: &toolchain,
        driver,
        project: &project,
        settings: &config.settings,
        args: &args,
        with_dependencies: how.with_dependencies,
        pass_on: how.pass_on,
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
