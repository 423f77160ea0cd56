//! The whole way, from the command line to the exit code.

use crate::accepting::{self, Unused};
use crate::args::{AcceptArgs, Args, Asked, ConfirmArgs, ExplainArgs, Format, ListArgs, ProjectArgs};
use crate::baseline::{self, BaselineFile};
use crate::cargo_args::CargoArgs;
use crate::check::Check;
use crate::config::Config;
use crate::confirm::keeping;
use crate::confirm::remembered::{self, Remembered};
use crate::confirm::session::Session;
use crate::errors::{Exit, Failure, Request};
use crate::explain::{self, Topic};
use crate::guarding::Guarding;
use crate::listing::Listing;
use crate::merge::{Merged, merge};
use crate::project::Project;
use crate::report::html::{Output, Refused};
use crate::select::{Selection, by_fingerprint};
use crate::setup::Ready;
use crate::timings::Measured;
use crate::{doctor, facts, remarks, report, setup, since};
use finding::document::ConfirmationStatus;
use finding::facts::Recorded;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub fn run(words: impl IntoIterator<Item = OsString>) -> Result<Exit, Failure> {
    match Asked::parse(words) {
        Ok(Asked::Check(args)) => check(&args).inspect_err(|failure| report::print_failure(args.format, failure)),
        Ok(Asked::Accept(args)) => accept(&args),
        Ok(Asked::Confirm(args)) => confirm(&args),
        Ok(Asked::Explain(args)) => tell(&args),
        Ok(Asked::Atomicity(args)) => list(&args),
        Ok(Asked::Guards(args)) => list_guards(&args),
        Ok(Asked::Doctor(args)) => doctor::run(&args),
        Ok(Asked::Setup) => setup::run(),
        Err(error) => {
            // Help and version are "errors" of clap that succeed.
            let _ = error.print();
            if error.use_stderr() { Err(Failure::Arguments) } else { Ok(Exit::Clean) }
        }
    }
}

fn check(args: &Args) -> Result<Exit, Failure> {
    let output = output(args)?;
    let measured = args.timings.then(Measured::start);
    let timings = measured.as_ref().map(Measured::file);
    let how = How { with_dependencies: args.with_dependencies, pass_on: args.format == Format::Cargo, timings };
    let listed = if output.is_some() { Listed::Pages } else { Listed::Nothing };
    let mut ran = cargo_check(&args.project, how, listed)?;
    let Merged { run, mut findings, unknown_models } = merge_checked(&ran.units)?;
    unknown_models.iter().for_each(|row| remarks::unknown_model(row));
    Remembered::read(&ran.project.target_directory).tell(&ran.project.root, &mut findings);
    let file = baseline_path(args, &ran.project, &ran.config);
    let mut file = file.map(|path| BaselineFile::open(path, args.write_baseline)).transpose()?;
    let mut unused = Unused { in_code: accepting::unused_in_code(&ran.units), ..Unused::default() };
    let skipped = accepting::by_settings(&mut findings, &ran.config, &mut unused);
    if let Some(file) = &file {
        accepting::by_baseline(&mut findings, &file.baseline, &run.packages, &mut unused);
    }
    let known = match &args.since {
        Some(revision) => since::leave_new(&mut findings, revision, &mut ran)?,
        None => 0,
    };
    let mut selection = Selection::new(findings, |lint| ran.config.threshold(args.min_confidence, lint));
    (selection.skipped, selection.known) = (skipped, known);
    if let Some(file) = &mut file {
        keep_baseline(args, file, &mut selection, &mut unused)?;
    }
    remarks::unused(&unused, file.as_ref().map(|file| file.path.as_path()));
    if let Some((directory, output)) = &output {
        let written = report::write_pages(output, &ran.project.root, &ran.units, &run, &selection);
        written.map_err(|error| Failure::Output { directory: directory.clone(), why: Refused::Io(error) })?;
    }
    report::print(args.format, &ran.project, &ran.units, &run, &selection).map_err(Failure::CannotWrite)?;
    if args.stats {
        report::print_stats(&ran.units);
    }
    if let Some(measured) = measured {
        report::print_timings(&measured.units(), ran.in_cargo, measured.elapsed());
    }
    Ok(selection.exit())
}

/// Where the baseline is, if there is to be one.
fn baseline_path(args: &Args, project: &Project, config: &Config) -> Option<PathBuf> {
    let by_default = || (args.write_baseline || args.prune_baseline).then(|| project.root.join(baseline::FILE));
    match &args.baseline {
        Some(Some(given)) => Some(given.clone()),
        Some(None) => Some(of_settings(project, config)),
        None => config.baseline.as_ref().map(|_| of_settings(project, config)).or_else(by_default),
    }
}

