//! Gets `cargo dylint` and runs it, in an environment that holds nothing of the cargo that runs this test.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::{clippy_repository, repository, tools_dir};

const CARGO_DYLINT: &str = "6.3.2";

/// What cargo, rustup or a git hook around this test may have set, and a user's shell would not.
const FOREIGN: &[&str] = &[
    "CARGO",
    "CARGO_ENCODED_RUSTFLAGS",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_WORK_TREE",
    "LD_LIBRARY_PATH",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
    "RUST_RECURSION_COUNT",
];

/// A command in that environment.
pub fn command(program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir);
    for name in FOREIGN {
        command.env_remove(name);
    }
    command
}

/// Runs it to its end, shows on standard error what and how long, and fails the test with all it printed if it failed.
pub fn run(what: &str, command: &mut Command) -> String {
    eprintln!("{what} ..");
    let start = Instant::now();
    let Output { status, stdout, stderr } =
        command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{what}: {command:?}: {error}"));
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{what}: {command:?}: {status}\n{stdout}\n{stderr}");
    eprintln!("{what}: {:.1} s", start.elapsed().as_secs_f32());
    stdout.into_owned()
}

/// What `cargo dylint` says about a workspace, as cargo's JSON messages.
pub fn run_dylint(workspace: &Path) -> String {
    let tools = tools_dir();
    let installed = tools.join(format!("cargo-dylint-{CARGO_DYLINT}"));
    if !installed.join("bin/cargo-dylint").exists() {
        install(&installed);
    }
    // Dylint builds its driver in a temporary directory and keeps it in DYLINT_DRIVER_PATH, which has to exist.
    let (drivers, temporary) = (tools.join("drivers"), tools.join("tmp"));
    fs::create_dir_all(&drivers).unwrap();
    fs::create_dir_all(&temporary).unwrap();
    let mut dylint = command(installed.join("bin/cargo-dylint"), workspace);
    dylint.args(["dylint", "--all", "--", "--message-format=json"]);
    dylint.env("DYLINT_CLIPPY_REPO", clippy_repository::make(&tools));
    dylint.env("DYLINT_DRIVER_PATH", drivers).env("TMPDIR", temporary);
    dylint.env("CARGO_TARGET_DIR", tools.join("dylint"));
    // Dylint builds the library for release. For the few lines checked here that would be minutes for nothing.
    dylint.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0");
    run("cargo dylint, with its driver and the library where they are missing", &mut dylint)
}

/// Not optimized: it runs for a second, and is built sooner. What it was built from is kept only if that was interrupted.
fn install(root: &Path) {
    let package = format!("cargo-dylint@{CARGO_DYLINT}");
    let build = tools_dir().join("build");
    let mut cargo = command("cargo", repository());
    cargo.args(["install", &package, "--locked", "--debug", "--root"]).arg(root).env("CARGO_TARGET_DIR", &build);
    run("installing cargo-dylint", &mut cargo);
    fs::remove_dir_all(build).unwrap();
}
