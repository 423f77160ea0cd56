//! What has to be there before anything can be checked: the pinned toolchain and the driver for it. What is missing is
//! installed, with a word before and cargo's and rustup's own progress: one `cargo install` is all that a user does by hand.
//!
//! With the variable [`VARIABLE`] set to `never`, nothing is installed, and the run ends with the command that would.

use crate::VERSION;
use crate::driver::{self, Found};
use crate::errors::{Complaint, Exit, Failure};
use crate::toolchain::{TOOLCHAIN, Toolchain};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub const VARIABLE: &str = "STALEMATE_SETUP";

/// The parts of the toolchain that the driver is built with.
pub const COMPONENTS: &str = "rustc-dev,llvm-tools,rust-src";

/// The programs that a check needs.
#[derive(Debug)]
pub struct Ready {
    pub toolchain: Toolchain,
    pub driver: PathBuf,
}

/// Finds both, or gets them.
pub fn ready() -> Result<Ready, Failure> {
    let toolchain = match Toolchain::find() {
        Err(Failure::ToolchainMissing) if is_allowed() => install_toolchain()?,
        found => found?,
    };
    let driver = match driver::find()? {
        Found::Here(driver) => driver,
        Found::ToBuild if is_allowed() => build_driver(&toolchain)?,
        Found::ToBuild => return Err(Failure::DriverNotBuilt),
    };
    Ok(Ready { toolchain, driver })
}

/// `cargo stalemate setup`: asked for, so it is allowed whatever the variable says.
pub fn run() -> Result<Exit, Failure> {
    let toolchain = match Toolchain::find() {
        Err(Failure::ToolchainMissing) => install_toolchain()?,
        found => found?,
    };
    if driver::find()? == Found::ToBuild {
        build_driver(&toolchain)?;
    }
    Complaint::remark(&format!("ready: {TOOLCHAIN} and the driver of {VERSION} are there")).print();
    Ok(Exit::Clean)
}

fn is_allowed() -> bool {
    std::env::var_os(VARIABLE).is_none_or(|value| value != "never")
}

/// The command line that gets the toolchain, or what it lacks.
pub fn toolchain_command() -> Vec<&'static str> {
    vec![
        "rustup",
        "toolchain",
        "install",
        TOOLCHAIN,
        "--profile",
        "minimal",
        "--component",
        COMPONENTS,
        "--no-self-update",
    ]
}

fn install_toolchain() -> Result<Toolchain, Failure> {
    Complaint::remark(&format!("installing {TOOLCHAIN}, which the check runs with (once, about 1.5 GB)")).print();
    let words = toolchain_command();
    run_through("installing the toolchain", Command::new(words[0]).args(&words[1..]), words.join(" "))?;
    Toolchain::find()
}

/// Whether races on plain memory can be run, once what is missing for it was got.
pub fn with_miri(toolchain: &Toolchain) -> bool {
    if !toolchain.has_miri() && is_allowed() {
        Complaint::remark(&format!("adding Miri to {TOOLCHAIN}, which runs races on plain memory (once)")).print();
        let words = ["component", "add", "miri", "--toolchain", TOOLCHAIN];
        let _ = Command::new("rustup").args(words).stdin(Stdio::null()).stdout(Stdio::null()).status();
    }
    toolchain.has_miri()
}

/// The command line that builds the driver, without the program.
pub fn driver_arguments() -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["install".into()];
    match driver::checkout() {
        Some(package) => words.extend(["--path".into(), package.into()]),
        None => words.push(format!("stalemate-driver@{VERSION}").into()),
    }
    words.extend(["--locked".into(), "--force".into(), "--root".into(), driver::home().into()]);
    words
}

fn build_driver(toolchain: &Toolchain) -> Result<PathBuf, Failure> {
    if !toolchain.has_compiler_libraries() {
        install_toolchain()?;
    }
    Complaint::remark(&format!("building the driver for {TOOLCHAIN} (once, a few minutes)")).print();
    let words = driver_arguments();
    let shown: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut cargo = Command::new(toolchain.cargo());
    let (variable, libraries) = toolchain.library_path();
    cargo.args(&words).env("RUSTC", toolchain.rustc()).env("RUSTUP_TOOLCHAIN", toolchain.name());
    // Anything in the user's project or shell that changes how *its* code is built is none of the driver's.
    cargo.current_dir(driver::checkout().unwrap_or_else(std::env::temp_dir)).env(variable, libraries);
    for name in ["CARGO", "CARGO_TARGET_DIR", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC"] {
        cargo.env_remove(name);
    }
    run_through("building the driver", &mut cargo, format!("cargo +{TOOLCHAIN} {}", shown.join(" ")))?;
    match driver::find()? {
        Found::Here(driver) => Ok(driver),
        Found::ToBuild => Err(Failure::DriverNotBuilt),
    }
}

/// Its progress is the user's to see; standard output stays free for the report.
fn run_through(what: &str, command: &mut Command, line: String) -> Result<(), Failure> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let failed = || Failure::SetupFailed { what: what.to_owned(), command: line };
    if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(failed()) }
}
