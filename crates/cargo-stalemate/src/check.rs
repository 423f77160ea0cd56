//! The run of `cargo check` with the driver in the compiler's place.

use crate::cargo_args::CargoArgs;
use crate::errors::Failure;
use crate::messages::{Build, Seen, Unit, Verdict};
use crate::project::Project;
use crate::setup::Ready;
use crate::toolchain::Toolchain;
use crate::{colour, driver, wrapper};
use finding::settings::{self, Settings};
use finding::timings;
use std::io::{self, BufReader, IsTerminal, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How cargo reports a failed build script, the one failure of a project that no compiler message tells of.
const BUILD_SCRIPT_FAILED: &str = "failed to run custom build command";

/// Our directory inside each of those that the user's own builds fill.
const APART: &str = "stalemate";

/// The same where the dependencies are looked into: to cargo they are the same builds, and it would not make them anew.
const APART_WITH_DEPENDENCIES: &str = "stalemate-with-dependencies";

/// Everything a run of cargo depends on.
pub struct Check<'a> {
    pub toolchain: &'a Toolchain,
    pub driver: &'a Path,
    pub project: &'a Project,
    pub settings: &'a Settings,
    pub args: &'a CargoArgs,
    /// The driver compiles everything, not only the members of the workspace.
    pub with_dependencies: bool,
    /// Errors go to standard output as the messages they are, for an editor.
    pub pass_on: bool,
    /// Nobody hears of what goes wrong.
    pub is_quiet: bool,
    /// Where the driver tells how long it took.
    pub timings: Option<&'a Path>,
}

impl<'a> Check<'a> {
    /// The dependencies are left alone, and errors are shown to people.
    pub fn new(ready: &'a Ready, project: &'a Project, settings: &'a Settings, args: &'a CargoArgs) -> Check<'a> {
        let Ready { toolchain, driver } = ready;
        let (with_dependencies, pass_on, is_quiet, timings) = (false, false, false, None);
        Check { toolchain, driver, project, settings, args, with_dependencies, pass_on, is_quiet, timings }
    }

    /// The units of the workspace, each with its facts beside it, unless something failed.
    pub fn run(&self) -> Result<Vec<Unit>, Failure> {
        let (build, success) = self.build()?;
        match build.verdict(success) {
            Verdict::Done => Ok(build.units),
            Verdict::DoesNotCompile => Err(Failure::DoesNotCompile),
            Verdict::DriverCrashed => Err(Failure::DriverCrashed),
            Verdict::Unclear => Err(self.clear_up()),
            Verdict::Refused => Err(self.blame()),
        }
    }

    fn build(&self) -> Result<(Build, bool), Failure> {
        // Cargo's own progress goes where ours would: people see the `cargo check` they know.
        let mut cargo = self.spawn(self.command().stdout(Stdio::piped()))?;
        let output = cargo.stdout.take().expect("standard output is piped");
        let show: fn(Seen<'_>) = match () {
            () if self.is_quiet => |_| (),
            () if self.pass_on => pass_on,
            () => show,
        };
        let build = Build::read(BufReader::new(output), &self.project.members, show);
        let status = cargo.wait().map_err(|error| self.cannot_start(error))?;
        Ok((build, status.success()))
    }

    /// Cargo failed to compile something and no compiler said why. Its standard error, which went straight to the user,
    /// would tell; so it is asked once more.
    fn clear_up(&self) -> Failure {
        match self.command().output() {
            Ok(again) if String::from_utf8_lossy(&again.stderr).contains(BUILD_SCRIPT_FAILED) => {
                Failure::DoesNotCompile
            }
            Ok(_) => Failure::DriverCrashed,
            Err(error) => self.cannot_start(error),
        }
    }

    /// Cargo gave up before it compiled anything: over a bad argument, or over a driver that does not run.
    fn blame(&self) -> Failure {
        let mut question = Command::new(self.driver);
        self.set_environment(question.arg(self.toolchain.rustc()).arg("-vV"));
        match driver::complaint(&mut question) {
            Some(says) => Failure::DriverBroken { path: self.driver.to_owned(), says },
            None => Failure::CargoRefused,
        }
    }

    fn spawn(&self, command: &mut Command) -> Result<Child, Failure> {
        command.spawn().map_err(|error| self.cannot_start(error))
    }

    fn cannot_start(&self, error: io::Error) -> Failure {
        Failure::CannotStart { program: self.toolchain.cargo(), error }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.toolchain.cargo());
        let format =
            if colour::wanted(&io::stderr()) && !self.pass_on { "json-diagnostic-rendered-ansi" } else { "json" };
        // The project may ask for a compiler newer than the pinned one; the code often compiles all the same.
        command.args(["check", "--ignore-rust-version", "--message-format", format]);
        if !self.args.own_target_dir {
            // Apart from the user's own build: neither waits for the other's lock nor undoes its work.
            let apart = if self.with_dependencies { APART_WITH_DEPENDENCIES } else { APART };
            command.arg("--target-dir").arg(self.project.target_directory.join(apart));
            let build_directory = self.project.build_directory.iter().map(|directory| directory.join(apart));
            command.envs(build_directory.map(|directory| ("CARGO_BUILD_BUILD_DIR", directory)));
        }
        command.args(&self.args.words);
        if self.is_quiet {
            command.stderr(Stdio::null());
        }
        self.set_environment(&mut command);
        command
    }

    fn set_environment(&self, command: &mut Command) {
        let (library_variable, library_path) = self.toolchain.library_path();
        command
            .env(if self.with_dependencies { "RUSTC_WRAPPER" } else { "RUSTC_WORKSPACE_WRAPPER" }, self.driver)
            .env("RUSTC", self.toolchain.rustc())
            // For build scripts that call `cargo` or `rustc` by name, in spite of the project's rust-toolchain.toml.
            .env("RUSTUP_TOOLCHAIN", self.toolchain.name())
            // Only our lints speak; those of a nightly cargo about the manifest are nothing the user asked for.
            .env("CARGO_BUILD_WARNINGS", "allow")
            .env(settings::VARIABLE, self.settings.to_variable())
            .env(library_variable, library_path)
            .envs(self.timings.map(|file| (timings::VARIABLE, file)))
            // Left by a cargo of another toolchain that started us; cargo would pass them on as its own.
            .env_remove("CARGO")
            .env_remove("RUSTDOC");
        if self.with_dependencies {
            command.env_remove("RUSTC_WORKSPACE_WRAPPER");
        } else if wrapper::may_be_configured(self.args) {
            command.env("RUSTC_WRAPPER", "");
        }
    }
}

/// Shows it on standard error, in place of the progress bar that cargo may have drawn there.
fn show(seen: Seen) {
    let mut out = io::stderr().lock();
    let erase = if out.is_terminal() { "\r\x1b[K" } else { "" };
    let _ = match seen {
        Seen::Error { rendered, .. } => write!(out, "{erase}{rendered}"),
        Seen::Other(line) => writeln!(out, "{erase}{line}"),
    };
}

/// A reader that is gone shows when the report is written.
fn pass_on(seen: Seen) {
    match seen {
        Seen::Error { line, .. } => drop(writeln!(io::stdout(), "{line}")),
        Seen::Other(_) => show(seen),
    }
}