fn of_settings(project: &Project, config: &Config) -> PathBuf {
    project.root.join(config.baseline.as_deref().unwrap_or(baseline::FILE))
}

/// Adds what is open, or takes out what is gone, if that is what was asked for.
fn keep_baseline(
    args: &Args,
    file: &mut BaselineFile,
    selection: &mut Selection,
    unused: &mut Unused,
) -> Result<(), Failure> {
    if args.write_baseline {
        file.take_in(&mut selection.shown, "");
    }
    if args.prune_baseline {
        file.baseline.remove(&std::mem::take(&mut unused.entries));
    }
    if args.write_baseline || args.prune_baseline { file.save() } else { Ok(()) }
}

/// Adds single findings to the baseline.
fn accept(args: &AcceptArgs) -> Result<Exit, Failure> {
    let Ran { project, config, units, .. } = cargo_check(&args.project, How::default(), Listed::Nothing)?;
    let findings = merge_checked(&units)?.findings;
    let path = args.baseline.clone().unwrap_or_else(|| of_settings(&project, &config));
    let mut file = BaselineFile::open(path, true)?;
    for fingerprint in &args.fingerprints {
        let found = by_fingerprint(&findings, fingerprint)?;
        file.take_in(&mut [found.clone()], &args.reason);
    }
    file.save()?;
    Ok(Exit::Clean)
}

/// Runs what was found. What that shows is kept for later reports.
fn confirm(args: &ConfirmArgs) -> Result<Exit, Failure> {
    if let Some(directory) = args.keep.as_ref().filter(|directory| !keeping::may_use(directory)) {
        return Err(Request::KeepElsewhere { directory: directory.clone() }.into());
    }
    let fixture = args.fixture.as_ref().map(|file| {
        let cannot = |error| Failure::from(Request::CannotRead { file: file.clone(), error });
        std::fs::read_to_string(file).map_err(cannot)
    });
    let fixture = fixture.transpose()?;
    let listed = if args.test.is_some() { Listed::Nothing } else { Listed::Recipes };
    let ran = cargo_check(&args.project, How::default(), listed)?;
    let Merged { run, findings, unknown_models } = merge_checked(&ran.units)?;
    unknown_models.iter().for_each(|row| remarks::unknown_model(row));
    let mut chosen = chosen(args, &ran, findings)?;
    if fixture.is_some() && chosen.len() != 1 {
        return Err(Request::FixtureForMany { findings: chosen.len() }.into());
    }
    remarks::trying(chosen.len());
    let Ran { ready, project, args: cargo, units, .. } = &ran;
    let toolchain = &ready.toolchain;
    let with_tests = &|| checked_with_tests(&ran);
    let in_copy = &|root: &Path, words| checked_in_copy(&ran, root, words);
    let keep = args.keep.as_deref();
    let session = Session { toolchain, project, args: cargo, units, with_tests, in_copy, keep, fixture };
    let results = match &args.test {
        Some(name) => session.run_test(&chosen, name)?,
        None => session.run(&chosen)?,
    };
    let mut known = Remembered::read(&project.target_directory);
    for Recorded { finding, .. } in &mut chosen {
        if let Some(confirmation) = results.get(&finding.fingerprint) {
            // A test that shows nothing takes nothing back that was shown by other means.
            let shows = args.test.is_none() || confirmation.status == ConfirmationStatus::Confirmed;
            if shows || !known.is_confirmed(&project.root, finding) {
                known.add(&project.root, finding, confirmation);
            }
            remembered::give(finding, confirmation.clone());
        }
    }
    // Without it a later report says nothing of this run.
    let _ = known.write(&project.target_directory);
    let selection = Selection { shown: chosen, hidden: Vec::new(), skipped: 0, known: 0 };
    report::print_confirmed(args.format, &run, &selection).map_err(Failure::CannotWrite)
}

/// The findings that are named, or all that a report would show as open.
fn chosen(args: &ConfirmArgs, ran: &Ran, mut findings: Vec<Recorded>) -> Result<Vec<Recorded>, Failure> {
    if !args.fingerprints.is_empty() {
        return args.fingerprints.iter().map(|digits| by_fingerprint(&findings, digits).cloned()).collect();
    }
    let mut unused = Unused::default();
    accepting::by_settings(&mut findings, &ran.config, &mut unused);
    if ran.config.baseline.is_some() {
        let file = BaselineFile::open(of_settings(&ran.project, &ran.config), false)?;
        let packages: Vec<String> = ran.project.members.values().cloned().collect();
        accepting::by_baseline(&mut findings, &file.baseline, &packages, &mut unused);
    }
    let selection = Selection::new(findings, |lint| ran.config.threshold(args.min_confidence, lint));
    Ok(selection.open().cloned().collect())
}

/// The page of a lint needs no project; the story of a finding does.
fn tell(args: &ExplainArgs) -> Result<Exit, Failure> {
    match Topic::of(&args.what)? {
        Topic::Lint(page) => explain::print(page).map_err(Failure::CannotWrite)?,
        Topic::Finding => {
            let Ran { project, units, .. } = cargo_check(&args.project, How::default(), Listed::Nothing)?;
            let findings = merge_checked(&units)?.findings;
            let story = report::side_by_side(&project.root, by_fingerprint(&findings, &args.what)?);
            explain::print(&story).map_err(Failure::CannotWrite)?;
        }
    }
    Ok(Exit::Clean)
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
    /// How each finding can be run.
    Recipes,
}

/// How cargo is run, as [`Check`] has it.
#[derive(Clone, Copy, Default)]
struct How<'a> {
    with_dependencies: bool,
    pass_on: bool,
    timings: Option<&'a Path>,
}

/// What a run of cargo came to.
pub struct Ran {
    pub ready: Ready,
    pub args: CargoArgs,
    pub project: Project,
    pub config: Config,
    pub units: Vec<facts::Checked>,
    /// How long cargo and all that it started took, by the clock.
    pub in_cargo: Duration,
}

fn cargo_check(args: &ProjectArgs, how: How<'_>, listed: Listed) -> Result<Ran, Failure> {
    let args = CargoArgs::new(args)?;
    let ready = setup::ready()?;
    let project = Project::load(&ready.toolchain, &args)?;
    let mut config = configure(&project)?;
    config.settings.atomicity = listed == Listed::Atomicity;
    config.settings.guards = matches!(listed, Listed::Guards | Listed::Pages);
    config.settings.map = listed == Listed::Pages;
    config.settings.recipes = listed == Listed::Recipes;
    if config.settings.recipes {
        config.settings.fixtures = std::mem::take(&mut config.fixtures);
    }
    let How { with_dependencies, pass_on, timings } = how;
    let check = Check::new(&ready, &project, &config.settings, &args);
    let start = Instant::now();
    let units = facts::collect(&Check { with_dependencies, pass_on, timings, ..check })?;
    Ok(Ran { ready, args, project, config, units, in_cargo: start.elapsed() })
}

/// The same units once more, with their tests; none if these do not compile.
fn checked_with_tests(ran: &Ran) -> Vec<facts::Checked> {
    let Some(args) = ran.args.with_tests() else { return Vec::new() };
    let check = Check::new(&ran.ready, &ran.project, &ran.config.settings, &args);
    facts::collect(&Check { is_quiet: true, ..check }).unwrap_or_default()
}

/// The same in a copy of the workspace, which has a place of its own for what is built.
fn checked_in_copy(ran: &Ran, root: &Path, words: Vec<OsString>) -> Vec<facts::Checked> {
    let Some(args) = CargoArgs::of_copy(root, words, ran.args.config.clone()).with_tests() else { return Vec::new() };
    let Ok(project) = Project::load(&ran.ready.toolchain, &args) else { return Vec::new() };
    let project = Project { target_directory: root.with_extension("checked"), build_directory: None, ..project };
    let check = Check::new(&ran.ready, &project, &ran.config.settings, &args);
    facts::collect(&Check { is_quiet: true, ..check }).unwrap_or_default()
}

fn configure(project: &Project) -> Result<Config, Failure> {
    project.unread.iter().for_each(remarks::unread);
    let Some(table) = &project.config else { return Ok(Config::default()) };
    Config::read(table).map_err(|mistakes| Failure::Config { manifest: table.manifest.clone(), mistakes })
}

/// A run that looked at nothing must not look like one that found nothing.
pub fn merge_checked(units: &[facts::Checked]) -> Result<Merged, Failure> {
    if units.is_empty() {
        return Err(Failure::NoUnits);
    }
    let merged = merge(units);
    match merged.run.skipped.first() {
        _ if merged.run.functions > 0 => Ok(merged),
        Some(skipped) => Err(Failure::AnalysisFailed { reason: skipped.reason.clone() }),
        None => Err(Failure::NoFunctions),
    }
}
